"""A folder for what a long run keeps for itself: nobody else may look in, and what a killed run left is found again."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sfumato.errors import FileError, UnfinishedRunError

ONLY_OWNER = 0o700
LOCK = "lock"


@contextmanager
def private_folder(parent: Path, name: str, *, keeps_unfinished: bool = False) -> Iterator[Path]:
    """Give a folder that only its owner can read; it is removed when the block ends, well or not.

    A run that is killed leaves it, and the next one with the same name finds what was finished; so does one that ends
    by an `UnfinishedRunError` where `keeps_unfinished` says so.
    """
    folder = parent / name
    try:
        folder.mkdir(mode=ONLY_OWNER, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise FileError(
            f"a private folder cannot be made in {folder.parent}: {error.strerror}; make that folder, or choose another"
        ) from None
    is_open = os.name == "posix" and (found.st_uid != os.getuid() or found.st_mode & 0o077)
    if not stat.S_ISDIR(found.st_mode) or is_open:
        raise FileError(f"{folder} is there already and others can read it, or it is not yours; remove it first")
    with lock_folder(folder):
        is_kept = False
        try:
            yield folder
        except UnfinishedRunError:
            is_kept = keeps_unfinished
            raise
        finally:
            if not is_kept:
                shutil.rmtree(folder, ignore_errors=True)


def lock_folder(folder: Path) -> IO[str]:
    """Return a file that keeps others out of a folder until it is closed; refuse one in which another run is at work.

    The system frees the folder when a process ends, however it does.
    """
    file = (folder / LOCK).open("w")
    if os.name != "posix":
        return file
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise FileError(f"another run is at work in {folder}; wait for it, or end it") from None
    return file
