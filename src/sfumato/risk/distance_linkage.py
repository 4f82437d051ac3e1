"""Distance linkage: an intruder links each masked record to the nearest original record."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison import side_by_side, standardised, varies
from sfumato.contracts import Correspondence, Measurement, RiskMeasure
from sfumato.data import Kind, Mask, Microdata, Rows
from sfumato.kernels.nearest import is_nearest
from sfumato.parameters import Columns, FloatMatrix


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
    correspondence
        What the right record is: the one that the masked record came from, or the nearest over all `columns`.

    Meaning
        0: no record is linked. 100: every record is, in every scenario. Where several original records are equally near
        (squared distances within 1e-9 of their size) the link is right when the right one is among them, so that the
        figure errs on the side of safety: if many records share their keys, it is a bound on what an intruder achieves.
        With `nearest_record` it is not a rate of re-identification, but what the papers print.
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
    >>> linked(original, masked, np.array([0, 1, 2]), most_keys=2)
    array([[False,  True,  True], [ True,  True,  True]])
    """

    symbol: ClassVar[str] = "DLD"
    family: ClassVar[str] = "record linkage"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL})

    columns: Columns
    most_keys: Annotated[int, Field(ge=1)] = 7
    correspondence: Correspondence = Correspondence.TRUE_RECORD

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of records linked correctly, by number of keys known."""
        files = side_by_side(self, original, masked, self.correspondence)
        scenarios = linked(files.original, files.masked, files.rows, self.most_keys)
        parts = {str(keys): 100 * float(scenario.mean()) for keys, scenario in enumerate(scenarios, start=1)}
        value = float(np.mean(list(parts.values())))
        return Measurement(self.name(), self.symbol, value, parts=parts, per_record=100 * scenarios.mean(axis=0))


def linked(original: FloatMatrix, masked: FloatMatrix, rows: Rows, most_keys: int) -> Mask:
    """Return for each number of keys (a row each) which masked records have `original[rows]` as their nearest."""
    telling = np.cumsum(varies(original))[:most_keys]
    before, after = standardised(original, masked)
    return np.array([is_nearest(before[:, :count], after[:, :count], rows) for count in telling])
