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
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows

MAX_ALL_PAIRS = 3000  # records up to which every original is tried for every masked record
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
    candidates = _candidates(posterior, original.n, masked.n)
    means, counts = follow_exchanges(
        *_holders(original.matrix(names), masked.matrix(names)),
        (model.original_blocks, model.masked_blocks),
        candidates,
        search.positions,
        search.levels,
        search.places,
        search.joined_tables(used, used),
        least,
    )
    best = means.argmax(axis=1)
    every = np.arange(masked.n)
    is_possible = np.isfinite(means)
    linked = np.where(is_possible.any(axis=1), candidates[every, best], -1)
    is_sure = (is_possible.sum(axis=1) == 1) & (counts[every, best] >= SURE)
    return ExchangeLinks(linked, is_sure)


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
