"""What a folder offers to be opened: files of a format that is read, those first whose project was used last."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from sfumato.app.project import FACTS, JOURNAL, SUFFIX, project_folder
from sfumato.errors import FileError
from sfumato.files.formats import FORMATS, suffix_of

MAX_LISTED = 300


class ListedFile(NamedTuple):
    """A file that can be opened: its size in bytes, and when its project was last used, if one was begun."""

    path: Path
    size: int
    used: datetime | None


class FolderListing(NamedTuple):
    """The files and the folders in a folder, and whether there are more than are listed."""

    files: tuple[ListedFile, ...]
    folders: tuple[Path, ...]
    is_cut: bool


def list_folder(folder: Path) -> FolderListing:
    """List a folder; hidden names and projects themselves are left out."""
    try:
        entries = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
        folders = [entry for entry in entries if entry.is_dir() and entry.suffix != SUFFIX]
        files = [_listed(entry) for entry in entries if entry.is_file() and suffix_of(entry) in FORMATS]
    except OSError as error:
        raise FileError(f"{folder} cannot be read: {error.strerror}; choose another folder") from None
    by_use = sorted(files, key=lambda one: (-one.used.timestamp() if one.used else 0.0, one.path.name.lower()))
    by_name = sorted(folders, key=lambda one: one.name.lower())
    is_cut = max(len(by_use), len(by_name)) > MAX_LISTED
    return FolderListing(tuple(by_use[:MAX_LISTED]), tuple(by_name[:MAX_LISTED]), is_cut)


def _listed(file: Path) -> ListedFile:
    folder = project_folder(file)
    journal = folder / JOURNAL
    used = datetime.fromtimestamp(journal.stat().st_mtime) if (folder / FACTS).exists() and journal.exists() else None
    return ListedFile(file, file.stat().st_size, used)
