"""Read a file of any known format, with what is known of its columns."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import FileError, ParameterError, UnknownColumnError, did_you_mean
from sfumato.files.format import Format, ReadingOptions
from sfumato.files.formats import FORMATS, format_of
from sfumato.files.frames import blanks_as_missing, types_of_kinds
from sfumato.files.labels import described
from sfumato.files.sidecar import load_schema, sidecar_of
from sfumato.storage.atomic import is_disk_full

COMPLETED_FROM_THE_FILE = ("label", "value_labels", "missing_codes", "missing_ranges")


def read(
    path: str | Path,
    schema: Schema | str | Path | None = None,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
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
    separator
        What separates the fields of a text file; found when None.
    decimal
        The decimal mark of a text file, "." or ","; found when None.
    encoding
        The encoding of a text, SPSS, Stata or SAS file; found when None.
    sheet
        The name of an Excel sheet; the first when None.

    Raises
    ------
    FileError
        If the file cannot be read.
    UnknownColumnError
        If the schema describes a column that the file does not have.
    """
    source = Path(path).expanduser()
    _check_file(source)
    form = format_of(source)
    given, origin = _given_schema(schema, source)
    options = ReadingOptions(separator, decimal, encoding, sheet, _text_columns(given))
    _check_options(options, form, source)
    with _opened(source):
        content = form.read(source, options)
    frame = blanks_as_missing(content.frame)
    found = described(frame, content.labels)
    known = found if given is None else _completed(given, found, origin)
    return Microdata(types_of_kinds(frame, known), known)


def _check_file(path: Path) -> None:
    with _opened(path):
        if path.is_dir():
            raise FileError(f"{path} is a folder; name a file in it")
        if not path.exists():
            near = (
                did_you_mean(path.name, [each.name for each in path.parent.iterdir()]) if path.parent.is_dir() else ""
            )
            raise FileError(f"there is no file {path}{near}")
        path.open("rb").close()
        if not path.stat().st_size:
            raise FileError(f"{path} is empty")


@contextmanager
def _opened(path: Path) -> Iterator[None]:
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


def _given_schema(schema: Schema | str | Path | None, path: Path) -> tuple[Schema | None, Path | None]:
    """Return the schema and the file it comes from."""
    if isinstance(schema, Schema):
        return schema, None
    if schema is not None:
        origin = Path(schema).expanduser()
        _check_file(origin)
        return load_schema(origin), origin
    origin = sidecar_of(path)
    return (load_schema(origin), origin) if origin.is_file() else (None, None)


def _text_columns(schema: Schema | None) -> frozenset[str]:
    """Return the columns whose codes the schema writes as text."""
    variables = schema.variables if schema else ()
    return frozenset(
        variable.name
        for variable in variables
        if (codes := (*variable.value_labels, *variable.categories)) and all(isinstance(code, str) for code in codes)
    )


def _check_options(options: ReadingOptions, form: Format, path: Path) -> None:
    for name in ("separator", "decimal", "encoding", "sheet"):
        if getattr(options, name) is not None and name not in form.options:
            fitting = ", ".join(suffix for suffix, other in FORMATS.items() if name in other.options)
            raise ParameterError([f"read.{name} is for {fitting}; {path.name} is {form.name}"])
    if options.separator is not None:
        check_separator("read", options.separator)
    if options.decimal is not None:
        check_decimal("read", options.decimal)


def check_separator(verb: str, separator: str) -> None:
    """Refuse a separator that is not one plain character."""
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n':
        raise ParameterError([f"{verb}.separator must be one character such as ',' or ';'; got {separator!r}"])


def check_decimal(verb: str, decimal: str) -> None:
    """Refuse a decimal mark other than the point and the comma."""
    if decimal not in (".", ","):
        raise ParameterError([f"{verb}.decimal must be '.' or ','; got {decimal!r}"])


def _completed(given: Schema, found: Schema, origin: Path | None) -> Schema:
    """Return what was found, with the described columns as given, completed by the labels of the file."""
    try:
        return found.with_variables(*(_filled(variable, found[variable.name]) for variable in given.variables))
    except UnknownColumnError as error:
        raise UnknownColumnError(f"{origin or 'the schema'}: {error}") from None


def _filled(given: Variable, found: Variable) -> Variable:
    names = (
        (*COMPLETED_FROM_THE_FILE, "categories")
        if given.kind is found.kind is Kind.ORDINAL
        else COMPLETED_FROM_THE_FILE
    )
    return given.replace(**{name: getattr(found, name) for name in names if not getattr(given, name)})
