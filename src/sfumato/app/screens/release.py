"""The screen Release: what is to be checked, and the files that are written."""

from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app.project import release_name
from sfumato.app.screens._parts import computed, heading, remarks
from sfumato.app.screens.proposal import PROPOSAL
from sfumato.app.screens.results import worst_case
from sfumato.app.screens.risk import SCENARIO
from sfumato.display import format_compact
from sfumato.errors import SfumatoError
from sfumato.parameters.limits import SMALLEST_GROUP, SMALLEST_STRICT_GROUP, SUPPRESSED
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


def asked_limits(asked: dict[str, Any]) -> list[str]:
    """Return what was asked of a proposed recipe as limits of a report, as the command takes them.

    Examples
    --------
    >>> asked_limits({"k": 3, "strict": True, "max_suppressed": 5.0})
    ['k>=3', 'strict_k>=3', 'suppressed<=5']
    """
    limits = [f"{SMALLEST_GROUP}>={asked['k']}"] if "k" in asked else []
    limits += [f"{SMALLEST_STRICT_GROUP}>={asked['k']}"] if asked.get("strict") else []
    limits += [f"{SUPPRESSED}<={format_compact(asked['max_suppressed'])}"] if "max_suppressed" in asked else []
    return [*limits, *asked.get("limits", ())]


def held_words(asked: dict[str, Any]) -> str:
    """Return what of a proposal the report is held against, and what it is not.

    Examples
    --------
    >>> held_words({"k": 3})
    'It is held against what was asked for: k>=3.'
    >>> held_words({"k": 3, "l": 2, "t": 0.4})
    'It is held against what was asked for: k>=3, but not l = 2, t = 0.4: measure these in the masked file.'
    >>> held_words({})
    'No limit was asked for.'
    """
    limits = asked_limits(asked)
    if not limits:
        return "No limit was asked for."
    left_out = [f"{name} = {format_compact(asked[name])}" for name in ("l", "t") if name in asked]
    but = f", but not {', '.join(left_out)}: measure these in the masked file" if left_out else ""
    return f"It is held against what was asked for: {', '.join(limits)}{but}."


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
    return [
        ("there is a recipe", True),
        (refusal or "no identifier is released", not refusal),
        ("the risk of the original was measured" if is_known else "measure the risk, in the screen Risk", is_known),
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
