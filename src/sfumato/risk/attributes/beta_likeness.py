"""Beta-likeness: confidential values that are much more frequent among equal keys than in the whole file."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.keys.classes import KEY_KINDS, MissingKeys
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters import Columns
from sfumato.risk.attributes._sensitive_values import diversity_measurement, largest, sensitive_classes
from sfumato.risk.attributes._value_counts import ValueCounts

ROUNDING = 1e-9  # a gain that is larger than what is allowed by less is a rounding error


class BetaLikeness(FileRisk):
    """Count the records in whose class of equal keys a confidential value gains too much on its share of the file.

    The gain of a value with share p in the file and q in the class is (q - p) / p; values that become rarer do not
    count. A class is like the file when no gain is above `beta`, or in the enhanced form above the smaller of `beta`
    and -ln p, which allows frequent values less. The value is the percent of records in classes that are not, in any of
    the confidential columns. Parts are that percent for each confidential column, and `BLG`, the largest gain of any
    value in any class: the smallest beta for which the file has basic beta-likeness.

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    sensitive
        Confidential nominal or ordinal columns; each is assessed separately. A rule such as `role(confidential)` leaves
        out the keys, and the columns that are continuous.
    beta
        The largest gain: with 1 a share may double. The source leaves it to the user.
    is_enhanced
        Whether the gain of a value with share p may be no larger than -ln p either.
    missing
        What a missing key is: `wildcard`, which fits every value, so that the class of a record holds all that fit it;
        or `category`, a value of its own.

    Meaning
        0: the file has beta-likeness. 100: no class is like the file. Unlike the distance of t-closeness, a gain is
        relative, so that rare values are protected as frequent ones are.
    Intruder
        Knows the keys of a person, that the person is in the file, and how the confidential values are distributed in
        the whole file; becomes surer of a value that is more frequent in the class.
    Missing values
        A missing key as `missing` says. A missing confidential value is none: shares are among the known values, and a
        class that shows none tells nothing and is no violation.
    Source
        Cao and Karras (2012), Publishing microdata with a robust privacy guarantee, Proceedings of the VLDB Endowment
        5: basic and enhanced beta-likeness.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"town": ["A", "A", "B", "B"], "ill": ["no", "yes", "no", "no"]})
    >>> found = BetaLikeness(columns=("town",), sensitive=("ill",), beta=0.5).of(Microdata(people))
    >>> found.value, dict(found.parts)
    (50.0, {'ill': 50.0, 'BLG': 1.0})
    """

    symbol: ClassVar[str] = "BL"
    part_symbols: ClassVar[tuple[str, ...]] = ("BLG",)
    part_units: ClassVar[Mapping[str, str]] = {"BLG": ""}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "BLG": "the largest gain of a value in a class",
    }
    column_parts: ClassVar[str] = "the percent of records in classes that violate it there"
    family: ClassVar[str] = "attributes"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    sensitive: Columns = Field(default=role("confidential"), examples=[["employment_status"]])
    beta: Annotated[float, Field(gt=0)] = 1.0
    is_enhanced: bool = False
    missing: MissingKeys = MissingKeys.WILDCARD

    def of(self, data: Microdata) -> Measurement:
        """Return the percent of records in classes where a value gains too much."""
        found = sensitive_classes(self, data, self.sensitive, self.missing)
        excesses = {
            name: counts.largest(gains(counts) - allowed_gains(counts, self.beta, self.is_enhanced))
            for name, counts in found.columns.items()
        }
        violates = {name: excess > ROUNDING for name, excess in excesses.items()}
        most = largest({name: counts.largest(gains(counts)) for name, counts in found.columns.items()})
        return diversity_measurement(self, found, violates, {"BLG": most})


def gains(counts: ValueCounts) -> FloatColumn:
    """Return how much each value gains in its class on its share of the file, 0 where it loses."""
    before = counts.file_shares[counts.values]
    return np.maximum((counts.shares - before) / before, 0.0)


def allowed_gains(counts: ValueCounts, beta: float, is_enhanced: bool) -> FloatColumn:
    """Return the largest gain that each value may have in its class."""
    allowed = np.full(counts.values.size, beta)
    return np.minimum(allowed, -np.log(counts.file_shares[counts.values])) if is_enhanced else allowed
