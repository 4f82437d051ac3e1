"""Records that belong together: which household each is in, and who is in it."""

from dataclasses import dataclass

import numpy as np

from sfumato.data import Kind, Microdata, Variable
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Integers, Rows
from sfumato.numerics.ranking import dense_numbers, stable_order

MAX_MEMBERS = 12  # records with equal values that may be one household
MAX_IN_LARGE = 0.1  # of the records, in households of more members: an identifier that leaves more there is none
MIN_TOGETHER = 0.1  # of the records share an identifier with another: fewer have the same name, or time, by chance
MAX_DIFFERING_SHARE = 0.05  # the share of households whose members may differ by mistake in a column of the household
LESS_THAN_CHANCE = 0.5  # of the pairs that differ among all records: groups that differ as often say nothing


@dataclass(frozen=True, eq=False)
class Households:
    """The households of a file.

    Parameters
    ----------
    number
        The household of each record, from 0.
    order
        The rows, household by household.
    starts
        Where each household starts in `order`.
    """

    number: CodeColumn
    order: Rows
    starts: Rows

    @property
    def count(self) -> int:
        """How many households there are."""
        return self.starts.size

    @property
    def first_rows(self) -> Rows:
        """The first record of each household."""
        return self.order[self.starts]

    def lowest(self, values: CodeColumn) -> CodeColumn:
        """Return for each household the lowest of its members' values."""
        return np.minimum.reduceat(values[self.order], self.starts)

    def count_mixed(self, values: CodeColumn) -> int:
        """Return how many households have members with different values."""
        first = values[self.first_rows][self.number]
        return int(np.count_nonzero(np.bincount(self.number[values != first])))

    def compositions(self, values: CodeColumn) -> CodeColumn:
        """Return a number for each household, equal for those whose members have the same values in any order.

        Examples
        --------
        >>> households = group_households(np.array([0, 0, 1, 1, 2, 3, 3]))
        >>> households.compositions(np.array([5, 9, 9, 5, 5, 5, 5]))
        array([2, 2, 0, 1])
        """
        sizes = np.diff(np.append(self.starts, self.number.size))
        members = values[np.lexsort((values, self.number))]
        composition = np.zeros(self.count, dtype=np.int64)
        span = int(values.max(initial=0)) + 1
        for place in range(int(sizes.max(initial=0))):
            longer = np.flatnonzero(sizes > place)
            codes = composition[longer] * span + members[self.starts[longer] + place]
            composition[longer] = dense_numbers(codes)
        return dense_numbers(sizes * (self.count + 1) + composition)


def households_of(data: Microdata, names: tuple[str, ...]) -> Households:
    """Return the households by the columns that tell them; a record that lacks one of these is one by itself."""
    number, is_alone = np.zeros(data.n, dtype=np.int64), np.full(data.n, not names)
    for name in names:
        codes, categories = data.codes(name)
        is_alone |= codes < 0
        number = dense_numbers(number * (len(categories) + 1) + codes + 1)
    return group_households(np.where(is_alone, data.n + np.arange(data.n), number))


def agrees_within(data: Microdata, name: str, identifier: str) -> bool:
    """Tell whether a column agrees in nearly all groups of an identifier, and differs in far fewer than by chance."""
    return agrees_by(data, name, data.numbers(identifier))


def agrees_by(data: Microdata, name: str, number: CodeColumn) -> bool:
    """Tell whether a column agrees in nearly all groups of one number, and differs in far fewer than by chance."""
    codes = data.numbers(name)
    known = (codes >= 0) & (number >= 0) & data.observed(name)
    if not known.any():
        return False
    mixed, several = _differing(codes[known].astype(np.float64), number[known])
    shares = np.bincount(codes[known]) / np.count_nonzero(known)
    most = min(MAX_DIFFERING_SHARE, LESS_THAN_CHANCE * (1 - float(shares @ shares)))
    return several > 0 and mixed <= most * several and shares.max() < 1


def group_households(labels: CodeColumn) -> Households:
    """Return the households of records with equal labels."""
    number = dense_numbers(labels)
    order = stable_order(number)
    starts = np.flatnonzero(np.diff(number[order], prepend=-1))
    return Households(number, order, starts)


def free_numbers(count: int, variable: Variable) -> Integers:
    """Return the first whole numbers from 1 that do not stand for missing in a column.

    Examples
    --------
    >>> from sfumato.data import Kind
    >>> household = Variable(name="household", kind=Kind.NOMINAL, missing_codes=(2, "99"), missing_ranges=((4, 5),))
    >>> free_numbers(4, household)
    array([1, 3, 6, 7])
    """
    taken = [float(code) for code in variable.missing_codes if str(code).lstrip("-").isdecimal()]
    numbers, first = np.empty(0, dtype=np.int64), 1
    while numbers.size < count:
        more = np.arange(first, first + count - numbers.size)
        first += more.size
        free = ~np.isin(more, taken)
        for low, high in variable.missing_ranges:
            free &= (more < low) | (more > high)
        numbers = np.append(numbers, more[free])
    return numbers


def agreement_in_households(data: Microdata, names: tuple[str, ...], households: tuple[str, ...]) -> dict[str, int]:
    """Return for each column that is one of the household in how many households members differ; gaps differ from none.

    A column is of the household when members agree in nearly all households of several.
    """
    if not households:
        return {}
    number = data.stratum_numbers(households)
    differing = {name: _differing(_numbers_of(data, name), number) for name in names}
    return {
        name: mixed
        for name, (mixed, several) in differing.items()
        if several and mixed <= MAX_DIFFERING_SHARE * several
    }


def _numbers_of(data: Microdata, name: str) -> FloatColumn:
    """Return a column as numbers that are equal where its values are, missing as NaN; a number stands for itself."""
    if data.schema[name].kind is Kind.CONTINUOUS:
        return data.values(name)
    codes = data.codes(name)[0]
    return np.where(codes < 0, np.nan, codes)


def _differing(values: FloatColumn, number: CodeColumn) -> tuple[int, int]:
    """Return in how many households known values differ, and in how many there are several known ones."""
    known = ~np.isnan(values)
    members = np.bincount(number[known])
    low, high = np.full(members.size, np.inf), np.full(members.size, -np.inf)
    np.minimum.at(low, number[known], values[known])
    np.maximum.at(high, number[known], values[known])
    return int(np.count_nonzero(low < high)), int(np.count_nonzero(members > 1))
