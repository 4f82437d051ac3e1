"""Run the steps of a recipe over a folder."""

from collections.abc import Callable

from sfumato.data import Microdata
from sfumato.data.schema import unknown_column
from sfumato.errors import DataError, DocumentError
from sfumato.execution import blocks
from sfumato.execution.folders import Spill, refusal, run_folder_step
from sfumato.execution.folders.freed_memory import give_back_freed_memory
from sfumato.execution.folders.sizes import Sizes
from sfumato.execution.folders.step import columns_to_read
from sfumato.files.folders import Folder
from sfumato.recipe.checking import prepare_data, step_name
from sfumato.recipe.folders.facts import Facts, has_facts
from sfumato.recipe.recipe import Recipe


def prepare_folder(recipe: Recipe, folder: Folder) -> Folder:
    """Return the folder with what the recipe says of its columns, after checking all steps against it."""
    given = recipe.schema.variables if recipe.schema is not None else ()
    known = [variable for variable in given if variable.name in folder.schema]
    problems = [f"schema: {unknown_column(each.name, folder.schema.names)}" for each in given if each not in known]
    problems += [
        f"{step_name(number, step)}: {why}" for number, step in enumerate(recipe.steps) if (why := refusal(step))
    ]
    if recipe.improve is not None:
        problems.append("improve: nothing improves a file larger than memory; mask one that fits, or leave it out")
    if problems:
        raise DocumentError(problems)
    described = folder.with_schema(folder.schema.with_variables(*known))
    prepare_data(described.read(0, blocks.ROWS_PER_BLOCK), None, recipe.steps)  # a block knows the whole's summary
    give_back_freed_memory()
    return described


def run_recipe(
    recipe: Recipe,
    folder: Folder,
    *,
    spill: Callable[[int], Spill],
    sizes: Sizes,
    on_remark: Callable[[str], None] = lambda remark: None,
    facts: Facts | None = None,
    new_facts: Facts | None = None,
) -> Folder:
    """Return the masked folder, row by row as the original; the values are those that `Recipe.run` gives in memory.

    Parameters
    ----------
    recipe, folder
        A recipe with a seed, and a folder that was prepared for it.
    spill
        Gives for each step, counted from 0, the private folder with who does its tasks.
    sizes
        How much a task takes at once.
    on_remark
        Called with each remark of a step on its result.
    facts
        What the steps are to know of the whole file, where they do not depend on its records otherwise; found in the
        file itself when None.
    new_facts
        Is given what they knew (output).
    """
    if recipe.seed is None:
        raise DataError("a recipe for files larger than memory needs a seed, so that an interrupted run can go on")
    masked = folder
    for number, step in enumerate(recipe.steps):
        try:
            for remark in step.remarks(_first(masked)):
                on_remark(f"{step_name(number, step)}: {remark}")
            frozen = None if facts is None else facts.summary(number, masked)
            known = masked if frozen is None else masked.with_summary(frozen)
            masked = run_folder_step(
                step,
                known,
                seed=recipe.seed,
                step=number,
                spill=spill(number),
                rows_per_range=sizes.rows_per_range,
                task_bytes=sizes.task_bytes,
            )
            if new_facts is not None and has_facts(step):
                new_facts.add(number, known, columns_to_read(step.bound_to(_first(known)), known.schema))
        except DataError as error:
            raise type(error)(f"{step_name(number, step)}: {error}") from error
    return masked


def _first(folder: Folder) -> Microdata:
    return folder.read(0, blocks.ROWS_PER_BLOCK)
