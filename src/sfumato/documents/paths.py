"""Names of files in a document: they begin at the document's own folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

from sfumato.documents.messages import kind_of

_folder: ContextVar[Path] = ContextVar("folder", default=Path())


@contextmanager
def paths_begin_at(folder: Path) -> Iterator[None]:
    """Let the paths of all records that are made meanwhile begin at a folder."""
    token = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(token)


def resolve_path(name: Any) -> Path:
    """Return the path that the name of a file stands for in the document that is being loaded."""
    if isinstance(name, Path) or (isinstance(name, str) and name):
        return _folder.get() / Path(name).expanduser()
    raise ValueError(f"must be the name of a file; got {kind_of(name)}")


def _check_file(path: Path) -> Path:
    if not path.is_file():
        raise ValueError(f"must be a file that exists; there is no {path}: paths begin at the folder of the document")
    return path


FilePath = Annotated[Path, BeforeValidator(resolve_path)]
"""The path of a file, which need not be there yet."""

ExistingFile = Annotated[Path, BeforeValidator(resolve_path), AfterValidator(_check_file)]
"""The path of a file that is there."""
