"""The part of the screen Compare in which a method is added to the grid, with several values of one parameter."""

from typing import TYPE_CHECKING, Any

import yaml
from nicegui import ui

from sfumato.app import changes
from sfumato.app.fields.text_field import TextField
from sfumato.app.forms import RecordForm, record_form
from sfumato.catalogue import describe
from sfumato.errors import SfumatoError
from sfumato.masking import METHODS
from sfumato.study.candidate_entries import read_candidate
from sfumato.study.grid import problems_of

if TYPE_CHECKING:
    from sfumato.app.page import Frame

ENTRY = "grid entry"  # the form


def show_grid_entry(frame: "Frame") -> None:
    """Show the form of a method with several values."""
    with ui.expansion("Add a method with several values").classes("w-full"):
        _show_form(frame)


def _show_form(frame: "Frame") -> None:
    titles = {name: f"{describe(method).title} ({method.family})" for name, method in METHODS.items()}
    chosen = ui.select(titles, label="Method", with_input=True, value=frame.compared_method).classes("w-full")
    place = ui.column().classes("w-full")

    def show_form() -> None:
        frame.compared_method = chosen.value
        place.clear()
        if not chosen.value:
            return
        method = METHODS[chosen.value]
        with place:
            varied = ui.select(_varied(method), label="Vary", value=None).classes("w-full")
            values = TextField("over, as in 3, 5, 10 or range(1, 20)").classes("w-full")
            form = record_form(method, frame.workbench.project.state.schema)
            fields = {**form.fields, "varied parameter": varied, "its values": values}
            frame.drafts.keep(ENTRY, chosen.value, fields)
            ui.button("Add to the grid", on_click=lambda: add(form, varied.value, values.value)).props("no-caps")

    def add(form: RecordForm, varied: str | None, values: str) -> None:
        try:
            parameters = form.values([varied] if varied else [])
            if varied:
                text = values.strip()
                parameters[varied] = text if text.startswith("range") else yaml.safe_load(f"[{text}]")
            read_candidate({form.record.name(): parameters})
        except (SfumatoError, yaml.YAMLError) as error:
            frame.show_problem(str(error) if isinstance(error, SfumatoError) else "values are separated by commas")
            return
        frame.act(changes.add_candidates, [{form.record.name(): parameters}])

    chosen.on_value_change(show_form)
    show_form()


def _varied(method: Any) -> list[str]:
    """Return the parameters of a method that take a number, which a grid can vary."""
    return [
        name
        for name in method.model_fields
        if name != "columns" and not all(problems_of(method, name, x) for x in (3, 0.5))
    ]
