"""Clustering loss: how far the clusters that a user finds are still the same."""

import warnings
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison.side_by_side import side_by_side
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.loss.analyses._partitions import adjusted_rand, contingency, jaccard, mantaras_distance, rand, wallace
from sfumato.numerics.arrays import CodeColumn, FloatMatrix
from sfumato.numerics.one_thread import one_thread
from sfumato.numerics.standardisation import standardise_both
from sfumato.parameters import Columns

TRIED_ON = 20_000  # starts are tried on at most this many records, spread evenly over the file
LOOKED_AT_FIRST = 1000  # most files show enough different records here, and need not be sorted whole


class ClusteringLoss(LossMeasure):
    """Cluster both files by k-means and compare the two partitions of the records.

    Columns are standardised by the original's means and deviations. The value is the Mantaras distance between the
    partition of the original records and that of the masked records of the same ids; constant columns are left out. The
    parts give in percent 1 - the Rand index (`CLrand`), 1 - the Jaccard index (`CLjaccard`), 1 - the adjusted Rand
    index (`CLadjusted`), 1 - the Wallace index (`CLwallace`, the geometric mean of its two directions) and the Mantaras
    distance (`CLmantaras`) for a run that starts from the centres found in the original. The same five follow for a
    free start, where k-means looks for centres in the masked file again: k-means ends in one of many similar optima, so
    that these are large even where little has changed.

    Parameters
    ----------
    columns
        Continuous columns.
    clusters
        How many clusters to make.
    starts
        How often k-means restarts, from centres drawn far apart; the best start is kept. In files of more than
        20 000 records starts are tried on every second, third, ... record.
    seed
        Draws the starts: the figure is a function of the files and of this number.

    Meaning
        0: the same clusters. 100: to know a record's cluster in one file tells nothing about its cluster in the other.
        All parts lie between 0 and 100, except that `CLadjusted` may exceed 100, where partitions agree less than by
        chance.
    Missing values
        A record that lacks a value in the original is left out. One that lacks a value only in the masked file is in no
        cluster: it counts as a cluster of its own. Where the masked records have no more different values than there
        are clusters, equal records make the clusters. There is no figure per record.
    Source
        Ladra and Torra (2008), On the comparison of generic information loss measures and cluster-specific ones, which
        has 15 clusters. Indices: Rand (1971); Jaccard (1912); Hubert and Arabie (1985), Comparing partitions; Wallace
        (1983) and Fowlkes and Mallows (1983); López de Mántaras (1991), A distance-based attribute selection measure
        for decision tree induction.

    Examples
    --------
    >>> incomes, masked = np.array([[1.0], [2.0], [8.0], [9.0]]), np.array([[2.0], [1.0], [7.0], [8.0]])
    >>> centres = free_centres(incomes, clusters=2, starts=3, start=0)
    >>> clusters_from(masked, centres).tolist() == clusters_from(incomes, centres).tolist()
    True
    """

    symbol: ClassVar[str] = "CL"
    part_symbols: ClassVar[tuple[str, ...]] = ("CLrand", "CLjaccard", "CLadjusted", "CLwallace", "CLmantaras")
    family: ClassVar[str] = "analyses"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns
    clusters: Annotated[int, Field(ge=2, le=10_000)] = 15
    starts: Annotated[int, Field(ge=1, le=10_000)] = 10
    seed: Annotated[int, Field(ge=0)] = 0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the distance between the partitions in percent, with the five indices for both kinds of start."""
        files = side_by_side(self, original, masked)
        in_order = np.argsort(files.rows, kind="stable")  # the order of the masked file must not matter
        before, after = standardise_both(files.original, files.masked[in_order])
        before = before[files.rows[in_order]]
        known = ~np.isnan(before).any(axis=1)
        before, after = before[known], after[known]
        self._check_different(before)
        start = int(np.random.default_rng(self.seed).integers(2**31))
        centres = free_centres(before, self.clusters, self.starts, start)
        partition = clusters_from(before, centres)
        started = changes(partition, masked_partition(after, centres))
        there = ~np.isnan(after).any(axis=1)
        if different(after[there], self.clusters):
            centres = free_centres(after[there], self.clusters, self.starts, start)
        free = changes(partition, masked_partition(after, centres))
        parts = {f"CL{name}": change for name, change in started.items()}
        parts |= {f"{name}, free start": change for name, change in free.items()}
        return Measurement(self.name(), self.symbol, parts["CLmantaras"], parts=parts)

    def _check_different(self, records: FloatMatrix) -> None:
        if not different(records, self.clusters):
            raise DataError(
                f"ClusteringLoss.clusters: {self.clusters} clusters need as many different records; the original has "
                f"fewer among the {len(records)} that are complete in the columns and have a masked form; ask for fewer"
            )


def changes(first: CodeColumn, second: CodeColumn) -> dict[str, float]:
    """Return how far two partitions differ, by each index in percent; 0 where they are equal."""
    table = contingency(first, second)
    similarity = {"rand": rand, "jaccard": jaccard, "adjusted": adjusted_rand, "wallace": wallace}
    lost = {name: 100 * max(0.0, 1 - index(table)) for name, index in similarity.items()}
    return lost | {"mantaras": 100 * mantaras_distance(table)}


def free_centres(records: FloatMatrix, clusters: int, starts: int, start: int) -> FloatMatrix:
    """Return the centres that k-means ends with, from the best of some drawn starts (clusters x columns)."""
    some = records[:: -(-len(records) // TRIED_ON)]
    if not different(some, clusters):
        some = records
    drawn = _k_means(some, clusters, "k-means++", starts, start).cluster_centers_
    return np.asarray(_k_means(records, clusters, drawn).cluster_centers_, dtype=np.float64)


def clusters_from(records: FloatMatrix, centres: FloatMatrix) -> CodeColumn:
    """Return the cluster of each record, from 0, by k-means that starts from given centres."""
    return np.asarray(_k_means(records, len(centres), centres).labels_, dtype=np.int64)


def masked_partition(records: FloatMatrix, centres: FloatMatrix) -> CodeColumn:
    """Return the cluster of each masked record; those that lack a value are clusters of their own."""
    there = ~np.isnan(records).any(axis=1)
    labels = np.empty(len(records), dtype=np.int64)
    if different(records[there], len(centres)):
        labels[there] = clusters_from(records[there], centres)
    else:
        labels[there] = np.unique(records[there], axis=0, return_inverse=True)[1].reshape(-1)
    labels[~there] = len(centres) + np.arange(len(records) - there.sum())
    return labels


def different(records: FloatMatrix, wanted: int) -> bool:
    """Tell whether there are as many different records as wanted."""
    looks = (records[:LOOKED_AT_FIRST], records)
    return any(len(np.unique(look, axis=0)) >= wanted for look in looks if len(look) >= wanted)


def _k_means(records: FloatMatrix, clusters: int, centres: FloatMatrix | str, starts: int = 1, start: int = 0) -> Any:
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of records that differ by rounding only
        method = KMeans(clusters, init=centres, n_init=starts, random_state=start)
        return method.fit(np.ascontiguousarray(records))
