"""Distance linkage: an intruder links each masked record to the nearest original record."""

from enum import StrEnum
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison import side_by_side, standardised, varies
from sfumato.contracts import Correspondence, Measurement, RiskMeasure
from sfumato.data import Kind, Microdata, Rows
from sfumato.kernels.nearest import is_nearest, nearest_share
from sfumato.parameters import Columns, FloatMatrix


class LinkTies(StrEnum):
    """What a link counts when several original records are equally near."""

    SHARED = "shared"
    """The intruder draws one of them: the link counts the chance that it is the right one."""
    ANY = "any"
    """The link counts as right when the right record is among them: a bound on what any intruder achieves."""


class DistanceLinkage(RiskMeasure):
    """Count the masked records whose nearest original record is the right one, as the intruder knows more keys.

    In scenario i the intruder knows the first i columns. The value is the mean over the scenarios of the percent of
    masked records that are linked correctly; the parts are the scenarios, and the figure per record is the percent of
    scenarios in which it is.

    Parameters
    ----------
    columns
        Continuous or ordinal columns (these by the number of their category), the easiest known first.
    most_keys
        The largest number of columns that the intruder knows; the scenarios go up to it or to the number of columns.
    ties
        What a link counts when several original records are equally near (squared distances within 1e-9 of their size):
        its share of them, or 1 if the right record is among them.
    correspondence
        What the right record is: the one that the masked record came from, or the nearest over all `columns`.

    Meaning
        0: no record is linked. 100: every record is, in every scenario. With ties `any` and keys that many records
        share the figure is a bound, far above what an intruder achieves. With `nearest_record` it is not a rate of
        re-identification, but what the papers print.
    Intruder
        Knows the exact original values of the keys of every person in the file, and links by Euclidean distance after
        standardising both files by the original's means and standard deviations.
    Missing values
        A distance is over the keys that both records have, its square scaled up by keys / keys compared. A record
        without a common key with its original is not linked. Columns that are constant in the original tell nothing and
        are left out; a scenario that has only such columns links no record.
    Source
        Domingo-Ferrer and Torra (2001), A quantitative comparison of disclosure control methods for microdata; the
        nearest record from Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002), Post-masking optimization of the tradeoff
        between information loss and disclosure risk in masked microdata sets.

    Examples
    --------
    >>> original = np.array([[1.0, 5.0], [2.0, 1.0], [9.0, 4.0]])
    >>> masked = np.array([[1.6, 5.0], [2.0, 2.0], [8.0, 4.0]])
    >>> linked(original, masked, np.array([0, 1, 2]), most_keys=2, ties=LinkTies.SHARED)
    array([[0., 1., 1.], [1., 1., 1.]])
    """

    symbol: ClassVar[str] = "DLD"
    family: ClassVar[str] = "record linkage"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL})

    columns: Columns
    most_keys: Annotated[int, Field(ge=1)] = 7
    ties: LinkTies = LinkTies.SHARED
    correspondence: Correspondence = Correspondence.TRUE_RECORD

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of records linked correctly, by number of keys known."""
        files = side_by_side(self, original, masked, self.correspondence)
        scenarios = linked(files.original, files.masked, files.rows, self.most_keys, self.ties)
        parts = {str(keys): 100 * float(scenario.mean()) for keys, scenario in enumerate(scenarios, start=1)}
        value = float(np.mean(list(parts.values())))
        return Measurement(self.name(), self.symbol, value, parts=parts, per_record=100 * scenarios.mean(axis=0))


def linked(original: FloatMatrix, masked: FloatMatrix, rows: Rows, most_keys: int, ties: LinkTies) -> FloatMatrix:
    """Return for each number of keys (a row each) how far each masked record is linked to `original[rows]`, 0..1."""
    telling = np.cumsum(varies(original))[:most_keys]
    before, after = standardised(original, masked)
    counted = nearest_share if ties is LinkTies.SHARED else is_nearest
    return np.array([counted(before[:, :count], after[:, :count], rows) for count in telling], dtype=np.float64)
