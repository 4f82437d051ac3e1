"""What a method may know of the whole file while it sees one block of it."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from math import floor, fsum, inf
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data.column_recoding import codes_in_ranges
from sfumato.data.columns import count_values, has_only_gaps, order_categories
from sfumato.data.dates import date_problem
from sfumato.data.kinds import CATEGORICAL, Kind
from sfumato.data.missing_code_suspicion import SuspectedCode
from sfumato.data.recognition.suspected_codes import CodesFound, SuspectedCodes
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix
from sfumato.numerics.covariances import covariances_of, estimated_covariances_of
from sfumato.numerics.selection import ENOUGH_TO_SORT, Extent, value_of_rank
from sfumato.numerics.standardisation import NEGLIGIBLE

if TYPE_CHECKING:
    from sfumato.data.microdata import Microdata
    from sfumato.data.schema import Category, Schema

ROWS_PER_PIECE = 65_536
T = TypeVar("T")


class Source(Protocol):
    """Records that can be summarised: those in memory, or those of files that are larger."""

    @property
    def n(self) -> int:
        """The number of records."""

    @property
    def schema(self) -> "Schema":
        """What each column is and is for."""

    def pieces(self, names: tuple[str, ...]) -> "Iterator[Microdata]":
        """Yield some columns of all records, in pieces of `ROWS_PER_PIECE` rows that know this summary."""

    def column(self, name: str) -> nw.Series[Any]:
        """Return the values of one column, each at least once."""


class Answers:
    """What was asked of a file, and answered: kept with the file, which a summary refers to."""

    def __init__(self, known: Mapping[Hashable, Any] | None = None) -> None:
        self.known: dict[Hashable, Any] = {} if known is None else dict(known)
        self.lock = Lock()
        self.codes = CodesFound()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ({question: self.known[question] for question in self.known if not _is_long(question)},)


class Summary:
    """Counts, means, covariances, quantiles and category counts of a file, each computed once, when first asked for.

    Figures are taken of pieces of the file and joined by exact sums, so that they are the same to the last bit whether
    the file is in memory or not. Missing values: counts, means, deviations and quantiles are of the observed values of
    a column; covariances are estimated from all records.
    """

    def __init__(self, data: Source, answers: Answers | None = None) -> None:
        self._data = data
        self._answers = Answers() if answers is None else answers

    @property
    def n(self) -> int:
        """The number of records."""
        return self._data.n

    def observed(self, name: str) -> int:
        """Return how many records have a value in the column."""
        return self._once(("observed", name), lambda: self._observed(name))

    def missing(self, name: str) -> int:
        """Return how many records lack a value in the column."""
        return self.n - self.observed(name)

    def mean(self, name: str, *, above: float = -inf, below: float = inf) -> float:
        """Return the mean of the observed values, or of those above one bound and below another."""
        return self._once(("mean", name, above, below), lambda: self._mean(name, above, below))

    def deviation(self, name: str) -> float:
        """Return the standard deviation of the observed values (divisor n - 1; 0 for a single value)."""
        return self._once(("deviation", name), lambda: self._deviation(name))

    def quantile(self, name: str, share: float, *, above: float = -inf, below: float = inf) -> float:
        """Return the value below which `share` (0..1) of the observed values lie, interpolated linearly.

        With bounds it is that of the observed values above one and below the other.
        """
        return self._once(("quantile", name, share, above, below), lambda: self._quantile(name, share, above, below))

    def varying(self, names: tuple[str, ...]) -> Booleans:
        """Tell for each of several columns whether its observed values differ."""
        extents = [self._extent(name, -inf, inf) for name in names]
        return np.array([each.highest - each.lowest > NEGLIGIBLE for each in extents], dtype=np.bool_)

    def count_between(self, name: str, above: float, below: float) -> int:
        """Return how many observed values lie above `above` and below `below`."""
        return self._extent(name, above, below).count

    def value_at_rank(self, name: str, rank: int) -> float:
        """Return the observed value of a rank, from 0 for the lowest; a rank beyond the ends gives the end."""
        place = min(max(rank, 0), self._count_some(name) - 1)
        return self._once(("rank", name, place), lambda: self._value_at_rank(name, place, -inf, inf))

    def means(self, names: tuple[str, ...]) -> FloatColumn:
        """Return the means of several columns, each over its own observed values."""
        return np.array([self.mean(name) for name in names])

    def deviations(self, names: tuple[str, ...]) -> FloatColumn:
        """Return the standard deviations of several columns, each over its own observed values."""
        return np.array([self.deviation(name) for name in names])

    def covariance(self, names: tuple[str, ...]) -> FloatMatrix:
        """Return the covariance matrix of several columns (divisor n - 1).

        Where values are missing, they are those of `estimated_covariances`: linear relations of the columns, like a sum
        of parts, stay exact, and nothing else that varies in some record seems not to.
        """
        return self._once(("covariance", names), lambda: self._covariance(names)).copy()

    def counts(self, name: str) -> "dict[Category, int]":
        """Return how many records have each category, in the order of the categories."""
        return dict(self._once(("counts", name), lambda: self._counts(name)))

    def distinct(self, name: str) -> int:
        """Return how many different values the records have in a column of categories."""
        return self._once(("distinct", name), lambda: self._distinct(name))

    def categories(self, name: str) -> "tuple[Category, ...]":
        """Return the categories of a column, in order."""
        return tuple(self._once(("counts", name), lambda: self._counts(name)))

    def missing_codes(self, name: str) -> "tuple[Category, ...]":
        """Return the codes that stand for "no answer" in a column: those of its schema, then those in its ranges."""
        return self._once(("missing codes", name), lambda: self._missing_codes(name))

    def suspected_codes(self, name: str) -> tuple[SuspectedCode, ...]:
        """Return the codes of a column that look like "no answer" and are declared neither missing nor valid."""
        return self._once(("suspected", name), lambda: self._suspected(name))

    def date_problem(self, name: str) -> str:
        """Return what must be said of a column of dates in text before it can be read; nothing where it can."""
        data, variable = self._data, self._data.schema[name]
        if variable.kind is not Kind.DATE:
            return ""
        return self._once(("date problem", name), lambda: date_problem(data.column(name), variable))

    def is_of(self, data: "Microdata") -> bool:
        """Tell whether these are the records summarised, and not a block of them."""
        return self._data is data

    def answers(self) -> dict[tuple[Any, ...], Any]:
        """Return what was asked so far, and answered."""
        with self._answers.lock:
            known = self._answers.known
            return {question: answer for question, answer in known.items() if isinstance(question, tuple)}

    def _once(self, question: Hashable, answer: Callable[[], T]) -> T:
        answers = self._answers
        with answers.lock:
            if question in answers.known:
                known: T = answers.known[question]
                return known
        found = answer()
        with answers.lock:
            answers.known[question] = found
        return found

    def _observed(self, name: str) -> int:
        variable = self._data.schema[name]
        has_codes = bool(variable.missing_codes or variable.missing_ranges)
        if variable.kind in CATEGORICAL and (has_codes or ("counts", name) in self._answers.known):
            return sum(self.counts(name).values())
        return sum(int(np.count_nonzero(piece.observed(name))) for piece in self._data.pieces((name,)))

    def _distinct(self, name: str) -> int:
        column, variable = self._data.column(name), self._data.schema[name]
        if has_only_gaps(column, variable):
            return column.drop_nulls().n_unique()
        return len(count_values(column, variable))

    def _some(self, name: str, above: float = -inf, below: float = inf) -> Iterator[FloatColumn]:
        """Yield the observed values between two bounds, piece by piece."""
        for piece in self._data.pieces((name,)):
            values = piece.values(name)
            chosen = ~np.isnan(values) if (above, below) == (-inf, inf) else (values > above) & (values < below)
            yield values if chosen.all() else values[chosen]

    def _extent(self, name: str, above: float, below: float) -> Extent:
        return self._once(("extent", name, above, below), lambda: Extent.of(self._some(name, above, below)))

    def _count_some(self, name: str, above: float = -inf, below: float = inf) -> int:
        """Return how many observed values lie between two bounds, at least one."""
        if count := self.count_between(name, above, below):
            return count
        raise DataError(f"column '{name}' has no observed value, in the file or in a stratum; leave it out")

    def _mean(self, name: str, above: float, below: float) -> float:
        return self._extent(name, above, below).total / self._count_some(name, above, below)

    def _deviation(self, name: str) -> float:
        count, mean, extent = self._count_some(name), self.mean(name), self._extent(name, -inf, inf)
        if extent.lowest == extent.highest:
            return 0.0  # the deviation of equal numbers may come out as a tiny rounding error
        squares = fsum(float(((values - mean) ** 2).sum()) for values in self._some(name))
        return float(np.sqrt(squares / (count - 1)))

    def _quantile(self, name: str, share: float, above: float, below: float) -> float:
        place = (self._count_some(name, above, below) - 1) * share
        rank = floor(place)
        ends = [self._value_at_rank(name, each, above, below) for each in (rank, rank + 1)[: 1 + (place > rank)]]
        return float(np.quantile(ends, place - rank))

    def _value_at_rank(self, name: str, rank: int, above: float, below: float) -> float:
        if self._count_some(name, above, below) > ENOUGH_TO_SORT:
            return value_of_rank(lambda: self._some(name, above, below), rank)
        values = self._once(
            ("ascending", name, above, below), lambda: np.sort(np.concatenate(list(self._some(name, above, below))))
        )
        return float(values[rank])

    def _suspected(self, name: str) -> tuple[SuspectedCode, ...]:
        return SuspectedCodes(self._data, self._known_ascending, self._answers.codes).suspected(name)

    def _known_ascending(self, name: str) -> FloatColumn | None:
        """Return the numbers of a column in order, where they were put so before."""
        is_number = self._data.schema[name].kind is Kind.CONTINUOUS
        return self._answers.known.get(("ascending", name, -inf, inf)) if is_number else None

    def _covariance(self, names: tuple[str, ...]) -> FloatMatrix:
        rows = complete = 0
        for piece in self._data.pieces(names):
            known = ~np.isnan(piece.matrix(names))
            rows, complete = rows + int(known.any(axis=1).sum()), complete + int(known.all(axis=1).sum())
        if complete < 2:
            raise DataError(f"covariances need at least 2 records complete in {', '.join(names)}; there are {complete}")

        def parts() -> Iterator[FloatMatrix]:
            for piece in self._data.pieces(names):
                matrix = piece.matrix(names)
                known = ~np.isnan(matrix)
                yield matrix if known.all() else matrix[known.any(axis=1)]

        return covariances_of(parts) if rows == complete else estimated_covariances_of(parts)

    def _columns(self, name: str) -> Iterator[nw.Series[Any]]:
        return (piece.table.get_column(name) for piece in self._data.pieces((name,)))

    def _missing_codes(self, name: str) -> "tuple[Category, ...]":
        variable = self._data.schema[name]
        if not variable.missing_ranges:
            return variable.missing_codes
        numbers = (column for column in self._columns(name) if column.dtype.is_numeric())
        found = sorted({code for column in numbers for code in codes_in_ranges(column, variable)})
        return (*variable.missing_codes, *(code for code in found if code not in variable.missing_codes))

    def _counts(self, name: str) -> "dict[Category, int]":
        variable = self._data.schema[name]
        counts: Counter[Category] = Counter()
        for piece in self._data.pieces((name,)):
            column = piece.table.get_column(name)
            if self.is_of(piece):  # whose codes are kept, and asked for again
                codes, categories = piece.codes(name)
                held = np.bincount(codes + 1, minlength=len(categories) + 1)[1:].tolist()
                return dict(zip(categories, held, strict=True))
            counts.update(count_values(column, variable))
        categories = order_categories(list(counts), column.dtype, variable)
        return {category: counts[category] for category in categories}


def _is_long(question: Hashable) -> bool:
    """Tell whether the answer is as long as the file, so that another process had better find it by itself."""
    return isinstance(question, tuple) and question[0] == "ascending"
