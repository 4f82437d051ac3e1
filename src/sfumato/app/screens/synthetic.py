"""The screen Synthetic: records that are nobody's, drawn from models of the file, and held against it."""

from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app import changes
from sfumato.app.screens._parts import attribute, column_charts, computed, heading, labelled_slider, remarks
from sfumato.data import Variable
from sfumato.data.kinds import CONTENT_ROLES, DESIGN_ROLES
from sfumato.masking.synthesis._models import MODELS

if TYPE_CHECKING:
    from sfumato.app.page import Frame

SYNTHESIS = "synthesis"
TREE = "tree"
NEEDS_MORE = ("formula",)  # models that a name alone does not say
USUAL_HOLDOUT, MAX_HOLDOUT = 20, 50  # percent


def show_synthetic_intro(frame: "Frame") -> None:
    """Say what the screen is for."""
    heading("Synthetic records in place of real ones")
    ui.label(
        "Each column is drawn from a model of those before it. Some persons are kept back first: attacks that find "
        "more of the others than of them show that the file leaks."
    ).classes("max-w-3xl")


def show_synthetic(frame: "Frame") -> None:
    """Show what came of it."""
    chosen = frame.workbench.chosen(SYNTHESIS)
    if not chosen:
        ui.label("Nothing is drawn yet. The usual models suit most files: press Make synthetic records.")
        return
    empty = "Kinds or roles have changed since, or another file was written."
    computed(frame, "synthesise", "Make them anew", empty, lambda found: _show_found(frame, found), chosen)


def show_synthesis_form(frame: "Frame") -> None:
    """Show how the records are drawn."""
    held = frame.workbench.chosen(SYNTHESIS) or {}
    holdout = labelled_slider(
        "keep back, % of the persons, as a control", 5, MAX_HOLDOUT, held.get("holdout", USUAL_HOLDOUT)
    )
    leaf = labelled_slider("the fewest records that a value rests on", 2, 50, held.get("min_leaf", 5))
    fields: dict[str, ui.select] = {}
    with ui.expansion("Model of each column").classes("w-full"):
        for variable in frame.workbench.project.state.schema.variables:
            if variable.role in (*CONTENT_ROLES, *DESIGN_ROLES):
                fields[variable.name] = ui.select(
                    _models_for(variable), label=variable.name, value=held.get("models", {}).get(variable.name, TREE)
                ).classes("w-full")

    models_chosen = {f"model of {name}": field for name, field in fields.items()}
    frame.drafts.keep(SYNTHESIS, held, {"holdout": holdout, "leaf": leaf, **models_chosen})

    def start() -> None:
        models = {name: str(field.value) for name, field in fields.items() if field.value != TREE}
        asked: dict[str, Any] = {"holdout": float(holdout.value), "min_leaf": int(leaf.value)}
        asked |= {"models": models} if models else {}
        frame.act(changes.choose, "asked for synthetic records", SYNTHESIS, asked)
        frame.workbench.compute("synthesise", asked)

    ui.button("Make synthetic records", on_click=start).props("no-caps")


def _models_for(variable: Variable) -> list[str]:
    fitting = [name for name, model in MODELS.items() if variable.kind in model.kinds and name not in NEEDS_MORE]
    return [TREE, *(name for name in fitting if name != TREE)]


def _show_found(frame: "Frame", found: dict[str, Any]) -> None:
    ui.label(found["leak"] or "Whether the file leaks was not tested.").classes(
        f"text-lg max-w-3xl {'text-negative' if found['shows_leak'] else ''}"
    ).props('role="status"')
    ui.label(f"{found['records']:,} records are in the folder synthetic of {frame.workbench.project.folder.name}.")
    column_charts(found["shapes"], "Observed and synthetic", ("observed", "synthetic"))
    with ui.expansion("What attacks found, with the control").classes("w-full"), ui.element("pre"):
        ui.label(found["assessment"])
    remarks(found["notices"])
    with ui.element("pre").props(attribute("aria-label", "Files")):
        ui.label(found["text"])
