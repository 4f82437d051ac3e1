"""The actions of the workbench: each takes a state and returns the next one, with its name."""

from collections.abc import Sequence
from typing import Any

from sfumato.app.hierarchy_edits import plain_tree
from sfumato.app.project import State
from sfumato.app.studies.kept_entries import kept_entry
from sfumato.app.studies.proposal_entries import is_proposal, proposals_of
from sfumato.contracts import FileRisk, MaskingMethod
from sfumato.data import Category, Hierarchy, Kind, Role, Schema, Variable
from sfumato.data import role as key_role
from sfumato.data.kinds import SINGLE_ROLES
from sfumato.display import format_count
from sfumato.errors import ParameterError
from sfumato.recipe import Recipe
from sfumato.study.candidate_entries import read_candidate

GRID, TREES, KEY_ORDER, MEASURES = "grid", "trees", "key_order", "measures"


def give_role(state: State, column: str, role: str) -> State:
    """Give a column a role; a role that only one column can have is taken from the one that had it."""
    schema, names = state.schema, [column]
    if role not in SINGLE_ROLES:
        names = [*(each.name for each in schema.variables if each.role == role and each.name != column), column]
    return _with_schema(state, f"{column} is {_role_words(role)}", schema.with_roles(**{role: names}))


def give_kind(state: State, column: str, kind: str) -> State:
    """Say what the values of a column mean."""
    return _with_schema(state, f"{column} is {kind}", state.schema.with_kinds(**{kind: [column]}))


def give_person(state: State, column: str) -> State:
    """Say which column tells whose each record is, as an identifier; none where it is empty."""
    if column:
        return _with_schema(state, f"{column} says whose each record is", state.schema.with_persons(column))
    told = [each.replace(numbers_persons=False) for each in state.schema.variables if each.numbers_persons]
    return _with_schema(state, "no column says whose each record is", state.schema.with_variables(*told))


def give_order(state: State, column: str, codes: Sequence[Category], text: str) -> State:
    """Put the categories of a column into an order: one a line, the lowest first; it is ordinal then.

    Parameters
    ----------
    state, column
        What is changed.
    codes
        The categories that the file has.
    text
        The lines.
    """
    by_text = {str(code): code for code in codes}
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    strange = [line for line in lines if line not in by_text]
    lacking = [name for name in by_text if name not in lines]
    if strange or lacking or len(set(lines)) < len(lines):
        raise ParameterError(
            [
                f"the order of {column} must list each of its {format_count(len(by_text), 'category')} once; "
                f"{len(lacking)} are not listed, {len(strange)} lines are no category, and "
                f"{len(lines) - len(set(lines))} lines are there already"
            ]
        )
    ordered = tuple(by_text[line] for line in lines)
    changed = state.schema[column].with_kind(Kind.ORDINAL).replace(categories=ordered)
    return _with_variable(state, f"put the categories of {column} into an order", changed)


def give_missing_codes(state: State, column: str, text: str) -> State:
    """Say which codes of a column stand for "no answer": a list with commas between them, empty for none."""
    codes = tuple(_code(part.strip()) for part in text.split(",") if part.strip())
    variable = state.schema[column]
    valid = tuple(code for code in variable.valid_codes if code not in codes)
    changed = variable.replace(missing_codes=codes, valid_codes=valid)
    what = f'{text.strip()} of {column} {"mean" if len(codes) > 1 else "means"} "no answer"'
    return _with_variable(state, what if codes else f'no code of {column} means "no answer"', changed)


def accept_codes(state: State, column: str, codes: Sequence[Any]) -> State:
    """Say that codes which look like "no answer" are values."""
    variable = state.schema[column]
    missing = tuple(code for code in variable.missing_codes if code not in codes)
    accepted = tuple(dict.fromkeys([*variable.valid_codes, *codes]))
    listed = ", ".join(map(str, codes))
    return _with_variable(
        state, f"{listed} of {column}: values", variable.replace(missing_codes=missing, valid_codes=accepted)
    )


def add_step(state: State, step: MaskingMethod) -> State:
    """Put a step behind the others."""
    return _with_steps(state, f"added {step.name()}", (*_steps(state), step))


def replace_step(state: State, number: int, step: MaskingMethod) -> State:
    """Put a step in the place of another, counted from 0."""
    steps = list(_steps(state))
    steps[number] = step
    return _with_steps(state, f"changed step {number + 1}, {step.name()}", tuple(steps))


def remove_step(state: State, number: int) -> State:
    """Take a step out, counted from 0."""
    steps = list(_steps(state))
    gone = steps.pop(number)
    return _with_steps(state, f"removed step {number + 1}, {gone.name()}", tuple(steps))


def raise_step(state: State, number: int) -> State:
    """Let a step change places with the one before it."""
    if number < 1:
        return state
    steps = list(_steps(state))
    steps[number - 1], steps[number] = steps[number], steps[number - 1]
    return _with_steps(state, f"moved {steps[number - 1].name()} up", tuple(steps))


def choose(state: State, action: str, topic: str, chosen: Any) -> State:
    """Choose what a screen asks for, such as the limits of a search; None takes the choice back."""
    others = {name: value for name, value in state.settings.items() if name != topic}
    return state._replace(action=action, settings=others if chosen is None else {**others, topic: chosen})


def add_candidates(state: State, entries: Sequence[Any]) -> State:
    """Put entries into the grid that is to be compared; a list of values makes one candidate for each."""
    added, before = sum(count_candidates(entry) for entry in entries), state.settings.get(GRID, ())
    grid = [*before, *(entry for entry in map(kept_entry, entries) if entry not in before)]
    return choose(state, f"added {format_count(added, 'candidate')} to the grid", GRID, grid)


def count_candidates(entry: Any) -> int:
    """Return how many candidates an entry of the grid stands for; refuse one that is none."""
    return len(proposals_of(entry) if is_proposal(entry) else read_candidate(entry))


def remove_candidates(state: State, number: int) -> State:
    """Take an entry out of the grid, counted from 0."""
    grid = list(state.settings.get(GRID, ()))
    del grid[number]
    return choose(state, f"removed entry {number + 1} of the grid", GRID, grid or None)


def take_measure(state: State, measure: FileRisk) -> State:
    """Ask for a measure of the original file; one of the same name is replaced."""
    name = measure.name()
    kept = [entry for entry in state.settings.get(MEASURES, ()) if name not in entry]
    return choose(state, f"measured {name}", MEASURES, [*kept, {name: measure.to_plain()}])


def leave_out_measure(state: State, number: int) -> State:
    """Leave a measure of the original file out, counted from 0."""
    entries = list(state.settings.get(MEASURES, ()))
    (name,) = entries.pop(number)
    return choose(state, f"left out {name}", MEASURES, entries or None)


def change_tree(state: State, column: str, action: str, tree: Hierarchy | None) -> State:
    """Give a column a tree of its categories, or take it away."""
    trees = {name: plain for name, plain in state.settings.get(TREES, {}).items() if name != column}
    if tree is not None:
        trees[column] = plain_tree(tree)
    return choose(state, action, TREES, trees or None)


def raise_key(state: State, column: str) -> State:
    """Let a key count for more than the one before it, when a recipe is proposed."""
    order = key_order(state)
    place = order.index(column)
    if place < 1:
        return state
    order[place - 1], order[place] = order[place], order[place - 1]
    return choose(state, f"{column} matters more than {order[place]}", KEY_ORDER, order)


def key_order(state: State) -> list[str]:
    """Return the keys, the one that matters most first: as they were put, or as the file has them."""
    keys = state.schema.select(key_role("key"))
    chosen = [name for name in state.settings.get(KEY_ORDER, ()) if name in keys]
    return [*chosen, *(name for name in keys if name not in chosen)]


def take_recipe(state: State, action: str, recipe: Recipe) -> State:
    """Take a whole recipe, as one that was proposed; its seed and schema stay behind, as the project has its own."""
    return state._replace(action=action, recipe_yaml=recipe.replace(seed=None, schema=None).to_yaml())


def edit_recipe(state: State, text: str) -> State:
    """Take the recipe as it was written by hand; a seed is refused, as the project keeps one that nobody sees."""
    if not text.strip():
        return state._replace(action="emptied the recipe", recipe_yaml="")
    recipe = Recipe.from_yaml(text)
    if recipe.seed is not None:
        raise ParameterError(["recipe: leave the seed out; the project has one, which is kept where nobody sees it"])
    if recipe.schema is not None:
        raise ParameterError(["recipe: leave the schema out; kinds and roles are set in the screen Data"])
    return take_recipe(state, "edited the recipe", recipe)


def _steps(state: State) -> tuple[MaskingMethod, ...]:
    return state.recipe.steps if state.recipe else ()


def _with_steps(state: State, action: str, steps: tuple[MaskingMethod, ...]) -> State:
    if not steps:
        return state._replace(action=action, recipe_yaml="")
    recipe = state.recipe.replace(steps=steps) if state.recipe else Recipe(steps=steps)
    return take_recipe(state, action, recipe)


def _with_variable(state: State, action: str, variable: Variable) -> State:
    return _with_schema(state, action, state.schema.with_variables(variable))


def _with_schema(state: State, action: str, schema: Schema) -> State:
    return state._replace(action=action, schema_yaml=schema.to_yaml())


def _role_words(role: str) -> str:
    article = "an" if role == Role.IDENTIFIER else "a"
    return {Role.OTHER: "no key and not confidential", Role.CONFIDENTIAL: "confidential"}.get(
        Role(role), f"{article} {role}"
    )


def _code(text: str) -> int | float | str:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text
