"""The part of the screen Protect in which a step is chosen for a column, tried on a sample, and added or changed."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app import changes
from sfumato.app.advice import advice_for, methods_for, schema_at
from sfumato.app.fields.keyed_select import KeyedSelect
from sfumato.app.forms import RecordForm, record_form, without_marks
from sfumato.app.hierarchy_edits import read_tree, with_text_codes
from sfumato.app.screens._parts import computed, shape_charts
from sfumato.catalogue import describe
from sfumato.contracts import MaskingMethod
from sfumato.data import role
from sfumato.errors import SfumatoError
from sfumato.masking import METHODS, Generalisation
from sfumato.recipe import Recipe

if TYPE_CHECKING:
    from sfumato.app.page import Frame

ANY = "any column"
ALL = "all families"
STEP, HIERARCHIES = "step", "hierarchies"  # the form, and a field of it
OF_ALL_KEYS = frozenset(
    {
        "full_domain_recoding",
        "hint_suppression",
        "local_recoding",
        "local_suppression",
        "risk_suppression",
        "strict_local_suppression",
    }
)  # methods that look at all keys together: one key by itself would be safe soon, and the record not


def show_new_step(frame: "Frame") -> Callable[[], None]:
    """Show the chooser of methods, and the form of the one that is chosen; return what brings them up to date.

    The choosers stay where they are: whoever has chosen a column, and opens the list of methods at once, keeps it.
    """
    with ui.element("h2"):
        title = ui.label()
    families = sorted({method.family for method in METHODS.values()})
    with ui.row().classes("w-full"):
        columns = KeyedSelect([ANY], label="For", value=ANY).classes("grow w-56")
        family = ui.select([ALL, *families], label="Family", value=ALL).classes("grow w-56")
    advice = ui.column().classes("w-full")
    chosen = KeyedSelect({}, label="Method: type to search", clearable=True).classes("w-full")
    form = ui.column().classes("w-full")
    is_at_work = False

    def choose() -> None:
        names = (columns.value, family.value, chosen.value)
        picked = tuple(None if name in (ANY, ALL, None) else name for name in names)
        if not is_at_work and picked != tuple(frame.choice):
            frame.choose_method(*picked)

    def update() -> None:
        nonlocal is_at_work
        is_at_work = True
        edited, choice = _edited(frame), frame.choice
        schema = schema_at(frame.workbench.project.state, edited)
        title.text = "Add a step" if edited is None else f"Change step {edited + 1}"
        column = choice.column if choice.column in schema.names else None
        offered = methods_for(schema, column, choice.family)
        method = choice.method if choice.method in offered else None
        columns.set_options([ANY, *schema.names], value=column or ANY)
        family.set_value(choice.family or ALL)
        chosen.set_options(offered, value=method)
        is_at_work = False
        advice.clear()
        form.clear()
        with advice:
            _show_advice(frame, column)
        with form:
            if method:
                _show_form(frame, METHODS[method], column)

    for field in (columns, family, chosen):
        field.on_value_change(choose)
    update()
    return update


def _edited(frame: "Frame") -> int | None:
    """Return which step is to be changed, if it is still there."""
    recipe = frame.workbench.project.state.recipe
    if frame.edited is not None and (recipe is None or frame.edited >= len(recipe.steps)):
        frame.edited = None
    return frame.edited


def step_basis(frame: "Frame") -> Any:
    """Return what the form of a step shows: the columns, what is chosen, and the step that is changed."""
    state = frame.workbench.project.state
    recipe = state.recipe_yaml if frame.edited is not None else ""
    return schema_at(state, frame.edited), frame.choice, frame.edited, recipe


def show_preview(frame: "Frame") -> None:
    """Show what a step does to its column, where it was tried."""
    if frame.previewed:
        computed(frame, "preview", "Try again", "", _show_preview, frame.previewed)


def _show_advice(frame: "Frame", column: str | None) -> None:
    if column is None:
        return
    schema = schema_at(frame.workbench.project.state, frame.edited)
    advice = advice_for(schema, column)
    if not advice:
        ui.label("It is neither known to others nor confidential: nothing needs to be done to it.").classes("text-sm")
        return
    ui.label(f"Advised, as it is {schema[column].kind} and {schema[column].role}:").classes("text-sm")
    with ui.element("ul").classes("list-disc pl-6"):
        for one in advice:
            with ui.element("li"):
                ui.label(f"{one.family}: {one.why}").classes("text-sm")


def _show_form(frame: "Frame", method: type[MaskingMethod], column: str | None) -> None:
    described, schema = describe(method), schema_at(frame.workbench.project.state, frame.edited)
    ui.label(without_marks(described.summary))
    with ui.expansion("What it does to risk and utility").classes("w-full"):
        for title in ("Effect on risk", "Effect on utility", "Missing values"):
            if title in described.sections:
                ui.label(without_marks(f"{title}. {described.sections[title]}")).classes("text-sm")
    form = record_form(method, schema, _held(frame, method, column))
    frame.drafts.keep(STEP, (frame.choice, frame.edited), form.fields)
    with ui.row():
        ui.button("Try it on a sample", on_click=lambda: _try(frame, form, column)).props("no-caps outline")
        if frame.edited is None:
            ui.button("Add this step", on_click=lambda: _add(frame, form)).props("no-caps")
        else:
            ui.button("Change the step", on_click=lambda: _change(frame, form)).props("no-caps")
            ui.button("Leave it as it is", on_click=lambda: frame.edit_step(None)).props("no-caps flat")


def _held(frame: "Frame", method: type[MaskingMethod], column: str | None) -> dict[str, Any]:
    """Return what stands in the form at first: the step that is changed, or the column, with all keys beside a key."""
    recipe = frame.workbench.project.state.recipe
    if frame.edited is not None and recipe is not None and frame.edited < len(recipe.steps):
        return recipe.steps[frame.edited].model_dump(mode="json")
    if column is None:
        return {}
    schema = schema_at(frame.workbench.project.state)
    together = schema.select(role("key")) if method.name() in OF_ALL_KEYS else ()
    columns = list(together) if column in together else [column]
    return {"columns": columns, **({HIERARCHIES: _trees(frame, columns)} if HIERARCHIES in method.model_fields else {})}


def _trees(frame: "Frame", columns: list[str]) -> dict[str, Any]:
    """Return the trees that columns have on this page, as a recipe writes them."""
    held = frame.workbench.chosen(changes.TREES) or {}
    trees = {name: with_text_codes(read_tree(held[name])) for name in columns if name in held}
    steps = {name: Generalisation(columns=(name,), hierarchy=tree, depth=1) for name, tree in trees.items()}
    return {name: step.model_dump(mode="json")["hierarchy"] for name, step in steps.items()}


def _made(frame: "Frame", form: RecordForm) -> MaskingMethod | None:
    try:
        step: MaskingMethod = form.make()
    except SfumatoError as error:
        frame.show_problem(str(error))
        return None
    return step


def _add(frame: "Frame", form: RecordForm) -> None:
    if (step := _made(frame, form)) is not None and frame.act(changes.add_step, step):
        frame.choose_method(frame.choice.column, frame.choice.family, None)


def _change(frame: "Frame", form: RecordForm) -> None:
    step, number = _made(frame, form), frame.edited
    if step is not None and number is not None and frame.act(changes.replace_step, number, step):
        frame.edit_step(None)


def _try(frame: "Frame", form: RecordForm, column: str | None) -> None:
    if (step := _made(frame, form)) is None:
        return
    state = frame.workbench.project.state
    columns = state.schema.select(step.columns)
    steps = list(state.recipe.steps) if state.recipe else []
    if frame.edited is None:
        steps.append(step)
    else:
        steps[frame.edited] = step
    shown = column if column in columns else columns[0]
    frame.previewed = {"recipe": Recipe(steps=steps).to_yaml(), "column": shown}
    frame.workbench.compute("preview", frame.previewed)
    frame.refresh()


def _show_preview(found: dict[str, Any]) -> None:
    ui.label(f"{found['column']}, on {found['records']:,} of {found['of']:,} records:")
    if found["is_dropped"]:
        ui.label("The column is dropped.")
        return
    shape_charts(found["shape"], found["column"], "The column before and after the steps")
