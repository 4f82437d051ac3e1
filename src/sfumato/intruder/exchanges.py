"""Linking by exchanges: each swap ties two pairs of records together, so that true pairs confirm each other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.intruder.grid_search import GridSearch
from sfumato.intruder.model import Model, true_log_densities
from sfumato.intruder.posterior import Posterior
from sfumato.intruder.shadow_masking import steps_by_column
from sfumato.kernels.linkage.exchanges import follow_exchanges
from sfumato.kernels.linkage.likely_records import Tables
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows

MAX_ALL_PAIRS = 3000  # records up to which every original is tried for every masked record
MAX_SEEDS = 300  # masked records of large files for which every original is tried
SURE = 10  # implied pairs that confirm a link which nothing contradicts


@dataclass(frozen=True, eq=False)
class ExchangeLinks:
    """Whom each masked record is linked to by exchanges.

    Parameters
    ----------
    rows
        The row of the original; -1 for none.
    is_sure
        Whether no other original is possible, and many pairs confirm it.
    """

    rows: Rows
    is_sure: Booleans


def exchanged_columns(
    steps: Sequence[MaskingMethod], original: Microdata, masked: Microdata, names: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the numbers that one step alone masks, by exchanging values between two records at a time."""
    touching = steps_by_column(steps, original, names)
    return tuple(
        name
        for name in names
        if len(touching[name]) == 1
        and steps[touching[name][0]].exchanges_values
        and {original.schema[name].kind, masked.schema[name].kind} == {Kind.CONTINUOUS}
    )


def exchange_links(
    model: Model, posterior: Posterior, original: Microdata, masked: Microdata, names: tuple[str, ...], rows: Rows
) -> ExchangeLinks:
    """Return the original whose implied pairs are most likely, for each masked record."""
    before, after = (np.column_stack([getattr(one, side) for one in model.likelihood]) for side in ("before", "after"))
    search = GridSearch.of(model.likelihood, before, after, np.zeros(original.n))
    used = np.ones(before.shape[1], dtype=np.bool_)
    # the intruder knows from shadows how unlikely a true pair can be
    least = float(true_log_densities(model.likelihood, rows).min()) - 1.0
    swaps = _Swaps(
        *_holders(original.matrix(names), masked.matrix(names)),
        (model.original_blocks, model.masked_blocks),
        search,
        search.joined_tables(used, used),
        least,
    )
    linked = swaps.links_from_seeds(original.n, masked.n) if original.n > MAX_ALL_PAIRS else np.full(masked.n, -1)
    is_sure = linked >= 0
    left = np.flatnonzero(~is_sure)
    candidates = _candidates(posterior, original.n, masked.n)[left]
    means, counts = swaps.follow(left, candidates)
    best, every = means.argmax(axis=1), np.arange(len(left))
    is_possible = np.isfinite(means)
    linked[left] = np.where(is_possible.any(axis=1), candidates[every, best], -1)
    is_sure[left] = (is_possible.sum(axis=1) == 1) & (counts[every, best] >= SURE)
    return ExchangeLinks(linked, is_sure)


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
