"""Write a file of any known format, all of it or nothing."""

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import product
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


def check_output(output: Path, sources: Sequence[Path], others: Sequence[Path] = ()) -> None:
    """Refuse an output that would take the place of an input or that cannot be written, before any work is done.

    Parameters
    ----------
    output
        The data file that will be written.
    sources, others
        The data files that are read, and the other files, such as a recipe.
    """
    if not output.parent.is_dir():
        raise FileError(f"{output} cannot be written: there is no folder {output.parent}; make it first")
    if output.is_dir():
        raise FileError(f"{output} is a folder; name a file in it")
    if format_of(output).write is None:
        raise FileError(f"{output}: {format_of(output).name} can be read, not written; choose another suffix")
    for path, target in product((*sources, *others), (output, sidecar_of(output))):
        if target.exists() and path.exists() and target.samefile(path):
            raise FileError(f"the output {target} would take the place of {path}; choose another name")
    for source in sources:
        if sidecar_of(output).resolve() == sidecar_of(source).resolve():
            raise FileError(
                f"the output {output} would share the schema file {sidecar_of(output).name} with the input {source}; "
                f"choose another name"
            )


def check_free(what: str, path: Path | None, taken: Sequence[Path | None]) -> None:
    """Refuse a page or a figure that would take the place of another file or has no folder, before any work is done.

    Parameters
    ----------
    what
        What messages call it, as in "page".
    path
        Where it will be written; None where it is not asked for.
    taken
        The other files that are read or written, data files with the schema beside them.
    """
    if path is None:
        return
    if not path.resolve().parent.is_dir():
        raise FileError(f"{path} cannot be written: there is no folder {path.parent}; make it first")
    files = [file for file in taken if file is not None]
    for other in (*files, *map(sidecar_of, files)):
        if path.resolve() == other.resolve():
            raise FileError(f"the {what} {path} would take the place of {other}; choose another name")
