"""Keys that an amount tells beside a category or a number: pay by contract and hours gives the hours away."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from sfumato.data import CATEGORICAL, Category, Kind, Microdata, Role
from sfumato.data.distinct_values import NESTED
from sfumato.keys.number_codes import has_numbers, numbers_of
from sfumato.keys.pairs._trimmed_fits import ROUNDING, central_width
from sfumato.keys.pairs.amounts_by_numbers import AmountByNumbers, amounts_by_numbers
from sfumato.keys.pairs.tariffs import MAX_CATEGORIES, WITHIN, Tariff, fitted_tariff, promising_tariffs
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.hashing import rows_by_content

MAX_FITTED = 2_000  # records, by which tariffs are found
MIN_KEPT = 0.6  # of the amounts, which keep to a tariff
UNREAD = {Role.WEIGHT, Role.IDENTIFIER, Role.HOUSEHOLD}  # weights are looked at by themselves


@dataclass(frozen=True, eq=False)
class KeyTariff:
    """An amount that followed from a category and a number, or several, before masking, one of which is a key.

    Parameters
    ----------
    amount, category, number
        The columns; the number is one, or the time from the first of two dates to the second.
    categories
        The categories, in the order of the tariff.
    tariff
        What each of them costs.
    others, other_rates
        Other numbers that make up the amount too, and what each unit of them costs (categories x others). Where an
        amount follows from several numbers, the category may be None.
    tells_zero
        Whether amounts of zero keep to it too, and are not those of who has no right to one.
    """

    amount: str
    category: str | None
    number: tuple[str, ...]
    categories: tuple[Category, ...]
    tariff: Tariff
    others: tuple[str, ...] = ()
    other_rates: FloatMatrix | None = None
    tells_zero: bool = True

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns by which the amount was computed."""
        return (*(() if self.category is None else (self.category,)), *self.number, *self.others)

    def number_of(self, data: Microdata) -> FloatColumn:
        """Return the number that the amount and the category of each record give; missing where one is not shown."""
        codes = self.codes(data)
        return self.tariff.numbers(codes, self._amounts_by_tariff(data) - self._part_by(data, codes, self.others))

    def left_by(self, data: Microdata, names: Sequence[str]) -> FloatColumn:
        """Return the amount without what some of the other numbers, which are no keys, make up of it."""
        return np.asarray(numbers_of(data, self.amount) - self._part_by(data, self.codes(data), names))

    def category_of(self, data: Microdata) -> FloatColumn:
        """Return the category whose tariff comes nearest to the amount of each record, by its number, as a code."""
        amount, number = self._amounts_by_tariff(data), time_between(data, self.number)
        left = np.column_stack([amount, *(time_between(data, (name,)) for name in self.others)])
        known = np.flatnonzero(np.isfinite(left.sum(axis=1) + number))
        nearest, found = np.full(known.size, np.inf), np.full(data.n, np.nan)
        rates = np.empty((self.tariff.base.size, 0)) if self.other_rates is None else self.other_rates
        for code, (base, rate) in enumerate(zip(self.tariff.base, self.tariff.rate, strict=True)):
            off = np.abs(left[known] @ np.append(1.0, -rates[code]) - base - rate * number[known])
            is_nearer = off < nearest  # never where the tariff is not known
            nearest[is_nearer] = off[is_nearer]
            found[known[is_nearer]] = code
        return found

    def _amounts_by_tariff(self, data: Microdata) -> FloatColumn:
        """Return the amounts that keep to the tariff where any do, without zeros where these do not."""
        amount = numbers_of(data, self.amount)
        return amount if self.tells_zero else np.where(amount == 0, np.nan, amount)

    def _part_by(self, data: Microdata, codes: CodeColumn, names: Sequence[str]) -> FloatColumn:
        """Return what some of the other numbers make up of each amount."""
        found = np.zeros(data.n)
        for name, rates in zip(self.others, () if self.other_rates is None else self.other_rates.T, strict=True):
            if name in names:
                found += _rates_of(rates, codes) * time_between(data, (name,))
        return found

    def codes(self, data: Microdata) -> CodeColumn:
        """Return the category of each record as released, -1 where it is none of those before masking."""
        if self.category is None:
            return np.zeros(data.n, dtype=np.int64)
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
        *others, last = (name for name in (self.by.amount, *self.by.columns) if name != self.key)
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
    """What keys give together: an amount, or the time between two dates where an amount and its category tell it.

    Where other numbers that are no keys make up a part of an amount, it is the rest.
    """

    by: KeyTariff
    is_time: bool
    without: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What the keys give, in words."""
        if self.without:
            return f"{', '.join((self.by.amount, *self.without[:-1]))} and {self.without[-1]} together"
        return f"{self.by.amount} and {self.by.category} together" if self.is_time else self.by.amount

    def of(self, data: Microdata) -> FloatColumn:
        """Return it as the columns of a file give it."""
        return self.by.number_of(data) if self.is_time else self.by.left_by(data, self.without)


def key_tariffs(original: Microdata, masked: Microdata, names: Sequence[str], rows: Rows) -> list[KeyTariff]:
    """Return the amounts that followed from a category and a number before masking, of which one at least is a key.

    Of several categories by which an amount follows from the same number, that which most amounts keep to. Amounts
    that follow from no one number may follow from two or three.

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
    ]
    categories = [name for name in read if original.schema[name].kind in CATEGORICAL]
    if not amounts:
        return []
    numbers = [name for name in read if has_numbers(original, name)]
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
            about_zero = _tells_zero(wanted[amount], tariff.amounts(codes[category], few[number]))
            best[about] = (kept, KeyTariff(amount, category, number, labels, tariff, tells_zero=about_zero))
    singles = [one for _, one in best.values()]
    columns = {name: numbers_of(original, name)[some] for name in numbers}
    told = {frozenset([one.amount, *one.columns]) for one in singles}
    sums = amounts_by_numbers(wanted, codes, columns, names, told)
    linear = [one for found in sums for one in _by_keys(found, original, names)]
    return [*singles, *(_without_zeros(one, original, some) for one in linear)]


def time_between(data: Microdata, number: tuple[str, ...]) -> FloatColumn:
    """Return a number, or the time from the first of two dates to the second; missing where a file has no numbers."""
    columns = [numbers_of(data, name) if has_numbers(data, name) else np.full(data.n, np.nan) for name in number]
    return np.asarray(columns[-1] - columns[0] if len(columns) > 1 else columns[0])


def _rates_of(rates: FloatColumn, codes: CodeColumn) -> FloatColumn:
    """Return the rate of each category; that of all where it is the same in each, also where none is shown."""
    known = rates[np.isfinite(rates)]
    if known.size and np.ptp(known) <= WITHIN * np.abs(known).max():
        return np.full(codes.size, np.median(known))
    return np.where(codes < 0, np.nan, rates[codes])


def _tells_zero(amount: FloatColumn, computed: FloatColumn) -> bool:
    """Tell whether amounts of zero are mostly those that a tariff gives, within what it leaves open."""
    zeros, known = computed[(amount == 0) & np.isfinite(computed)], amount[np.isfinite(amount)]
    return bool(np.count_nonzero(np.abs(zeros) <= WITHIN * central_width(known)) >= MIN_KEPT * zeros.size)


def _without_zeros(one: KeyTariff, original: Microdata, rows: Rows) -> KeyTariff:
    """Return a tariff of several numbers that reads nothing off zeros, where these do not keep to it."""
    data = original.take_rows(rows)
    read, number = one.number_of(data), time_between(data, one.number)
    amount = numbers_of(data, one.amount)
    off = one.tariff.rate[one.codes(data)] * (read - number)
    return replace(one, tells_zero=_tells_zero(amount, off))


def _by_keys(found: AmountByNumbers, original: Microdata, names: Sequence[str]) -> Iterator[KeyTariff]:
    """Yield how an amount was computed by each of the numbers that is a key, or one where only the category is."""
    labels = () if found.category is None else original.codes(found.category)[1]
    for place in [at for at, name in enumerate(found.numbers) if name in names] or [0]:
        number, others = found.numbers[place], found.numbers[:place] + found.numbers[place + 1 :]
        tariff = Tariff(found.tariff.base, found.tariff.rates[:, place])
        rates = np.delete(found.tariff.rates, place, 1)
        yield KeyTariff(found.amount, found.category, (number,), labels, tariff, others, rates)


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
