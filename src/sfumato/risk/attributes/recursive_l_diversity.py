"""Recursive l-diversity: classes of equal keys whose most frequent confidential value outweighs the others."""

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


class RecursiveLDiversity(FileRisk):
    """Count the records whose class of equal keys has a confidential value that is too frequent beside the rare ones.

    With r1 >= r2 >= ... the numbers of records of each confidential value in a class, the class is diverse when
    r1 < `c` x (rl + r(l+1) + ...), where l is `l`: an intruder who can rule out all but the rarest
    values still cannot be sure of the most frequent. The value is the percent of records in classes that are not, in
    any of the confidential columns. Parts are that percent for each confidential column, and `RLDS`, the largest l for
    which all classes are diverse with this `c`.

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    sensitive
        Confidential nominal or ordinal columns; each is assessed separately. A rule such as `role(confidential)` leaves
        out the keys, and the columns that are continuous.
    c
        The most frequent value must be rarer than `c` times the values from the l-th on together. The source leaves it
        to the user; a smaller one asks for more.
    l
        The l of the source.
    missing
        What a missing key is: `wildcard`, which fits every value, so that the class of a record holds all that fit it;
        or `category`, a value of its own.

    Meaning
        0: the file is recursively (c, l)-diverse. 100: no class is.
    Intruder
        Knows the keys of a person, that the person is in the file, and up to `l` - 2 confidential values
        that the person does not have.
    Missing values
        A missing key as `missing` says. A missing confidential value is none: only known values are counted, and a
        class that shows none tells nothing and is no violation.
    Source
        Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam (2007), l-diversity: privacy beyond k-anonymity; recursive
        (c, l)-diversity. Several confidential columns: each must be diverse on its own, the least that the source asks
        for.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"town": ["A", "A", "A", "A", "B", "B"], "ill": [1, 1, 1, 2, 1, 2]})
    >>> found = RecursiveLDiversity(columns=("town",), sensitive=("ill",), c=2).of(Microdata(people))
    >>> {name: round(part, 2) for name, part in found.parts.items()}
    {'ill': 66.67, 'RLDS': 1.0}
    """

    symbol: ClassVar[str] = "RLD"
    part_symbols: ClassVar[tuple[str, ...]] = ("RLDS",)
    part_units: ClassVar[Mapping[str, str]] = {"RLDS": "values"}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "RLDS": "the largest l with this c",
    }
    column_parts: ClassVar[str] = "the percent of records in classes that violate it there"
    family: ClassVar[str] = "attributes"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    sensitive: Columns = Field(default=role("confidential"), examples=[["employment_status"]])
    c: Annotated[float, Field(gt=0)] = 3.0
    l: Annotated[int, Field(ge=2)] = 2
    missing: MissingKeys = MissingKeys.WILDCARD

    def of(self, data: Microdata) -> Measurement:
        """Return the percent of records in classes where the most frequent value outweighs the others."""
        found = sensitive_classes(self, data, self.sensitive, self.missing)
        diversity = {name: recursive_diversity(counts, self.c) for name, counts in found.columns.items()}
        violates = {name: values < self.l for name, values in diversity.items()}
        return diversity_measurement(self, found, violates, {"RLDS": smallest(diversity)})


def recursive_diversity(counts: ValueCounts, c: float) -> FloatColumn:
    """Return for each class the largest l for which it is (c, l)-diverse, 0 where for none; NaN without a value.

    The sum from the l-th value on falls as l rises, so that l is how many of the sums are large enough.
    """
    by_frequency = np.lexsort((-counts.counts, counts.classes))
    classes, falling = counts.classes[by_frequency], counts.counts[by_frequency]
    starts = np.flatnonzero(np.diff(classes, prepend=-1))
    place = np.cumsum(np.diff(classes, prepend=-1) > 0) - 1  # among the classes that show a value
    before = np.cumsum(falling) - falling
    in_class = np.add.reduceat(falling, starts)
    from_here = in_class[place] - (before - before[starts][place])
    enough = np.empty(from_here.size)
    enough[by_frequency] = falling[starts][place] < c * from_here
    return counts.sum_by_class(enough)
