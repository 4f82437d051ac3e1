"""Persons who are found by the keys of their whole household: by its number, or by a column that stands for it."""

from collections.abc import Iterator

import numpy as np

from sfumato.data import METRIC, Microdata, Role, role
from sfumato.data.distinct_values import factorise
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import visible_codes
from sfumato.keys.households import Households, group_households
from sfumato.numerics.arrays import Booleans, CodeColumn

MAX_MEMBERS = 12  # records with equal values that may be one household
MIN_GROUPED = 0.25  # of the records, in groups of 2 to so many: such a column may stand for the household
ROUNDING = "; the method weight_rounding lets several households share one weight"
TOGETHER = 0.5  # of the pairs with equal values: where so many live together, the column tells who does


def household_remarks(masked: Microdata, names: tuple[str, ...], original: Microdata | None = None) -> tuple[str, ...]:
    """Return who is found by the keys of all members, by the household's number or by equal values of a column.

    Parameters
    ----------
    masked, names
        The file as it is released, and its keys.
    original
        The file before masking, whose households may be known although they are not released.
    """
    if not names:
        return ()
    if numbers := masked.select(role("household")):
        return (_found_words(masked, names, _group(factorise(masked.table[numbers[0]])[0])),)
    weights = masked.select(role("weight"))
    return tuple(
        f"{column}: {told}; {_found_words(masked, names, homes)}{ROUNDING if column in weights else ''}"
        for column, told, homes in _stand_ins(masked, names, original)
    )


def count_found(codes: CodeColumn, homes: Households) -> int:
    """Return how many persons are in a household whose members' keys no other of the same size has, in any order.

    Parameters
    ----------
    codes
        A number for the keys of each person, equal where these are.
    homes
        The households.

    Examples
    --------
    >>> count_found(np.array([5, 9, 9, 5, 5, 5, 5]), group_households(np.array([0, 0, 1, 1, 2, 3, 3])))
    3
    """
    kinds = homes.compositions(codes)
    return int(np.count_nonzero((np.bincount(kinds) == 1)[kinds][homes.number]))


def _found_words(masked: Microdata, names: tuple[str, ...], homes: Households) -> str:
    found = count_found(classes_of(visible_codes(masked, names)).numbers, homes)
    return (
        f"the promise of k is for persons one by one: {found:,} of {masked.n:,} persons are found by the keys of their "
        f"whole household, which no other of the same size has, a gap being a value of its own"
    )


def _stand_ins(
    masked: Microdata, names: tuple[str, ...], original: Microdata | None
) -> Iterator[tuple[str, str, Households]]:
    """Yield the columns whose equal values stand for the household, what they tell, and the households by them."""
    known = _known_households(masked, original)
    for one in masked.schema.variables:
        if one.name in names or one.role is Role.IDENTIFIER or one.kind not in METRIC:
            continue
        homes = _group(factorise(masked.table[one.name])[0])
        small = _small_groups(homes)
        if np.count_nonzero(small) < MIN_GROUPED * masked.n:
            continue
        if known is not None:
            pairs, together = _pairs(homes.number[small]), _pairs_within(homes.number[small], known[small])
            if together >= TOGETHER * pairs:
                yield one.name, f"equal values tell who lives together ({together:,} of {pairs:,} pairs do)", homes
        elif one.role is Role.WEIGHT and (told := shared_weight_words(masked, one.name, original)):
            yield one.name, told, homes


def shared_weight_words(data: Microdata, name: str, original: Microdata | None = None) -> str:
    """Return what equal weights tell, where many records share theirs with a few others; nothing where they do not.

    Weights that were different in the `original`, and became equal by rounding, tell nothing.
    """
    homes = _group(factorise(data.table[name])[0])
    small = _small_groups(homes)
    few = np.count_nonzero(small)
    if few < MIN_GROUPED * data.n:
        return ""
    if original is not None and name in original.schema:
        before = _group(factorise(original.table[name])[0]).number[original.rows_of(data.row_ids)]
        if _pairs_within(homes.number[small], before[small]) < TOGETHER * _pairs(homes.number[small]):
            return ""
    return (
        f"equal weights tell who lives together where a household has one weight: {few:,} of {data.n:,} records share "
        f"theirs with a few others only"
    )


def _group(codes: CodeColumn) -> Households:
    """Return the records by equal codes, each without one by itself."""
    return group_households(np.where(codes < 0, codes.size + np.arange(codes.size), codes))


def _small_groups(homes: Households) -> Booleans:
    """Tell for each record whether it is in a group of several that may be one household."""
    sizes = np.bincount(homes.number)[homes.number]
    return np.asarray((sizes > 1) & (sizes <= MAX_MEMBERS))


def _known_households(masked: Microdata, original: Microdata | None) -> CodeColumn | None:
    """Return the household of each record as the original has it; None where that is not known."""
    if original is None or not (numbers := original.select(role("household"))):
        return None
    return _group(factorise(original.table[numbers[0]])[0]).number[original.rows_of(masked.row_ids)]


def _pairs(groups: CodeColumn) -> int:
    """Return how many pairs of records are in the same group."""
    sizes = np.unique(groups, return_counts=True)[1]
    return int((sizes * (sizes - 1)).sum()) // 2


def _pairs_within(groups: CodeColumn, known: CodeColumn) -> int:
    return _pairs(groups * (int(known.max(initial=0)) + 1) + known)
