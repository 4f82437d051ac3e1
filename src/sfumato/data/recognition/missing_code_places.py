"""Where in a column of numbers a usual code for "no answer" lies: below zero, beyond a gap, or shared by too many."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, lgamma, log

import numpy as np

from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn
from sfumato.numerics.ranking import small_whole_numbers

MIN_HOLDERS = 3  # fewer records may hold a high value by chance
MIN_SHARING = 5  # fewer records may have the same amount by chance
MIN_SHARING_PERCENT = 0.25
ENOUGH_SHARING = 30  # so many are no chance in a file of any size
MIN_AMOUNTS = 20  # different values before a column counts as one of amounts
MIN_AROUND, MAX_AROUND = 5, 20  # values on either side that a code is compared with
ENOUGH_BESIDE = 10  # records on both sides of an empty place before it is no chance
STRETCHES = (6, 10, 15, 20)  # places in each of two, by which is told how fast the end of a scale thins out
MAX_TERMS = 200  # of the chance of a count: those of larger ones add nothing
CHANCE = 3e-4  # at most, of a value that so many records hold only by chance
ROUND = 5  # people round amounts to multiples of it, and no usual code above zero is one
MAX_DIGITS = 10
MIN_TO_JOIN = 1_000_000  # numbers of pieces before they are joined with the different ones of earlier pieces

_SAME = {int(digit * count) for digit in "789" for count in range(1, MAX_DIGITS + 1)}
_NINES = {int("9" * count + last) for last in "789" for count in range(1, MAX_DIGITS)}
NINES = frozenset(float("9" * count) for count in range(1, MAX_DIGITS + 1))
HIGH_CODES = frozenset(map(float, _SAME | _NINES))
LOWEST_DIGIT = -9.0
LOW_CODES = frozenset({-code for code in HIGH_CODES} | set(map(float, range(-9, 0))))
USUAL_CODES = np.array(sorted(HIGH_CODES | LOW_CODES))


@dataclass(frozen=True, eq=False)
class Scale:
    """The different values of a column, rising, and how many records hold each."""

    values: FloatColumn
    counts: CodeColumn

    @classmethod
    def of(cls, values: FloatColumn) -> "Scale":
        """Return the scale of a column."""
        whole = small_whole_numbers(values)
        if whole is None:
            return cls(*np.unique(values, return_counts=True))
        counts = np.bincount(whole)
        places = np.flatnonzero(counts)
        return cls(np.asarray(places + float(values.min()), dtype=np.float64), counts[places])

    @classmethod
    def of_ascending(cls, values: FloatColumn) -> "Scale":
        """Return the scale of a column that is in order already."""
        starts = np.flatnonzero(np.append(True, values[1:] != values[:-1])) if values.size else np.empty(0, np.int64)
        return cls(values[starts], np.diff(np.append(starts, values.size)))

    @classmethod
    def of_pieces(cls, pieces: Iterable[FloatColumn]) -> "Scale":
        """Return the scale of a column that comes in pieces; little more is held than the different values."""
        joined, waiting = cls.of(np.empty(0)), list[FloatColumn]()
        for piece in pieces:
            waiting.append(piece)
            if sum(each.size for each in waiting) >= max(joined.values.size, MIN_TO_JOIN):
                joined, waiting = cls._join([joined, cls.of(np.concatenate(waiting))]), []
        return cls._join([joined, cls.of(np.concatenate(waiting))]) if waiting else joined

    @classmethod
    def _join(cls, scales: "list[Scale]") -> "Scale":
        scales = [each for each in scales if each.values.size]
        if len(scales) < 2:
            return scales[0] if scales else cls.of(np.empty(0))
        values = np.concatenate([each.values for each in scales])
        counts = np.concatenate([each.counts for each in scales])
        order = np.argsort(values, kind="stable")  # which merges what is in order already
        values = values[order]
        starts = np.flatnonzero(np.append(True, values[1:] != values[:-1])) if values.size else order
        return cls(values[starts], np.add.reduceat(counts[order], starts))

    def count(self, value: float) -> int:
        """Return how many records hold a value of the scale."""
        return int(self.counts[np.searchsorted(self.values, value)])

    def without(self, codes: list[float]) -> "Scale":
        """Return the scale without some of its values."""
        return self.keep(~np.isin(self.values, codes))

    def keep(self, chosen: Booleans) -> "Scale":
        """Return the scale of the chosen values."""
        return Scale(self.values[chosen], self.counts[chosen])

    def mirrored(self) -> "Scale":
        """Return the scale with its ends exchanged."""
        return Scale(-self.values[::-1], self.counts[::-1])


def are_usual_codes(values: FloatColumn) -> Booleans:
    """Tell which values are usual codes for "no answer".

    Examples
    --------
    >>> are_usual_codes(np.array([-9.0, 0.0, 99.0, 99.5]))
    array([ True, False,  True, False])
    """
    places = np.minimum(np.searchsorted(USUAL_CODES, values), USUAL_CODES.size - 1)  # np.isin would sort all values
    return np.asarray(USUAL_CODES[places] == values)


def holds_usual_codes(values: FloatColumn) -> bool:
    """Tell whether some value is a usual code for "no answer"; only whole numbers are looked up."""
    return bool(are_usual_codes(values[np.rint(values) == values]).any())


def below_zero(scale: Scale, candidates: frozenset[float]) -> list[float]:
    """Return the codes below zero, where only codes are and the others make a scale that begins at zero or above."""
    values = scale.values
    negative = values[values < 0][: len(candidates) + 1].tolist()
    if not negative or len(negative) == values.size or not candidates.issuperset(negative):
        return []
    if -values[0] == values[-1] and values.size == values[-1] - values[0] + 1:
        return []  # -2, -1, 0, 1, 2 is a scale with a middle
    return [value for value in negative if -value in NINES or scale.count(value) >= MIN_HOLDERS]


def beyond_gap(
    scale: Scale, candidates: frozenset[float], elsewhere: frozenset[float], *, has_order: bool
) -> list[float]:
    """Return the codes above the scale of the other values, beyond a gap twice as wide as any in its upper half.

    For a code of another column, `elsewhere`, a gap wider than any other will do.
    From the lowest code on, one that is not beyond a gap belongs to the scale; one above a suspected code is suspected
    too, however few records hold it. Among codes without an order a gap means nothing, unless they count 0, 1, 2, 3
    as answers on a scale do: there a suspected code has more digits than any other.
    """
    ordinary = scale.values.size
    while ordinary and scale.values[ordinary - 1] in candidates:
        ordinary -= 1
    for place in range(max(ordinary, 2), scale.values.size):
        value, top = scale.values[place], scale.values[place - 1]
        is_longer = len(str(int(value))) > len(str(int(top)))
        is_outside = has_order or is_longer or _counts_on(scale.values[:place], value)
        if is_outside and _is_beyond(scale, place, 1 if value in elsewhere and has_order else 2):
            return [float(code) for code in scale.values[place:]]
    return []


def ends_a_count(scale: Scale, codes: list[float]) -> bool:
    """Tell whether codes of one digit may end a count that thins out: few families have 5 children, and fewer 8.

    Examples
    --------
    >>> children = Scale(np.array([0.0, 1, 2, 3, 4, 8]), np.array([322, 185, 199, 69, 20, 5]))
    >>> ends_a_count(children, [8.0])
    True
    >>> ends_a_count(Scale(children.values, np.array([322, 185, 199, 69, 20, 31])), [8.0])
    False
    """
    rest = scale.without(codes)
    if not codes or max(codes) > 9 or not rest.values.size:
        return False
    return bool(sum(map(scale.count, codes)) < rest.counts[-1] < rest.counts.max())


def _is_beyond(scale: Scale, place: int, times: int) -> bool:
    """Tell whether the value at a place is so many times further from those before it than they from each other.

    At the thin end of a scale a single place is empty by chance, so that a gap of exactly twice the widest says nothing
    where few records are on either side of it: ages of 95 and 97, and nobody of 96.
    """
    upper = scale.values[(place - 1) // 2 : place]
    gap, widest = scale.values[place] - scale.values[place - 1], np.diff(upper).max()
    held, before = scale.counts[place], scale.counts[place - 1]
    is_wide = gap > times * widest or (times > 1 and gap == times * widest and min(held, before) >= ENOUGH_BESIDE)
    return bool(held >= MIN_HOLDERS and is_wide)


def _counts_on(values: FloatColumn, code: float) -> bool:
    """Tell whether values count from 0 or 1, with no more than single ones left out, and a code is beyond a gap."""
    widest = np.diff(values).max()
    return bool(values[0] in (0.0, 1.0) and widest <= 2 and code - values[-1] > 2 * widest)


def piled_at_end(scale: Scale, candidates: frozenset[float]) -> list[float]:
    """Return the codes above all other whole numbers that more records hold than these thin out to, as ages do.

    How fast they thin out is read off the places below a code that are neither codes nor round.

    Examples
    --------
    >>> ages = np.repeat(np.arange(60.0, 97), np.arange(37, 0, -1))
    >>> piled_at_end(Scale.of(np.append(ages, [99.0] * 12)), HIGH_CODES)
    [99.0]
    >>> piled_at_end(Scale.of(np.append(ages, [97.0, 97.0, 98.0])), HIGH_CODES)
    []
    """
    plain = scale.keep(~are_usual_codes(scale.values))
    if not plain.values.size or (plain.values % 1 != 0).any():
        return []
    found = []
    for code in scale.values[scale.values > plain.values[-1]].tolist():
        expected, held = _expected_at_end(plain, code), scale.count(code)
        if code in candidates and expected is not None and held >= MIN_HOLDERS:
            found += [code] if _chance_of(held, expected) < CHANCE else []
    return found


def _expected_at_end(plain: Scale, code: float) -> float | None:
    """Return how many records a code would hold if it were a value; None where those below it do not thin out.

    Of two stretches of places below it, the smallest that hold enough records, the upper one has fewer. The ratio of
    both, one record added to each, is taken to go on.
    """
    places = np.arange(code - 1, max(code - 10 * STRETCHES[-1], plain.values[0] - 1), -1.0)
    places = places[(places % ROUND != 0) & ~are_usual_codes(places)]
    held = np.zeros(places.size)
    is_there = np.isin(places, plain.values)
    held[is_there] = plain.counts[np.searchsorted(plain.values, places[is_there])]
    for length in STRETCHES:
        near, far = held[:length].sum(), held[length : 2 * length].sum()
        if places.size >= 2 * length and far >= max(near, ENOUGH_BESIDE):
            middle, lower = places[:length].mean(), places[length : 2 * length].mean()
            ratio = (near + 1) / (far + 1)
            return float((near + 1) / length * ratio ** ((code - middle) / (middle - lower)))
    return None


def _chance_of(held: int, mean: float) -> float:
    """Return the chance of a count that is Poisson with some mean to be as large."""
    if held <= mean:
        return 1.0
    term = exp(held * log(mean) - mean - lgamma(held + 1))
    terms = term * np.cumprod(mean / np.arange(held + 1, held + MAX_TERMS))
    return float(term + terms.sum())


def shared_by_many(scale: Scale, candidates: frozenset[float], elsewhere: frozenset[float]) -> list[float]:
    """Return the codes that far more records hold than any value around them.

    Each is compared with the nearest values on either side that are neither codes nor round, since people round their
    answers and never to 99. Where every other value is round, or the code is one of another column, `elsewhere`, three
    records are enough.

    Examples
    --------
    >>> amounts = np.append(np.arange(30) ** 2 * 1.37, [99.0] * 6)
    >>> shared_by_many(Scale.of(amounts), HIGH_CODES, frozenset())
    [99.0]
    >>> rounded = np.append(np.repeat(np.arange(30) * 100.0, 9), [999.0] * 3)
    >>> shared_by_many(Scale.of(rounded), HIGH_CODES, frozenset())
    [999.0]
    """
    is_code = are_usual_codes(scale.values)
    if np.count_nonzero(~is_code & (scale.values != 0)) < MIN_AMOUNTS:
        return []
    plain = scale.keep(~is_code & (scale.values % ROUND != 0))
    percent = MIN_SHARING_PERCENT / 100 * int(scale.counts.sum())
    enough = max(MIN_SHARING, min(percent, ENOUGH_SHARING)) if plain.values.size else MIN_HOLDERS
    step = float(np.diff(plain.values).min(initial=np.inf))
    held = {code: scale.count(code) for code in sorted(candidates.intersection(scale.values[is_code].tolist()))}
    return [
        code
        for code, n in held.items()
        if n >= (MIN_HOLDERS if code in elsewhere else enough) and _is_no_chance(n, *_around(plain, code, step))
    ]


def _around(plain: Scale, code: float, step: float) -> tuple[int, float]:
    """Return the most records of one of the values around a code, and how many records a place there has on average.

    Places are a `step` apart, and most of them are empty where amounts are nearly all different.
    """
    reach = min(max(plain.values.size // MAX_AROUND, MIN_AROUND), MAX_AROUND)
    place = int(np.searchsorted(plain.values, code))
    values, counts = (each[max(place - reach, 0) : place + reach] for each in (plain.values, plain.counts))
    if not values.size:
        return 0, 0.0
    width = max(values[-1], code) - min(values[0], code)
    places = (1 - 1 / ROUND) * width / step  # without the round ones
    return int(counts.max()), (float(counts.sum()) + 1) / max(places, 1.0)


def _is_no_chance(held: int, most: int, on_average: float) -> bool:
    """Tell whether far more records hold a value than any around it, and so many as chance hardly ever puts there.

    By the bound of Chernoff, a count that is Poisson with mean m reaches h > m with a chance of exp(h - m) (m / h)^h at
    most.
    """
    if 2 * held <= 3 * most or held <= on_average:
        return False
    return on_average == 0 or held - on_average + held * log(on_average / held) < log(CHANCE)
