"""Distance linkage: an intruder links each masked record to the nearest original record."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from typing import Annotated, ClassVar

import numpy as np
from pydantic import AfterValidator, Field

from sfumato.comparison.side_by_side import side_by_side
from sfumato.contracts import Correspondence, Measurement, RiskMeasure
from sfumato.data import METRIC, Kind, Microdata
from sfumato.errors import UnknownColumnError, did_you_mean
from sfumato.kernels.neighbours.nearest import is_nearest, nearest_share
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows
from sfumato.parameters import Columns
from sfumato.risk.linkage._distances import Distance


class LinkTies(StrEnum):
    """What a link counts when several records are equally near."""

    SHARED = "shared"
    """The intruder draws one of them: the link counts the chance that it is the right one."""
    ANY = "any"
    """The link counts as right when the right record is among them: a bound on what any intruder achieves."""


class Direction(StrEnum):
    """Which of the two files is searched."""

    MASKED_TO_ORIGINAL = "masked_to_original"
    """Each masked record is linked to the nearest original record."""
    ORIGINAL_TO_MASKED = "original_to_masked"
    """Each original record that has a masked one is linked to the nearest masked record."""


def _check_each_once(scenarios: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    if any(len(set(known)) < len(known) for known in scenarios):
        raise ValueError("must name each column once in a scenario")
    if len({frozenset(known) for known in scenarios}) < len(scenarios):
        raise ValueError("must state each set of known columns once")
    return scenarios


Known = Annotated[tuple[str, ...], Field(min_length=1)]
Scenarios = Annotated[tuple[Known, ...], AfterValidator(_check_each_once)]


class DistanceLinkage(RiskMeasure):
    """Count the masked records whose nearest original record is the right one, as the intruder knows more keys.

    In scenario i the intruder knows the first i columns, or the columns that `scenarios` states. The value is the mean
    over the scenarios of the percent of masked records that are linked correctly; the parts are the scenarios, and the
    figure per record is the percent of scenarios in which it is.

    Parameters
    ----------
    columns
        Continuous, ordinal (by the number of their category) or date columns (in days), the easiest known first.
    max_keys
        The largest number of columns that the intruder knows; the scenarios go up to it or to the number of columns.
        Not used when `scenarios` are stated.
    scenarios
        Sets of known columns, each some of `columns`, in place of the first 1, 2, ... ones. Parts are then named by
        their columns, such as `age+income`.
    distance
        How far two records are apart. `euclidean` and `manhattan` (absolute differences) standardise both files by the
        original's means and deviations, `own_deviations` each file by its own; `joint_deviations` divides differences
        by the root of the sum of both variances. `mahalanobis_difference` weighs by the covariances of original minus
        masked values, so it is for an intruder who knows the noise, and `mahalanobis_sum` by the sum of the covariances
        of both files. `kernel` compares squares and products too, by the kernel (1 + a.b)^2 after own deviations.
    direction
        Whether each masked record is linked to the nearest original one, as in the papers' DLD, or each original to the
        nearest masked one. Either way a figure belongs to a masked record, and originals without one are not asked.
    ties
        What a link counts when several records are equally near (distances, the Euclidean ones squared, within 1e-9 of
        their size): its share of them, or 1 if the right record is among them.
    correspondence
        What the right record is: the one that the masked record came from, or the nearest over all `columns`.

    Meaning
        0: no record is linked. 100: every record is, in every scenario. With ties `any` and keys that many records
        share the figure is a bound, far above what an intruder achieves. With `nearest_record` it is not a rate of
        re-identification, but what the papers print.
    Intruder
        Knows the exact original values of the keys of every person in the file, and links by distance: Euclidean after
        standardising both files by the original's means and standard deviations, if nothing else is said.
    Missing values
        A distance is over the keys that both records have, scaled up by keys / keys compared (the Euclidean ones
        squared). A record without a common key with its original is not linked. The Mahalanobis and kernel distances
        need every key: a record that lacks one is neither linked nor found, and covariances are of the others; fewer
        than 2 link no record. Columns that are constant in the original, for `own_deviations` and `kernel` in either
        file, tell nothing and are left out; a scenario that has only such columns links no record.
    Source
        Domingo-Ferrer and Torra (2001), A quantitative comparison of disclosure control methods for microdata; the
        nearest record from Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002), Post-masking optimization of the tradeoff
        between information loss and disclosure risk in masked microdata sets; the further distances from Torra, Abowd
        and Domingo-Ferrer (2006), Using Mahalanobis distance-based record linkage for disclosure risk assessment.

    Examples
    --------
    >>> original = np.array([[1.0, 5.0], [2.0, 1.0], [9.0, 4.0]])
    >>> masked = np.array([[1.6, 5.0], [2.0, 2.0], [8.0, 4.0]])
    >>> nearest_link_share(original[:, :1], masked[:, :1], np.array([0, 1, 2]))
    array([0., 1., 1.])
    >>> nearest_link_share(original, masked, np.array([0, 1, 2]))
    array([1., 1., 1.])
    """

    symbol: ClassVar[str] = "DLD"
    family: ClassVar[str] = "linkage"
    kinds: ClassVar[frozenset[Kind]] = METRIC | {Kind.ORDINAL}

    columns: Columns
    max_keys: Annotated[int, Field(ge=1)] = 7
    scenarios: Scenarios = ()
    distance: Distance = Distance.EUCLIDEAN
    direction: Direction = Direction.MASKED_TO_ORIGINAL
    ties: LinkTies = LinkTies.SHARED
    correspondence: Correspondence = Correspondence.TRUE_RECORD

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of records linked correctly, by scenario."""
        files = side_by_side(self, original, masked, self.correspondence)
        scenarios = self.known_columns(files.names)
        before, after = files.original, files.masked
        links = [
            nearest_link_share(before[:, known], after[:, known], files.rows, self.distance, self.direction, self.ties)
            for known in scenarios.values()
        ]
        parts = {name: 100 * float(link.mean()) for name, link in zip(scenarios, links, strict=True)}
        value = float(np.mean(list(parts.values())))
        return Measurement(self.name(), self.symbol, value, parts=parts, per_record=100 * np.mean(links, axis=0))

    def known_columns(self, names: Sequence[str]) -> dict[str, list[int]]:
        """Return for each scenario, by name, the places of the known columns among the names of all."""
        for name in chain.from_iterable(self.scenarios):
            if name not in names:
                raise UnknownColumnError(
                    f"{type(self).__name__}.scenarios: '{name}' is not one of the columns; "
                    f"name it in columns too, or leave it out{did_you_mean(name, names)}"
                )
        if self.scenarios:
            return {"+".join(known): [names.index(name) for name in known] for known in self.scenarios}
        return {str(count): list(range(count)) for count in range(1, min(self.max_keys, len(names)) + 1)}


def nearest_link_share(
    original: FloatMatrix,
    masked: FloatMatrix,
    rows: Rows,
    distance: Distance = Distance.EUCLIDEAN,
    direction: Direction = Direction.MASKED_TO_ORIGINAL,
    ties: LinkTies = LinkTies.SHARED,
) -> FloatColumn:
    """Return how far each masked record is linked to `original[rows]` by an intruder who knows all columns, 0..1."""
    before, after = distance.coordinates(original, masked, rows)
    counted = nearest_share if ties is LinkTies.SHARED else is_nearest
    if direction is Direction.ORIGINAL_TO_MASKED:
        found = counted(after, before[rows], np.arange(len(after)), distance.power)
    else:
        found = counted(before, after, rows, distance.power)
    return np.asarray(found, dtype=np.float64)


def can_be_counted(measure: DistanceLinkage) -> bool:
    """Tell whether links can be counted over parts of the original, standardised by the means of the whole."""
    return (
        measure.distance in (Distance.EUCLIDEAN, Distance.MANHATTAN)
        and measure.direction is Direction.MASKED_TO_ORIGINAL
        and measure.correspondence is Correspondence.TRUE_RECORD
    )


def count_nearest(candidates: FloatMatrix, masked: FloatMatrix, rows: Rows, distance: Distance) -> Rows:
    """Return how many candidates are as near to each masked record as `candidates[rows]`, 0 where some are nearer.

    Examples
    --------
    >>> candidates, masked = np.array([[0.0], [2.0], [9.0]]), np.array([[1.0], [8.0], [0.0]])
    >>> count_nearest(candidates, masked, np.array([0, 2, 1]), Distance.EUCLIDEAN)
    array([2, 1, 0])
    """
    shares = nearest_share(candidates, masked, rows, distance.power)
    return np.rint(np.divide(1.0, shares, out=np.zeros_like(shares), where=shares > 0)).astype(np.int64)


def link_shares(measure: DistanceLinkage, equally_near: Rows) -> FloatMatrix:
    """Return what links count, from how many originals are equally near; 0 is no link."""
    counted = np.maximum(equally_near, 1) if measure.ties is LinkTies.SHARED else np.ones_like(equally_near)
    return np.where(equally_near > 0, 1.0 / counted, 0.0)
