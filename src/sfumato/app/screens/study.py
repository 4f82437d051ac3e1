"""A study on the page: a map whose axes can be chosen, the same as a table, and one candidate that is taken."""

from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app import changes
from sfumato.app.charts import standing, trade_off_chart
from sfumato.app.screens._parts import UNCHANGED, Cell, attribute, data_table, remarks
from sfumato.app.studies.study_map import on_axes
from sfumato.app.studies.study_measures import BOUND
from sfumato.display import format_compact
from sfumato.recipe import Recipe

if TYPE_CHECKING:
    from sfumato.app.page import Frame

HOW = (
    "Lower left is better, by the risk and the loss that you choose. Point at a mark for its figures; click it to take "
    "its recipe."
)
MAX_OTHERS = 3  # risks in the table beside that of the map
AXES = {"risk": "Risk, upwards", "loss": "Loss, to the right"}


def show_study(frame: "Frame", topic: str, found: dict[str, Any]) -> None:
    """Show the map of a study and the same as a table, on the axes that were chosen last in this tab."""
    remarks(found["notices"])
    if not found["risk"] or not found["loss"]:
        _show_table(frame, found)
        return
    ui.label(HOW).classes("text-sm max-w-3xl")
    held = frame.map_axes.get(topic, {})
    axes = {
        axis: held.get(axis) if held.get(axis) in offered else found[axis] for axis, offered in found["axes"].items()
    }
    with ui.row().classes("w-full max-w-4xl"):
        choosers = {
            axis: ui.select(
                {symbol: found["titles"][symbol] for symbol in found["axes"][axis]}, label=title, value=axes[axis]
            ).classes("grow w-80")
            for axis, title in AXES.items()
        }
    place = ui.column().classes("w-full")

    def draw() -> None:
        frame.map_axes[topic] = {axis: chooser.value for axis, chooser in choosers.items()}
        place.clear()
        with place:
            shown = on_axes(found, choosers["risk"].value, choosers["loss"].value)
            _show_map(frame, shown)
            _show_table(frame, shown)

    for chooser in choosers.values():
        chooser.on_value_change(draw)
    draw()


def _show_map(frame: "Frame", found: dict[str, Any]) -> None:
    name = f"{found['titles'][found['risk']]} against {found['titles'][found['loss']]}; the table below holds the same"
    chart = ui.echart(trade_off_chart(found), on_point_click=lambda event: _take(frame, found, event.data["candidate"]))
    chart.classes("w-full h-96 max-w-4xl").props("role=img").props(attribute("aria-label", name))


def _show_table(frame: "Frame", found: dict[str, Any]) -> None:
    """Show the figures of each candidate: those on the axes first, then the other risks, so that none is overlooked."""
    axes = [symbol for symbol in (found["loss"], found["risk"]) if symbol]
    others = [symbol for symbol in found["axes"]["risk"] if symbol not in axes and not symbol.startswith(BOUND)]
    shown = [*axes, *others[:MAX_OTHERS]] or list(found["titles"])[:2]
    rows: list[tuple[Cell, ...]] = []
    for number in sorted(range(len(found["candidates"])), key=lambda number: _rank(found, number)):
        one = found["candidates"][number]
        figures = [_figure(one["figures"].get(symbol)) for symbol in shown]
        button: Cell = "" if one["error"] else ("Take", f"Take {one['label']}", partial(_take, frame, found, number))
        rows.append((one["label"], *figures, one["error"] or standing(one), button))
    with ui.element("div").classes("w-full overflow-x-auto").props('tabindex=0 role=region aria-label="The recipes"'):
        data_table(("Recipe", *(found["titles"][symbol] for symbol in shown), "Stands", "Take it"), rows)


def _take(frame: "Frame", found: dict[str, Any], number: int) -> None:
    one, before = found["candidates"][number], frame.workbench.project.state
    taken = frame.act(changes.take_recipe, f"took {one['label']}", Recipe.from_yaml(one["recipe"]))
    if taken and frame.workbench.project.state is before:
        ui.notify(UNCHANGED, position="top")


def _rank(found: dict[str, Any], number: int) -> tuple[bool, bool, float]:
    one = found["candidates"][number]
    loss = one["figures"].get(found["loss"])
    return not one["is_best"], not one["is_on_front"], float("inf") if loss is None else loss


def _figure(value: float | None) -> str:
    return "" if value is None else format_compact(value, 4)
