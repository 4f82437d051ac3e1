"""Entropy l-diversity: classes of equal keys in which a few confidential values dominate."""

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

ROUNDING = 1e-9  # relative: equal shares of l values have an effective number of l up to this


class EntropyLDiversity(FileRisk):
    """Count the records whose class of equal keys has confidential values of too little entropy.

    The entropy of a class is turned into an effective number of values: exp of it, which is l when l values are equally
    frequent and less when some dominate. The value is the percent of records in classes where it is below
    `l`, in any of the confidential columns. Parts are that percent for each confidential column, and `ELDS`,
    the smallest effective number in any class: the largest l for which the file is entropy l-diverse.

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    sensitive
        Confidential nominal or ordinal columns; each is assessed separately. A rule such as `role(confidential)` leaves
        out the keys, and the columns that are continuous.
    l
        The effective number of values that each class must have: the l of the source, not necessarily whole.
    missing
        What a missing key is: `wildcard`, which fits every value, so that the class of a record holds all that fit it;
        or `category`, a value of its own.

    Meaning
        0: the file is entropy l-diverse. 100: no class is. On average, classes are no more diverse than the whole file,
        so that a column in which one value dominates cannot meet a high `l`.
    Intruder
        Knows the keys of a person, and that the person is in the file; guesses the confidential value from how often
        each occurs in the class.
    Missing values
        A missing key as `missing` says. A missing confidential value is none: shares are among the known values, and a
        class that shows none tells nothing and is no violation.
    Source
        Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam (2007), l-diversity: privacy beyond k-anonymity; entropy
        l-diversity. Several confidential columns: each must be diverse on its own, the least that the source asks for.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"town": ["A", "A", "A", "A", "B", "B"], "ill": [1, 1, 1, 2, 1, 2]})
    >>> found = EntropyLDiversity(columns=("town",), sensitive=("ill",)).of(Microdata(people))
    >>> {name: round(part, 2) for name, part in found.parts.items()}
    {'ill': 66.67, 'ELDS': 1.75}
    """

    symbol: ClassVar[str] = "ELD"
    part_symbols: ClassVar[tuple[str, ...]] = ("ELDS",)
    part_units: ClassVar[Mapping[str, str]] = {"ELDS": "values"}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "ELDS": "the smallest effective number of values in a class",
    }
    column_parts: ClassVar[str] = "the percent of records in classes that violate it there"
    family: ClassVar[str] = "attributes"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    sensitive: Columns = Field(default=role("confidential"), examples=[["employment_status"]])
    l: Annotated[float, Field(ge=1)] = 2.0
    missing: MissingKeys = MissingKeys.WILDCARD

    def of(self, data: Microdata) -> Measurement:
        """Return the percent of records in classes whose values are not spread enough."""
        found = sensitive_classes(self, data, self.sensitive, self.missing)
        diversity = {name: effective_values(counts) for name, counts in found.columns.items()}
        violates = {name: values < self.l * (1 - ROUNDING) for name, values in diversity.items()}
        return diversity_measurement(self, found, violates, {"ELDS": smallest(diversity)})


def effective_values(counts: ValueCounts) -> FloatColumn:
    """Return exp of the entropy of each class: as many equally frequent values have the same; NaN without a value."""
    return np.exp(-counts.sum_by_class(counts.shares * np.log(counts.shares)))
