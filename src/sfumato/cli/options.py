"""Arguments and options that several commands share."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any

import typer

InputFile = Annotated[Path, typer.Argument(metavar="FILE", help="CSV, Parquet, Arrow, Excel, SPSS, Stata or SAS file.")]
OriginalFile = Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The original file.")]
MaskedFile = Annotated[
    Path,
    typer.Argument(
        metavar="MASKED",
        help="Its masked form; records are matched by an identifier that both have, else by their order.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Threads = Annotated[
    int | None, typer.Option(min=1, help="Threads to use, all cores if not given; the result does not depend on it.")
]
Workers = Annotated[int | None, typer.Option(min=1, help="Processes to use, all cores if not given.")]


def _names(what: str) -> Any:
    return Annotated[list[str] | None, typer.Option(metavar="NAME", help=f"{what}, once for each.")]


def _name(what: str) -> Any:
    return Annotated[str | None, typer.Option(metavar="NAME", help=f"{what}.")]


READ_OPTIONS: dict[str, Any] = {
    "schema": Annotated[
        Path | None,
        typer.Option("--schema", "-s", help="Schema file (YAML) for some or all columns; inferred by default."),
    ],
    "format": Annotated[
        str | None, typer.Option(help="Format, as in csv, parquet or sav; taken from the file's suffix by default.")
    ],
    "separator": Annotated[str | None, typer.Option(help="Separator of a CSV file; detected by default.")],
    "decimal": Annotated[str | None, typer.Option(help="Decimal mark of a CSV file; detected by default.")],
    "encoding": Annotated[str | None, typer.Option(help="Encoding of a CSV file; detected by default.")],
    "sheet": Annotated[str | None, typer.Option(help="Sheet of an Excel file; the first one otherwise.")],
    "date_format": Annotated[
        str | None,
        typer.Option(help="How dates in text are written, as in dd/mm/yyyy, where they can be read in several ways."),
    ],
    "continuous": _names("A column of numbers to count with"),
    "ordinal": _names("A column of ordered categories"),
    "nominal": _names("A column of categories or codes"),
    "date": _names("A column of dates"),
    "identifier": _names("A column that names the person or firm, beside those that are known to"),
    "key": _names("A key: a column that others may know of a person"),
    "confidential": _names("A column that nobody should learn about a person"),
    "weight": _name("The column of sampling weights"),
    "household": _name("The column that says who lives together"),
    "stratum": _names("A column that says how the sample was drawn"),
    "other": _names("A column with none of these roles"),
}
"""The options of every command that reads data, by the fields of `sfumato.files.ReadOptions`."""


def takes_read_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that has the parameter `options` the command-line options that make its `ReadOptions`."""

    @wraps(command)
    def run(**given: Any) -> None:
        from sfumato.files import ReadOptions

        reading: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name in READ_OPTIONS
            if (value := given.pop(name)) is not None
        }
        command(options=ReadOptions(**reading), **given)

    own = [each for each in signature(command).parameters.values() if each.name != "options"]
    reading = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
        for name, annotation in READ_OPTIONS.items()
    ]
    parameters = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in own] + reading
    run.__signature__ = signature(command).replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run
