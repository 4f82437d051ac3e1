"""Whether files can be written where they are asked for: told before any work is done."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

from sfumato.errors import FileError
from sfumato.files.sidecar import check_unshared, sidecar_of
from sfumato.files.write_options import WriteOptions
from sfumato.files.writing import check_write_options


def check_output(
    output: Path, sources: Sequence[Path], others: Sequence[Path] = (), options: WriteOptions = WriteOptions()
) -> None:
    """Refuse an output that would take the place of an input or that cannot be written, before any work is done.

    Parameters
    ----------
    output
        The data file that will be written.
    sources, others
        The data files that are read, and the other files, such as a recipe.
    options
        How it will be written.
    """
    if not output.parent.is_dir():
        raise FileError(f"{output} cannot be written: there is no folder {output.parent}; make it first")
    if output.is_dir():
        raise FileError(f"{output} is a folder; name a file in it")
    check_write_options(options, output)
    for path, target in product((*sources, *others), (output, sidecar_of(output))):
        if target.exists() and path.exists() and target.samefile(path):
            raise FileError(f"the output {target} would take the place of {path}; choose another name")
    for source in sources:
        if sidecar_of(output).resolve() == sidecar_of(source).resolve():
            raise FileError(
                f"the output {output} would share the schema file {sidecar_of(output).name} with the input {source}; "
                f"choose another name"
            )
    check_unshared(sidecar_of(output), output)


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
