"""Pieces that several screens show."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.display import format_compact

if TYPE_CHECKING:
    from sfumato.app.page import Frame


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


def figure_card(name: str, value: float, unit: str, meaning: str) -> None:
    """Show a figure with what it means."""
    with ui.card().classes("w-56 p-3 gap-1"):
        ui.label(name.replace("_", " ")).classes("text-sm font-medium")
        ui.label(f"{format_compact(value)} {unit}".strip()).classes("text-2xl")
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
        ui.label(problem or empty).classes("text-negative" if problem else "")
        ui.button(button, on_click=lambda: bench.compute(verb, arguments)).props("no-caps")
