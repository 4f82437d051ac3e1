"""The commands about an original file and its masked form: `assess` and `improve`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.options import (
    AsJson,
    Cluster,
    MaskedFile,
    Memory,
    OriginalFile,
    Overwrite,
    Page,
    Plan,
    SameOrder,
    SpillFolder,
    Threads,
    takes_read_options,
    takes_write_options,
)

if TYPE_CHECKING:
    from sfumato.files import ReadOptions, WriteOptions


@takes_read_options
def assess(
    original: OriginalFile,
    masked: MaskedFile,
    options: "ReadOptions",
    recipe: Annotated[
        Path | None,
        typer.Option(
            "--recipe",
            "-r",
            help="The recipe that masked the file: the intruder knows it too. [default: the manifest's]",
        ),
    ] = None,
    manifest: Annotated[
        Path | None,
        typer.Option(help="The manifest, which tells which record is which. [default: the one beside the masked file]"),
    ] = None,
    measures: Annotated[
        Path | None, typer.Option("--measures", "-m", help="File (YAML) with the measures and scores to take.")
    ] = None,
    outliers: Annotated[bool, typer.Option(help="Also show figures for the 5 % most unusual records.")] = True,
    control: Annotated[
        Path | None,
        typer.Option(help="Records of the same population that the file was not made from, to hold attacks against."),
    ] = None,
    same_order: SameOrder = False,
    page: Page = None,
    threads: Threads = None,
    memory: Memory = None,
    spill: SpillFolder = None,
    cluster: Cluster = None,
    plan: Plan = False,
    as_json: AsJson = False,
) -> None:
    """Measure what was lost and what an intruder could still learn."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs import assess as job
    from sfumato.jobs.folders.plan_assess import plan_assess
    from sfumato.jobs.folders.resources import Resources

    resources = Resources(memory, spill, cluster)
    if plan:
        show(plan_assess(original, masked, options=options, resources=resources, threads=threads), as_json=as_json)
        return
    with progress() as on_progress:
        result = job.assess(
            original,
            masked,
            options=options,
            recipe=recipe,
            manifest=manifest,
            measures=measures,
            outliers=outliers,
            same_order=same_order,
            control=control,
            page=page,
            threads=threads,
            resources=resources,
            on_progress=on_progress,
        )
    show(result, as_json=as_json)


@takes_write_options
@takes_read_options
def improve(
    original: OriginalFile,
    masked: MaskedFile,
    output: Annotated[Path, typer.Option("--output", "-o", help="The improved file; its suffix sets the format.")],
    options: "ReadOptions",
    write_options: "WriteOptions",
    overwrite: Overwrite = False,
    method: Annotated[
        str, typer.Option("--method", "-m", help="An improver's name; auto chooses one by the number of records.")
    ] = "auto",
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column", "-c", metavar="NAME", help="A column to improve, once for each; all numeric ones otherwise."
        ),
    ] = None,
    target: Annotated[float | None, typer.Option(help="Stop when E falls below this.")] = None,
    target_percent: Annotated[
        float | None,
        typer.Option("--target-percent", "-p", help="The IL1 to come near to, in percent of the present one."),
    ] = None,
    record_percent: Annotated[
        float | None, typer.Option("--record-percent", "-q", help="How many percent of the records may change.")
    ] = None,
    max_steps: Annotated[int | None, typer.Option(help="How many steps to take at most.")] = None,
    keeps_groups: Annotated[
        bool, typer.Option("--keeps-groups", help="Let records that share a value keep sharing one.")
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Another parameter, as in scale=0.5, once for each."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the changes; drawn when not given.")] = None,
    trace: Annotated[
        Path | None, typer.Option(help="Plot the course of E and IL1 (.svg, .png, .pdf), or write it (.csv).")
    ] = None,
    same_order: SameOrder = False,
    as_json: AsJson = False,
) -> None:
    """Make a masked file more like its original in moments or by a score, and write a manifest beside the result."""
    from sfumato.cli.console import progress, show
    from sfumato.cli.settings import read_settings
    from sfumato.jobs import improve as job

    by_option: dict[str, Any] = {
        "target": target,
        "target_percent": target_percent,
        "record_percent": record_percent,
        "max_steps": max_steps,
        "keeps_groups": keeps_groups or None,
    }
    given = {name: value for name, value in by_option.items() if value is not None}
    with progress() as on_progress:
        result = job.improve(
            original,
            masked,
            output,
            options=options,
            write_options=write_options,
            overwrite=overwrite,
            method=method,
            columns=tuple(column or ()),
            parameters=given | read_settings(settings or (), given),
            seed=seed,
            trace=trace,
            same_order=same_order,
            on_progress=on_progress,
        )
    show(result, as_json=as_json)
