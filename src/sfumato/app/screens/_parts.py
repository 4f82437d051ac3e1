"""Pieces that several screens show."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app.charts import bar_chart
from sfumato.app.lanes import CANCELLED
from sfumato.display import format_compact

if TYPE_CHECKING:
    from sfumato.app.page import Frame

FIGURE_DIGITS = 3  # that are not zeros at the beginning
MAX_ATTRIBUTE = 80  # characters
MAX_UNFOLDED, FOLDED_TAIL = 150, 20  # characters of a text that is shown whole, and how many fewer of a longer one
UNCHANGED = "The recipe had these steps already; nothing was changed."


def heading(text: str, level: int = 2) -> None:
    """Show a heading that screen readers find."""
    with ui.element(f"h{level}"):
        ui.label(text)


def remarks(texts: list[str], title: str = "To be read") -> None:
    """Show sentences that must be read, if there are any."""
    if not texts:
        return
    heading(title, 3)
    with ui.element("ul").classes("list-disc pl-6 max-w-3xl"):
        for text in texts:
            with ui.element("li"):
                ui.label(text)


def foldable(text: str, classes: str = "") -> None:
    """Show a text: a long one by its beginning, which unfolds by click or key."""
    if len(text) <= MAX_UNFOLDED:
        ui.label(text).classes(classes)
        return
    begin = text[: MAX_UNFOLDED - FOLDED_TAIL].rsplit(" ", 1)[0][: MAX_UNFOLDED - FOLDED_TAIL]
    with ui.element("details").classes(classes):
        with ui.element("summary"):
            ui.label(f"{begin} …")
        ui.label(text)


def labelled_slider(title: str, low: float, high: float, value: float, step: float = 1) -> ui.slider:
    """Show a slider with its title and its value; it is moved by keys, too."""
    with ui.column().classes("w-full gap-0"):
        words = ui.label().classes("text-sm")
        slider = ui.slider(min=low, max=high, step=step, value=value).props(attribute("aria-label", title))
        words.bind_text_from(slider, "value", lambda now: f"{title}: {format_compact(now)}")
    return slider


def figure_card(name: str, value: float, unit: str, meaning: str) -> None:
    """Show a figure with what it means."""
    with ui.card().classes("w-56 p-3 gap-1"):
        ui.label(name.replace("_", " ")).classes("text-sm font-medium")
        ui.label(f"{format_compact(value, FIGURE_DIGITS)} {unit}".strip()).classes("text-2xl")
        ui.label(meaning).classes("text-xs text-grey-9")


def computed(
    frame: "Frame",
    verb: str,
    button: str,
    empty: str,
    show: Callable[[Any], None],
    arguments: Mapping[str, Any] | None = None,
) -> None:
    """Show what a verb gave for the present state; else how far it is, why it failed, or a button to compute it."""
    bench = frame.workbench
    found = bench.project.result(verb, arguments)
    if found is not None:
        show(found)
    elif bench.status(verb, arguments):
        ui.label("Being computed; see below how far it is.").props('role="status"')
    else:
        problem = bench.failure(verb, arguments)
        ui.label(problem or empty).classes("text-negative" if problem not in ("", CANCELLED) else "")
        ui.button(button, on_click=lambda: bench.compute(verb, arguments)).props("no-caps")


def column_charts(shapes: Mapping[str, Any], name: str, called: tuple[str, str] = ("before", "after")) -> None:
    """Show one column of two files side by side, those first that have changed, and a chooser for the others."""
    names = sorted(shapes, key=lambda column: shapes[column].get("after") == shapes[column]["before"])
    if not names:
        return
    place = ui.column().classes("w-full max-w-3xl")

    def show(column: str) -> None:
        place.clear()
        with place:
            shape_charts(shapes[column], column, f"{name}: {column}", called)

    ui.select(names, label="Column", value=names[0], on_change=lambda event: show(event.value)).classes("w-64")
    show(names[0])


def shape_charts(
    shape: Mapping[str, Any], title: str, name: str, called: tuple[str, str] = ("before", "after")
) -> None:
    """Show a column of two files: in one chart, or in one for each file where it has become one of another kind."""
    parts = [(title, shape)]
    if became := shape.get("became"):
        parts = [(f"{title} {called[0]}", shape), (f"{title} {called[1]}", became)]
    for words, part in parts:
        chart = ui.echart(bar_chart(part, words, called=called)).classes("w-full h-64").props("role=img")
        chart.props(attribute("aria-label", name if part is shape else words))


Cell = str | tuple[str, str, Callable[[], object]]
"""What stands in a place of a table: a text, or a button with its text, its name for screen readers, and its action."""


def data_table(titles: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """Show a table; the first cell of each row names it."""
    with ui.element("table").classes("columns-table max-w-4xl"):
        with ui.element("thead"), ui.element("tr"):
            for title in titles:
                with ui.element("th").props("scope=col"):
                    ui.label(title)
        with ui.element("tbody"):
            for row in rows:
                with ui.element("tr"):
                    for place, cell in enumerate(row):
                        with ui.element("td" if place else "th").props("" if place else "scope=row"):
                            _cell(cell)


def _cell(cell: Cell) -> None:
    if isinstance(cell, str):
        foldable(cell)
        return
    text, name, action = cell
    ui.button(text, on_click=action).props("dense flat no-caps").props(add=attribute("aria-label", name))


def attribute(name: str, text: str) -> str:
    """Return an attribute of an element that holds a text as it is, names of columns and labels included."""
    return f'{name}="{text_in_attribute(text)}"'


def text_in_attribute(text: str) -> str:
    """Return a text as it can stand between quotes in an attribute."""
    return text.replace("\\", " ").replace('"', " ").replace("\n", " ")[:MAX_ATTRIBUTE]
