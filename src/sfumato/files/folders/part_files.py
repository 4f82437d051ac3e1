"""The files that a name stands for: one, a folder of parts, a glob, or several that were named."""

from collections.abc import Sequence
from glob import has_magic
from os.path import commonpath
from pathlib import Path

from sfumato.errors import FileError
from sfumato.files.folders.converted_parts import TEXT_SUFFIXES

SUFFIX = ".parquet"
Files = str | Path | Sequence[str | Path]
"""The name of a file, a folder or a glob, or several names."""


def is_folder_name(path: Files) -> bool:
    """Tell whether a name is that of a folder or a glob, or several names are given; not that of one file.

    Examples
    --------
    >>> is_folder_name("people/*.parquet"), is_folder_name("people.parquet"), is_folder_name(("a.csv", "b.csv"))
    (True, False, True)
    """
    if not isinstance(path, str | Path):
        return True
    return Path(path).is_dir() or (has_magic(str(path)) and not Path(path).exists())


def schema_beside(folder: Path) -> Path:
    """Return where the schema of a folder of parts stands.

    Examples
    --------
    >>> schema_beside(Path("data/people")).name
    'people.schema.yaml'
    """
    return folder.with_name(f"{folder.name}.schema.yaml")


def folder_path(path: Files) -> Path:
    """Return the name of a folder, a glob or a file; that of the folder in which several files lie together.

    Examples
    --------
    >>> folder_path(["2024/jan.csv", "2024/feb.csv"]).name
    '2024'
    """
    if isinstance(path, str | Path):
        return Path(path)
    return Path(commonpath([Path(each).expanduser().resolve().parent for each in path]))


def part_files(path: Files) -> tuple[Path, ...]:
    """Return the files that a name stands for, in the order of their names; those of several names one after another.

    Text files are taken from a folder that has no Parquet file.
    """
    if not isinstance(path, str | Path):
        found = tuple(file for each in path for file in part_files(each))
        if len(set(found)) < len(found):
            raise FileError("a file is named twice, so that its records would count twice; name each once")
        return _check_alike(found)
    given = Path(path).expanduser()
    if given.is_file():
        listed = [given]
    elif given.is_dir():
        seen = sorted(each for each in given.iterdir() if not each.name.startswith("."))
        listed = [each for each in seen if each.suffix == SUFFIX] or [each for each in seen if is_text(each)]
    else:
        listed = sorted(Path(given.anchor).glob(str(given.relative_to(given.anchor))))
    if not listed:
        raise FileError(f"{path} has no file that ends in {SUFFIX} or .csv; name a folder of such parts, or a glob")
    return _check_alike(tuple(each.resolve() for each in listed))


def check_outside(output: Path, path: Files) -> None:
    """Refuse an output that lies in the folder, or is met by the glob, that the input was named by.

    It would be taken for a part of the input the next time.
    """
    if not isinstance(path, str | Path):
        return
    given, made = Path(path).expanduser(), output.expanduser().resolve()
    lies_inside = given.is_dir() and made != given.resolve() and made.is_relative_to(given.resolve())
    if lies_inside or (is_folder_name(path) and not given.is_dir() and made.match(str(given.absolute()))):
        raise FileError(
            f"the output {output} would lie among the parts of the input {path}, and be read as one of them the next "
            f"time; write it elsewhere"
        )


def _check_alike(files: tuple[Path, ...]) -> tuple[Path, ...]:
    """Refuse files that are neither Parquet nor text, or both."""
    wrong = [each.name for each in files if each.suffix != SUFFIX and not is_text(each)]
    if wrong:
        raise FileError(
            f"{wrong[0]} is neither Parquet nor text (.csv, .tsv, .csv.gz), as files larger than memory must be; "
            f"convert it first"
        )
    if len({each.suffix == SUFFIX for each in files}) > 1:
        raise FileError("some of the files are Parquet and some are text; name only files of one kind")
    return files


def is_text(file: Path) -> bool:
    """Tell whether a file is one of text, by its name."""
    return file.name.lower().endswith(TEXT_SUFFIXES)
