"""Read a file of any known format, with what is known of its columns."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

from sfumato.data import Kind, Microdata, Schema, Variable, column_names
from sfumato.data.date_formats import EXAMPLES, DateFormat
from sfumato.errors import FileError, ParameterError, UnknownColumnError, did_you_mean
from sfumato.files.format import Content, Format
from sfumato.files.formats import FORMATS, format_named, format_of, suffix_of
from sfumato.files.frames import blanks_as_missing, check_dates, types_of_kinds, with_date_format
from sfumato.files.labels import labelled_schema
from sfumato.files.read_options import ReadOptions
from sfumato.files.sidecar import load_schema, sidecar_of
from sfumato.files.write_options import WriteOptions
from sfumato.storage.atomic import is_disk_full

if TYPE_CHECKING:
    import polars

COMPLETED_FROM_THE_FILE = ("label", "value_labels", "missing_codes", "missing_ranges")


def read(
    path: str | Path,
    schema: Schema | str | Path | None = None,
    *,
    format: str | None = None,  # noqa: A002
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    date_format: str | None = None,
) -> Microdata:
    """Read a file; its suffix says how.

    Empty text and NaN are missing values in every format.

    Parameters
    ----------
    path
        The file.
    schema
        What its columns are and are for, or the path of a YAML file that says so. It may describe only some columns:
        the others are as the file's own labels say, or as `Schema.infer` guesses. Where it leaves a label or missing
        codes open, those of the file stay. When None, the file `people.schema.yaml` beside `people.csv` is used if
        there is one.
    format
        The format, as one of the suffixes in `FORMATS` without its dot, as in "csv"; told by the file's own suffix
        when None.
    separator
        What separates the fields of a text file; found when None.
    decimal
        The decimal mark of a text file, "." or ","; found when None.
    encoding
        The encoding of a text, SPSS, Stata or SAS file; found when None.
    sheet
        The name of an Excel sheet; the first when None.
    date_format
        How dates in text are written, as in "dd/mm/yyyy", where they can be read in several ways.

    Raises
    ------
    FileError
        If the file cannot be read.
    UnknownColumnError
        If the schema describes a column that the file does not have.
    """
    if not isinstance(path, str | Path):
        raise ParameterError(
            [f"read.path must be a path; got {type(path).__name__}: Microdata takes dataframes and lazy ones"]
        )
    known = Path(schema) if isinstance(schema, str) else schema
    return read_with(Path(path), ReadOptions(format, separator, decimal, encoding, sheet, known, date_format))


def read_with(path: Path, options: ReadOptions) -> Microdata:
    """Read a file as the options say."""
    return read_with_dialect(path, options)[0]


def read_with_dialect(path: Path, options: ReadOptions) -> tuple[Microdata, WriteOptions]:
    """Read a file as the options say; return its records, and how it is written where it is text."""
    source = path.expanduser()
    _check_file(source)
    form = _format(source, options)
    given, _ = _load_schema(options.schema, source)
    _check_options(options, form, source)
    name = options.format or suffix_of(source).removeprefix(".")
    with _explain_refusals(source):
        content = form.read(source, replace(options, schema=given, format=name))
    return describe_content(content, options, source), content.dialect


def describe_content(content: Content, options: ReadOptions, path: Path) -> Microdata:
    """Return records that were read with what the options, the schema beside their file and they themselves say."""
    given, origin = _load_schema(options.schema, path)
    frame = blanks_as_missing(content.frame)
    found = labelled_schema(frame, content.labels, given)
    if options.weight in found.names and (given is None or options.weight not in given):
        found = _with_numeric_weight(found, frame, options.weight)
    known = options.describe(found if given is None else _complete_schema(given, found, origin))
    return check_dates(Microdata(types_of_kinds(frame, known), with_date_format(frame, known, options.date_format)))


def _with_numeric_weight(schema: Schema, frame: "polars.DataFrame", name: str) -> Schema:
    """Return a guessed schema in which numbers that are said to be the weights are no codes, however few differ."""
    is_code = bool(schema[name].value_labels) or column_names.is_code(name)
    return schema.with_kinds(continuous=[name]) if frame[name].dtype.is_numeric() and not is_code else schema


def with_schema(options: ReadOptions, path: Path) -> ReadOptions:
    """Return the options with the schema that reading the file would take, read; one that says nothing if none is."""
    given, _ = _load_schema(options.schema, path.expanduser())
    return replace(options, schema=given or Schema(variables=()))


def fit_options(options: ReadOptions, paths: Sequence[Path]) -> list[ReadOptions]:
    """Return the options of each of some files that are read alike: those that its format knows.

    An option that none of the formats knows is refused.
    """
    formats = [_format(path, options) for path in paths]
    for name in options.given:
        if all(name not in form.options for form in formats):
            _check_options(options, formats[0], paths[0])
    unknown: list[dict[str, Any]] = [
        {name: None for name in options.given if name not in form.options} for form in formats
    ]
    return [replace(options, **without) for without in unknown]


def _format(path: Path, options: ReadOptions) -> Format:
    return format_of(path) if options.format is None else format_named(options.format)


def _check_file(path: Path) -> None:
    with _explain_refusals(path):
        if path.is_dir():
            raise FileError(f"{path} is a folder; name a file in it")
        if not path.exists():
            near = (
                did_you_mean(path.name, [each.name for each in path.parent.iterdir()]) if path.parent.is_dir() else ""
            )
            raise FileError(f"there is no file {path}{near}")
        path.open("rb").close()
        if not path.stat().st_size:
            raise FileError(f"{path} is empty: it holds not a single byte; check where it comes from")


@contextmanager
def _explain_refusals(path: Path) -> Iterator[None]:
    """Tell what the file system refuses inside the block."""
    try:
        yield
    except PermissionError:
        raise FileError(f"{path} may not be read: permission denied") from None
    except OSError as error:
        if is_disk_full(error):
            raise FileError(
                f"{path} cannot be read: the disk is full where its unpacked or converted copy goes ({gettempdir()})"
            ) from None
        raise FileError(f"{path} cannot be read: {error.strerror or type(error).__name__}") from None


def _load_schema(schema: Schema | Path | None, path: Path) -> tuple[Schema | None, Path | None]:
    """Return the schema and the file it comes from."""
    if isinstance(schema, Schema):
        return schema, None
    if schema is not None:
        origin = schema.expanduser()
        _check_file(origin)
        return load_schema(origin), origin
    origin = sidecar_of(path)
    return (load_schema(origin), origin) if origin.is_file() else (None, None)


def _check_options(options: ReadOptions, form: Format, path: Path) -> None:
    for name in options.given:
        if name not in form.options:
            fitting = ", ".join(suffix for suffix, other in FORMATS.items() if name in other.options)
            raise ParameterError([f"read.{name} is for {fitting}; {path.name} is {form.name}"])
    if options.separator is not None:
        check_separator("read", options.separator)
    if options.decimal is not None:
        check_decimal("read", options.decimal)
    if options.date_format is not None and not DateFormat(options.date_format).is_valid:
        raise ParameterError([f"read.date_format must be such as {EXAMPLES}; got {options.date_format!r}"])


def check_separator(verb: str, separator: str) -> None:
    """Refuse a separator that is not one plain character."""
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n':
        raise ParameterError([f"{verb}.separator must be one character such as ',' or ';'; got {separator!r}"])


def check_decimal(verb: str, decimal: str) -> None:
    """Refuse a decimal mark other than the point and the comma."""
    if decimal not in (".", ","):
        raise ParameterError([f"{verb}.decimal must be '.' or ','; got {decimal!r}"])


def _complete_schema(given: Schema, found: Schema, origin: Path | None) -> Schema:
    """Return what was found, with the described columns as given, completed by the labels of the file."""
    try:
        return found.with_variables(
            *(_complete_variable(variable, found[variable.name]) for variable in given.variables)
        )
    except UnknownColumnError as error:
        raise UnknownColumnError(f"{origin or 'the schema'} describes a column that the file lacks: {error}") from None


def _complete_variable(given: Variable, found: Variable) -> Variable:
    names = (
        (*COMPLETED_FROM_THE_FILE, "categories")
        if given.kind is found.kind is Kind.ORDINAL
        else COMPLETED_FROM_THE_FILE
    )
    return given.replace(**{name: getattr(found, name) for name in names if not getattr(given, name)})
