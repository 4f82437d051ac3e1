"""Fuzzy clustering loss: how far records still belong to the same fuzzy clusters to the same degrees."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison.side_by_side import side_by_side
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.loss.analyses._fuzzy_c_means import FuzzyClusters, best_fuzzy_clusters, fuzzy_clusters
from sfumato.numerics.arrays import Booleans
from sfumato.numerics.standardisation import standardise_both
from sfumato.parameters import Columns


class FuzzyClusteringLoss(LossMeasure):
    """Cluster both files by fuzzy c-means and compare to which degrees records belong to the clusters.

    Columns are standardised by the original's means and deviations (divisor n); constant columns are left out. The
    value is half the sum over clusters of |membership in the masked file - membership in the original|, in percent,
    averaged over records, where the masked file is clustered from the centres found in the original. Parts:
    `FCcentres` is the root of the sum of squared differences of the centres, in standard deviations (d1 of the source),
    `FCmemberships` the sum of the squared differences of the memberships (d2) and `FCobjective` the objective of the
    masked file in percent of that of the original. The same follow for a free start in the masked file, each centre
    with its nearest: fuzzy c-means ends in one of several optima, so that these may be large where nothing has
    changed.

    Parameters
    ----------
    columns
        Continuous columns.
    clusters
        How many clusters to make.
    fuzziness
        The exponent of the memberships: near 1 records belong to one cluster, the larger the more to all.
    starts
        How often to start, from records drawn at random; the lowest objective is kept.
    seed
        Draws the starts: the figure is a function of the files and of this number.

    Meaning
        0: every record belongs to the clusters as before. 100: no record belongs at all to a cluster that it belonged
        to.
    Missing values
        A record that lacks a value in the original is left out. One that lacks a value only in the masked file belongs
        to no cluster: its memberships are fully lost.
    Source
        Torra (2013), Masking methods, slides, where c = 10 (its objectives on Census, 2826, 2829 and 2851, come out
        with a fuzziness of 1.5); Bezdek (1981), Pattern recognition with fuzzy objective function algorithms.

    Examples
    --------
    >>> import polars
    >>> incomes = [1.0, 2.0, 8.0, 9.0]
    >>> files = [Microdata(polars.DataFrame({"income": values})) for values in (incomes, [2.0, 1.0, 9.0, 8.0])]
    >>> round(FuzzyClusteringLoss(columns=("income",), clusters=2).measure(*files).value, 2)
    0.0
    """

    symbol: ClassVar[str] = "FC"
    part_symbols: ClassVar[tuple[str, ...]] = ("FCcentres", "FCmemberships", "FCobjective")
    part_units: ClassVar[Mapping[str, str]] = {
        "FCcentres": "standard deviations",
        "FCmemberships": "squared memberships",
    }
    family: ClassVar[str] = "analyses"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns
    clusters: Annotated[int, Field(ge=2, le=1000)] = 10
    fuzziness: Annotated[float, Field(gt=1, le=10)] = 1.5
    starts: Annotated[int, Field(ge=1, le=10_000)] = 10
    seed: Annotated[int, Field(ge=0)] = 0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean change of the memberships in percent, with the changes of centres and objective."""
        files = side_by_side(self, original, masked)
        in_order = np.argsort(files.rows, kind="stable")  # the order of the masked file must not matter
        before, after = standardise_both(files.original, files.masked[in_order])
        before = before[files.rows[in_order]] / np.sqrt(1 - 1 / max(original.n, 2))
        after = after / np.sqrt(1 - 1 / max(original.n, 2))
        known = ~np.isnan(before).any(axis=1)
        before, after, numbers = before[known], after[known], in_order[known]
        if len(np.unique(before, axis=0)) < self.clusters:
            raise DataError(
                f"FuzzyClusteringLoss.clusters: {self.clusters} clusters need as many different records; the original "
                f"has fewer that are complete in the columns and have a masked form; ask for fewer"
            )
        there = ~np.isnan(after).any(axis=1)
        if there.sum() < self.clusters:
            raise DataError(
                f"FuzzyClusteringLoss.clusters: {self.clusters} clusters need as many masked records that are complete "
                f"in the columns; there are {int(there.sum())}: ask for fewer, or leave out columns with gaps"
            )
        rng = np.random.default_rng(self.seed)
        centres = best_fuzzy_clusters(before, self.clusters, self.fuzziness, self.starts, rng).centres
        # both from there, so that equal files end in equal clusters
        first, started = (fuzzy_clusters(some, centres, self.fuzziness) for some in (before, after[there]))
        free = best_fuzzy_clusters(after[there], self.clusters, self.fuzziness, self.starts, rng)
        lost = np.ones(len(before))
        lost[there] = np.abs(started.memberships - first.memberships[there]).sum(axis=1) / 2
        per_record = np.full(masked.n, np.nan)
        per_record[numbers] = 100 * lost
        parts = dict(zip(self.part_symbols, _changes(first, started, there), strict=True))
        names = ("centres", "memberships", "objective")
        parts |= {
            f"{name}, free start": figure
            for name, figure in zip(names, _changes(first, match_centres(free, first), there), strict=True)
        }
        return Measurement(self.name(), self.symbol, 100 * float(lost.mean()), parts=parts, per_record=per_record)


def match_centres(found: FuzzyClusters, other: FuzzyClusters) -> FuzzyClusters:
    """Return clusters in the order of others, each beside the one whose centre is nearest, one to one."""
    from scipy.optimize import linear_sum_assignment

    squares = ((other.centres[:, None] - found.centres) ** 2).sum(axis=2)
    order = linear_sum_assignment(squares)[1]
    return FuzzyClusters(found.centres[order], found.memberships[:, order], found.objective)


def _changes(before: FuzzyClusters, after: FuzzyClusters, there: Booleans) -> tuple[float, float, float]:
    """Return the distance of the centres, the squared distance of the memberships and the objective in percent."""
    centres = float(np.sqrt(((after.centres - before.centres) ** 2).sum()))
    memberships = float(((after.memberships - before.memberships[there]) ** 2).sum())
    return centres, memberships, 100 * after.objective / before.objective if before.objective else 100.0
