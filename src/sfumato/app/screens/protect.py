"""The screen Protect: let a recipe be proposed, or build one step by step."""

from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app import changes
from sfumato.app.charts import bar_chart
from sfumato.app.forms import method_form, without_marks
from sfumato.app.screens._parts import computed, heading, remarks
from sfumato.catalogue import describe
from sfumato.contracts import MaskingMethod
from sfumato.errors import SfumatoError
from sfumato.masking import METHODS
from sfumato.recipe import Recipe

if TYPE_CHECKING:
    from sfumato.app.page import Frame


def show_protect(frame: "Frame") -> None:
    """Show both ways to a recipe, and the steps that there are."""
    with ui.element("div").classes("two-ways"):
        with ui.column():
            _proposal_form(frame)
        with ui.column().classes("w-full"):
            _steps(frame)
            _new_step(frame)


def _proposal_form(frame: "Frame") -> None:
    heading("Let a recipe be proposed")
    ui.label("Keys are made broader, and values suppressed, until nobody stands out by them.")
    k = ui.number("k: records that share what each shows", value=3, min=2, max=1000).classes("w-full")
    suppressed = ui.number("suppress at most, % of the key values", min=0, max=100).classes("w-full")
    strict = ui.switch("count a gap as a value of its own, too (strict)")
    l_diversity = ui.number("l: confidential values in each group", min=2, max=100).classes("w-full")

    def arguments() -> dict[str, Any]:
        given: dict[str, Any] = {"k": int(k.value or 3), "strict": bool(strict.value)}
        if suppressed.value is not None:
            given["max_suppressed"] = float(suppressed.value)
        if l_diversity.value is not None:
            given["l"] = int(l_diversity.value)
        return given

    chosen = frame.workbench.proposal
    if chosen:
        k.value, strict.value = chosen["k"], chosen["strict"]
        suppressed.value, l_diversity.value = chosen.get("max_suppressed"), chosen.get("l")

    def propose() -> None:
        frame.workbench.proposal = arguments()
        frame.workbench.compute("propose", frame.workbench.proposal)
        frame.workbench.tell("propose")

    ui.button("Propose a recipe", on_click=propose).props("no-caps")
    if chosen:
        computed(frame, "propose", "Try again", "", lambda found: _proposal(frame, found), chosen)


def _proposal(frame: "Frame", found: dict[str, Any]) -> None:
    heading("Proposed", 3)
    ui.label(f"{found['suppressed']:.2f} % of the key values are suppressed.")
    for promise in found["promises"]:
        ui.label(str(promise.get("text") or promise.get("name") or "")).classes("text-sm")
    remarks(found["alarms"], "Where it does not hold")
    recipe = Recipe.from_yaml(found["recipe"])
    ui.button(
        "Take this recipe", on_click=lambda: frame.act(changes.take_recipe, "took what protect proposed", recipe)
    ).props("no-caps")
    with ui.expansion("All that was found").classes("w-full"), ui.element("pre"):
        ui.label(found["text"])


def _steps(frame: "Frame") -> None:
    heading("Steps")
    recipe = frame.workbench.project.state.recipe
    if recipe is None:
        ui.label("No step yet.")
        return
    with ui.element("ol").classes("list-decimal pl-6 w-full"):
        for number, step in enumerate(recipe.steps):
            with ui.element("li"), ui.row().classes("items-center gap-2 no-wrap"):
                ui.label(_in_words(step)).classes("grow min-w-0")
                title = f"step {number + 1}"
                up = ui.button(icon="arrow_upward", on_click=_doing(frame, changes.raise_step, number))
                up.props(f'dense flat aria-label="Move {title} up"').set_enabled(number > 0)
                ui.button(icon="delete", on_click=_doing(frame, changes.remove_step, number)).props(
                    f'dense flat aria-label="Remove {title}"'
                )


def _doing(frame: "Frame", change: Any, number: int) -> Any:
    return lambda: frame.act(change, number)


def _in_words(step: MaskingMethod) -> str:
    columns = getattr(step, "columns", ())
    named = ", ".join(columns) if isinstance(columns, tuple) else str(columns)
    return f"{describe(type(step)).title}: {named}"


def _new_step(frame: "Frame") -> None:
    heading("Add a step")
    schema = frame.workbench.project.state.schema
    families = {name: f"{describe(method).title} ({method.family})" for name, method in METHODS.items()}
    chosen = ui.select(families, label="Method", with_input=True, value=frame.chosen_method).classes("w-full")
    place = ui.column().classes("w-full")
    made: dict[str, Any] = {}

    def show_form() -> None:
        frame.chosen_method = chosen.value
        place.clear()
        if not chosen.value:
            return
        with place:
            described = describe(METHODS[chosen.value])
            ui.label(without_marks(described.summary))
            with ui.expansion("What it does to risk and utility").classes("w-full"):
                for title in ("Effect on risk", "Effect on utility", "Missing values"):
                    if title in described.sections:
                        ui.label(without_marks(f"{title}. {described.sections[title]}")).classes("text-sm")
            made["form"] = method_form(METHODS[chosen.value], schema)
            with ui.row():
                ui.button("Try it on a sample", on_click=try_it).props("no-caps outline")
                ui.button("Add this step", on_click=add).props("no-caps")

    def step() -> MaskingMethod | None:
        try:
            return made["form"]()  # type: ignore[no-any-return]
        except SfumatoError as error:
            frame.show_problem(str(error))
            return None

    def add() -> None:
        if (new := step()) is not None:
            frame.act(changes.add_step, new)

    def try_it() -> None:
        if (new := step()) is None:
            return
        columns = schema.select(new.columns)
        before = frame.workbench.project.state.recipe
        recipe = Recipe(steps=(*(before.steps if before else ()), new))
        frame.previewed = {"recipe": recipe.to_yaml(), "column": columns[0]}
        frame.workbench.compute("preview", frame.previewed)
        frame.refresh("preview")

    chosen.on_value_change(show_form)
    show_form()
    if frame.previewed:
        computed(frame, "preview", "Try again", "", _preview, frame.previewed)


def _preview(found: dict[str, Any]) -> None:
    ui.label(f"On {found['records']:,} of {found['of']:,} records:")
    ui.echart(bar_chart(found["shape"], "Before and after")).classes("w-full h-64").props(
        'role=img aria-label="The column before and after the steps"'
    )
