"""T-closeness: classes of equal keys whose confidential values are distributed unlike those of the whole file."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Category, Hierarchy, Kind, Microdata, Selector, role
from sfumato.display import format_count
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.keys.classes import KEY_KINDS, MissingKeys
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.parameters import Columns
from sfumato.parameters.hierarchies import CategoryTree
from sfumato.risk.attributes._ground_distances import equal_distances, hierarchical_distances, ordered_distances
from sfumato.risk.attributes._sensitive_values import diversity_measurement, largest, sensitive_classes
from sfumato.risk.attributes._value_counts import ValueCounts

NAME_THEM = "name it"
CELLS = 2**20  # shares of so many classes and values are held at a time
ROUNDING = 1e-9  # a distance that is larger than t by less is a rounding error


class TCloseness(FileRisk):
    """Count the records whose class of equal keys is farther than `t` from the file in a confidential column.

    The distance is the earth mover's: how much of the distribution must be moved how far to turn that of the class into
    that of the file. Between two values of a nominal column the way is 1 (equal distance); of an ordinal one it is the
    number of steps over the largest possible (ordered distance); where a hierarchy is given it is the height of the
    lowest group that holds both, over that of the root (hierarchical distance). The value is the percent of records in
    classes that are farther than `t`, in any of the confidential columns. Parts are that percent for each confidential
    column, and `TCL`, the largest distance of any class: the smallest t for which the file is t-close.

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    sensitive
        Confidential columns; each is assessed separately. A rule such as `role(confidential)` leaves out the keys, and
        the columns that are continuous: these are named.
    t
        The largest distance, 0 to 1. The source leaves it to the user.
    hierarchies
        Trees of categories for some of the confidential columns, as in `{diagnosis: {heart: [I20, I21], lung: [J45]}}`.
    missing
        What a missing key is: `wildcard`, which fits every value, so that the class of a record holds all that fit it;
        or `category`, a value of its own.

    Meaning
        0: the file is t-close. 100: no class is.
    Intruder
        Knows the keys of a person, that the person is in the file, and how the confidential values are distributed in
        the whole file; learns how the person's class differs from it.
    Missing values
        A missing key as `missing` says. A missing confidential value is none: shares are among the known values, and a
        class that shows none tells nothing and is no violation.
    Source
        Li, Li and Venkatasubramanian (2007), t-closeness: privacy beyond k-anonymity and l-diversity. In a hierarchy
        whose leaves lie at different depths the height of a group is that of the highest branch under it.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"town": ["A", "A", "B", "B"], "ill": ["no", "yes", "no", "no"]})
    >>> found = TCloseness(columns=("town",), sensitive=("ill",), t=0.2).of(Microdata(people))
    >>> found.value, dict(found.parts)
    (100.0, {'ill': 100.0, 'TCL': 0.25})
    """

    symbol: ClassVar[str] = "TC"
    part_symbols: ClassVar[tuple[str, ...]] = ("TCL",)
    part_units: ClassVar[Mapping[str, str]] = {"TCL": ""}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "TCL": "the largest distance of a class from the file",
    }
    column_parts: ClassVar[str] = "the percent of records in classes that violate it there"
    family: ClassVar[str] = "attributes"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    sensitive: Columns = Field(default=role("confidential"), examples=[["employment_status"]])
    t: Annotated[float, Field(ge=0, le=1)] = 0.2
    hierarchies: dict[str, CategoryTree] | None = None
    missing: MissingKeys = MissingKeys.WILDCARD

    def of(self, data: Microdata) -> Measurement:
        """Return the percent of records in classes that are too far from the whole file."""
        named = () if isinstance(self.sensitive, Selector) else data.select(self.sensitive)
        found = sensitive_classes(self, data, self.sensitive, self.missing, numbers=named, numbers_need=NAME_THEM)
        for name in self.hierarchies or {}:
            if name not in found.columns:
                near = did_you_mean(name, found.columns)
                raise ParameterError([f"TCloseness.hierarchies: '{name}' is not one of the sensitive columns{near}"])
        distances = {name: self._distances(data, name, counts) for name, counts in found.columns.items()}
        violates = {name: distance > self.t + ROUNDING for name, distance in distances.items()}
        return diversity_measurement(self, found, violates, {"TCL": largest(distances)})

    def _distances(self, data: Microdata, name: str, counts: ValueCounts) -> FloatColumn:
        """Return how far each class is from the file in one column."""
        hierarchy = (self.hierarchies or {}).get(name)
        if hierarchy is not None:
            categories = data.codes(name)[1]
            check_hierarchy(name, hierarchy, categories)
            parts = [hierarchical_distances(part, categories, hierarchy) for part in differences_by_class(counts)]
            return np.concatenate(parts)
        if data.schema[name].kind is not Kind.NOMINAL:
            return np.concatenate([ordered_distances(part) for part in differences_by_class(counts)])
        return equal_distances(counts)


def differences_by_class(counts: ValueCounts) -> Iterator[FloatMatrix]:
    """Yield the shares in a class less those in the file (classes x values), some classes at a time.

    NaN in a class that shows no value.
    """
    domain = counts.file_shares.size
    known = counts.sum_by_class(counts.counts)
    at_once = max(CELLS // domain, 1)
    order = np.argsort(counts.classes, kind="stable")
    classes, values, times = counts.classes[order], counts.values[order], counts.counts[order]
    for start in range(0, counts.total, at_once):
        stop = min(start + at_once, counts.total)
        first, last = np.searchsorted(classes, [start, stop])
        table = np.zeros((stop - start, domain))
        table[classes[first:last] - start, values[first:last]] = times[first:last]
        yield table / known[start:stop, None] - counts.file_shares


def check_hierarchy(name: str, hierarchy: Hierarchy, categories: tuple[Category, ...]) -> None:
    """Refuse a hierarchy that lacks categories of its column."""
    lacking = sum(category not in hierarchy for category in categories)
    if lacking:
        raise DataError(
            f"TCloseness.hierarchies: that of '{name}' lacks {format_count(lacking, 'category')}; add what it "
            "lacks under a group"
        )
