"""What means of groups still tell of a person or a household: too few households, or one value that outweighs all."""

from collections.abc import Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, Role
from sfumato.display import format_compact, format_count
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.averaged_columns import are_shared, averaged_together, groups_together, is_number
from sfumato.keys.households import Households, households_of
from sfumato.keys.units.told_households import agreeing_numbers
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows

TOLD_WITHIN = 10  # percent of the total of a group, as in the p % rule of tables
MOSTLY_RIGHT = 0.5  # of what readers conclude: where more is wrong, they learn nothing
MICROAGGREGATION = "microaggregation"
UNDOMINATED = "undominated_microaggregation"
TO_DO = (
    f"top-code the column first (top_coding), take {UNDOMINATED} with p: {TOLD_WITHIN} among the steps "
    f"for numbers, or drop a column that hardly anybody has an amount in"
)
LOOKED_AT_LARGEST = (
    f"the {UNDOMINATED} of the recipe made larger only those groups that hold one of the largest {{}} % of the values: "
    f"raise its top_percent, top-code the column first (top_coding), or drop a column that hardly anybody has an "
    f"amount in"
)
FEW_SHARE = "a mean that fewer than"
NEARLY_ONE = "the amount of one, or that of one to whoever has the second largest"


def group_remarks(data: Microdata, masked: Microdata, steps: Sequence[MaskingMethod], k: int) -> list[str]:
    """Return sentences about columns whose groups hold fewer than `k` households, or are dominated by one value.

    Parameters
    ----------
    data, masked
        The file as it was and as it is released, in the same order.
    steps
        The steps that masked it; those of microaggregation are looked at. Where none is known, columns are whose
        records have the means of those with whom they share a number.
    k
        How many households or persons should share each mean.
    """
    selections = [step.columns for step in steps if step.family == MICROAGGREGATION]
    together = [chosen for chosen in selections if isinstance(chosen, tuple)]
    together = together if steps else averaged_together(data, masked)
    columns = {name for chosen in together for name in chosen}
    names = tuple(
        one for one in data.schema.names if one in columns and is_number(data, one) and is_number(masked, one)
    )
    homes: dict[str, list[tuple[tuple[str, ...], Households]]] = {name: [] for name in names}
    for household, shared in agreeing_numbers(data, names):
        for name in shared:
            homes[name].append((household, households_of(data, household)))
    counted = {
        (name, data.select(household))
        for step in steps
        if (household := getattr(step, "household", ()))
        for name in data.select(step.columns)
    }
    remarks, near = [], dict[str, str]()
    combined = cache(partial(groups_together, masked))
    for name in names:
        means = masked.numbers(name)
        few = {
            household: _few_households(means, units, k)
            for household, units in homes[name]
            if (name, household) not in counted
        }
        if any(few.values()):
            household = max(few, key=lambda one: len(few[one]))
            told = "" if len(homes[name]) == 1 else f", by {' and '.join(household)}"
            alone = few[household]
            remarks.append(
                f"{name}: {format_count(len(alone), 'household')} {'has' if len(alone) == 1 else 'have'} "
                f"{FEW_SHARE} {k} "
                f"households share ({_by_sharers(alone)}{told}); name the household in the step that masks it, as in "
                f"mdav"
            )
        units = max((one for _, one in homes[name]), key=lambda one: -one.count, default=None)
        beside = tuple(one for one in next(chosen for chosen in together if name in chosen) if one in names)
        groups = _groups_told(data, masked, name, combined(beside), units)
        read, amounts = _read_off(groups), int(np.count_nonzero(groups.totals > 0))
        told = _dominated_words(read, amounts, what_to_do(steps, (name,)))
        remarks += [f"{name}: {told}"] if told else []
        if data.schema[name].role is not Role.WEIGHT:
            more = sum(count_near_one(groups)) - sum(read)
            if more > 0:
                near[name] = f"{name} ({more:,} of {amounts:,})"
    return [*remarks, *_near_words([near[one] for one in data.schema.names if one in near], what_to_do(steps, [*near]))]


def what_to_do(steps: Sequence[MaskingMethod], names: Sequence[str]) -> str:
    """Return what to do about means that tell an amount: what the recipe does already is not advised."""
    for step in steps:
        columns = step.columns if isinstance(step.columns, tuple) else ()
        looked, p = getattr(step, "top_percent", 100.0), getattr(step, "p", None)
        if step.name() == UNDOMINATED and {*names} & {*columns} and looked < 100 and p is not None and p >= TOLD_WITHIN:
            return LOOKED_AT_LARGEST.format(format_compact(looked))
    return TO_DO


def tells_largest_value(data: Microdata, masked: Microdata, names: Sequence[str]) -> bool:
    """Tell whether a mean in one of some columns, of persons and not of households, tells its largest value."""
    return any(any(_read_off(_find_groups(data, masked, name, None))) for name in names)


def _groups_told(
    data: Microdata, masked: Microdata, name: str, combined: CodeColumn, units: Households | None
) -> "GroupTotals":
    """Return the groups of a column: by its means, or by those of all columns beside it where that tells more.

    Two groups may have the same mean of a column, and readers tell them apart by the others.
    """
    alone = _find_groups(data, masked, name, units)
    if not are_shared(masked, name, combined):  # columns were averaged one by one
        return alone
    apart = _find_groups(data, masked, name, units, np.where(np.isfinite(masked.values(name)), combined, -1))
    return max(alone, apart, key=lambda groups: sum(count_near_one(groups)))


def _find_groups(
    data: Microdata, masked: Microdata, name: str, units: Households | None, groups: CodeColumn | None = None
) -> "GroupTotals":
    rows, groups = np.arange(data.n), masked.numbers(name) if groups is None else groups
    if units is not None:  # members of one household count once in each group that some of them are in
        rows = classes_of(np.array([units.number, groups])).first_rows()
    return _total_groups(data.values(name)[rows], groups[rows], masked.values(name)[rows])


def _near_words(near: Sequence[str], to_do: str) -> list[str]:
    """Return which columns have means that come near to one amount, for somebody who knows whose it is.

    No reader sees which these are. Somebody who knows that a person has much, and those like it have little, does.
    """
    if not near:
        return []
    return [
        f"means above 0 that are to within {TOLD_WITHIN} % {NEARLY_ONE}, beside those that show it: {', '.join(near)}; "
        f"whoever knows who is in such a group learns it; {to_do}"
    ]


def _dominated_words(found: "Dominated", amounts: int, to_do: str) -> str:
    """Return how many of the means above 0 tell their largest value, to whom, and what to do; nothing if none does."""
    if not any(found):
        return ""
    to_all = (
        f"{format_count(found.to_all, 'mean')} of a group {'tells' if found.to_all == 1 else 'tell'} its largest value "
        f"to within {TOLD_WITHIN} %, as it is far above all others, or hardly anybody has an amount "
        f"(of {amounts:,} means above 0)"
    )
    to_second = (
        f"{format_count(found.to_second, 'mean')} of a group {'tells' if found.to_second == 1 else 'tell'} its largest "
        f"value to within {TOLD_WITHIN} % to whoever has the second largest, as both are far above all others"
    )
    said = [one for one, count in ((to_all, found.to_all), (to_second, found.to_second)) if count]
    return f"{'; '.join(said)}; {to_do}"


class Dominated(NamedTuple):
    """How many groups have a mean that tells their largest value to every reader, or to who has the second largest."""

    to_all: int
    to_second: int


def count_dominated(values: FloatColumn, groups: CodeColumn, means: FloatColumn | None = None) -> Dominated:
    """Return how many groups have a mean so far above those of all lower groups that it tells their largest value.

    By the mean m of n values a reader knows that the largest is at most n m. If the others are like the mean of the
    next lower group, b, it is at least n m - (n - 1) b. It is told where these are a few percent apart and it lies
    between them or as near. Whoever has the second largest value takes that off first, as in the p % rule of tables.
    Where the next lower group has nothing but zeros, n m is taken for the largest value if for most groups with an
    amount that is right: hardly anybody has one then, and readers know it. Where `means` are given, which the values
    were exchanged for, a group tells nothing whose mean is not that of its values, as large ones were made smaller.

    Examples
    --------
    >>> count_dominated(np.array([4.0, 3, 1, 90, 3, 1]), np.array([0, 0, 0, 1, 1, 1]))
    Dominated(to_all=1, to_second=0)
    >>> count_dominated(np.array([4.0, 3, 1, 90, 60, 3]), np.array([0, 0, 0, 1, 1, 1]))
    Dominated(to_all=0, to_second=1)
    >>> count_dominated(np.array([0.0, 0, 0, 90, 0, 0]), np.array([0, 0, 0, 1, 1, 1]))
    Dominated(to_all=1, to_second=0)
    """
    return _read_off(_total_groups(values, groups, means))


class GroupTotals(NamedTuple):
    """Groups, lowest means first: members, total, the two largest amounts, and whether the mean is of these."""

    members: CodeColumn
    totals: FloatColumn
    largest: FloatColumn
    second: FloatColumn
    is_mean: Booleans


def _total_groups(values: FloatColumn, groups: CodeColumn, means: FloatColumn | None) -> GroupTotals:
    known = np.isfinite(values) & (groups >= 0)
    if means is not None:
        known &= np.isfinite(means)
    sizes, groups = np.abs(values[known]), groups[known]
    members = np.asarray(np.bincount(groups), dtype=np.int64)
    totals: FloatColumn = np.bincount(groups, weights=sizes).astype(np.float64, copy=False)
    largest = np.zeros(members.size)
    np.maximum.at(largest, groups, sizes)
    is_largest = sizes == largest[groups]
    second = np.where(np.bincount(groups[is_largest], minlength=members.size) > 1, largest, 0.0)
    np.maximum.at(second, groups[~is_largest], sizes[~is_largest])
    is_mean = np.ones(members.size, dtype=np.bool_)
    if means is not None:
        sums, shown = np.bincount(groups, weights=values[known]), np.zeros(members.size)
        shown[groups] = means[known]
        is_mean = np.abs(sums - shown * members) <= TOLD_WITHIN / 100 * totals
    held = np.flatnonzero(members)
    at = held[np.argsort(totals[held] / members[held], kind="stable")]  # lowest means first
    return GroupTotals(members[at], totals[at], largest[at], second[at], is_mean[at])


def count_near_one(groups: GroupTotals) -> Dominated:
    """Return how many groups have nearly the total of one member, or of two, whatever is seen of it in the means."""
    members, totals, largest, second, is_mean = groups
    to_all = is_mean & (totals > 0) & (members > 1) & (totals - largest <= TOLD_WITHIN / 100 * totals)
    rest = np.maximum(totals - largest - second, 0.0)
    to_second = is_mean & (second > 0) & (rest <= TOLD_WITHIN / 100 * largest) & ~to_all
    return Dominated(int(np.count_nonzero(to_all)), int(np.count_nonzero(to_second)))


def _read_off(groups: GroupTotals) -> Dominated:
    """Return how many groups somebody reads an amount off, by the means of those below."""
    members, totals, largest, second, is_mean = groups
    if not members.size:
        return Dominated(0, 0)
    of_total, of_largest = TOLD_WITHIN / 100 * totals, TOLD_WITHIN / 100 * largest
    to_all = _are_told(totals, members - 1, totals / members, np.where(is_mean, totals - largest, np.inf), of_total)
    rest = np.where(is_mean, np.maximum(totals - largest - second, 0.0), np.inf)
    to_second = _are_told(totals, members - 2, totals / members, rest, of_largest) & (second > 0) & ~to_all
    return Dominated(int(np.count_nonzero(to_all)), int(np.count_nonzero(to_second)))


def _are_told(
    totals: FloatColumn, others: CodeColumn, means: FloatColumn, rest: FloatColumn, within: FloatColumn
) -> Booleans:
    """Tell which groups, lowest means first, tell what is left of their total without the rest that others have."""
    below = np.concatenate([[0.0], means[:-1]])
    may_tell = (rest <= within) & (others > 0) & (totals > 0)
    is_told = may_tell & (others * below <= within) & (below > 0)
    has_amount = means > 0
    if not has_amount.all() and may_tell[has_amount].sum() > MOSTLY_RIGHT * has_amount.sum():
        is_told |= may_tell & has_amount
    return np.asarray(is_told)


def _by_sharers(sharers: Sequence[int]) -> str:
    """Return how many households have a mean alone, with one other, and with two or more.

    Examples
    --------
    >>> _by_sharers([1, 2, 2, 5])
    '1 alone, 2 with one other, 1 with two or more'
    """
    counts = {
        "alone": sum(one == 1 for one in sharers),
        "with one other": sum(one == 2 for one in sharers),
        "with two or more": sum(one > 2 for one in sharers),
    }
    return ", ".join(f"{count:,} {how}" for how, count in counts.items() if count)


def _few_households(means: CodeColumn, homes: Households, k: int) -> list[int]:
    """Return how many households share the rarest mean of each household that has one of fewer than `k`."""
    rows: Rows = np.flatnonzero(means >= 0)
    pairs = np.unique(means[rows] * homes.count + homes.number[rows])
    held, holders = np.divmod(pairs, homes.count)
    sharers = np.full(homes.count, k)
    np.minimum.at(sharers, holders, np.bincount(held)[held])
    return [int(one) for one in sharers[sharers < k]]
