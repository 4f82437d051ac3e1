"""Keys that an amount tells beside a category or a number: pay by contract and hours gives the hours away."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sfumato.data import CATEGORICAL, Category, Kind, Microdata, Role
from sfumato.data.distinct_values import NESTED
from sfumato.keys.number_codes import has_numbers, numbers_of
from sfumato.keys.pairs._trimmed_fits import ROUNDING, central_width
from sfumato.keys.pairs.column_pairs import MAX_COLUMNS
from sfumato.keys.pairs.tariffs import MAX_CATEGORIES, WITHIN, Tariff, fitted_tariff, promising_tariffs
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows
from sfumato.numerics.hashing import rows_by_content

MAX_FITTED = 2_000  # records, by which tariffs are found
MIN_KEPT = 0.6  # of the amounts, which keep to a tariff
UNREAD = {Role.WEIGHT, Role.IDENTIFIER, Role.HOUSEHOLD}  # weights are looked at by themselves


@dataclass(frozen=True, eq=False)
class KeyTariff:
    """An amount that followed from a category and a number before masking, one of which is a key.

    Parameters
    ----------
    amount, category, number
        The columns; the number is one, or the time from the first of two dates to the second.
    categories
        The categories, in the order of the tariff.
    tariff
        What each of them costs.
    """

    amount: str
    category: str
    number: tuple[str, ...]
    categories: tuple[Category, ...]
    tariff: Tariff

    def number_of(self, data: Microdata) -> FloatColumn:
        """Return the number that the amount and the category of each record give; missing where one is not shown."""
        return self.tariff.numbers(self._codes(data), numbers_of(data, self.amount))

    def category_of(self, data: Microdata) -> FloatColumn:
        """Return the category whose tariff comes nearest to the amount of each record, by its number, as a code."""
        amount, number = numbers_of(data, self.amount), time_between(data, self.number)
        known = np.flatnonzero(np.isfinite(amount + number))
        nearest, found = np.full(known.size, np.inf), np.full(data.n, np.nan)
        for code, (base, rate) in enumerate(zip(self.tariff.base, self.tariff.rate, strict=True)):
            off = np.abs(amount[known] - base - rate * number[known])
            is_nearer = off < nearest  # never where the tariff is not known
            nearest[is_nearer] = off[is_nearer]
            found[known[is_nearer]] = code
        return found

    def _codes(self, data: Microdata) -> CodeColumn:
        """Return the category of each record as released, -1 where it is none of those before masking."""
        codes, shown = data.codes(self.category)
        places = {category: place for place, category in enumerate(self.categories)}
        return np.append([places.get(category, -1) for category in shown], -1).astype(np.int64)[codes]


@dataclass(frozen=True, eq=False)
class KeyByTariff:
    """A key that is worked out by a tariff: a number, a date beside another, or a category."""

    key: str
    by: KeyTariff

    @property
    def words(self) -> str:
        """What tells the key, in words."""
        *others, last = (name for name in (self.by.amount, self.by.category, *self.by.number) if name != self.key)
        return f"{', '.join(others)} and {last} together"

    def of(self, data: Microdata) -> FloatColumn:
        """Return the key as the columns of a file give it; missing where they do not."""
        if self.key == self.by.category:
            return self.by.category_of(data)
        number = self.by.number_of(data)
        if len(self.by.number) == 1:
            return number
        first, second = self.by.number
        other = time_between(data, (second if self.key == first else first,))
        return np.asarray(other - number if self.key == first else other + number)


@dataclass(frozen=True, eq=False)
class AmountOfKeys:
    """What keys give together: an amount, or the time between two dates where an amount and its category tell it."""

    by: KeyTariff
    is_time: bool

    @property
    def words(self) -> str:
        """What the keys give, in words."""
        return f"{self.by.amount} and {self.by.category} together" if self.is_time else self.by.amount

    def of(self, data: Microdata) -> FloatColumn:
        """Return it as the columns of a file give it."""
        return self.by.number_of(data) if self.is_time else numbers_of(data, self.by.amount)


def key_tariffs(original: Microdata, masked: Microdata, names: Sequence[str], rows: Rows) -> list[KeyTariff]:
    """Return the amounts that followed from a category and a number before masking, of which one at least is a key.

    Of several categories by which an amount follows from the same number, that which most amounts keep to.

    Parameters
    ----------
    original, masked
        The file before masking and as it is released.
    names, rows
        The keys, and the row of each record in the original.
    """
    read = [
        one.name
        for one in masked.schema.variables
        if one.role not in UNREAD and not isinstance(masked.table[one.name].dtype, NESTED)
    ]
    amounts = [
        name
        for name in read
        if name not in names and original.schema[name].kind is masked.schema[name].kind is Kind.CONTINUOUS
    ][:MAX_COLUMNS]
    categories = [name for name in read if original.schema[name].kind in CATEGORICAL][:MAX_COLUMNS]
    if not amounts or not categories:
        return []
    numbers = [name for name in read if has_numbers(original, name)][:MAX_COLUMNS]
    dates = [name for name in numbers if original.schema[name].kind is Kind.DATE]
    tried = [*((name,) for name in numbers if name not in dates), *combinations(dates, 2)]
    wanted = {name: numbers_of(original, name)[rows] for name in amounts}
    drawn = rows_by_content(*wanted.values())[:MAX_FITTED]
    wanted = {name: column[drawn] for name, column in wanted.items()}
    some = rows[drawn]
    codes = {name: original.codes(name)[0][some] for name in categories}
    codes = {name: one for name, one in codes.items() if 0 < int(one.max(initial=-1)) < MAX_CATEGORIES}
    few = {number: time_between(original, number)[some] for number in tried}
    of_keys = {number: column for number, column in few.items() if {*number} & {*names}}
    found = [
        *_found(wanted, codes, of_keys),
        *_found(
            wanted,
            {name: one for name, one in codes.items() if name in names},
            {number: column for number, column in few.items() if number not in of_keys},
        ),
    ]
    best: dict[tuple[frozenset[str], bool], tuple[float, KeyTariff]] = {}
    for amount, category, number, tariff, kept in found:
        about = (frozenset([amount, *number]), category in names)  # hours follow from pay as well
        if about not in best or best[about][0] < kept:
            labels = original.codes(category)[1]
            best[about] = (kept, KeyTariff(amount, category, number, labels, tariff))
    return [one for _, one in best.values()]


def time_between(data: Microdata, number: tuple[str, ...]) -> FloatColumn:
    """Return a number, or the time from the first of two dates to the second; missing where a file has no numbers."""
    columns = [numbers_of(data, name) if has_numbers(data, name) else np.full(data.n, np.nan) for name in number]
    return np.asarray(columns[-1] - columns[0] if len(columns) > 1 else columns[0])


def _found(
    amounts: Mapping[str, FloatColumn],
    categories: Mapping[str, CodeColumn],
    numbers: Mapping[tuple[str, ...], FloatColumn],
) -> Iterator[tuple[str, str, tuple[str, ...], Tariff, float]]:
    """Yield the amounts that keep to a tariff, and to none of the number or the category alone; and how many do."""
    by_number = dict[tuple[str, tuple[str, ...]], float]()
    for amount, category, number in promising_tariffs(amounts, categories, numbers):
        if category in number or amount in number:
            continue
        exact, codes, column = amounts[amount], categories[category], numbers[number]
        if (amount, number) not in by_number:
            by_number[amount, number] = _share_kept(exact, np.zeros_like(codes), column)[0]
        if by_number[amount, number] >= MIN_KEPT:
            continue
        kept, tariff = _share_kept(exact, codes, column)
        if kept >= MIN_KEPT and _share_kept(exact, codes, np.zeros_like(column))[0] < MIN_KEPT:
            yield amount, category, number, tariff, kept


def _share_kept(amount: FloatColumn, codes: CodeColumn, number: FloatColumn) -> tuple[float, Tariff]:
    """Return how many of the amounts that are not zero the best tariff leaves open by no more than a little, and it."""
    tariff = fitted_tariff(codes, number, amount)
    known = np.isfinite(amount) & (amount != 0)
    if not known.any():
        return 0.0, tariff
    width = central_width(amount[known])
    off = np.abs(amount[known] - tariff.amounts(codes, number)[known])
    near = off <= WITHIN * width + ROUNDING * np.abs(amount[known])
    return float(np.count_nonzero(near) / np.count_nonzero(known)), tariff
