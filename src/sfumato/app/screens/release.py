"""The screen Release: what is to be checked, and the files that are written."""

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app.screens._parts import computed, heading, remarks
from sfumato.app.screens.results import worst_case
from sfumato.errors import SfumatoError

if TYPE_CHECKING:
    from sfumato.app.page import Frame


def show_release(frame: "Frame") -> None:
    """Show the checklist, and write the files."""
    heading("Before it leaves the house")
    for text, is_met in checklist(frame):
        with ui.row().classes("items-center gap-2"):
            ui.icon("check_circle" if is_met else "error").classes("text-positive" if is_met else "text-negative")
            ui.label(f"{'Done' if is_met else 'To do'}: {text}")
    project = frame.workbench.project
    if project.state.recipe is None:
        return
    arguments = {"name": f"masked{PurePath(project.file.name).suffix}"}
    heading("Write the release")
    ui.label(
        f"The masked file goes to the folder release of {project.folder.name}, with its manifest. That holds the seed: "
        "keep it with the original."
    ).classes("max-w-3xl")
    computed(frame, "release", "Write the release", "Nothing is written for this recipe yet.", _show_written, arguments)


def checklist(frame: "Frame") -> list[tuple[str, bool]]:
    """Return what must be so before a release, and whether it is."""
    project = frame.workbench.project
    recipe = project.state.recipe
    if recipe is None:
        return [("there is a recipe", False)]
    try:
        recipe.refuse_release(project.state.schema)
        refusal = ""
    except SfumatoError as error:
        refusal = str(error)
    measured = project.result("measure")
    worst = worst_case(measured) if measured else ""
    return [
        ("there is a recipe", True),
        (refusal or "no identifier is released", not refusal),
        ("the risk of the original was measured", project.result("risk") is not None),
        (worst or "the masked file was measured against the worst intruder", measured is not None),
    ]


def _show_written(found: dict[str, Any]) -> None:
    with ui.element("pre"):
        ui.label(found["text"])
    remarks(found["notices"])
