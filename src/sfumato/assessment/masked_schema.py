"""What the original's schema still says of a masked file."""

from sfumato.data import CATEGORICAL, Kind, Microdata, Schema, Variable
from sfumato.data.columns import is_missing_value
from sfumato.data.distinct_values import factorise


def with_original_schema(masked: Microdata, schema: Schema) -> Microdata:
    """Return the masked file with what the original's schema says of the columns that still hold the same type."""
    numbers = {name: masked.table[name].dtype.is_numeric() for name in masked.schema.names if name in schema}
    same = [
        name
        for name, is_number in numbers.items()
        if schema[name].kind is not Kind.CONTINUOUS or (is_number and not _is_in_classes(schema[name], masked, name))
    ]
    known = [_or_recoded(schema[name], masked) for name in same if schema[name].kind is not Kind.DATE]
    dates = [_as_date_of(schema[name], masked.schema[name]) for name in numbers if schema[name].kind is Kind.DATE]
    return masked.with_schema(masked.schema.with_variables(*known, *dates))


def _or_recoded(original: Variable, masked: Microdata) -> Variable:
    """Return what the original says of a column, or what the masked file says where it holds other categories."""
    if not masked.table[original.name].dtype.is_numeric() and _is_about_numbers(original):
        return masked.schema[original.name].replace(role=original.role)
    if not original.categories:
        return original
    held = [value for value in factorise(masked.table[original.name])[1] if not is_missing_value(value, original)]
    variable = masked.schema[original.name]
    return original if set(held) <= set(original.categories) else variable.replace(role=original.role)


def _is_about_numbers(variable: Variable) -> bool:
    """Tell whether a variable speaks of codes that are numbers, which text does not hold."""
    codes = (*variable.missing_codes, *variable.value_labels, *variable.categories)
    is_ordered = variable.kind is Kind.ORDINAL and not variable.categories
    return is_ordered or bool(variable.missing_ranges) or any(not isinstance(code, str) for code in codes)


def _is_in_classes(original: Variable, masked: Microdata, name: str) -> bool:
    """Tell whether numbers have become labelled codes: every code has a label, and not as in the original."""
    variable = masked.schema[name]
    if variable.kind not in CATEGORICAL or variable.value_labels == original.value_labels:
        return False
    held = [category for category, count in masked.summary.counts(name).items() if count]
    return bool(held) and all(category in variable.value_labels for category in held)


def _as_date_of(original: Variable, masked: Variable) -> Variable:
    """Return what a masked column of dates is: dates may have become classes or ages, and text keeps its format."""
    if masked.kind is not Kind.DATE:
        return masked.replace(role=original.role)
    return original.replace(date_format=original.date_format or masked.date_format)
