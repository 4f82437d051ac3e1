"""L-diversity: classes of equal keys that show too few different confidential values."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.keys.classes import KEY_KINDS, MissingKeys
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters import Columns
from sfumato.risk.attributes._sensitive_values import diversity_measurement, sensitive_classes, smallest
from sfumato.risk.attributes._value_counts import ValueCounts


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
        Confidential nominal or ordinal columns; each is assessed separately. A rule such as `role(confidential)` leaves
        out the keys, and the columns that are continuous.
    l
        How many different values each class must show: the l of the source.
    missing
        What a missing key is: `wildcard`, which fits every value, so that the class of a record holds all that fit it;
        or `category`, a value of its own.

    Meaning
        0: the file is l-diverse. 100: in no class are there enough values. With `l` 2, those who are counted
        have their confidential value told by their keys alone.
    Intruder
        Knows the keys of a person, and that the person is in the file; wants the confidential value and needs no single
        record for it.
    Missing values
        A missing key as `missing` says. A missing confidential value is none: it does not make a class more diverse,
        and a class that shows no value at all tells nothing and is no violation.
    Source
        Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam (2007), l-diversity: privacy beyond k-anonymity; distinct
        l-diversity. Several confidential columns: each must be diverse on its own, the least that the source asks for.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"town": ["A", "A", "A", "B", "B"], "ill": ["no", "yes", "no", "yes", "yes"]})
    >>> found = LDiversity(columns=("town",), sensitive=("ill",)).of(Microdata(people))
    >>> found.value, dict(found.parts)
    (40.0, {'ill': 40.0, 'LDS': 1.0})
    """

    symbol: ClassVar[str] = "LD"
    part_symbols: ClassVar[tuple[str, ...]] = ("LDS",)
    part_units: ClassVar[Mapping[str, str]] = {"LDS": "values"}
    family: ClassVar[str] = "attributes"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    sensitive: Columns = Field(default=role("confidential"), examples=[["employment_status"]])
    l: Annotated[int, Field(ge=2)] = 2
    missing: MissingKeys = MissingKeys.WILDCARD

    def of(self, data: Microdata) -> Measurement:
        """Return the percent of records in classes that are not diverse enough."""
        found = sensitive_classes(self, data, self.sensitive, self.missing)
        diversity = {name: different_values(counts) for name, counts in found.columns.items()}
        violates = {name: values < self.l for name, values in diversity.items()}
        return diversity_measurement(self, found, violates, {"LDS": smallest(diversity)})


def different_values(counts: ValueCounts) -> FloatColumn:
    """Return how many different values each class shows; NaN where none."""
    return counts.sum_by_class(np.ones(counts.counts.size))
