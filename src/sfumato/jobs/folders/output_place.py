"""Whether the output of a run over a file larger than memory may be written where it is asked for."""

import os
from pathlib import Path

from sfumato.errors import FileError
from sfumato.files import WriteOptions
from sfumato.files.folders import Files, schema_beside
from sfumato.files.folders.part_files import SUFFIX, check_outside
from sfumato.files.output_checks import check_output


def check_output_place(output: Path, file: Files, inputs: tuple[Path, ...], *, overwrite: bool) -> None:
    """Refuse an output that cannot be written, or would take the place of something or lie among the input.

    Parameters
    ----------
    output
        The folder or Parquet file to be written.
    file, inputs
        What is masked, as it was named, and all files that are read.
    overwrite
        Whether an earlier output may be replaced.
    """
    check_outside(output, file)
    (_check_file if output.suffix else _check_folder)(output, inputs, overwrite)
    if not os.access(output.parent, os.W_OK):
        raise FileError(f"{output} cannot be written: nobody may write in {output.parent}, or you may not")


def _check_file(output: Path, inputs: tuple[Path, ...], overwrite: bool) -> None:
    """Refuse a file that cannot be written, is no Parquet file, or is there already."""
    if output.suffix != SUFFIX:
        raise FileError(
            f"{output} cannot be written from files larger than memory, which become a Parquet file or, where the name "
            f"has no suffix, a folder of parts; name such a one"
        )
    if output.is_dir():
        raise FileError(f"{output} is a folder; choose another name")
    if output.exists() and not overwrite:
        raise FileError(f"{output} exists already; choose another name, or give the option overwrite")
    check_output(output, list(inputs), [], WriteOptions())


def _check_folder(output: Path, inputs: tuple[Path, ...], overwrite: bool) -> None:
    """Refuse a folder that cannot be written, holds what is not ours to replace, or is where the input is."""
    if not output.parent.is_dir():
        raise FileError(f"{output} cannot be written: there is no folder {output.parent}; make it first")
    if any(output.resolve() in file.parents for file in inputs):
        raise FileError(f"the output {output} would take the place of the input; choose another name")
    schema = schema_beside(output)
    if any(schema.resolve() == file.resolve() for file in inputs):
        raise FileError(f"the schema of the output, {schema}, would take the place of the input's; choose another name")
    if schema.exists() and not overwrite:
        raise FileError(f"{schema} exists already; choose another name for the output, or give the option overwrite")
    if output.exists() and not output.is_dir():
        raise FileError(f"{output} is a file; a file larger than memory is written as a folder of parts: name one")
    if output.exists() and any(output.iterdir()):
        if not overwrite:
            raise FileError(f"{output} exists already; choose another name, or give the option overwrite")
        foreign = [each.name for each in output.iterdir() if not _is_part(each)]
        if foreign:
            raise FileError(f"{output} holds {foreign[0]}, which is no part of an earlier release; remove it first")


def _is_part(file: Path) -> bool:
    return file.is_file() and file.name.startswith("part-") and file.suffix == ".parquet"
