"""The part of the screen Protect that shows the steps of the recipe."""

from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from sfumato.app import changes
from sfumato.app.screens._parts import heading
from sfumato.catalogue import describe
from sfumato.contracts import MaskingMethod

if TYPE_CHECKING:
    from sfumato.app.page import Frame


def show_steps(frame: "Frame") -> None:
    """Show the steps of the recipe, to be moved, changed and removed."""
    heading("Steps")
    recipe = frame.workbench.project.state.recipe
    if recipe is None:
        ui.label("No step yet. Take what is proposed, or add a step below.")
        return
    with ui.element("ol").classes("list-decimal pl-6 w-full"):
        for number, step in enumerate(recipe.steps):
            with ui.element("li"), ui.row().classes("items-center gap-2 no-wrap"):
                ui.label(_in_words(step)).classes("grow min-w-0")
                title = f"step {number + 1}"
                up = ui.button(icon="arrow_upward", on_click=partial(frame.act, changes.raise_step, number))
                up.props(f'dense flat aria-label="Move {title} up"').set_enabled(number > 0)
                ui.button(icon="edit", on_click=partial(frame.edit_step, number)).props(
                    f'dense flat aria-label="Change {title}"'
                )
                ui.button(icon="delete", on_click=partial(frame.act, changes.remove_step, number)).props(
                    f'dense flat aria-label="Remove {title}"'
                )


def _in_words(step: MaskingMethod) -> str:
    columns = getattr(step, "columns", ())
    named = ", ".join(columns) if isinstance(columns, tuple) else str(columns)
    return f"{describe(type(step)).title}: {named}"
