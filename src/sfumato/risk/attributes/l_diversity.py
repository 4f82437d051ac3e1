"""L-diversity: classes of equal keys that show too few different confidential values."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.errors import ParameterError, did_you_mean
from sfumato.keys.checks import MAKE_CLASSES
from sfumato.keys.classes import KEY_KINDS, MissingKeys
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters import Columns
from sfumato.risk.attributes._sensitive_values import (
    SensitiveClasses,
    diversity_measurement,
    sensitive_classes,
    smallest,
)
from sfumato.risk.attributes._value_counts import ValueCounts

SAY_HOW_FAR = "say in apart how far two of its numbers must be apart to count as different values"
ROUNDING = 1e-9  # numbers that are less apart by such a share of the distance are as far apart


class LDiversity(FileRisk):
    """Count the records whose class of equal keys has fewer than `l` different confidential values.

    The value is the percent of records in such classes, in any of the confidential columns. Parts are that percent for
    each confidential column, and `LDS`, the smallest number of different values in any class: the largest l for which
    the file is l-diverse.

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    sensitive
        Confidential columns; each is assessed separately. A rule such as `role(confidential)` leaves out the keys, and
        the columns that are continuous, unless `apart` has them.
    l
        How many different values each class must show: the l of the source.
    apart
        For each continuous column how far two numbers must be apart to count as different values, in its unit, as in
        `{income: 1000}`: as many are counted as can be chosen of a class so that all are as far apart. With `l` 2 this
        is (k, e)-anonymity, e being how far. There is no usual distance: two incomes that differ by a cent tell the
        same.
    missing
        What a missing key is: `wildcard`, which fits every value, so that the class of a record holds all that fit it;
        or `category`, a value of its own.

    Meaning
        0: the file is l-diverse. 100: in no class are there enough values. With `l` 2, those who are counted
        have their confidential value told by their keys alone, of a number to less than what `apart` says.
    Intruder
        Knows the keys of a person, and that the person is in the file; wants the confidential value and needs no single
        record for it.
    Missing values
        A missing key as `missing` says. A missing confidential value is none: it does not make a class more diverse,
        and a class that shows no value at all tells nothing and is no violation.
    Source
        Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam (2007), l-diversity: privacy beyond k-anonymity; distinct
        l-diversity. Several confidential columns: each must be diverse on its own, the least that the source asks for.
        Numbers: Zhang, Koudas, Srivastava and Yu (2007), Aggregate query answering on anonymized tables, for two
        values.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"town": ["A", "A", "A", "B", "B"], "ill": ["no", "yes", "no", "yes", "yes"]})
    >>> found = LDiversity(columns=("town",), sensitive=("ill",)).of(Microdata(people))
    >>> found.value, dict(found.parts)
    (40.0, {'ill': 40.0, 'LDS': 1.0})
    >>> people = polars.DataFrame({"town": ["A", "A", "A", "B", "B"], "income": [900.0, 1000.0, 2500.0, 700.0, 790.0]})
    >>> dict(LDiversity(columns=("town",), sensitive=("income",), apart={"income": 500}).of(Microdata(people)).parts)
    {'income': 40.0, 'LDS': 1.0}
    """

    symbol: ClassVar[str] = "LD"
    part_symbols: ClassVar[tuple[str, ...]] = ("LDS",)
    part_units: ClassVar[Mapping[str, str]] = {"LDS": "values"}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "LDS": "the smallest number of different values in a class",
    }
    column_parts: ClassVar[str] = "the percent of records in classes that violate it there"
    family: ClassVar[str] = "attributes"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    sensitive: Columns = Field(default=role("confidential"), examples=[["employment_status"]])
    l: Annotated[int, Field(ge=2)] = 2
    apart: dict[str, Annotated[float, Field(gt=0, allow_inf_nan=False)]] | None = None
    missing: MissingKeys = MissingKeys.WILDCARD

    def of(self, data: Microdata) -> Measurement:
        """Return the percent of records in classes that are not diverse enough."""
        apart = self.apart or {}
        found = sensitive_classes(
            self, data, self.sensitive, self.missing, numbers=apart, numbers_need=f"{SAY_HOW_FAR}, or {MAKE_CLASSES}"
        )
        self._check_apart(data, found)
        diversity = {
            name: different_numbers(counts, np.asarray(data.codes(name)[1], dtype=np.float64), apart[name])
            if name in apart
            else different_values(counts)
            for name, counts in found.columns.items()
        }
        violates = {name: values < self.l for name, values in diversity.items()}
        return diversity_measurement(self, found, violates, {"LDS": smallest(diversity)})

    def _check_apart(self, data: Microdata, found: SensitiveClasses) -> None:
        """Refuse a distance for what is not looked at, or has none."""
        for name in self.apart or {}:
            if name not in found.columns:
                near = did_you_mean(name, found.columns)
                raise ParameterError([f"LDiversity.apart: '{name}' is not one of the sensitive columns{near}"])
            if (kind := data.schema[name].kind) is not Kind.CONTINUOUS:
                raise ParameterError(
                    [f"LDiversity.apart: '{name}' is {kind}; expected continuous columns; leave it out"]
                )


def different_values(counts: ValueCounts) -> FloatColumn:
    """Return how many different values each class shows; NaN where none."""
    return counts.sum_by_class(np.ones(counts.counts.size))


def different_numbers(counts: ValueCounts, numbers: FloatColumn, apart: float) -> FloatColumn:
    """Return how many numbers of each class can be chosen that are all `apart` from each other; NaN where none.

    The smallest is chosen, then each time the next that is far enough: no other choice has more.

    Parameters
    ----------
    counts
        Which of the numbers occur in which class.
    numbers
        All numbers of the column, in their order.
    apart
        How far two must be apart at least.

    Examples
    --------
    >>> from sfumato.risk.attributes._value_counts import value_counts
    >>> codes, incomes = np.array([[0, 0, 0, 1]]), np.array([0, 1, 2, 1])
    >>> counts = value_counts(codes, incomes, 3, MissingKeys.CATEGORY, np.ones(4, dtype=np.int64))
    >>> different_numbers(counts, np.array([900.0, 1000.0, 2500.0]), 500)
    array([2., 1.])
    """
    far_enough = np.searchsorted(numbers, numbers + apart * (1 - ROUNDING))
    width = numbers.size + 1  # a code that no number has stands behind the last
    places = np.sort(counts.classes * width + counts.values)
    chosen = np.zeros(counts.total)
    at = np.searchsorted(places, np.arange(counts.total) * width)
    classes = np.arange(counts.total)
    while True:
        there = at < places.size
        classes, at = classes[there], at[there]
        same = places[at] // width == classes
        classes, at = classes[same], at[same]
        if not classes.size:
            return np.where(chosen > 0, chosen, np.nan)
        chosen[classes] += 1
        at = np.searchsorted(places, classes * width + far_enough[places[at] % width])
