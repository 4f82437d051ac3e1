"""Local recoding: cut the records into small boxes of their keys, and release the box in place of the values."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Category, Kind, Microdata
from sfumato.data.column_recoding import recode_column, set_missing
from sfumato.kernels.keys.mondrian import box_extremes
from sfumato.keys.checks import check_missing_codes, check_sensitive, check_size
from sfumato.masking.recoding._box_labels import category_labels, means, medians
from sfumato.masking.recoding._hierarchy_checks import check_hierarchies
from sfumato.masking.recoding._key_places import KeyPlaces, boxes, places_of_key, without_key
from sfumato.numerics.arrays import CodeColumn
from sfumato.parameters import Columns, GroupSize
from sfumato.parameters.class_names import ClassNames
from sfumato.parameters.hierarchies import CategoryTree

EXAMPLE = {
    "education": {
        "lower": ["none", "primary", "lower secondary"],
        "middle": ["upper secondary", "post-secondary"],
        "higher": ["bachelor", "master", "doctorate"],
    }
}


class ReleasedNumber(StrEnum):
    """What is released of a number."""

    MEAN = "mean"
    """The mean of the box: the column stays a number of its type, whole ones rounded."""
    MEDIAN = "median"
    """The median of the box, likewise."""
    RANGE = "range"
    """The lowest and the highest value, as text such as `20 to 34`."""


class LocalRecoding(MaskingMethod):
    """Cut the records into boxes of at least `k`, as small as they can be, and release the boxes.

    The file is cut in two at the middle of the key in which it spreads widest, each part is cut again by its own
    widest key, and so on until no part can be cut without leaving fewer records than `k`. All records of one
    box then get the same keys. Equal values of a key always fall on the same side of a cut (strict cutting): what is
    released of a record depends on its values alone, not on the order of the file, and boxes do not overlap. (Cutting
    through equal values fills boxes more evenly, and makes equal records different for no reason.)

    Parameters
    ----------
    columns
        Continuous, ordinal or nominal columns, the keys.
    hierarchies
        Hierarchies of nominal or ordinal keys, in the forms that `Generalisation` takes. Such a key is cut between the
        branches of its tree, and the lowest group that holds all values of a box is released. Without one, the
        range is released of an ordinal key, as in `bad to fair`, and all categories of a nominal one, as in
        `Pisa, Rome`, or `*` where that is every one of the file.
    k
        How many records a box must have at least.
    numbers
        What is released of a number: its box's mean or median, so that it stays a number, or range, as text.
    class_names
        Patterns for the names of ranges, of which `joined` counts, as in `{joined: "{low}-{high}"}`.
    sensitive
        A nominal or ordinal column that must not be inferred from the keys.
    l
        How many different values of it each box must have at least (distinct l-diversity).

    Effect on risk
        Each record is equal to at least `k - 1` others in all keys, missing ones included, so that nobody
        can be singled out by them.
    Effect on utility
        Common values stay fine and only rare ones are coarse, so that less is lost than by `FullDomainRecoding`; but
        the same value may be released in several ways, which makes counts of one key awkward. Means keep totals.
    Missing values
        Are cut off first where that leaves enough records on both sides. Where it does not, all records of
        the box lose that key. Missing values of the sensitive column count as no value. Keys that hold codes for
        missing are refused, as these stay visible. A key that comes back as text or as groups is nominal, without
        value labels; one that no box had to recode stays as it was.
    Source
        LeFevre, DeWitt and Ramakrishnan (2006), Mondrian multidimensional k-anonymity, ICDE: strict partitioning. The
        cut here is at the code nearest the median that leaves enough records, not at the median alone.

    Examples
    --------
    >>> import polars
    >>> frame = polars.DataFrame({"age": [30.5, 34.0, 61.0, 70.0], "town": ["Pisa", "Pisa", "Rome", "Pisa"]})
    >>> recoding = LocalRecoding(columns=("age", "town"), k=2, numbers="range")
    >>> recoding.mask(Microdata(frame), np.random.default_rng()).frame.to_dicts()[1:3]
    [{'age': '30.5 to 34', 'town': 'Pisa'}, {'age': '61 to 70', 'town': '*'}]
    """

    family: ClassVar[str] = "recoding"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL | {Kind.CONTINUOUS}
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_types: ClassVar[bool] = False
    keeps_missing: ClassVar[bool] = False

    columns: Columns = Field(examples=[["age", "region", "education"]])
    hierarchies: dict[str, CategoryTree] = Field(default={}, examples=[EXAMPLE])
    k: GroupSize = 3
    numbers: ReleasedNumber = ReleasedNumber.MEAN
    class_names: ClassNames | None = None
    sensitive: str | None = None
    l: Annotated[int, Field(ge=2)] | None = None

    @model_validator(mode="after")
    def _check_sensitive(self) -> Self:
        if (self.sensitive is None) != (self.l is None):
            given = "l" if self.sensitive is None else "sensitive"
            raise ValueError(f"LocalRecoding needs both sensitive and l, or neither; got only {given}")
        return self

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after holding everything against the file."""
        bound = super().bound_to(data)
        who, names = type(self).__name__, data.select(bound.columns)
        check_size(who, data.n, self.k)
        check_missing_codes(who, data, names)
        check_hierarchies(who, data, names, self.hierarchies)
        if self.sensitive is not None:
            check_sensitive(who, data, names, self.sensitive, self.l or 0)
        return bound

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the keys of each box in place of those of its records."""
        names = block.select(self.columns)
        keys = [places_of_key(block, name, self.hierarchies.get(name)) for name in names]
        values = np.zeros(block.n, dtype=np.int64) if self.sensitive is None else block.codes(self.sensitive)[0]
        boxed = boxes(keys, self.k, values, self.l or 0)
        masked = block
        for name, key in zip(names, keys, strict=True):
            masked = with_boxes(masked, name, key, boxed, self.numbers, self.class_names or ClassNames())
        return masked


def with_boxes(
    data: Microdata, name: str, key: KeyPlaces, boxed: CodeColumn, released: ReleasedNumber, names: ClassNames
) -> Microdata:
    """Return the file with one key of each record replaced by that of its box."""
    lacking = without_key(key, boxed)[boxed]
    kept = np.flatnonzero(~lacking)
    changed = data
    if kept.size:
        numbers = renumber(boxed[kept])
        if data.schema[name].kind is Kind.CONTINUOUS:
            changed = _with_numbers(data, name, kept, numbers, released, names)
        else:
            shown = KeyPlaces(key.codes[kept], key.places, key.parents, key.lasts, key.categories, key.is_tree)
            if not _is_single(shown.codes, numbers):
                labels = category_labels(shown, numbers, data.schema[name].kind, names)
                changed = _with_labels(data, name, kept, numbers, labels)
    return changed.with_column(changed.schema[name], set_missing(changed.table[name], lacking))


def renumber(boxed: CodeColumn) -> CodeColumn:
    """Return the boxes of some records renumbered, so that each number from 0 has a record.

    Examples
    --------
    >>> renumber(np.array([7, 2, 7]))
    array([1, 0, 1])
    """
    held = np.bincount(boxed) > 0
    return (np.cumsum(held) - 1)[boxed]


def _with_numbers(
    data: Microdata,
    name: str,
    kept: CodeColumn,
    numbers: CodeColumn,
    released: ReleasedNumber,
    names: ClassNames,
) -> Microdata:
    values = data.values(name).copy()
    if released is ReleasedNumber.RANGE:
        low, high = box_extremes(values[kept], numbers, int(numbers.max()) + 1)
        labels = [names.of_range(*ends) for ends in zip(low.tolist(), high.tolist(), strict=True)]
        return _with_labels(data, name, kept, numbers, labels)
    centres = (means if released is ReleasedNumber.MEAN else medians)(values[kept], numbers)
    values[kept] = centres[numbers]
    return data.map_columns((name,), lambda _, column: values[~np.isnan(values)])


def _with_labels(
    data: Microdata, name: str, kept: CodeColumn, numbers: CodeColumn, labels: Sequence[Category]
) -> Microdata:
    different = tuple(dict.fromkeys(labels))
    place = {label: number for number, label in enumerate(different)}
    places = np.full(data.n, -1, dtype=np.int64)
    places[kept] = np.array([place[label] for label in labels])[numbers]
    variable = data.schema[name].replace(
        kind=Kind.NOMINAL, value_labels={}, missing_codes=(), missing_ranges=(), categories=()
    )
    return data.with_column(variable, recode_column(data.table[name], different, places, {}))


def _is_single(codes: CodeColumn, numbers: CodeColumn) -> bool:
    """Tell whether all records of each box have the same code."""
    low, high = box_extremes(codes, numbers, int(numbers.max()) + 1)
    return bool((low == high).all())
