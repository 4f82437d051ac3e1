"""The screen Release: what is to be checked, and the files that are written."""

from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app.asked_limits import asked_limits, held_words, of_keys
from sfumato.app.project import release_name
from sfumato.app.screens._parts import computed, heading, remarks
from sfumato.app.screens.proposal import PROPOSAL, limit_words
from sfumato.app.screens.results import worst_case
from sfumato.app.screens.risk import SCENARIO
from sfumato.errors import SfumatoError
from sfumato.reports.release.words.alarms import calm

if TYPE_CHECKING:
    from sfumato.app.page import Frame

LOOKS = {
    True: ("Done", "check_circle", "text-positive"),
    False: ("To do", "error", "text-negative"),
    None: ("To judge", "balance", ""),
}


def show_release(frame: "Frame") -> None:
    """Show the checklist, and write the files."""
    heading("Before it leaves the house")
    for text, is_met in checklist(frame):
        word, icon, colour = LOOKS[is_met]
        with ui.row().classes("items-start gap-2 no-wrap max-w-3xl"):
            ui.icon(icon).classes(f"{colour} mt-1")
            ui.label(f"{word}: {text}")
    project = frame.workbench.project
    if project.state.recipe is None:
        return
    arguments = {"name": release_name(project.file)}
    heading("Write the release")
    ui.label(
        f"The masked file goes to the folder release of {project.folder.name}, with its manifest. That holds the seed: "
        "keep it with the original."
    ).classes("max-w-3xl")
    computed(frame, "release", "Write the release", "Nothing is written for this recipe yet.", _show_written, arguments)
    if project.result("release", arguments) is None:
        return
    heading("Verify it")
    empty = "The masked file is made again from the original, and compared byte by byte."
    computed(frame, "verify", "Verify the release", empty, _show_verified, arguments)
    heading("Report for the review board")
    asked = frame.workbench.chosen(PROPOSAL) or {}
    limits = asked_limits(asked)
    empty = (
        f"A page with what was done, what is lost and what an intruder could learn. {held_words(asked)} It may take "
        "minutes."
    )
    computed(frame, "report", "Write the report", empty, _show_written, {**arguments, "limits": limits})


def checklist(frame: "Frame") -> list[tuple[str, bool | None]]:
    """Return what must be so before a release, and whether it is; None for what only a person can judge."""
    project = frame.workbench.project
    recipe = project.state.recipe
    if recipe is None:
        return [("a recipe: let one be proposed, or add a step, in the screen Protect", False)]
    try:
        recipe.refuse_release(project.state.schema)
        refusal = ""
    except SfumatoError as error:
        refusal = str(error)
    measured = project.result("measure")
    is_known = project.result("risk", frame.workbench.chosen(SCENARIO)) is not None
    worst = worst_case(measured) if measured else "measure the masked file, in the screen Result"
    asked = of_keys(frame.workbench.chosen(PROPOSAL))
    kept = project.result("masked_risk", asked)
    limits = [(limit_words(limit), bool(limit["is_met"])) for limit in kept["limits"]] if kept else []
    if asked and kept is None:
        limits = [
            (
                f"see whether {', '.join(asked['limits'])} holds: measure the risk by the keys, in the screen Result",
                False,
            )
        ]
    return [
        ("there is a recipe", True),
        (refusal or "no identifier is released", not refusal),
        ("the risk of the original was measured" if is_known else "measure the risk, in the screen Risk", is_known),
        *limits,
        (worst or "the masked file was measured", None if measured else False),
    ]


def _show_verified(found: dict[str, Any]) -> None:
    word, icon, colour = LOOKS[found["passed"]]
    with ui.row().classes("items-start gap-2 no-wrap"):
        ui.icon(icon).classes(f"{colour} mt-1")
        ui.label("The release can be made again, byte for byte." if found["passed"] else f"{word}: see what failed.")
    with ui.element("pre"):
        ui.label(found["text"])


def _show_written(found: dict[str, Any]) -> None:
    with ui.element("pre"):
        ui.label(found["text"])
    remarks([calm(notice) for notice in found["notices"]])
