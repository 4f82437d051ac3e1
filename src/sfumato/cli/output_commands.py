"""The commands of the output checker, one function each; what lies behind a command is loaded when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import AsJson

outputs_app = typer.Typer(
    name="outputs",
    help="Check the outputs of a research project: each together with all that were shown before.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

ProjectFolder = Annotated[Path, typer.Argument(metavar="PROJECT", help="Folder of the project.")]
OutputName = Annotated[str, typer.Argument(metavar="OUTPUT", help="Name of the output, as show lists it.")]
By = Annotated[str, typer.Option("--by", help="Who decides.")]


@outputs_app.command()
def check(folder: ProjectFolder, as_json: AsJson = False) -> None:
    """Audit all outputs together and write the checker's page; exit code 3 when something is given away."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs.outputs import outputs_check as job

    with progress() as on_progress:
        result = job.outputs_check(folder, on_progress=on_progress)
    show(result, as_json=as_json)


@outputs_app.command("show")
def show_outputs(
    folder: ProjectFolder,
    name: Annotated[str | None, typer.Argument(metavar="[OUTPUT]", help="Output whose figures to show.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the outputs of a project with their status and reasons, or show one of them."""
    from sfumato.cli.console import show
    from sfumato.jobs.outputs import outputs_show as job

    show(job.outputs_show(folder, name), as_json=as_json)


@outputs_app.command()
def accept(
    folder: ProjectFolder,
    name: OutputName,
    by: By,
    reason: Annotated[str, typer.Option(help="Why; needed for nothing, and often helpful.")] = "",
    as_json: AsJson = False,
) -> None:
    """Accept an output for release."""
    from sfumato.cli.console import show
    from sfumato.jobs.outputs import outputs_decide as job

    show(job.outputs_decide(folder, name, "accepted", by=by, reason=reason), as_json=as_json)


@outputs_app.command()
def reject(
    folder: ProjectFolder,
    name: OutputName,
    by: By,
    reason: Annotated[str, typer.Option(help="Why, so that the researcher knows what to change.")],
    as_json: AsJson = False,
) -> None:
    """Reject an output, so that later ones are no longer judged beside it."""
    from sfumato.cli.console import show
    from sfumato.jobs.outputs import outputs_decide as job

    show(job.outputs_decide(folder, name, "rejected", by=by, reason=reason), as_json=as_json)
