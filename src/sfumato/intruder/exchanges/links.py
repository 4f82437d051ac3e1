"""Linking by exchanges: each swap ties two pairs of records together, so that true pairs confirm each other.

Where a value tells whose it was, what one pair implies is followed from record to record. Where it does not, because
several had it or other steps changed it, beliefs are sent along all exchanges that are possible.
"""

from dataclasses import dataclass

import numpy as np

from sfumato.intruder.exchanges.beliefs import propagate_beliefs
from sfumato.intruder.exchanges.candidates import candidate_pairs
from sfumato.intruder.exchanges.exchanged_columns import ExchangedColumns
from sfumato.intruder.grid_search import GridSearch
from sfumato.intruder.model import model_by_runs
from sfumato.intruder.pair_model import Model
from sfumato.intruder.pair_scores import places, searched, true_log_densities
from sfumato.intruder.posterior import Posterior
from sfumato.kernels.linkage.exchange_cells import ExchangedCells
from sfumato.kernels.linkage.exchanges import follow_exchanges
from sfumato.kernels.linkage.likelihood_tables import Tables
from sfumato.kernels.linkage.matching_marginals import matching_marginals
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows

MAX_ALL_PAIRS = 3000  # records up to which every original is tried for every masked record
MAX_SEEDS = 300  # masked records of large files for which every original is tried
SURE = 10  # implied pairs that confirm a link which nothing contradicts
MAX_PROPAGATED = 20_000  # originals up to which beliefs are sent
NEARLY_ALL = 0.995  # of the records sure: beliefs would add nothing


@dataclass(frozen=True, eq=False)
class ExchangeLinks:
    """Whom each masked record is linked to by exchanges.

    Parameters
    ----------
    rows
        The row of the original; -1 for none.
    certainty
        How probable the link is; NaN where exchanges do not tell.
    """

    rows: Rows
    certainty: FloatColumn


def exchange_links(columns: ExchangedColumns, model: Model, posterior: Posterior, rows: Rows) -> ExchangeLinks | None:
    """Return the original that exchanges point to for each masked record; nothing where they tell nothing."""
    shown = {name: columns.known_values(name) for name in columns.swaps}
    certain = {name: column for name, column in shown.items() if column is not None}
    linked, certainty = np.full(len(rows), -1, dtype=np.int64), np.full(len(rows), np.nan)
    can_follow = len(certain) > 1 and bool(searched(model.likelihood))  # values that are all equal tell nothing
    if can_follow:
        linked, is_sure = _follow(columns, certain, model, posterior, rows)
        certainty[is_sure] = 1.0
    is_sure = certainty == 1.0
    if columns.original.n <= MAX_PROPAGATED and is_sure.mean() < NEARLY_ALL:
        cells = {name: found for name in columns.swaps for found in [columns.cells(name)] if found is not None}
        if cells and len(columns.names) > 1:
            return _propagate(columns, cells, model, np.where(is_sure, linked, -1))
    return ExchangeLinks(linked, certainty) if can_follow else None


def _propagate(columns: ExchangedColumns, cells: dict[str, ExchangedCells], model: Model, known: Rows) -> ExchangeLinks:
    """Return the links of the largest belief; `known` are those that are sure, -1 for none."""
    others = tuple(name for name in columns.names if name not in cells)
    rest = model_by_runs(columns.runs, columns.masked, others) if others else None
    pairs, scores = candidate_pairs(model, rest, known)
    pairs, logs = propagate_beliefs(pairs, scores, list(cells.values()), columns.original.n)
    counts = np.diff(pairs.starts)
    slots = np.arange(len(logs)) - pairs.starts[pairs.records]
    candidates = np.full((len(known), max(int(counts.max(initial=0)), 1)), -1, dtype=np.int64)
    weights = np.zeros(candidates.shape)
    candidates[pairs.records, slots], weights[pairs.records, slots] = pairs.originals, logs
    ones = [np.ones(count, dtype=np.int64) for count in (len(known), columns.original.n)]
    chances, _ = matching_marginals(candidates, weights, ones[0], ones[1])
    chances = _shared_among_equals(candidates, chances, columns.equal_originals)
    best, every = chances.argmax(axis=1), np.arange(len(known))
    return ExchangeLinks(candidates[every, best], np.minimum(chances[every, best], 1.0))


def _shared_among_equals(candidates: CodeMatrix, chances: FloatMatrix, classes: CodeColumn) -> FloatMatrix:
    """Return chances that are the same for all originals that nobody can tell apart."""
    sizes = np.bincount(classes)
    if (sizes == 1).all():
        return chances
    records, slots = np.nonzero(candidates >= 0)
    found = classes[candidates[records, slots]]
    pairs, place = np.unique(records * len(sizes) + found, return_inverse=True)
    shares = np.bincount(place, chances[records, slots], len(pairs)) / sizes[pairs % len(sizes)]
    shared = np.zeros(chances.shape)
    shared[records, slots] = shares[place]
    return shared


def _follow(
    columns: ExchangedColumns, shown: dict[str, FloatColumn], model: Model, posterior: Posterior, rows: Rows
) -> tuple[Rows, Booleans]:
    """Return the original whose implied pairs are most likely, for each masked record, and whether that is sure."""
    original, masked = columns.original.n, columns.masked.n
    likelihood = searched(model.likelihood)
    before, after = places(likelihood, original, masked)
    search = GridSearch.of(likelihood, before, after, np.zeros(original))
    used = np.ones(before.shape[1], dtype=np.bool_)
    # the intruder knows from shadows how unlikely a true pair can be
    least = float(true_log_densities(likelihood, rows).min()) - 1.0
    swaps = _Swaps(
        *_holders(np.column_stack(list(shown.values())), columns.masked.matrix(tuple(shown))),
        (model.original_blocks, model.masked_blocks),
        search,
        search.joined_tables(used, used),
        least,
    )
    linked = swaps.links_from_seeds(original, masked) if original > MAX_ALL_PAIRS else np.full(masked, -1)
    is_sure = linked >= 0
    left = np.flatnonzero(~is_sure)
    candidates = _candidates(posterior, original, masked)[left]
    means, counts = swaps.follow(left, candidates)
    best, every = means.argmax(axis=1), np.arange(len(left))
    is_possible = np.isfinite(means)
    linked[left] = np.where(is_possible.any(axis=1), candidates[every, best], -1)
    is_sure[left] = (is_possible.sum(axis=1) == 1) & (counts[every, best] >= SURE)
    return linked, is_sure


@dataclass(frozen=True, eq=False)
class _Swaps:
    """What ties pairs together, and how likely each pair is: as for `follow_exchanges`."""

    owners: CodeMatrix
    carriers: CodeMatrix
    blocks: tuple[CodeColumn, CodeColumn]
    search: GridSearch
    tables: Tables
    least: float

    def follow(self, records: Rows, candidates: CodeMatrix) -> tuple[FloatMatrix, CodeMatrix]:
        grids = self.search.positions, self.search.levels, self.search.places
        return follow_exchanges(
            self.owners, self.carriers, self.blocks, records, candidates, *grids, self.tables, self.least
        )

    def links_from_seeds(self, originals: int, masked: int) -> Rows:
        """Return the links that follow from some records for which a single original is possible; -1 for the others.

        Every original is tried for a seed. In three columns without ties all true pairs follow from one.
        """
        linked = np.full(masked, -1, dtype=np.int64)
        every = np.arange(originals)[None, :]
        for record in np.random.default_rng(0).permutation(masked)[:MAX_SEEDS]:
            if linked[record] >= 0:
                continue
            means, counts = self.follow(np.array([record]), every)
            possible = np.flatnonzero(np.isfinite(means[0]))
            if possible.size == 1 and counts[0, possible[0]] >= SURE:
                linked[record] = possible[0]
                self._link_implied(np.array([record]), linked)
        return linked

    def _link_implied(self, records: Rows, linked: Rows) -> None:
        """Link all that follows from some links; `linked` is an output."""
        while records.size:
            owners, carriers = self.owners[records].ravel(), self.carriers[linked[records]].ravel()
            new = np.flatnonzero((owners >= 0) & (carriers >= 0))
            new = new[linked[carriers[new]] < 0]
            linked[carriers[new]] = owners[new]
            records = np.unique(carriers[new])


def _candidates(posterior: Posterior, originals: int, masked: int) -> CodeMatrix:
    """Return the originals to try: all of them in small files, otherwise the likely ones, one for each class."""
    if originals <= MAX_ALL_PAIRS:
        return np.broadcast_to(np.arange(originals), (masked, originals)).copy()
    first = np.full(len(posterior.original_counts), -1, dtype=np.int64)
    first[posterior.original_classes[::-1]] = np.arange(originals)[::-1]
    found = posterior.candidates[posterior.masked_classes]
    return np.where(found < 0, -1, first[found])


def _holders(before: FloatMatrix, after: FloatMatrix) -> tuple[CodeMatrix, CodeMatrix]:
    """Return the original that had each masked value, and the masked record that has each original one; -1: several."""
    columns = list(zip(before.T, after.T, strict=True))
    owners = np.column_stack([_only_holder(known, column) for known, column in columns])
    carriers = np.column_stack([_only_holder(column, known) for known, column in columns])
    return owners, carriers


def _only_holder(known: FloatColumn, wanted: FloatColumn) -> CodeColumn:
    """Return for each value wanted the one row that has it; -1 where none or several have.

    Examples
    --------
    >>> _only_holder(np.array([5.0, 7.0, 7.0, np.nan]), np.array([7.0, 5.0, 1.0, np.nan]))
    array([-1,  0, -1, -1])
    """
    values, first, counts = np.unique(known, return_index=True, return_counts=True)
    place = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
    is_held = (values[place] == wanted) & (counts[place] == 1)
    return np.where(is_held, first[place], -1)
