"""Write a file of any known format, all of it or nothing."""

from contextlib import ExitStack
from pathlib import Path

from sfumato.data import Microdata
from sfumato.errors import FileError, ParameterError
from sfumato.files.format import Format, WritingOptions
from sfumato.files.formats import FORMATS, format_of
from sfumato.files.frames import as_polars, with_orders
from sfumato.files.reading import check_decimal, check_separator
from sfumato.files.sidecar import check_replaceable, needs_sidecar, sidecar_of
from sfumato.storage.atomic import replace_file


def write(
    data: Microdata, path: str | Path, *, separator: str | None = None, decimal: str = ".", overwrite: bool = True
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
    separator
        What separates the fields of a text file; when None a tab for .tsv, else a comma.
    decimal
        The decimal mark of a text file, "." or ",".
    overwrite
        Whether a file of that name may be replaced.

    Raises
    ------
    FileError
        If the file cannot be written, or cannot hold the data.
    """
    target = Path(path).expanduser()
    form = format_of(target)
    if form.write is None:
        raise FileError(f"{target}: SAS files can be read, not written; use .sav, .dta, .parquet or .csv")
    _check_options(separator, decimal, form, target)
    options = WritingOptions(separator or form.separator, decimal)
    frame = as_polars(data)
    schema = with_orders(data.schema, frame)
    sidecar = sidecar_of(target)
    if sidecar.is_file():
        check_replaceable(sidecar, schema)
    with ExitStack() as files:
        form.write(frame, schema, files.enter_context(replace_file(target, overwrite=overwrite)), options)
        if sidecar.exists() or needs_sidecar(schema, frame, form, options):
            beside = files.enter_context(replace_file(sidecar, overwrite=overwrite))
            beside.write_text(schema.to_yaml(), encoding="utf-8")


def _check_options(separator: str | None, decimal: str, form: Format, path: Path) -> None:
    if separator is not None:
        check_separator("write", separator)
    check_decimal("write", decimal)
    is_asked_for = {"separator": separator is not None, "decimal": decimal != "."}
    for name, is_given in is_asked_for.items():
        if is_given and name not in form.options:
            fitting = ", ".join(suffix for suffix, other in FORMATS.items() if name in other.options)
            raise ParameterError([f"write.{name} is for {fitting}; {path.name} is {form.name}"])
    if decimal == (separator or form.separator):
        raise ParameterError(["write.decimal and write.separator must differ; with decimal=',' take separator=';'"])
