"""The commands for tables, one function each; what lies behind a command is loaded when it runs."""

from pathlib import Path
from typing import Annotated

import typer

table_app = typer.Typer(
    name="table",
    help="Protect tables: hide, round or move cells so that nobody can be worked out, and prove it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Specification = Annotated[
    Path, typer.Argument(metavar="SPEC", help="Specification file (YAML): data, dimensions, value, rules.")
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Folder for the protected tables: CSV files and HTML pages.")
]
TimeLimit = Annotated[float | None, typer.Option(min=0, help="Seconds after which to stop looking for better.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@table_app.command()
def protect(
    spec: Specification,
    output: Output = None,
    protection: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Which protection to use, by its name in sfumato methods; the first of the specification by default.",
        ),
    ] = None,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
) -> None:
    """Hide or change cells so that no attacker comes too near to unsafe ones, and audit the result."""
    from sfumato.cli.table_protect import run_protect

    run_protect(spec, output, protection=protection, time_limit=time_limit, as_json=as_json)


@table_app.command()
def audit(
    spec: Specification,
    pattern: Annotated[
        list[Path],
        typer.Option(
            "--pattern",
            "-p",
            help="File of the cells that are hidden, as protect writes it or of another tool; once for each table.",
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for a page that says why each cell is hidden.")
    ] = None,
    intervals: Annotated[
        str, typer.Option(help="Cells whose intervals are found: unprotected, primaries or every.")
    ] = "unprotected",
    as_json: AsJson = False,
) -> None:
    """Find what attackers can conclude about cells that a pattern hides; exit code 3 when it is not safe."""
    from sfumato.cli.table_audit import run_audit

    run_audit(spec, pattern, output, intervals=intervals, as_json=as_json)


@table_app.command()
def compare(spec: Specification, as_json: AsJson = False) -> None:
    """Compare the protections that a specification names: what each costs, and how safe it is."""
    from sfumato.cli.table_compare import run_table_compare

    run_table_compare(spec, as_json=as_json)


@table_app.command()
def export(
    spec: Specification,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the files of tau-Argus.")],
) -> None:
    """Write the tables, with their unsafe cells and levels, as files of tau-Argus; they are confidential."""
    from sfumato.cli.table_export import run_export

    run_export(spec, output)
