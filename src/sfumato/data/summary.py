"""What a method may know of the whole file while it sees one block of it."""

from collections.abc import Callable, Hashable
from functools import partial
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sfumato.data.column_recoding import codes_in_ranges
from sfumato.data.dates import date_problem
from sfumato.data.kinds import CATEGORICAL
from sfumato.data.missing_code_suspicion import SuspectedCode, find_suspected_codes
from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.covariances import estimated_covariances

if TYPE_CHECKING:
    from sfumato.data.microdata import Microdata
    from sfumato.data.schema import Category

T = TypeVar("T")


class Summary:
    """Counts, means, covariances, quantiles and category counts of a file, each computed once, when first asked for.

    Missing values: counts, means, deviations and quantiles are of the observed values of a column; covariances are
    estimated from all records.
    """

    def __init__(self, data: "Microdata") -> None:
        self._data = data
        self._known: dict[Hashable, Any] = {}
        self._lock = Lock()

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
        return self._once(("mean", name, above, below), lambda: float(np.mean(self._some(name, above, below))))

    def deviation(self, name: str) -> float:
        """Return the standard deviation of the observed values (divisor n - 1; 0 for a single value)."""
        return self._once(("deviation", name), lambda: _deviation(self._some(name)))

    def quantile(self, name: str, share: float, *, above: float = -inf, below: float = inf) -> float:
        """Return the value below which `share` (0..1) of the observed values lie, interpolated linearly.

        With bounds it is that of the observed values above one and below the other.
        """
        return self._once(
            ("quantile", name, share, above, below), lambda: float(np.quantile(self._some(name, above, below), share))
        )

    def count_between(self, name: str, above: float, below: float) -> int:
        """Return how many observed values lie above `above` and below `below`."""
        values = self._once(("ascending", name), lambda: np.sort(self._some(name)))
        return int(np.count_nonzero((values > above) & (values < below)))

    def value_at_rank(self, name: str, rank: int) -> float:
        """Return the observed value of a rank, from 0 for the lowest; a rank beyond the ends gives the end."""
        values = self._once(("ascending", name), lambda: np.sort(self._some(name)))
        return float(values[min(max(rank, 0), values.size - 1)])

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

    def categories(self, name: str) -> "tuple[Category, ...]":
        """Return the categories of a column, in order."""
        return tuple(self._once(("counts", name), lambda: self._counts(name)))

    def missing_codes(self, name: str) -> "tuple[Category, ...]":
        """Return the codes that stand for "no answer" in a column: those of its schema, then those in its ranges."""
        return self._once(("missing codes", name), lambda: self._missing_codes(name))

    def suspected_codes(self, name: str) -> tuple[SuspectedCode, ...]:
        """Return the codes of a column that look like "no answer" and are declared neither missing nor valid."""
        data, variable = self._data, self._data.schema[name]
        return self._once(
            ("suspected", name),
            lambda: find_suspected_codes(data.table.get_column(name), variable, lambda: self._codes_besides(name)),
        )

    def date_problem(self, name: str) -> str:
        """Return what must be said of a column of dates in text before it can be read; nothing where it can."""
        data, variable = self._data, self._data.schema[name]
        return self._once(("date problem", name), lambda: date_problem(data.table.get_column(name), variable))

    def is_of(self, data: "Microdata") -> bool:
        """Tell whether these are the records summarised, and not a block of them."""
        return self._data is data

    def _once(self, question: Hashable, answer: Callable[[], T]) -> T:
        with self._lock:
            if question in self._known:
                known: T = self._known[question]
                return known
        found = answer()
        with self._lock:
            self._known[question] = found
        return found

    def _observed(self, name: str) -> int:
        if self._data.schema[name].kind in CATEGORICAL:
            return sum(self.counts(name).values())
        return int(np.count_nonzero(self._data.observed(name)))

    def _some(self, name: str, above: float = -inf, below: float = inf) -> FloatColumn:
        values = self._data.values(name)
        chosen = ~np.isnan(values) if (above, below) == (-inf, inf) else (values > above) & (values < below)
        values = values[chosen]
        if not values.size:
            raise DataError(f"column '{name}' has no observed value, in the file or in a stratum; leave it out")
        return values

    def _covariance(self, names: tuple[str, ...]) -> FloatMatrix:
        matrix = self._data.matrix(names)
        known = ~np.isnan(matrix)
        matrix = matrix if known.all() else matrix[known.any(axis=1)]
        if (complete := int(known.all(axis=1).sum())) < 2:
            raise DataError(f"covariances need at least 2 records complete in {', '.join(names)}; there are {complete}")
        if len(matrix) > complete:
            return estimated_covariances(matrix)
        centred = (matrix - matrix.mean(axis=0)).T
        centred[matrix.max(axis=0) == matrix.min(axis=0)] = 0.0  # the mean of equal numbers may differ in the last bit
        # einsum adds in one fixed order; a threaded BLAS may not, and a recipe must give the same bytes everywhere
        covariance = np.einsum("in,jn->ij", centred, centred) / (len(matrix) - 1)
        return np.asarray(covariance, dtype=np.float64)

    def _missing_codes(self, name: str) -> "tuple[Category, ...]":
        variable = self._data.schema[name]
        if not variable.missing_ranges or not self._data.table.get_column(name).dtype.is_numeric():
            return variable.missing_codes
        found = codes_in_ranges(self._data.table.get_column(name), variable)
        return (*variable.missing_codes, *(code for code in found if code not in variable.missing_codes))

    def _codes_besides(self, name: str) -> frozenset[float]:
        """Return the numbers that stand for "no answer" in other columns, as declared or as suspected."""
        data, found = self._data, set[float]()
        for variable in data.schema.variables:
            if variable.name != name:
                question = ("suspected by itself", variable.name)
                suspects = self._once(
                    question, partial(find_suspected_codes, data.table.get_column(variable.name), variable)
                )
                codes = (*variable.missing_codes, *(suspect.code for suspect in suspects))
                found.update(float(code) for code in codes if not isinstance(code, str))
        return frozenset(found)

    def _counts(self, name: str) -> "dict[Category, int]":
        codes, categories = self._data.codes(name)
        tally = np.bincount(codes + 1, minlength=len(categories) + 1)[1:]
        return dict(zip(categories, tally.tolist(), strict=True))

    def __getstate__(self) -> dict[str, Any]:
        return {"_data": self._data}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["_data"])  # type: ignore[misc]


def _deviation(values: FloatColumn) -> float:
    if values.min() == values.max():  # the deviation of equal numbers may come out as a tiny rounding error
        return 0.0
    return float(np.std(values, ddof=1))
