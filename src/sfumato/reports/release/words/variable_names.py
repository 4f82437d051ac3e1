"""What variables and coefficients are called on a page: the name, its label beside it, and its unit."""

from sfumato.data import Schema
from sfumato.data.column_recoding import labelled_text

OWN_UNIT = "in the variable's own unit, which the schema does not name"
LONGEST_LABEL = 60  # characters of a label beside a name


def name_with_label(schema: Schema, name: str) -> str:
    """Return a variable by its name, with its label behind it where it has a short one.

    Examples
    --------
    >>> schema = Schema.from_yaml("variables: {pay: {kind: continuous, label: Monthly pay, unit: EUR}}")
    >>> name_with_label(schema, "pay"), name_with_label(schema, "age")
    ('pay (Monthly pay)', 'age')
    """
    label = schema[name].label if name in schema else ""
    return f"{name} ({label})" if label and label != name and len(label) <= LONGEST_LABEL else name


def unit_of(schema: Schema, name: str) -> str:
    """Return the unit of the numbers of a variable, as the schema gives it, or that it gives none."""
    return schema[name].unit or OWN_UNIT


def with_unit(schema: Schema, name: str) -> str:
    """Return a variable by its name, its label and its unit, as far as the schema gives them.

    Examples
    --------
    >>> schema = Schema.from_yaml("variables: {pay: {kind: continuous, label: Monthly pay, unit: EUR}}")
    >>> with_unit(schema, "pay")
    'pay (Monthly pay), EUR'
    """
    unit = schema[name].unit if name in schema else ""
    return f"{name_with_label(schema, name)}, {unit}" if unit else name_with_label(schema, name)


def coefficient_name(schema: Schema, name: str) -> str:
    """Return what a coefficient belongs to, with the labels of its variable or category.

    Examples
    --------
    >>> schema = Schema.from_yaml("variables: {sex: {kind: nominal, label: Sex, value_labels: {1: male, 2: female}}}")
    >>> coefficient_name(schema, "sex=2"), coefficient_name(schema, "constant")
    ('sex (Sex) = 2 (female)', 'constant')
    """
    column, _, level = name.partition("=")
    if column not in schema:
        return name
    if not level:
        return with_unit(schema, column)
    labels = schema[column].value_labels
    shown = next((labelled_text(code, labels) for code in labels if str(code) == level), level)
    return f"{name_with_label(schema, column)} = {shown}"
