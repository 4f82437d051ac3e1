"""Persons who are found by the keys of their whole household: by its number, or by a column that stands for it."""

from collections.abc import Iterator

import numpy as np

from sfumato.data import METRIC, Microdata, Role, role
from sfumato.data.distinct_values import NESTED, factorise
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import visible_codes
from sfumato.keys.households import MAX_MEMBERS, Households, group_households, household_columns
from sfumato.numerics.arrays import Booleans, CodeColumn

MIN_GROUPED = 0.25  # of the records, in groups of 2 to so many: such a column may stand for the household
ROUNDING = "; the method weight_rounding lets several households share one weight"
MAX_DIFFERING = 0.05  # of the households of several: a column in which more differ is none of the household
MIN_GAIN = 0.01  # of the groups so far: a column that tells fewer more apart is not named
TOGETHER = 0.5  # of the pairs with equal values: where so many live together, the column tells who does

PERSONS_ONE_BY_ONE = "the promise of k is for persons one by one"
"""How the sentence on households that are found begins."""


def household_remarks(masked: Microdata, names: tuple[str, ...], original: Microdata | None = None) -> tuple[str, ...]:
    """Return who is found by the keys of all members, by the household's number or by equal values of columns.

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
        f"{' and '.join(columns)}: {told}; {_found_words(masked, names, homes)}"
        f"{ROUNDING if columns[0] in weights else ''}"
        for columns, told, homes in _stand_ins(masked, names, original)
    )


def persons_found(data: Microdata, names: tuple[str, ...]) -> int | None:
    """Return how many persons the keys of their whole household tell apart; None where the file tells no households."""
    numbers = data.select(role("household"))
    if not names or not numbers:
        return None
    keys = classes_of(visible_codes(data, names)).numbers
    return count_found(keys, _group(factorise(data.table[numbers[0]])[0]))


def fewest_hidden_households(masked: Microdata, names: tuple[str, ...], original: Microdata) -> int | None:
    """Return how many households share the members' keys that fewest do, where they are hidden and yet told.

    None where the household is released, which its remark tells, or where no columns stand for it.
    """
    if not names or masked.select(role("household")):
        return None
    keys = classes_of(visible_codes(masked, names)).numbers
    fewest = [int(np.bincount(homes.compositions(keys)).min()) for _, _, homes in _stand_ins(masked, names, original)]
    return min(fewest, default=None)


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
        f"{PERSONS_ONE_BY_ONE}: {found:,} of {masked.n:,} persons are found by the keys of their "
        f"whole household, which no other of the same size has, a gap being a value of its own"
    )


def _stand_ins(
    masked: Microdata, names: tuple[str, ...], original: Microdata | None
) -> Iterator[tuple[tuple[str, ...], str, Households]]:
    """Yield the columns whose equal values stand for the household, what they tell, and the households by them.

    All columns in which members agree are looked at together where none of them stands for the household by itself.
    """
    known, is_told = _known_households(masked, original), False
    for one in masked.schema.variables:
        if one.name in names or one.role is Role.IDENTIFIER or one.kind not in METRIC:
            continue
        homes = _group(factorise(masked.table[one.name])[0])
        if known is not None:
            told = _together_words(homes, known)
        else:
            told = shared_weight_words(masked, one.name, original) if one.role is Role.WEIGHT else ""
        if told:
            is_told = True
            yield (one.name,), told, homes
    if known is not None and not is_told:
        columns, homes = _agreeing_columns(masked, known)
        if len(columns) > 1 and (told := _together_words(homes, known)):
            yield columns, told, homes


def _together_words(homes: Households, known: CodeColumn) -> str:
    """Return how many pairs of records with equal values live together; nothing where these are no households."""
    small = _small_groups(homes)
    if np.count_nonzero(small) < MIN_GROUPED * known.size:
        return ""
    pairs, together = _pairs(homes.number[small]), _pairs_within(homes.number[small], known[small])
    if together < TOGETHER * pairs:
        return ""
    return f"equal values tell who lives together ({together:,} of {pairs:,} pairs do)"


def _agreeing_columns(masked: Microdata, known: CodeColumn) -> tuple[tuple[str, ...], Households]:
    """Return the columns in which members agree, those that tell most apart first, and the records by all of them."""
    homes = group_households(known)
    several = np.count_nonzero(np.bincount(homes.number) > 1)
    found = []
    for one in masked.schema.variables:
        if one.role is Role.IDENTIFIER or isinstance(masked.table[one.name].dtype, NESTED):
            continue
        codes = factorise(masked.table[one.name])[0]
        if homes.count_mixed(codes) <= MAX_DIFFERING * several:
            found.append((one.name, codes))
    columns: list[str] = []
    numbers, count = np.zeros(known.size, dtype=np.int64), 1
    for name, codes in sorted(found, key=lambda one: -int(one[1].max(initial=-1))):
        classes = classes_of(np.array([numbers, codes]))
        if classes.count > (1 + MIN_GAIN) * count:
            columns, numbers, count = [*columns, name], classes.numbers, classes.count
    return tuple(columns), group_households(numbers)


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
    if original is None or not (numbers := household_columns(original)):
        return None
    return _group(factorise(original.table[numbers[0]])[0]).number[original.rows_of(masked.row_ids)]


def _pairs(groups: CodeColumn) -> int:
    """Return how many pairs of records are in the same group."""
    sizes = np.unique(groups, return_counts=True)[1]
    return int((sizes * (sizes - 1)).sum()) // 2


def _pairs_within(groups: CodeColumn, known: CodeColumn) -> int:
    return _pairs(groups * (int(known.max(initial=0)) + 1) + known)
