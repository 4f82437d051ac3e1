"""The commands for publications, one function each; what lies behind a command is loaded when it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.options import AsJson, takes_read_options, takes_table_options

if TYPE_CHECKING:
    from sfumato.files import ReadOptions, WriteOptions

publication_app = typer.Typer(
    name="publication",
    help="Protect publications: many tables together, so that no two of them give away what each protects.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

PublicationFile = Annotated[
    Path,
    typer.Argument(
        metavar="PUBLICATION",
        help="Publication file (YAML): data, tables, hierarchies, rules; or a batch of tau-Argus (.arb).",
    ),
]


@publication_app.command()
@takes_table_options
@takes_read_options
def protect(
    publication_file: PublicationFile,
    options: "ReadOptions",
    write_options: "WriteOptions",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for the protected tables: CSV, HTML and Excel."),
    ] = None,
    last_period: Annotated[
        Path | None,
        typer.Option(
            "--last-period",
            help="Folder of the release of the period before: its patterns are kept as far as they are safe and cost "
            "at most 3 % more.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Protect all tables of a publication, those that are linked as one problem, and audit the result.

    A publication that is not safe is withheld, with exit code 3.
    """
    from sfumato.cli.console import progress, show
    from sfumato.jobs.publications import publication_protect as job

    with progress() as on_progress:
        result = job.publication_protect(
            publication_file,
            output,
            options=options,
            write_options=write_options,
            last_period=last_period,
            on_progress=on_progress,
        )
    show(result, as_json=as_json)


@publication_app.command()
@takes_read_options
def export(
    publication_file: PublicationFile,
    options: "ReadOptions",
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the files of tau-Argus.")],
    as_json: AsJson = False,
) -> None:
    """Write all tables with their unsafe cells as files of tau-Argus, and a batch for them; they are confidential."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs.publications import publication_export as job

    with progress() as on_progress:
        result = job.publication_export(publication_file, output, options=options, on_progress=on_progress)
    show(result, as_json=as_json)
