"""Run one step of a recipe over a folder, in the way that its layout asks for."""

from collections.abc import Callable

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Schema
from sfumato.execution import blocks
from sfumato.execution.folders.kinds import run_by_kinds
from sfumato.execution.folders.neighbours import run_by_neighbours
from sfumato.execution.folders.ranks import run_by_ranks
from sfumato.execution.folders.rows import run_by_rows
from sfumato.execution.folders.step import Step, columns_to_read
from sfumato.execution.folders.strata import run_by_strata
from sfumato.execution.folders.tasks import Spill
from sfumato.execution.folders.whole import columns_of_whole, run_as_whole
from sfumato.files.folders import Folder

_RUNNERS: dict[Layout, Callable[[Step, Folder, Spill], Folder]] = {
    Layout.ROWS: run_by_rows,
    Layout.RANKS: run_by_ranks,
    Layout.NEIGHBOURS: run_by_neighbours,
}


def refusal(method: MaskingMethod) -> str:
    """Return why a step cannot run over a file larger than memory, and what to do instead; nothing where it can.

    Examples
    --------
    >>> from sfumato.masking import RankSwapping, Sampling
    >>> refusal(RankSwapping(columns=("income",)))
    ''
    >>> refusal(Sampling(percent=10)).partition(": ")[0]
    'sampling changes which records there are, which is not done for files larger than memory'
    """
    name = method.name()
    if method.reads_original:
        return (
            f"{name} compares the file with what it was before, which is not done for files larger than memory: leave "
            f"it out, and suppress with local_suppression"
        )
    if method.makes_new_records or not (method.keeps_shape or method.drops_only_columns):
        return (
            f"{name} changes which records there are, which is not done for files larger than memory: mask a part that "
            f"fits, or draw the records before"
        )
    return ""


def is_whole(method: MaskingMethod) -> bool:
    """Tell whether a step takes all records at once: it does neither ranges, strata nor different records alone."""
    if method.masks_by_kind:
        return False
    if method.strata:
        return method.layout in (Layout.NEIGHBOURS, Layout.GROUPS)  # how many blocks a stratum has is not known before
    return method.layout not in _RUNNERS


def names_read(method: MaskingMethod, schema: Schema) -> tuple[str, ...]:
    """Return the columns that the tasks of a step read, given the method with its columns named."""
    if is_whole(method):
        return columns_of_whole(method, schema)
    if method.masks_by_kind:
        return columns_to_read(method, schema)
    return schema.names if method.layout is Layout.WHOLE else columns_to_read(method, schema)


def run_folder_step(
    method: MaskingMethod, folder: Folder, *, seed: int, step: int, spill: Spill, rows_per_range: int, task_bytes: int
) -> Folder:
    """Return `folder` masked by `method` as step number `step` of a recipe: the values that memory would give.

    Parameters
    ----------
    method, folder
        What to do, and to what; a method with a `refusal` is refused before.
    seed, step
        As in `run_step`.
    spill
        Where masked columns are written, and who does the work; the folder that comes back reads from there.
    rows_per_range
        How many rows a task takes at once; the result does not depend on it.
    task_bytes
        How much memory a task may take; what needs more is refused.
    """
    first = folder.read(0, blocks.ROWS_PER_BLOCK)  # a block, which knows the summary of the whole
    bound = method.bound_to(first)
    names = names_read(bound, folder.schema)
    planned = Step(
        bound, step, seed, first.select(bound.columns), names, blocks.ROWS_PER_BLOCK, rows_per_range, task_bytes
    )
    if is_whole(bound):
        return run_as_whole(planned, folder, spill)
    if bound.masks_by_kind:
        return run_by_kinds(planned, folder, spill)
    if bound.strata:
        return run_by_strata(planned, folder, spill)
    return _RUNNERS[bound.layout](planned, folder, spill)
