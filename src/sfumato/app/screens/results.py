"""The screen Result: what the recipe does to the whole file, for its users and for an intruder."""

from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app.asked_limits import of_keys
from sfumato.app.screens._parts import FIGURE_DIGITS, column_charts, computed, data_table, heading, remarks
from sfumato.app.screens.proposal import PROPOSAL, limit_words
from sfumato.display import format_compact

if TYPE_CHECKING:
    from sfumato.app.page import Frame


def show_results(frame: "Frame") -> None:
    """Show what was measured of the masked file, or what to do to see it."""
    heading("What is lost, and what could an intruder still learn?")
    if frame.workbench.project.state.recipe is None:
        ui.label("There is no step yet: let a recipe be proposed, or add one, in the screen Protect.")
        return
    heading("By the keys, before and after", 3)
    computed(
        frame,
        "masked_risk",
        "Measure the risk by the keys",
        "Not measured yet for this recipe. It takes as long as the recipe does.",
        _show_by_keys,
        of_keys(frame.workbench.chosen(PROPOSAL)),
    )
    heading("By all that is released", 3)
    computed(
        frame,
        "measure",
        "Mask and measure the whole file",
        "Not measured yet for this recipe. The worst intruder may take minutes in large files.",
        lambda found: _show_found(frame, found),
    )


def _show_by_keys(found: dict[str, Any]) -> None:
    for limit in found["limits"]:
        ui.label(limit_words(limit)).classes("max-w-3xl")
    if found["gone"]:
        ui.label(f"No longer there: {', '.join(found['gone'])}.")
    if not found["figures"]:
        return
    data_table(
        ("Figure", "Before", "After", "What it is"),
        [
            (
                one["name"].replace("_", " "),
                _figure(one["value"], one["unit"]),
                _figure(one["after"], one["unit"]),
                one["meaning"],
            )
            for one in found["figures"]
        ],
    )
    data_table(
        ("Key", "Different values before", "After", "Gaps before", "After"),
        [(one["key"], *(f"{count:,}" for count in (*one["values"], *one["gaps"]))) for one in found["keys"]],
    )
    remarks(found["remarks"])


def _figure(value: float, unit: str) -> str:
    return f"{format_compact(value, FIGURE_DIGITS)} {unit}".strip()


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
