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
}
"""The options of every command that reads data, by the fields of `sfumato.files.ReadOptions`."""


def takes_read_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that has the parameter `options` the command-line options that make its `ReadOptions`."""

    @wraps(command)
    def run(**given: Any) -> None:
        from sfumato.files import ReadOptions

        command(options=ReadOptions(**{name: given.pop(name) for name in READ_OPTIONS}), **given)

    own = [each for each in signature(command).parameters.values() if each.name != "options"]
    reading = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
        for name, annotation in READ_OPTIONS.items()
    ]
    parameters = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in own] + reading
    run.__signature__ = signature(command).replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run
