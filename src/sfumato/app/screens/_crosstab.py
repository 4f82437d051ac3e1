"""A table on the page: hidden cells have a letter and a pattern, and tell why to eyes and to screen readers."""

from functools import partial
from typing import Any

from nicegui import ui

WORDS = {
    "primary": "hidden",
    "secondary": "hidden to protect others",
    "suppressed": "hidden as decided",
}
LEGEND = (
    "p: unsafe, hidden. s: hidden to protect unsafe cells. g: hidden as decided before. Move to a cell to read why."
)


def show_crosstab(laid: dict[str, Any]) -> None:
    """Show a table that was laid out: of a hidden cell that is pointed at or moved to, the line below says why."""
    with (
        ui.element("div").classes("w-full overflow-auto").props('tabindex=0 role=region aria-label="The table"'),
        ui.element("table").classes("crosstab"),
    ):
        with ui.element("caption"):
            ui.label(f"{laid['title']}{' across ' + laid['across'] if laid['across'] else ''}").classes("text-sm")
        with ui.element("thead"), ui.element("tr"):
            for name in (*laid["down"], *(label["text"] for label in laid["columns"])):
                _heading(name, "col", 0)
        hidden: list[tuple[ui.element, str]] = []
        with ui.element("tbody"):
            for labels, cells in zip(laid["rows"], laid["cells"], strict=True):
                with ui.element("tr"):
                    for label in labels:
                        _heading(label["text"], "row", label["level"])
                    hidden += [found for cell in cells if (found := _cell(cell)) is not None]
    why = ui.label(LEGEND).classes("text-sm max-w-3xl").props('role="status" data-part="why"')
    for place, words in hidden:
        place.on("focus", partial(why.set_text, words), args=[]).on("mouseenter", partial(why.set_text, words), args=[])


def _heading(text: str, scope: str, level: int) -> None:
    with ui.element("th").props(f"scope={scope}").style(f"padding-left: {0.4 + 0.8 * level}em"):
        ui.label(text)


def _cell(cell: dict[str, Any] | None) -> tuple[ui.element, str] | None:
    """Show a cell; return it with the reason, where it is hidden."""
    if cell is None:
        ui.element("td")
        return None
    words = WORDS.get(cell["status"], "")
    with ui.element("td") as place:
        ui.label(cell["text"] or "hidden")
    if not words:
        return None
    place.classes(f"cell-{cell['status']}").props("tabindex=0")
    return place, f"{words}: {cell['hint']}" if cell["hint"] else words
