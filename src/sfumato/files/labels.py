"""What a labelled file says of a column, and the variable that this makes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.data import Category, Kind, Schema, Variable
from sfumato.data.schema import is_in_ranges

if TYPE_CHECKING:
    import polars as pl

SHARE_OF_LABELLED_CODES = 0.5  # a column is a set of codes when at least this share of them has a label


@dataclass(frozen=True)
class Labels:
    """What a labelled file says of one column.

    Parameters
    ----------
    label
        The question or description behind the name.
    value_labels
        Text for each code.
    missing_codes, missing_ranges
        Codes, and closed ranges of codes, that stand for "no answer".
    measure
        The level of measurement, where the file states one.
    """

    label: str = ""
    value_labels: Mapping[Category, str] = field(default_factory=dict)
    missing_codes: tuple[Category, ...] = ()
    missing_ranges: tuple[tuple[float, float], ...] = ()
    measure: Kind | None = None


def labels_of(variable: Variable) -> Labels:
    """Return what a labelled file could be told of a variable."""
    return Labels(
        label=variable.label,
        value_labels=variable.value_labels,
        missing_codes=variable.missing_codes,
        missing_ranges=variable.missing_ranges,
        measure=Kind.CONTINUOUS if variable.kind is Kind.DATE else variable.kind,
    )


def labelled_schema(frame: "pl.DataFrame", labels: Mapping[str, Labels], given: Schema | None = None) -> Schema:
    """Return the schema of a frame: what the file says of a column where it says something, else what is guessed.

    Columns that the user has described, and of which the file says nothing, are as `given`.

    A stated level of measurement decides the kind; without one, whole numbers of which most have a label are nominal.
    So are those of which all have one though the file calls them a scale, as SPSS does with every number by default.
    Text is ordinal only when the file labels all its categories: their order is that of the labels.
    """
    described = {} if given is None else {variable.name: variable for variable in given.variables}
    settled = {name: described[name] for name in frame.columns if name in described and name not in labels}
    inferred = Schema.infer(frame.drop(*settled)) if settled else Schema.infer(frame)
    guessed = Schema(variables=tuple(settled.get(name) or inferred[name] for name in frame.columns))
    return guessed.with_variables(
        *(_labelled_variable(frame[name], guessed[name], labels[name]) for name in guessed.names if name in labels)
    )


def _labelled_variable(series: "pl.Series", guessed: Variable, labels: Labels) -> Variable:
    kind = _kind(series, guessed.kind, labels)
    is_ordered_text = kind is Kind.ORDINAL and not series.dtype.is_numeric()
    return guessed.replace(
        kind=kind,
        label=labels.label,
        value_labels=dict(labels.value_labels),
        missing_codes=labels.missing_codes,
        missing_ranges=labels.missing_ranges,
        categories=_codes(labels) if is_ordered_text else (),
    )


def _kind(series: "pl.Series", guessed: Kind, labels: Labels) -> Kind:
    if guessed is Kind.DATE:
        return guessed
    if series.dtype.is_numeric():
        labelled = _labelled_share(series, labels)
        if labels.measure and not (labels.measure is Kind.CONTINUOUS and labelled == 1):
            return labels.measure
        return Kind.NOMINAL if labelled >= SHARE_OF_LABELLED_CODES else guessed
    if (
        labels.measure is Kind.ORDINAL
        and labels.value_labels
        and _distinct_codes(series, labels) <= set(_codes(labels))
    ):
        return Kind.ORDINAL
    return Kind.NOMINAL


def _labelled_share(series: "pl.Series", labels: Labels) -> float:
    """Return which share of the distinct whole numbers has a label, leaving out missing codes; 0 of other numbers."""
    codes = set(_codes(labels))
    if not codes or not series.dtype.is_integer():
        return 0.0
    found = _distinct_codes(series, labels)
    return len(found & codes) / len(found) if found else SHARE_OF_LABELLED_CODES


def _distinct_codes(series: "pl.Series", labels: Labels) -> set[Category]:
    """Return the distinct values that are not missing codes."""
    found = set(series.drop_nulls().unique().to_list()) - set(labels.missing_codes)
    return {code for code in found if not is_in_ranges(code, labels.missing_ranges)}


def _codes(labels: Labels) -> tuple[Category, ...]:
    """Return the labelled codes that are not missing codes."""
    return tuple(
        code
        for code in labels.value_labels
        if code not in labels.missing_codes and not is_in_ranges(code, labels.missing_ranges)
    )
