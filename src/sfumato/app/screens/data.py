"""The screen Data: what each column is and is for, and which codes mean "no answer"."""

from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app import changes
from sfumato.app.charts import sparkline
from sfumato.app.screens._parts import heading, remarks, text_in_attribute
from sfumato.data import Kind, Role, Variable

if TYPE_CHECKING:
    from sfumato.app.page import Frame

MEANINGS = {
    Role.IDENTIFIER: "identifier: names a person",
    Role.KEY: "key: known to others",
    Role.CONFIDENTIAL: "confidential: to be kept",
    Role.WEIGHT: "weight: stands for many",
    Role.HOUSEHOLD: "household: live together",
    Role.STRATUM: "stratum: how it was drawn",
    Role.OTHER: "other",
}
HEADINGS = ("Column", "What it holds", "Kind", "Role", "Codes for “no answer”")


def show_data(frame: "Frame") -> None:
    """Show the columns, to be corrected."""
    bench = frame.workbench
    schema = bench.project.state.schema
    found = bench.project.result("look")
    if found is None and not bench.status("look") and not bench.failure("look"):
        bench.compute("look")
    heading("What is each column, and what could somebody know of a person?")
    ui.label(
        "Kinds and roles were proposed from names, labels and values. Correct what is wrong: all else rests on it."
    ).classes("max-w-3xl")
    ui.label("A key is what others may know of a person; what is confidential nobody should learn.").classes(
        "max-w-3xl"
    )
    if problem := bench.failure("look"):
        ui.label(problem).classes("text-negative")
    columns = {column["name"]: column for column in found["columns"]} if found else {}
    with ui.element("table").classes("columns-table wide"):
        with ui.element("thead"), ui.element("tr"):
            for title in HEADINGS:
                with ui.element("th").props("scope=col"):
                    ui.label(title)
        with ui.element("tbody"):
            for variable in schema.variables:
                _row(frame, variable, columns.get(variable.name, {}))
    remarks(found["notices"] if found else [])


def _row(frame: "Frame", variable: Variable, column: dict[str, Any]) -> None:
    with ui.element("tr"):
        with ui.element("th").props("scope=row"):
            ui.label(variable.name).classes("font-medium")
            ui.label(variable.label).classes("text-xs font-normal text-grey-8")
            for remark in frame.remarks.get(variable.name, []):
                ui.label(remark).classes("text-xs font-normal text-negative")
        with ui.element("td"):
            ui.html(sparkline(column.get("shape", {})), sanitize=False)
            ui.label(column.get("content", "")).classes("text-xs")
            if column.get("missing"):
                ui.label(f"{column['missing']} % missing").classes("text-xs text-grey-8")
        with ui.element("td"):
            ui.select(
                [str(kind) for kind in Kind],
                value=str(variable.kind),
                on_change=lambda event: frame.act(changes.give_kind, variable.name, event.value),
            ).props(f'dense aria-label="Kind of {text_in_attribute(variable.name)}"')
        with ui.element("td"):
            ui.select(
                {str(role): meaning for role, meaning in MEANINGS.items()},
                value=str(variable.role),
                on_change=lambda event: frame.act(changes.give_role, variable.name, event.value),
            ).classes("w-52").props(f'dense aria-label="Role of {text_in_attribute(variable.name)}"')
        with ui.element("td"):
            _codes(frame, variable, column.get("suspected", []))


def _codes(frame: "Frame", variable: Variable, suspected: list[dict[str, Any]]) -> None:
    held = ", ".join(map(str, variable.missing_codes))
    field = (
        ui.input(value=held)
        .props(f'dense aria-label="Codes of {text_in_attribute(variable.name)} for no answer"')
        .classes("w-32")
    )

    def take() -> None:
        if field.value != held:
            frame.act(changes.give_missing_codes, variable.name, field.value)

    field.on("blur", take).on("keydown.enter", take)
    for suspect in suspected:
        code = suspect["code"]
        ui.label(f"{code}: {suspect['reason']}").classes("text-xs text-negative")
        both = ", ".join(filter(None, (held, str(code))))
        with ui.row().classes("gap-1"):
            ui.button(
                "No answer", on_click=lambda both=both: frame.act(changes.give_missing_codes, variable.name, both)
            ).props("dense flat no-caps size=sm")
            ui.button(
                "A value", on_click=lambda code=code: frame.act(changes.accept_codes, variable.name, [code])
            ).props("dense flat no-caps size=sm")
