"""The commands that try many candidates on one file: `compare` and `search`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.options import AsJson, InputFile, Workers, takes_read_options

if TYPE_CHECKING:
    from sfumato.files import ReadOptions


@takes_read_options
def compare(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="Study file (YAML): data, candidates, replications.")],
    options: "ReadOptions",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for the table, the map and the front's recipes.")
    ] = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Compare methods and parameters on one file: a table, the front, the risk-utility map."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs import compare as job

    with progress() as on_progress:
        result = job.compare(study, output, options=options, workers=workers, on_progress=on_progress)
    show(result, as_json=as_json)


@takes_read_options
def search(
    file: InputFile,
    options: "ReadOptions",
    limit: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            "-l",
            help="The largest figure that is allowed, as 'DLD<=5' or 'worst_case_linkage<=10'; may be repeated.",
        ),
    ] = None,
    minimise: Annotated[
        list[str] | None,
        typer.Option(
            help="The figure to bring down, or two for a front. Without it IL, where there are categorical columns the "
            "table loss CTL, or the mean of both."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for tables, pictures and recipes; continues a search in it."),
    ] = None,
    space: Annotated[
        Path | None,
        typer.Option(help="Space file (YAML): candidates with grids and intervals; a default otherwise."),
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="How many candidates to try.")] = 100,
    replications: Annotated[int, typer.Option(min=1, help="How often each candidate is run.")] = 1,
    seed: Annotated[int | None, typer.Option(min=0, help="Random seed; drawn when not given.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds after which to stop, more than 0.")] = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Search for the recipe with the lowest loss among those that keep to limits on risk."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs import search as job

    with progress() as on_progress:
        result = job.search(
            file,
            output,
            options=options,
            space=space,
            limits=limit or (),
            minimise=minimise or (),
            trials=trials,
            seed=seed,
            replications=replications,
            time_limit=time_limit,
            workers=workers,
            on_progress=on_progress,
        )
    show(result, as_json=as_json)
