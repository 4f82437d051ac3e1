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
def protect(spec: Specification, output: Output = None, time_limit: TimeLimit = None, as_json: AsJson = False) -> None:
    """Hide the unsafe cells and as little else as keeps every attacker from them, and audit the result."""
    from sfumato.cli.table_protect import run_protect

    run_protect(spec, output, time_limit=time_limit, as_json=as_json)


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


@table_app.command("round")
def round_cells(
    spec: Specification, output: Output = None, time_limit: TimeLimit = None, as_json: AsJson = False
) -> None:
    """Round every cell to a multiple of a base so that all sums still hold."""
    from sfumato.cli.table_change import run_round

    run_round(spec, output, time_limit=time_limit, as_json=as_json)


@table_app.command()
def adjust(spec: Specification, output: Output = None, time_limit: TimeLimit = None, as_json: AsJson = False) -> None:
    """Move unsafe cells far enough from their values, and all others as little as keeps the sums."""
    from sfumato.cli.table_change import run_adjust

    run_adjust(spec, output, time_limit=time_limit, as_json=as_json)


@table_app.command("cell-key")
def cell_key(spec: Specification, output: Output = None, as_json: AsJson = False) -> None:
    """Let every cell deviate by what the keys of its records say, the same in every table."""
    from sfumato.cli.table_change import run_cell_key

    run_cell_key(spec, output, as_json=as_json)


@table_app.command()
def compare(spec: Specification, as_json: AsJson = False) -> None:
    """Compare hiding, rounding, adjusting and cell keys on one table: what each costs, and how safe it is."""
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
