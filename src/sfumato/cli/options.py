"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

InputFile = Annotated[Path, typer.Argument(metavar="FILE", help="CSV, Parquet, Arrow, Excel, SPSS, Stata or SAS file.")]
SchemaFile = Annotated[
    Path | None, typer.Option("--schema", "-s", help="Schema file (YAML) for some or all columns; guessed otherwise.")
]
Separator = Annotated[str | None, typer.Option(help="Separator of a CSV file; found by itself otherwise.")]
Decimal = Annotated[str | None, typer.Option(help="Decimal sign of a CSV file; found by itself otherwise.")]
Encoding = Annotated[str | None, typer.Option(help="Encoding of a CSV file; found by itself otherwise.")]
Sheet = Annotated[str | None, typer.Option(help="Sheet of an Excel file; the first one otherwise.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Threads = Annotated[
    int | None, typer.Option(min=1, help="Threads to use, all cores if not given; the result does not depend on it.")
]
