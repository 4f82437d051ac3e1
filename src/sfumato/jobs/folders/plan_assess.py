"""What an assessment of folders larger than memory will do, before anything runs."""

from pathlib import Path

from sfumato.files import ReadOptions
from sfumato.files.folders import open_folder
from sfumato.jobs.folders.pair_folders import open_masked
from sfumato.jobs.folders.resources import COPIES, Resources
from sfumato.jobs.folders.run_plan import RunPlan, StepPlan, row_bytes


def plan_assess(
    original: str | Path,
    masked: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    resources: Resources = Resources(),
    threads: int | None = None,
) -> RunPlan:
    """Return what `assess` would do on folders, after refusing what cannot be opened."""
    before = open_folder(original, options, resources.spill)
    after = open_masked(Path(masked), before)
    workers = resources.workers(threads, before)
    rows = min(resources.sizes(folder, workers).rows_per_range for folder in (before, after)) // 2
    sizes = [row_bytes(folder, folder.schema.names) for folder in (before, after)]
    both, released = before.n * sum(sizes) / 1e9, after.n * sizes[1] / 1e9
    held = COPIES * rows * sum(sizes) / 1e9
    steps = (
        StepPlan("bring into one order", 2, 2 * released, 2 * released, COPIES * rows * sizes[1] / 1e9),
        StepPlan("draw a sample", 1, both, 0.0, held),
        StepPlan("add up figures", 1, both, 0.0, held),
        StepPlan("link the sample", 1, before.n * sizes[0] / 1e9, 0.0, COPIES * rows * sizes[0] / 1e9),
    )
    return RunPlan(
        records=before.n,
        workers=workers,
        memory_gigabytes=round(resources.bytes / 1e9, 3),
        steps=steps,
        is_of_cluster=resources.cluster is not None,
    )
