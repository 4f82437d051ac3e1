"""Linking households as wholes: where a release tells who lives together, all members speak for each of them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sfumato.data import Microdata, Role
from sfumato.errors import SfumatoError
from sfumato.intruder.pair_model import Model
from sfumato.intruder.pair_scores import log_likelihoods
from sfumato.intruder.posterior import Posterior, places_of
from sfumato.intruder.shadow_masking import Runs
from sfumato.kernels.linkage.matching_marginals import matching_marginals
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Floats, Rows
from sfumato.numerics.densities import IMPOSSIBLE
from sfumato.numerics.permanents import log_permanents

MAX_ALL_PAIRS = 4_000_000  # of records: up to so many, every household of the right size is tried
MAX_HOUSEHOLDS = 64  # that are tried for each in larger files
PAIRS_AT_A_TIME = 100_000  # of households
NEGLIGIBLE = 1e-6  # the probability of a household


@dataclass(frozen=True, eq=False)
class HouseholdLinks:
    """Whom each masked record is linked to by its household.

    Parameters
    ----------
    rows
        The row of the original; -1 for none.
    certainty
        How probable the link is.
    """

    rows: Rows
    certainty: FloatColumn


def households_of_both(
    original: Microdata, masked: Microdata
) -> tuple["HouseholdMembers", "HouseholdMembers"] | tuple[None, None]:
    """Return the households of both files by the same column: the first that the release has; nothing without one.

    A file may have several, as families and dwellings, of which one is dropped.
    """
    name = next((name for name in household_columns(masked) if name in original.schema), None)
    if name is None:
        return None, None
    return HouseholdMembers.by(original, name), HouseholdMembers.by(masked, name)


def household_columns(data: Microdata) -> list[str]:
    """Return the columns of household numbers."""
    return [variable.name for variable in data.schema.variables if variable.role is Role.HOUSEHOLD]


def draws_whole_households(runs: Runs, masked: Microdata) -> bool:
    """Tell whether records are left out by households: those of a shadow have all their members."""
    members, _ = households_of_both(runs.original, masked)
    if members is None or not runs.steps:
        return False
    try:
        rows = runs.shadow(0).rows
    except SfumatoError:
        return False
    sizes = np.bincount(members.numbers[rows], minlength=len(members.sizes))
    return bool(((sizes == 0) | (sizes == members.sizes)).all())


def household_links(
    model: Model, posterior: Posterior, original: Microdata, masked: Microdata, *, are_whole: bool = False
) -> HouseholdLinks | None:
    """Return the links by households, matched one to one as wholes; nothing where the release does not tell of any.

    A household is as likely to be another as the sum over all ways to match their members, which must be as many, or
    fewer where records were left out of the release and households are not drawn as wholes.
    """
    before, after = households_of_both(original, masked)
    if before is None or after is None or after.sizes.max(initial=0) < 2:
        return None
    candidates = _candidates(before, after, posterior, left_out=original.n > masked.n and not are_whole)
    release = _Release(
        model, *places_of(model, model.of_members), before, after, np.log1p(-min(masked.n / original.n, 1 - 1e-9))
    )
    scores = np.full(candidates.shape, -np.inf)
    for places, tables in release.tables(candidates, candidates >= 0):
        scores[places] = log_permanents(tables) + release.left_out * (tables.shape[2] - tables.shape[1])
    candidates = np.where(scores > IMPOSSIBLE / 2, candidates, -1)
    ones = [np.ones(len(households.sizes), dtype=np.int64) for households in (after, before)]
    chances, _ = matching_marginals(candidates, np.where(candidates < 0, 0.0, scores), ones[0], ones[1])
    rows, certainty = np.full(masked.n, -1, dtype=np.int64), np.zeros(masked.n)
    for places, tables in release.tables(candidates, (candidates >= 0) & (chances > NEGLIGIBLE)):
        records, originals = after.members_of(places[0]), before.members_of(candidates[places])
        found = _member_marginals(tables) * chances[places][:, None, None]
        _take_better(rows, certainty, records, originals, found)
    return HouseholdLinks(rows, np.minimum(certainty, 1.0))


def household_marginals(weights: FloatMatrix, before: "HouseholdMembers", after: "HouseholdMembers") -> FloatMatrix:
    """Return how probable each pair of records is where the weights of pairs by themselves are known.

    Parameters
    ----------
    weights
        The logarithm of the weight of each pair, masked records by originals; `IMPOSSIBLE` for none.
    before, after
        The households of both files, of which each masked one is an original one of the same size.
    """
    candidates = np.where(before.sizes == after.sizes[:, None], np.arange(len(before.sizes)), -1)
    scores = np.full(candidates.shape, -np.inf)
    tables: dict[int, Floats] = {}
    for size in np.unique(after.sizes):
        homes = np.stack(np.nonzero((candidates >= 0) & (after.sizes == size)[:, None]), axis=1)
        records, originals = after.members_of(homes[:, 0]), before.members_of(homes[:, 1])
        tables[int(size)] = weights[records[:, :, None], originals[:, None, :]]
        scores[homes[:, 0], homes[:, 1]] = log_permanents(tables[int(size)])
    candidates = np.where(scores > IMPOSSIBLE / 2, candidates, -1)
    ones = [np.ones(len(households.sizes), dtype=np.int64) for households in (after, before)]
    chances, _ = matching_marginals(candidates, np.where(candidates < 0, 0.0, scores), ones[0], ones[1])
    found = np.zeros(weights.shape)
    for size, table in tables.items():
        homes = np.stack(np.nonzero((before.sizes == after.sizes[:, None]) & (after.sizes == size)[:, None]), axis=1)
        share = chances[homes[:, 0], homes[:, 1]]
        some = share > NEGLIGIBLE
        if not some.any():  # no household of that size may be any of the original ones
            continue
        records, originals = after.members_of(homes[some, 0]), before.members_of(homes[some, 1])
        members = _member_marginals(table[some]) * share[some][:, None, None]
        found[records[:, :, None], originals[:, None, :]] = members
    return found


def _take_better(
    rows: Rows, certainty: FloatColumn, records: CodeMatrix, originals: CodeMatrix, chances: Floats
) -> None:
    """Put the likeliest of some links in the place of less likely ones; `rows` and `certainty` are outputs."""
    best = chances.argmax(axis=2)
    largest = np.take_along_axis(chances, best[:, :, None], axis=2)[:, :, 0].ravel()
    linked = np.take_along_axis(originals, best, axis=1).ravel()
    order = np.argsort(largest, kind="stable")  # the largest of a record comes last, and stays
    order = order[largest[order] > certainty[records.ravel()[order]]]
    certainty[records.ravel()[order]], rows[records.ravel()[order]] = largest[order], linked[order]


def _member_marginals(tables: Floats) -> Floats:
    """Return the probability that a member is each of the other household, for pairs of households."""
    count, rows, columns = tables.shape
    candidates = np.arange(count * columns).reshape(count, 1, columns) + np.zeros((1, rows, 1), dtype=np.int64)
    candidates = np.where(tables > IMPOSSIBLE / 2, candidates, -1).reshape(count * rows, columns)
    ones = [np.ones(number, dtype=np.int64) for number in (count * rows, count * columns)]
    found, _ = matching_marginals(candidates, tables.reshape(count * rows, columns), ones[0], ones[1])
    return found.reshape(tables.shape)


@dataclass(frozen=True, eq=False)
class HouseholdMembers:
    """The households of a file: the number of each record's, how many members each has, and who they are."""

    numbers: CodeColumn
    sizes: CodeColumn
    starts: Rows
    members: Rows

    @classmethod
    def of(cls, data: Microdata) -> "HouseholdMembers | None":
        """Return the households, each record without a number on its own; nothing where no column tells of them."""
        having = household_columns(data)
        return cls.by(data, having[0]) if having else None

    @classmethod
    def by(cls, data: Microdata, name: str) -> "HouseholdMembers":
        """Return the households by a column of their numbers, each record without a number on its own."""
        codes, _ = data.codes(name)
        _, numbers = np.unique(np.where(codes < 0, -1 - np.arange(data.n), codes), return_inverse=True)
        sizes = np.bincount(numbers)
        return cls(numbers, sizes, np.cumsum(sizes) - sizes, np.argsort(numbers, kind="stable"))

    def members_of(self, households: Rows) -> CodeMatrix:
        """Return the rows of the members of households of one size (households x members)."""
        size = int(self.sizes[households[0]]) if len(households) else 0
        return np.asarray(self.members[self.starts[households][:, None] + np.arange(size)], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Release:
    """Both files, and how likely their records are to be the same."""

    model: Model
    before: FloatMatrix
    after: FloatMatrix
    originals: HouseholdMembers
    masked: HouseholdMembers
    left_out: float

    def tables(self, candidates: CodeMatrix, chosen: Booleans) -> Iterator[tuple[tuple[Rows, Rows], Floats]]:
        """Yield places of candidates, of equal sizes at a time, and the log likelihoods of all pairs of members."""
        places = np.nonzero(chosen)
        sizes = np.stack([self.masked.sizes[places[0]], self.originals.sizes[candidates[places]]], axis=1)
        for pair in np.unique(sizes, axis=0):
            alike = np.flatnonzero((sizes == pair).all(axis=1))
            for start in range(0, len(alike), PAIRS_AT_A_TIME):
                some = alike[start : start + PAIRS_AT_A_TIME]
                chunk = places[0][some], places[1][some]
                yield chunk, self._table(self.masked.members_of(chunk[0]), self.originals.members_of(candidates[chunk]))

    def _table(self, records: CodeMatrix, originals: CodeMatrix) -> Floats:
        """Return the log likelihood of each member of one household given each of another."""
        shape = len(records), records.shape[1], originals.shape[1]
        rows = np.broadcast_to(records[:, :, None], shape).ravel()
        tried = np.broadcast_to(originals[:, None, :], shape).ravel()
        found = log_likelihoods(self.model.of_members, self.before, self.after[rows], tried[:, None])[:, 0]
        is_possible = self.model.masked_blocks[rows] == self.model.original_blocks[tried]
        return np.asarray(np.where(is_possible, np.maximum(found, IMPOSSIBLE), IMPOSSIBLE).reshape(shape))


def _candidates(
    before: HouseholdMembers, after: HouseholdMembers, posterior: Posterior, *, left_out: bool
) -> CodeMatrix:
    """Return the original households that each masked one may be; -1 is none."""
    if len(before.numbers) * len(after.numbers) <= MAX_ALL_PAIRS:
        found = np.broadcast_to(np.arange(len(before.sizes)), (len(after.sizes), len(before.sizes)))
    else:
        found = _likely_households(before, after, posterior)
    sizes = before.sizes[found]
    is_right = sizes >= after.sizes[:, None] if left_out else sizes == after.sizes[:, None]
    return np.where(is_right & (found >= 0), found, -1)


def _likely_households(before: HouseholdMembers, after: HouseholdMembers, posterior: Posterior) -> CodeMatrix:
    """Return the households of the likely originals of the members, first those that most members point to."""
    first = np.full(len(posterior.original_counts), -1, dtype=np.int64)
    first[posterior.original_classes[::-1]] = np.arange(len(before.numbers))[::-1]
    found = posterior.candidates[posterior.masked_classes]
    places = np.nonzero(found >= 0)
    pointed = before.numbers[first[found[places]]]
    scores = posterior.by_row[posterior.masked_classes][places]
    keys, where = np.unique(after.numbers[places[0]] * len(before.sizes) + pointed, return_inverse=True)
    members, shares = np.bincount(where), np.bincount(where, scores)
    homes, pointed = keys // len(before.sizes), keys % len(before.sizes)
    order = np.lexsort((-shares, -members, before.sizes[pointed] != after.sizes[homes], homes))
    slots = np.arange(len(order)) - np.searchsorted(homes, homes[order])
    kept = order[slots < MAX_HOUSEHOLDS]
    households = np.full((len(after.sizes), MAX_HOUSEHOLDS), -1, dtype=np.int64)
    households[homes[kept], slots[slots < MAX_HOUSEHOLDS]] = pointed[kept]
    return households
