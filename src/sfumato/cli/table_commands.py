"""The commands for tables, one function each; what lies behind a command is loaded when it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.options import AsJson, Report, takes_read_options, takes_table_options

if TYPE_CHECKING:
    from sfumato.files import ReadOptions, WriteOptions

table_app = typer.Typer(
    name="table",
    help="Protect tables: suppress, round or adjust cells so that nobody can be identified, and prove it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

SpecificationFile = Annotated[
    Path, typer.Argument(metavar="SPEC", help="Specification file (YAML): data, dimensions, value, rules.")
]
Previous = Annotated[
    list[Path] | None,
    typer.Option(
        "--previous",
        help="File of the cells that an earlier release of the table suppressed; once for each table. Who has both "
        "releases knows what either of them publishes.",
    ),
]


@table_app.command()
@takes_table_options
@takes_read_options
def protect(
    specification_file: SpecificationFile,
    options: "ReadOptions",
    write_options: "WriteOptions",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for the protected tables: CSV files and HTML pages.")
    ] = None,
    protection: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Which protection to use, by its name in sfumato methods; the first of the specification by default.",
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Seconds after which to stop searching for a better solution; what is published then depends on the "
            "machine.",
        ),
    ] = None,
    previous: Previous = None,
    last_period: Annotated[
        list[Path] | None,
        typer.Option(
            "--last-period",
            help="File of the same table of the period before, once for each table: its pattern is kept as far as it "
            "is safe and costs at most 3 % more.",
        ),
    ] = None,
    write_unsafe: Annotated[
        bool, typer.Option("--write-unsafe", help="Write tables that are not safe all the same; the exit code stays 3.")
    ] = False,
    report: Report = None,
    public_report: Annotated[
        Path | None,
        typer.Option("--public-report", help="Write its public edition, too: without what helps an intruder."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Suppress or change cells so that no intruder can estimate an unsafe one too closely, and audit the result.

    Tables that are not safe are withheld, with exit code 3.
    """
    from sfumato.cli.console import progress, results, show
    from sfumato.jobs.tables import table_protect as job

    with progress() as on_progress:
        result = job.table_protect(
            specification_file,
            output,
            options=options,
            write_options=write_options,
            protection=protection,
            time_limit=time_limit,
            previous=previous or (),
            last_period=last_period or (),
            write_unsafe=write_unsafe,
            report=report,
            public_report=public_report,
            on_progress=on_progress,
        )
    show(result, result.to_text(results().width), as_json=as_json)


@table_app.command()
@takes_read_options
def audit(
    specification_file: SpecificationFile,
    options: "ReadOptions",
    pattern: Annotated[
        list[Path],
        typer.Option(
            "--pattern",
            "-p",
            help="File of the cells that are suppressed, as protect writes it or of another tool; once for each table.",
        ),
    ],
    previous: Previous = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for a page that says why each cell is suppressed.")
    ] = None,
    intervals: Annotated[
        str, typer.Option(help="Cells whose intervals are found: unprotected, primaries or every.")
    ] = "unprotected",
    as_json: AsJson = False,
) -> None:
    """Find what intruders can conclude about cells that a pattern suppresses; exit code 3 when it is not safe."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs.tables import table_audit as job

    with progress() as on_progress:
        result = job.table_audit(
            specification_file,
            pattern,
            previous=previous or (),
            options=options,
            output=output,
            intervals=intervals,
            on_progress=on_progress,
        )
    show(result, as_json=as_json)


@table_app.command()
@takes_read_options
def compare(
    specification_file: SpecificationFile,
    options: "ReadOptions",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File for a page of the measures.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the protections that a specification names: what each costs, and how safe it is."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs.tables import table_compare as job

    with progress() as on_progress:
        result = job.table_compare(specification_file, options=options, output=output, on_progress=on_progress)
    show(result, as_json=as_json)


@table_app.command()
@takes_read_options
def export(
    specification_file: SpecificationFile,
    options: "ReadOptions",
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the files of tau-Argus.")],
    as_json: AsJson = False,
) -> None:
    """Write the tables, with their unsafe cells and levels, as files of tau-Argus; they are confidential."""
    from sfumato.cli.console import progress, show
    from sfumato.jobs.tables import table_export as job

    with progress() as on_progress:
        result = job.table_export(specification_file, output, options=options, on_progress=on_progress)
    show(result, as_json=as_json)
