"""Run one step of a recipe over a folder, in the way that its layout asks for."""

from collections.abc import Callable

from sfumato.contracts import Layout, MaskingMethod
from sfumato.execution import blocks
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
}


def refusal(method: MaskingMethod) -> str:
    """Return why a step cannot run over a file larger than memory, and what to do instead; nothing where it can.

    Examples
    --------
    >>> from sfumato.masking import RankSwapping, Sampling
    >>> refusal(RankSwapping(columns=("income",)))
    ''
    >>> print(refusal(Sampling(percent=10)))
    sampling changes which records there are, which is not done for files larger than memory
    """
    name = method.name()
    if method.reads_original:
        return f"{name} compares the file with what it was before, which is not done for files larger than memory"
    if method.makes_new_records or not (method.keeps_shape or method.drops_only_columns):
        return f"{name} changes which records there are, which is not done for files larger than memory"
    return ""


def is_whole(method: MaskingMethod) -> bool:
    """Tell whether a step takes all records at once: it does neither ranges nor strata by themselves."""
    by_strata = bool(method.strata) and method.layout not in (Layout.NEIGHBOURS, Layout.GROUPS)
    return not by_strata and method.layout not in _RUNNERS


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
    if is_whole(bound):
        names = columns_of_whole(bound, folder.schema)
    else:
        names = columns_to_read(bound, folder.schema) if method.layout is not Layout.WHOLE else folder.schema.names
    planned = Step(
        bound, step, seed, first.select(bound.columns), names, blocks.ROWS_PER_BLOCK, rows_per_range, task_bytes
    )
    if is_whole(bound):
        return run_as_whole(planned, folder, spill)
    if bound.strata:
        return run_by_strata(planned, folder, spill)
    return _RUNNERS[bound.layout](planned, folder, spill)
