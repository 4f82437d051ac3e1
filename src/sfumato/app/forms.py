"""A form for the parameters of a method, made from what the method declares."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from sfumato.app.fields.text_field import TextField
from sfumato.app.fields.written_values import TEXT, hint, read_value, write_value
from sfumato.catalogue import describe
from sfumato.catalogue.parameters import Parameter, is_columns
from sfumato.contracts import Named
from sfumato.data import Schema
from sfumato.errors import ParameterError

NUMBERS = ("number", "integer")
NONE: frozenset[str] = frozenset()
OF_COLUMNS = frozenset({"weight", "household", "sensitive", "age", "relation"})  # parameters that name one column
RULES = {
    "role(key)": "the keys",
    "role(confidential)": "the confidential columns",
    "role(household)": "the household",
    "role(identifier)": "the identifiers",
    "role(weight)": "the weight",
}
"""Rules by which columns are chosen unless some are named, in words."""


@dataclass(frozen=True)
class RecordForm:
    """A form on the page: the record that it is for, its fields, what reads each, and what stands in some at first."""

    record: type[Named]
    fields: Mapping[str, ValueElement[Any]]
    reads: Mapping[str, Callable[[], Any]]
    defaults: Mapping[str, str]

    def values(self, given: Collection[str] = ()) -> dict[str, Any]:
        """Return what the fields hold; refuse one that was emptied, as it would take its default unseen.

        Fields of parameters that are `given` elsewhere may be empty.
        """
        found = {name: read() for name, read in self.reads.items()}
        usual = [name for name in self.defaults if name not in given]
        emptied = [name for name in usual if found[name] in (None, "", [], ())]
        if emptied:
            who = self.record.__name__
            raise ParameterError(
                [f"{who}.{name} is empty: give it a value; the usual one is {self.defaults[name]}" for name in emptied]
            )
        return {name: value for name, value in found.items() if value not in (None, "", [], ())}

    def make(self) -> Any:
        """Return the record of what the fields hold, or refuse what it does not take."""
        return self.record(**self.values())


def record_form(
    record: type[Named], schema: Schema, held: Mapping[str, Any] | None = None, *, leaves_out: frozenset[str] = NONE
) -> RecordForm:
    """Show a field for each parameter of a method, a rule or a protection.

    Parameters
    ----------
    record
        What is to be made.
    schema
        What the columns of the file are: only those that it takes are offered.
    held
        The values that stand in the fields at first.
    leaves_out
        Parameters that are asked for elsewhere.
    """
    entries = record.model_json_schema()
    definitions, given = entries.get("$defs", {}), held or {}
    fields: dict[str, ValueElement[Any]] = {}
    reads: dict[str, Callable[[], Any]] = {}
    defaults: dict[str, str] = {}
    for parameter in describe(record).parameters:
        if parameter.name in leaves_out:
            continue
        entry = _resolved(entries["properties"][parameter.name], definitions)
        columns = _fitting(record, schema, parameter)
        name = parameter.name
        fields[name], reads[name] = _field(parameter, entry, given.get(name), columns)
        if entry.get("default") not in (None, "", [], {}):
            defaults[name] = str(parameter.default)
    return RecordForm(record, fields, reads, defaults)


Field = tuple[ValueElement[Any], Callable[[], Any]]


def _field(parameter: Parameter, entry: Mapping[str, Any], held: Any, columns: list[str]) -> Field:
    """Show the field of one parameter; return it with a function that reads it."""
    title = f"{parameter.name.replace('_', ' ')}{'' if parameter.default is not None else ' (needed)'}"
    value = entry.get("default") if held is None else held
    with ui.column().classes("w-full gap-0"):
        field = _widget(title, parameter, entry, value, columns)
        if parameter.text:
            ui.label(without_marks(parameter.text)).classes("text-xs text-grey-8")
    return field


def _widget(title: str, parameter: Parameter, entry: Mapping[str, Any], value: Any, columns: list[str]) -> Field:
    if parameter.range == "columns":
        chosen = [name for name in value if name in columns] if isinstance(value, list) else []
        rule = value if isinstance(value, str) else None
        label = f"{title}: {RULES.get(rule, rule)}, unless you choose some" if rule else title
        select = ui.select(columns, label=label, value=chosen, multiple=True).props("use-chips").classes("w-full")
        return select, lambda: list(select.value) or rule
    if choices := entry.get("enum"):
        offered = choices if parameter.default is not None else [None, *choices]
        chooser = ui.select(offered, label=title, value=value if value in offered else None).classes("w-full")
        return chooser, lambda: chooser.value
    if entry.get("type") == "boolean":
        switch = ui.switch(title, value=bool(value))
        return switch, lambda: switch.value
    if entry.get("type") in NUMBERS:
        # without bounds of its own, as the field would put another number in the place of one that is refused
        number = ui.number(f"{title}: {parameter.range}", value=value).classes("w-full")
        is_whole = entry["type"] == "integer"
        return number, lambda: None if number.value is None else int(number.value) if is_whole else float(number.value)
    if parameter.name in OF_COLUMNS and parameter.range == TEXT:
        column = ui.select([None, *columns], label=title, value=value if value in columns else None).classes("w-full")
        return column, lambda: column.value
    text = write_value(parameter.range, value)
    written = TextField(f"{title}: {hint(parameter.range)}", value=text).classes("w-full")
    return written, lambda: read_value(parameter.name, parameter.range, written.value)


def without_marks(text: str) -> str:
    """Return a text of a docstring as it is shown to people, without the marks around names."""
    return text.replace("`", "")


def _fitting(record: type[Named], schema: Schema, parameter: Parameter) -> list[str]:
    """Return the columns that a parameter may name: those that are changed must be of a kind that the method takes."""
    if parameter.name != "columns":
        return list(schema.names)
    kinds = getattr(record, "kinds", ())
    return [variable.name for variable in schema.variables if not kinds or variable.kind in kinds]


def _resolved(entry: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an entry of a JSON schema with what it refers to, and without the choice of none."""
    if is_columns(entry):
        return entry
    found = dict(entry)
    if "anyOf" in found:
        choices = [choice for choice in found["anyOf"] if choice.get("type") != "null"]
        found |= choices[0] if len(choices) == 1 else {}
    if "$ref" in found:
        found |= definitions[found["$ref"].rpartition("/")[2]]
    return found
