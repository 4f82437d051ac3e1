"""What top and bottom coding share: where the tail of a column begins, and what its values become."""

from enum import StrEnum
from math import inf
from typing import Annotated, Any, ClassVar, NamedTuple, Self

import numpy as np
from pydantic import BeforeValidator, model_validator

from sfumato.contracts import Layout, MaskingMethod, Spans
from sfumato.data import Category, Kind, Microdata
from sfumato.display import format_compact
from sfumato.documents import format_value
from sfumato.errors import DataError, KindError, did_you_mean
from sfumato.numerics.arrays import CodeColumn
from sfumato.parameters import Columns, Percent, Strata

MIN_TO_AVERAGE = 3  # the mean of one value is that value, and of two each holder knows the other's
ROUNDING = 1e-9  # 57 % of 100 is 57, whatever the computer makes of it


class Replacement(StrEnum):
    """What the values beyond a threshold become instead of the threshold."""

    MEAN = "mean"
    MEDIAN = "median"


def _read_threshold(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | str | None):
        raise ValueError(f"must be a number, or a category of an ordinal column; got {format_value(value)}")
    return value


Threshold = Annotated[float | str | None, BeforeValidator(_read_threshold)]
"""A number in the unit of continuous columns, or a category of ordinal ones."""


class Tail(NamedTuple):
    """Where a tail begins and what its values become: in the column's unit, or as codes of an ordinal column."""

    threshold: float
    replacement: float


class TailCoding(MaskingMethod):
    """Replace the values of one tail of a column; a method for each tail says which."""

    family: ClassVar[str] = "recoding"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns
    at: Threshold = None
    percent: Percent | None = None
    replacement: Replacement | None = None
    tail_label: str | None = None
    within: Strata = ()

    @model_validator(mode="after")
    def _check_parameters(self) -> Self:
        """Refuse none or two thresholds, and a label where each stratum would need its own."""
        who = type(self).__name__
        if (self.at is None) == (self.percent is None):
            raise ValueError(f"{who} needs either at or percent; got {'neither' if self.at is None else 'both'}")
        if self.tail_label is not None and self.within != ():
            raise ValueError(f"{who}.tail_label must not be given beside within: each stratum has a tail of its own")
        return self

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them and the threshold."""
        bound = super().bound_to(data)
        for name in data.select(bound.columns):
            check_column(type(self).__name__, data, name, self.at, self.replacement)
        return bound


def check_column(who: str, data: Microdata, name: str, at: float | str | None, replacement: Replacement | None) -> None:
    """Refuse a threshold or a replacement that does not suit the kind of a column."""
    if data.schema[name].kind is not Kind.ORDINAL:
        if isinstance(at, str):
            raise KindError(f"{who}.at: '{name}' is continuous; expected a number; got text")
        return
    if replacement is Replacement.MEAN:
        raise KindError(f"{who}.replacement: '{name}' is ordinal, which has no mean; use median, or leave it out")
    if at is not None and at not in data.summary.categories(name):
        near = did_you_mean(str(at), map(str, data.schema[name].categories))
        given = f"{at!r}" if isinstance(at, str) else format_compact(at)
        raise DataError(
            f"{who}.at: '{name}' has no category {given}{near}; where only some files lack it, list it in the "
            f"'categories' of the schema"
        )


def upper_tail(
    data: Microdata, name: str, at: float | str | None, percent: float | None, replacement: Replacement | None
) -> Tail:
    """Return the upper tail of a column in the whole file, or stratum, that `data` is a block of."""
    threshold = _threshold(data, name, at, percent, upper=True)
    if replacement is None or _beyond(data, name, above=threshold) < MIN_TO_AVERAGE:
        return Tail(threshold, threshold)
    return Tail(threshold, _typical(data, name, replacement, above=threshold))


def lower_tail(
    data: Microdata, name: str, at: float | str | None, percent: float | None, replacement: Replacement | None
) -> Tail:
    """Return the lower tail of a column in the whole file, or stratum, that `data` is a block of."""
    threshold = _threshold(data, name, at, percent, upper=False)
    if replacement is None or _beyond(data, name, below=threshold) < MIN_TO_AVERAGE:
        return Tail(threshold, threshold)
    return Tail(threshold, _typical(data, name, replacement, below=threshold))


def spans_above(after: Spans, strata: CodeColumn, at: float | None, is_replaced: bool) -> Spans:
    """Return between which values those of a column lay before the highest of each stratum were coded.

    What stands for them is the highest value that is left. Where that is their mean or median, they lie above the next,
    or above the threshold that is given.

    Examples
    --------
    >>> ages = np.array([31.0, 90.0, 87.0])
    >>> spans_above(Spans(ages, ages), np.zeros(3, dtype=np.int64), 90.0, False)
    Spans(low=array([31., 90., 87.]), high=array([31., inf, 87.]))
    """
    low, high = after.low.copy(), after.high.copy()
    for stratum in np.unique(strata):
        rows = np.flatnonzero((strata == stratum) & ~np.isnan(after.low))
        top = after.high[rows].max(initial=-inf)
        if not rows.size or (at is not None and top < at):
            continue
        is_top = after.high[rows] == top
        high[rows[is_top]] = inf
        if is_replaced:
            next_one = after.low[rows[~is_top]].max(initial=-inf)
            low[rows[is_top]] = np.minimum(low[rows[is_top]], next_one if at is None else at)
    return Spans(low, high)


def with_label(masked: Microdata, block: Microdata, tails: dict[str, Tail], label: str | None) -> Microdata:
    """Return the masked block with `label` as the value label of what the tails became."""
    if label is None:
        return masked
    variables = [masked.schema[name] for name in tails]
    codes = [_code(block, name, tail.replacement) for name, tail in tails.items()]
    labelled = (
        variable.replace(value_labels={**variable.value_labels, code: label})
        for variable, code in zip(variables, codes, strict=True)
    )
    return masked.with_schema(masked.schema.with_variables(*labelled))


def _threshold(data: Microdata, name: str, at: float | str | None, percent: float | None, upper: bool) -> float:
    is_ordinal = data.schema[name].kind is Kind.ORDINAL
    if at is not None:
        return float(_place(data, name, at)) if is_ordinal else _in_type(data, name, float(at), upper)
    share = (percent or 0.0) / 100
    if not is_ordinal:
        # a value that is published anyway: an interpolated quantile would tell the value next to it that is hidden
        observed = data.summary.observed(name)
        beyond_it = int(share * observed + ROUNDING)
        return data.summary.value_at_rank(name, observed - 1 - beyond_it if upper else beyond_it)
    counts = np.array(list(data.summary.counts(name).values()))
    beyond = (counts[::-1].cumsum()[::-1] if upper else counts.cumsum()) - counts  # above, or below, each category
    fitting = np.flatnonzero(beyond <= share * counts.sum() + ROUNDING)
    return float(fitting[0] if upper else fitting[-1])


def _beyond(data: Microdata, name: str, above: float = -inf, below: float = inf) -> int:
    """Return how many values of the whole lie beyond a threshold."""
    return data.summary.count_between(name, above, below)


def _in_type(data: Microdata, name: str, threshold: float, upper: bool) -> float:
    """Return the threshold as an integer column can hold it: never beyond the one given."""
    if not data.table[name].dtype.is_integer():
        return threshold
    return float(np.floor(threshold) if upper else np.ceil(threshold))


def _place(data: Microdata, name: str, category: Category) -> int:
    categories = data.summary.categories(name)
    if category not in categories:  # seen before in the whole file, so a stratum lacks it
        raise DataError(
            f"a stratum has no record with category {category!r} of '{name}'; list 'categories' in the schema"
        )
    return categories.index(category)


def _typical(data: Microdata, name: str, replacement: Replacement, above: float = -inf, below: float = inf) -> float:
    if replacement is Replacement.MEAN:
        return data.summary.mean(name, above=above, below=below)
    middle = data.summary.quantile(name, 0.5, above=above, below=below)
    return float(np.floor(middle)) if data.schema[name].kind is Kind.ORDINAL else middle


def _code(data: Microdata, name: str, value: float) -> Category:
    """Return a value as the column holds it: a category, or a number, rounded where the column has integers."""
    if data.schema[name].kind is Kind.ORDINAL:
        return data.summary.categories(name)[int(value)]
    return int(np.rint(value)) if data.table[name].dtype.is_integer() or value.is_integer() else value
