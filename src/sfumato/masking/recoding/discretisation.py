"""Discretisation: numbers become classes."""

from itertools import pairwise
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Layout, MaskingMethod, Spans
from sfumato.data import Category, Kind, Microdata, Variable
from sfumato.data.category_merging import declared_codes, labels_of_missing
from sfumato.data.column_recoding import missing_codes_after, recode_column
from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.parameters import Columns
from sfumato.parameters.class_names import ClassNames


class Discretisation(MaskingMethod):
    """Replace each number by the class that it lies in.

    Parameters
    ----------
    columns
        Continuous columns; all get the same classes.
    breaks
        Where the classes begin, rising: `[18, 65]` makes the three classes below 18, 18 to below 65, and 65 or more.
    labels
        The names of the classes, lowest first, one more than there are breaks; without them they are named after their
        bounds.
    class_names
        Patterns for the names, in place of the usual `below 18`, `18 to below 65`, `65 or more`: as in
        `{lowest: "<{high}", between: "{low}-{last}", highest: "{low}+"}`, where `{last}` is the last whole number of a
        class.

    Effect on risk
        Values of a class cannot be distinguished, so that they serve an intruder no better than categories.
    Effect on utility
        Counts of the classes are exact. Everything else, means and correlations above all, can only be estimated from
        the classes.
    Missing values
        Stay missing. Codes that stand for missing stay as text.
        The column becomes ordinal, with the classes as its categories, in a type that lists them in their order: an
        enum (polars), an ordered categorical (pandas), a dictionary (pyarrow).
    Source
        Hundepool et al. (2012), Statistical Disclosure Control, chapter 3, global recoding.

    Examples
    --------
    >>> import polars
    >>> ages = Microdata(polars.DataFrame({"age": [17.0, 18.0, None, 90.0]}))
    >>> classes = Discretisation(columns=("age",), breaks=(18, 65))
    >>> classes.mask(ages, np.random.default_rng()).frame["age"].to_list()
    ['below 18', '18 to below 65', None, '65 or more']
    """

    family: ClassVar[str] = "recoding"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS
    keeps_types: ClassVar[bool] = False

    columns: Columns
    breaks: Annotated[tuple[float, ...], Field(min_length=1, examples=[[1000, 5000, 20000]])]
    labels: tuple[str, ...] = ()
    class_names: ClassNames | None = None

    @model_validator(mode="after")
    def _check_labels(self) -> Self:
        if any(high <= low for low, high in pairwise(self.breaks)):
            raise ValueError("Discretisation.breaks must rise; sort them and name each once")
        if self.labels and len(self.labels) != len(self.breaks) + 1:
            raise ValueError(
                f"Discretisation.labels must be {len(self.breaks) + 1}, one more than there are breaks; "
                f"got {len(self.labels)}"
            )
        if self.labels and self.class_names is not None:
            raise ValueError("Discretisation needs at most one of labels and class_names; got both")
        if len(set(self.names())) < len(self.names()):
            raise ValueError(f"Discretisation.{'labels' if self.labels else 'class_names'} must differ from each other")
        return self

    def detail(self) -> str:
        """Return where the classes begin."""
        return f"classes from {', '.join(format_compact(start) for start in self.breaks)}"

    def names(self) -> tuple[str, ...]:
        """Return the names of the classes, lowest first."""
        return self.labels or (self.class_names or ClassNames()).of_breaks(self.breaks)

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking that they suit the names of classes."""
        bound = super().bound_to(data)
        for name in data.select(bound.columns) if self.class_names and self.class_names.needs_whole_numbers else ():
            values = data.values(name)
            if not (np.isnan(values) | (values == np.round(values))).all():
                raise DataError(
                    f"Discretisation.class_names: {{last}} is for whole numbers, and '{name}' has others; take {{high}}"
                )
        return bound

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns as classes."""
        masked, breaks = block, np.array(self.breaks)
        labels = self.names()
        for name in block.select(self.columns):
            missing = missing_codes_after(block.table[name], labels, block.summary.missing_codes(name))
            if set(missing.values()) & set(labels):
                raise DataError(f"Discretisation.labels: one is the text of a missing code of '{name}'; choose another")
            classes = recode_column(
                block.table[name], labels, class_of(block.values(name), breaks), missing, listed=True
            )
            masked = masked.with_column(_as_classes(block.schema[name], labels, missing), classes)
        return masked

    def values_before(self, masked: Microdata, name: str, after: Spans) -> Spans | None:
        """Return the bounds of the classes, where the release has these."""
        labels = self.names()
        codes, categories = masked.codes(name)
        if any(category not in labels for category in categories):
            return None
        bounds = np.array([-np.inf, *self.breaks, np.inf])
        classes = np.array([*(labels.index(str(category)) for category in categories), -1])[codes]
        is_known = classes >= 0
        return Spans(np.where(is_known, bounds[classes], np.nan), np.where(is_known, bounds[classes + 1], np.nan))


def class_of(column: FloatColumn, breaks: FloatColumn) -> CodeColumn:
    """Return the number of the class of each value, from 0; -1 for NaN. A value at a break begins the higher class.

    Examples
    --------
    >>> class_of(np.array([17.0, 18.0, np.nan, 90.0]), np.array([18.0, 65.0]))
    array([ 0,  1, -1,  2])
    """
    return np.where(np.isnan(column), -1, np.searchsorted(breaks, column, side="right"))


def _as_classes(variable: Variable, labels: tuple[str, ...], missing: dict[Category, Category]) -> Variable:
    return variable.replace(
        kind=Kind.ORDINAL,
        categories=labels,
        value_labels=labels_of_missing(variable, missing, as_text=True),
        missing_codes=declared_codes(variable, missing),
    )
