"""The part of the screen Risk in which other measures of the original file are taken, such as SUDA or l-diversity."""

from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app import changes
from sfumato.app.charts import bar_chart, risk_classes
from sfumato.app.fields.keyed_select import KeyedSelect
from sfumato.app.forms import record_form, without_marks
from sfumato.app.screens._parts import attribute, computed, data_table, heading
from sfumato.catalogue import describe
from sfumato.contracts import FileRisk
from sfumato.errors import SfumatoError
from sfumato.plugins import MEASURES

if TYPE_CHECKING:
    from sfumato.app.page import Frame

FORM = "further measure"
MAX_ROWS = 12  # categories that are shown; the command line gives all of them as JSON


def show_further_form(frame: "Frame") -> None:
    """Show how to choose a measure, and the form of the one that is chosen."""
    heading("Other measures", 3)
    ui.label(
        "SUDA: who is alone by few keys. l-diversity and t-closeness: what whoever finds a group learns of it. "
        "δ-presence: who can be told to be in the file. And more."
    ).classes("max-w-3xl")
    titles = {name: describe(measure).title for name, measure in MEASURES.items() if issubclass(measure, FileRisk)}
    chosen = KeyedSelect(titles, label="Measure: type to search", value=frame.measure, clearable=True)
    chosen.classes("w-full max-w-3xl")
    place = ui.column().classes("w-full max-w-3xl")

    def show_form() -> None:
        if chosen.value != frame.measure:
            frame.drafts.drop(FORM)
        frame.measure = chosen.value
        place.clear()
        if chosen.value:
            with place:
                _show_form(frame, MEASURES[chosen.value])

    chosen.on_value_change(show_form)
    show_form()


def _show_form(frame: "Frame", measure: Any) -> None:
    ui.label(without_marks(describe(measure).summary))
    form = record_form(measure, frame.workbench.project.state.schema)
    frame.drafts.keep(FORM, measure.name(), form.fields)

    def take() -> None:
        try:
            made = form.make()
        except SfumatoError as error:
            frame.show_problem(str(error))
            return
        if frame.act(changes.take_measure, made):
            frame.workbench.compute("measures", asked_measures(frame))

    ui.button("Measure it", on_click=take).props("no-caps")


def asked_measures(frame: "Frame") -> dict[str, Any]:
    """Return which measures were asked for, as their task takes them."""
    return {"measures": list(frame.workbench.chosen(changes.MEASURES) or [])}


def show_further_risks(frame: "Frame") -> None:
    """Show what the measures found, and how to leave one out."""
    asked = asked_measures(frame)
    if not asked["measures"]:
        return
    with ui.row().classes("gap-2"):
        for number, entry in enumerate(asked["measures"]):
            title = describe(MEASURES[next(iter(entry))]).title
            gone = ui.button(title, icon="close", on_click=lambda number=number: _leave_out(frame, number))
            gone.props("dense outline no-caps").props(attribute("aria-label", f"Leave out {title}"))
    empty = "Not measured yet with these columns."
    computed(frame, "measures", "Take these measures", empty, _show_found, asked)


def _leave_out(frame: "Frame", number: int) -> None:
    if frame.act(changes.leave_out_measure, number) and (asked := asked_measures(frame))["measures"]:
        frame.workbench.compute("measures", asked)


def _show_found(found: list[dict[str, Any]]) -> None:
    for one in found:
        if problem := one.get("problem"):
            heading(f"{one['title']}: not measured", 3)
            ui.label(problem).classes("text-negative max-w-3xl")
            continue
        heading(f"{one['title']}: {one['figure']}", 3)
        ui.label(one["meaning"]).classes("max-w-3xl")
        if one["words"]:
            with ui.element("ul").classes("list-disc pl-6 max-w-3xl"):
                for part in one["words"]:
                    with ui.element("li"):
                        ui.label(part)
        if one["histogram"]:
            shape = {"labels": risk_classes(one["histogram"]["edges"]), "before": one["histogram"]["records"]}
            chart = ui.echart(bar_chart(shape, f"{one['title']} of single records", "records"))
            chart.classes("w-full h-72 max-w-3xl").props("role=img")
            chart.props(attribute("aria-label", f"How many records have which figure: {one['title']}"))
        if rows := one.get("categories"):
            ui.label("How much of all scores comes from sets of keys with a category:").classes("max-w-3xl")
            data_table(
                ("Key", "Category", "Share of the scores, %"),
                [
                    (row["key"], row["label"] or str(row["category"]), f"{row['share_of_scores']:.1f}")
                    for row in rows[:MAX_ROWS]
                ],
            )
