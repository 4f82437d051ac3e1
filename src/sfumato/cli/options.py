"""Arguments and options that several commands share."""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

InputFile = Annotated[Path, typer.Argument(metavar="FILE", help="CSV, Parquet, Arrow, Excel, SPSS, Stata or SAS file.")]
FileOrFolder = Annotated[
    Path, typer.Argument(metavar="FILE", help="A file of any format; or a folder of Parquet or CSV parts, or a glob.")
]
FilesOrFolder = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help="A file of any format; or a folder of Parquet or CSV parts, a glob, or several such files as one.",
    ),
]
OriginalFile = Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The original file.")]
MaskedFile = Annotated[
    Path,
    typer.Argument(
        metavar="MASKED",
        help="Its masked form; records are matched by its manifest, an identifier that both have, or their order.",
    ),
]
SameOrder = Annotated[
    bool,
    typer.Option(
        "--same-order",
        help="Both files hold the same records in the same order; to be said only where nothing else tells.",
    ),
]
Page = Annotated[Path | None, typer.Option(help="Write an HTML page that stands alone.")]
Report = Annotated[
    Path | None,
    typer.Option(
        help="Write the release report for a review board: a page (.html), and its figures beside it as JSON."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Threads = Annotated[
    int | None, typer.Option(min=1, help="Threads to use, all cores if not given; the result does not depend on it.")
]
Memory = Annotated[
    str | None, typer.Option(help="For folders: memory to use, such as 4GB; half of what is free otherwise.")
]
SpillFolder = Annotated[
    Path | None,
    typer.Option(help="For folders: where a run keeps its own, confidential files; a temporary folder otherwise."),
]
Cluster = Annotated[str | None, typer.Option(help="For folders: address of a Dask scheduler, such as tcp://host:8786.")]
Plan = Annotated[
    bool, typer.Option("--plan", help="For folders: show passes, bytes and memory of each step, and run nothing.")
]
Workers = Annotated[int | None, typer.Option(min=1, help="Processes to use, all cores if not given.")]


def _names(what: str) -> Any:
    return Annotated[list[str] | None, typer.Option(metavar="NAME", help=f"{what}, once for each.")]


def _name(what: str) -> Any:
    """Return an option that may be given once: of two, the last would be taken without a word."""
    return Annotated[
        list[str] | None, typer.Option(metavar="NAME", help=f"{what}.", callback=_refuse_second, show_default=False)
    ]


def _refuse_second(names: list[str] | None) -> list[str] | None:
    if names and len(names) > 1:
        raise typer.BadParameter(f"only one column can be it; got {', '.join(names)}")
    return names


READ_OPTIONS: dict[str, Any] = {
    "schema": Annotated[
        Path | None,
        typer.Option(
            "--schema",
            "-s",
            help="Schema file (YAML) for some or all columns; else NAME.schema.yaml beside the file, or inferred.",
        ),
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
    "person": _name("The column that says whose each record is, where a person may have several"),
    "stratum": _names("A column that says how the sample was drawn"),
    "other": _names("A column with none of these roles"),
}
"""The options of every command that reads data, by the fields of `sfumato.files.ReadOptions`."""
SINGLE = ("weight", "household", "person")


def _of_output(what: str) -> Any:
    return Annotated[str | None, typer.Option(help=f"{what} of the output, if it is text; the input's by default.")]


WRITE_OPTIONS: dict[str, Any] = {
    "format": Annotated[
        str | None, typer.Option(help="Format of the output, as in csv, parquet or sav; its suffix's by default.")
    ],
    "separator": _of_output("Separator"),
    "decimal": _of_output("Decimal mark"),
    "encoding": _of_output("Encoding"),
    "quoting": Annotated[
        Literal["necessary", "text", "all"] | None,
        typer.Option(help="Cells of the output that are put in quotes, if it is text; as in the input by default."),
    ],
    "line_ending": Annotated[
        Literal["lf", "crlf"] | None,
        typer.Option(help="Line ends of the output, if it is text; the input's by default."),
    ],
    "booleans": Annotated[
        Literal["true", "True", "TRUE"] | None,
        typer.Option(help="How the output writes what is true, if it is text; as in the input by default."),
    ],
}
"""The options of every command that writes data, by the fields of `sfumato.files.WriteOptions`."""


def _of_tables(what: str, usual: str) -> Any:
    return Annotated[str | None, typer.Option(help=f"{what} of the CSV files to be published; {usual} by default.")]


TABLE_OPTIONS: dict[str, Any] = {
    "separator": _of_tables("Separator", "a comma"),
    "decimal": _of_tables("Decimal mark", "a point"),
    "encoding": _of_tables("Encoding", "UTF-8"),
    "line_ending": Annotated[
        Literal["lf", "crlf"] | None,
        typer.Option(help="Line ends of the CSV files to be published; lf by default."),
    ],
}
"""The options of the command that writes tables, likewise."""

Overwrite = Annotated[
    bool,
    typer.Option(
        "--overwrite", help="Replace an output that is there already, also if no manifest could make it again."
    ),
]


def takes_read_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that has the parameter `options` the command-line options that make its `ReadOptions`."""

    @wraps(command)
    def run(**given: Any) -> None:
        from sfumato.files import ReadOptions

        taken = _take(given, READ_OPTIONS)
        single = {name: taken[name][0] for name in SINGLE if taken.get(name)}
        command(options=ReadOptions(**(taken | single)), **given)

    return _with_options(run, command, "options", READ_OPTIONS)


def takes_write_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that has the parameter `write_options` the command-line options that make its `WriteOptions`."""
    return _takes_write_options(command, WRITE_OPTIONS)


def takes_table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that writes tables, with the parameter `write_options`, the options that these have."""
    return _takes_write_options(command, TABLE_OPTIONS)


def _takes_write_options(command: Callable[..., None], options: Mapping[str, Any]) -> Callable[..., None]:
    prefixed = {f"output_{name}": annotation for name, annotation in options.items()}

    @wraps(command)
    def run(**given: Any) -> None:
        from sfumato.files.write_options import BooleanStyle, LineEnding, Quoting, WriteOptions

        asked = {name.removeprefix("output_"): value for name, value in _take(given, prefixed).items()}
        for name, choices in (("quoting", Quoting), ("line_ending", LineEnding), ("booleans", BooleanStyle)):
            if name in asked:
                asked[name] = choices(asked[name])
        command(write_options=WriteOptions(**asked), **given)

    return _with_options(run, command, "write_options", prefixed)


def _take(given: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Take some options out of those that were given, and return those that have a value."""
    taken = {name: given.pop(name) for name in names}
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in taken.items() if value is not None
    }


def _with_options(
    run: Callable[..., None], command: Callable[..., None], replaced: str, options: Mapping[str, Any]
) -> Callable[..., None]:
    """Return `run` with the parameters of a command, of which command-line options take the place of one."""
    own = [each for each in signature(command).parameters.values() if each.name != replaced]
    more = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
        for name, annotation in options.items()
    ]
    parameters = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in own] + more
    run.__signature__ = signature(command).replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run
