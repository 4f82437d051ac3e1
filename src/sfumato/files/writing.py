"""Write a file of any known format, all of it or nothing."""

from contextlib import ExitStack
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from sfumato.data import Microdata
from sfumato.errors import FileError, ParameterError
from sfumato.files.format import Format, Writer
from sfumato.files.formats import FORMATS, format_named, format_of
from sfumato.files.frames import as_polars, with_orders
from sfumato.files.reading import check_decimal, check_separator
from sfumato.files.sidecar import check_replaceable, needs_sidecar, sidecar_of
from sfumato.files.text.detection import normalise_encoding
from sfumato.files.write_options import BooleanStyle, LineEnding, Quoting, WriteOptions
from sfumato.storage.atomic import replace_file

Choice = TypeVar("Choice", bound=StrEnum)


def write(
    data: Microdata,
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    quoting: str | None = None,
    line_ending: str | None = None,
    booleans: str | None = None,
    overwrite: bool = True,
) -> None:
    """Write the records to a file; its suffix says how.

    The file appears under its name when it is complete; if anything goes wrong, what was there stays as it was. The
    same data give the same bytes in text, Parquet, Arrow and Excel files. What the schema says and the file has no
    room for (labels, missing codes, roles, kinds that could not be guessed) goes into a second file beside it,
    `people.schema.yaml` for `people.csv`, which `read` finds by itself. Such a file that is there already is
    replaced, unless it describes other columns.

    Parameters
    ----------
    data
        The records, in any dataframe.
    path
        Where to write.
    format
        The format, as one of the suffixes in `FORMATS` without its dot, as in "csv"; told by the file's own suffix
        when None.
    separator
        What separates the fields of a text file; when None a tab for .tsv, else a comma.
    decimal
        The decimal mark of a text file, "." or ","; when None a point.
    encoding
        The encoding of a text file, such as "cp1252", or "utf-8-sig" for UTF-8 with a byte order mark; when None UTF-8.
    quoting
        Which cells of a text file stand in quotation marks: "necessary" (when None), "text" or "all".
    line_ending
        How the lines of a text file end: "lf" (when None) or "crlf", as Windows writes them.
    booleans
        How a text file writes what is true: "true" (when None), "True" or "TRUE".
    overwrite
        Whether a file of that name may be replaced.

    Raises
    ------
    FileError
        If the file cannot be written, or cannot hold the data.
    """
    options = WriteOptions(
        format,
        separator,
        decimal,
        encoding,
        _choice("quoting", Quoting, quoting),
        _choice("line_ending", LineEnding, line_ending),
        _choice("booleans", BooleanStyle, booleans),
    )
    write_with(data, Path(path), options, overwrite=overwrite)


def write_with(data: Microdata, path: Path, options: WriteOptions, *, overwrite: bool = True) -> None:
    """Write a file as the options say."""
    target = path.expanduser()
    form = output_format(target, options)
    check_write_options(options, target)
    options = replace(options, separator=options.separator or form.separator, decimal=options.decimal or ".")
    records = as_polars(data)
    frame, schema = form.prepare(records, with_orders(data.schema, records))
    sidecar = sidecar_of(target)
    if sidecar.is_file():
        check_replaceable(sidecar, schema, target)
    with ExitStack() as files:
        unfinished = files.enter_context(replace_file(target, overwrite=overwrite))
        _writer(form, target)(frame, schema, unfinished, options)
        if sidecar.exists() or needs_sidecar(schema, frame, form, options):
            beside = files.enter_context(replace_file(sidecar, overwrite=overwrite))
            beside.write_text(schema.to_yaml(), encoding="utf-8")


def output_format(path: Path, options: WriteOptions) -> Format:
    """Return the format in which a file is to be written, refusing one that can only be read."""
    form = format_of(path) if options.format is None else format_named(options.format, "write")
    _writer(form, path)
    return form


def check_write_options(options: WriteOptions, path: Path) -> None:
    """Refuse options that mean nothing for a file, or that contradict each other."""
    form = output_format(path, options)
    if options.separator is not None:
        check_separator("write", options.separator)
    if options.decimal is not None:
        check_decimal("write", options.decimal)
    if options.encoding is not None:
        normalise_encoding(options.encoding, "write")
    for name in options.given:
        if name not in form.write_options:
            fitting = ", ".join(suffix for suffix, other in FORMATS.items() if name in other.write_options)
            raise ParameterError([f"write.{name} is for {fitting}; {path.name} is {form.name}"])
    if options.numbers is None and (options.decimal or ".") == (options.separator or form.separator):
        raise ParameterError(
            ["write.decimal and write.separator must differ; with ',' before decimals take ';' between fields"]
        )


def options_like(options: WriteOptions, dialect: WriteOptions, path: Path) -> WriteOptions:
    """Return the options for a file, with those that are left open as the file has them that it was made from.

    Its separator is taken over where both are files that may have any: a .tsv file is separated by tabs.

    Parameters
    ----------
    options
        What is asked for.
    dialect
        How the other file is written, as reading it told.
    path
        The file to be written.
    """
    form = output_format(path, options)
    if not form.write_options:
        return options
    tabs = format_named("tsv").separator
    is_usual = dialect.format == "tsv" and dialect.separator == tabs
    return options.like(dialect, form.write_options, keeps_separator=form.separator != tabs and not is_usual)


def _writer(form: Format, path: Path) -> Writer:
    if form.write is None:
        raise FileError(f"{path}: {form.name} can be read, not written; write .sav, .dta or .csv, which SAS can import")
    return form.write


def _choice(name: str, choices: type[Choice], given: str | None) -> Choice | None:
    if given is not None and given not in list(choices):
        raise ParameterError([f"write.{name} must be one of {', '.join(choices)}; got {given!r}"])
    return None if given is None else choices(given)
