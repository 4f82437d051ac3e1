"""The screen Result: what the recipe does to the whole file, for its users and for an intruder."""

from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app.screens._parts import column_charts, computed, heading

if TYPE_CHECKING:
    from sfumato.app.page import Frame


def show_results(frame: "Frame") -> None:
    """Show what was measured of the masked file, or what to do to see it."""
    heading("What is lost, and what could an intruder still learn?")
    if frame.workbench.project.state.recipe is None:
        ui.label("There is no step yet: let a recipe be proposed, or add one, in the screen Protect.")
        return
    computed(
        frame,
        "measure",
        "Mask and measure the whole file",
        "Not measured yet for this recipe. The worst intruder may take minutes in large files.",
        lambda found: _show_found(frame, found),
    )


def worst_case(found: dict[str, Any]) -> str:
    """Return what the strongest attack finds, as a sentence, where it was tried."""
    remarks = [one["remark"] for one in found["figures"] if one["name"] == "worst_case_linkage"]
    return f"{remarks[0][:1].upper()}{remarks[0][1:]}." if remarks else ""


def _show_found(frame: "Frame", found: dict[str, Any]) -> None:
    if worst := worst_case(found):
        ui.label(worst).classes("text-lg max-w-3xl").props('data-part="worst-case"')
    column_charts(found["shapes"], "A column before and after masking")
    if found["dropped"]:
        ui.label(f"Dropped: {', '.join(found['dropped'])}.")
    with ui.element("pre").classes("max-w-full"):
        ui.label(found["text"])
