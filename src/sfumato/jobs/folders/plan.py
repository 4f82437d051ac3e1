"""What a run over a file larger than memory will do: passes, bytes and memory of each step, before anything runs."""

from contextlib import closing
from pathlib import Path

from sfumato.contracts import Layout, MaskingMethod
from sfumato.execution import blocks
from sfumato.execution.folders import is_whole
from sfumato.execution.folders.kinds import kind_bytes
from sfumato.execution.folders.ranks import BYTES_PER_RANK, check_runs
from sfumato.execution.folders.run_step import names_read
from sfumato.execution.folders.sizes import Sizes
from sfumato.execution.folders.whole import check_whole
from sfumato.files import ReadOptions
from sfumato.files.folders import Files, Folder, open_folder
from sfumato.jobs.folders.output_place import check_output_place
from sfumato.jobs.folders.resources import COPIES, Resources
from sfumato.jobs.folders.run_plan import RunPlan, StepPlan, row_bytes
from sfumato.recipe import Recipe
from sfumato.recipe.folders.run import prepare_folder

NUMBER_BYTES = 8


def plan_mask(
    file: Files,
    recipe: Recipe | str | Path,
    output: str | Path | None = None,
    *,
    options: ReadOptions = ReadOptions(),
    resources: Resources = Resources(),
    overwrite: bool = False,
    threads: int | None = None,
) -> RunPlan:
    """Return what `mask_folder` would do, after refusing what cannot run; the parameters are those of `mask_folder`."""
    as_given = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    with closing(open_folder(file, options, resources.spill)) as folder:
        as_given.refuse_release(folder.schema)
        workers = resources.workers(threads, folder)
        place = Path.cwd() if output is None else Path(output).expanduser().parent
        if output is not None:
            check_output_place(Path(output).expanduser(), file, folder.sources, overwrite=overwrite)
        if resources.cluster is not None:
            with resources.pool(workers, (place if resources.spill is None else resources.spill,), folder.files):
                pass  # its workers were looked at
        return plan_run(as_given, prepare_folder(as_given, folder), resources, workers)


def plan_run(recipe: Recipe, folder: Folder, resources: Resources, workers: int) -> RunPlan:
    """Return what a run of a recipe over a folder that was prepared for it will do."""
    sizes = resources.sizes(folder, workers)
    steps = [_plan_step(number, step, folder, sizes) for number, step in enumerate(recipe.steps)]
    every = row_bytes(folder, folder.schema.names)
    size, held = folder.n * every / 1e9, COPIES * sizes.rows_per_range * every / 1e9
    release = StepPlan("release", 2, 3 * size, 2 * size, held)  # original and masked, then the routed rows
    return RunPlan(
        records=folder.n,
        workers=workers,
        memory_gigabytes=round(resources.bytes / 1e9, 3),
        steps=(*steps, release),
        tasks=-(-folder.n // sizes.rows_per_range),
        is_of_cluster=resources.cluster is not None,
    )


def _plan_step(number: int, method: MaskingMethod, folder: Folder, sizes: Sizes) -> StepPlan:
    method = method.bound_to(folder.read(0, blocks.ROWS_PER_BLOCK))
    names, read = folder.schema.select(method.columns), names_read(method, folder.schema)
    changed, needed = (folder.n * row_bytes(folder, each) / 1e9 for each in (names, read))
    held = COPIES * sizes.rows_per_range * row_bytes(folder, read) / 1e9
    label = f"{number + 1} {method.name()}"
    if not method.keeps_shape:
        return StepPlan(label, 0, 0.0, 0.0, 0.0)
    if is_whole(method):
        whole = check_whole(method, folder, read, sizes.task_bytes)
        return StepPlan(label, 1, needed, changed, whole / 1e9)
    if method.masks_by_kind:
        kinds = min(kind_bytes(folder, read), sizes.task_bytes) / 1e9
        return StepPlan(label, 2, 2 * needed, changed, max(held, kinds))
    if method.strata:
        return StepPlan(label, 3, 2 * needed + changed, needed + 2 * changed, held)
    if method.layout is Layout.NEIGHBOURS:
        return StepPlan(label, 4, 3 * needed + changed, needed + 2 * changed, held)
    if method.layout is not Layout.RANKS:
        return StepPlan(label, 1, needed, changed, held)
    longest = max((check_runs(method, folder, name, sizes.task_bytes) for name in names), default=0)
    beside = len(names) * folder.n * NUMBER_BYTES / 1e9  # values and rows travel with the column
    return StepPlan(
        label, 3, 3 * changed + 3 * beside, 3 * changed + 3 * beside, max(held, longest * BYTES_PER_RANK / 1e9)
    )
