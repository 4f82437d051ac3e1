"""The commands that need no file: `demo`, `methods` and `papers`."""

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import AsJson


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for what the demo writes.")] = Path("out/demo"),
    records: Annotated[int, typer.Option(min=500, help="Number of persons in the made survey.")] = 2_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the made survey and of the study.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Make a survey, compare methods on it, mask it with the best, and draw the risk-utility map."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs import demo as job

    with progress() as on_progress:
        result = job.demo(output, records=records, seed=seed, on_progress=on_progress)
    show(result, as_json=as_json)


def methods(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A method, measure, improver, protection or rule to show."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List every method, measure, improver, table protection and sensitivity rule, or show one in full."""
    from sfumato.cli.console import show
    from sfumato.jobs import methods as job

    result = job.methods(name)
    show(result, as_json=as_json)


def papers(
    data: Annotated[
        Path | None, typer.Option(help="Folder of the reference files census.csv and eia.csv.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything that is drawn.")] = 0,
    only: Annotated[str, typer.Option(help="Only the papers, or parts of papers, with this word in their name.")] = "",
    as_json: AsJson = False,
) -> None:
    """Compute the figures of the classic papers, and compare them with the printed ones."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs import papers as job

    with progress() as on_progress:
        result = job.papers(data, seed=seed, only=only, on_progress=on_progress)
    show(result, as_json=as_json)
