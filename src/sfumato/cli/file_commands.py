"""The commands about one file: `init`, `describe`, `mask`, `verify`. What lies behind one is loaded when it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.options import (
    AsJson,
    Cluster,
    FileOrFolder,
    FilesOrFolder,
    Memory,
    Overwrite,
    Plan,
    Report,
    SpillFolder,
    Threads,
    takes_read_options,
    takes_write_options,
)

if TYPE_CHECKING:
    from sfumato.files import ReadOptions, WriteOptions


@takes_read_options
def describe(
    file: FileOrFolder,
    options: "ReadOptions",
    columns_at_a_time: Annotated[
        int | None,
        typer.Option(
            "--columns-at-a-time",
            min=1,
            help="Propose groups of so many correlated columns to microaggregate together.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a file holds: kinds, roles, missing values, suspected missing codes, ranges, means, categories."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs import describe as job

    with progress() as on_progress:
        result = job.describe(file, columns_at_a_time=columns_at_a_time, options=options, on_progress=on_progress)
    show(result, as_json=as_json)


@takes_read_options
def init(
    file: FileOrFolder,
    options: "ReadOptions",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write the schema (YAML); beside the file otherwise.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing; write what is proposed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Ask what the columns of a file are and are for, and write a commented schema to correct and keep."""
    from sfumato.cli.console import ask_question, show
    from sfumato.jobs import init as job
    from sfumato.jobs._column_doubts import take_proposal

    show(job.init(file, output, options=options, ask=take_proposal if yes else ask_question), as_json=as_json)


@takes_write_options
@takes_read_options
def mask(
    files: FilesOrFolder,
    recipe: Annotated[Path, typer.Option("--recipe", "-r", help="Recipe file (YAML).")],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="The masked file; its suffix sets the format. Without a suffix, a folder of Parquet parts. What is "
            "larger than memory becomes such a folder or a Parquet file.",
        ),
    ],
    options: "ReadOptions",
    write_options: "WriteOptions",
    overwrite: Overwrite = False,
    threads: Threads = None,
    memory: Memory = None,
    spill: Annotated[
        Path | None,
        typer.Option(help="For folders: where the run keeps its own, confidential files; beside the output otherwise."),
    ] = None,
    cluster: Cluster = None,
    facts: Annotated[
        Path | None,
        typer.Option(help="Mask by the thresholds and other figures of an earlier run, which its --write-facts wrote."),
    ] = None,
    write_facts: Annotated[
        Path | None,
        typer.Option(help="Write the figures that the steps took of the whole file; as confidential as the data."),
    ] = None,
    plan: Plan = False,
    report: Report = None,
    as_json: AsJson = False,
) -> None:
    """Mask a file by a recipe, and write a manifest beside it."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs import mask as job
    from sfumato.jobs.folders.plan import plan_mask
    from sfumato.jobs.folders.resources import Resources

    resources, file = Resources(memory, spill, cluster), files[0] if len(files) == 1 else files
    if plan:
        planned = plan_mask(
            file, recipe, output, options=options, resources=resources, overwrite=overwrite, threads=threads
        )
        show(planned, as_json=as_json)
        return
    with progress() as on_progress:
        result = job.mask(
            file,
            recipe,
            output,
            options=options,
            write_options=write_options,
            overwrite=overwrite,
            threads=threads,
            resources=resources,
            report=report,
            facts=facts,
            write_facts=write_facts,
            on_progress=on_progress,
        )
    show(result, as_json=as_json)


def verify(
    manifest: Annotated[Path, typer.Argument(metavar="MANIFEST", help="The manifest beside a masked file.")],
    source: Annotated[Path | None, typer.Option(help="The original file, if it was moved.")] = None,
    threads: Threads = None,
    memory: Memory = None,
    spill: SpillFolder = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Run a recipe again and tell whether the masked file is what it gives."""
    from sfumato.cli.console import show
    from sfumato.jobs import verify as job
    from sfumato.jobs.folders.resources import Resources

    resources = Resources(memory, spill, cluster)
    show(job.verify(manifest, source=source, threads=threads, resources=resources), as_json=as_json)
