"""Write beside the final name and rename when complete: a reader never sees half a file."""

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from sfumato.errors import FileError

ONLY_OWNER = 0o600
DISK_FULL = {errno.ENOSPC, errno.EDQUOT}
CUT_SHORT = re.compile("[0-9]+ requested and [0-9]+ written$")  # of numpy, which gives no number of an error


@contextmanager
def replace_file(path: Path, *, overwrite: bool = True, is_private: bool = False) -> Iterator[Path]:
    """Give a temporary path in the same folder, which takes the place of `path` when the block ends well.

    Whatever goes wrong, the temporary file is removed and what stood at `path` stays as it was. A file that is
    replaced hands its permissions on; one that `is_private` only its owner can read, from the beginning.
    """
    target = _writable_target(path, overwrite)
    temporary = target.with_name(f".sfumato-{token_hex(6)}.part")
    try:
        temporary.touch(ONLY_OWNER if is_private else 0o666, exist_ok=False)
        yield temporary
        _flush(temporary)
        if is_private:
            temporary.chmod(ONLY_OWNER)
        elif target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
        _flush_folder(target.parent)
    except Exception as error:
        raise _as_file_error(error, path) from None
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8, all of it or nothing."""
    write_bytes(path, text.encode())


def private_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8 that only its owner can read, all of it or nothing."""
    with replace_file(path, is_private=True) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, all of it or nothing."""
    with replace_file(path) as temporary:
        temporary.write_bytes(content)


def _writable_target(path: Path, overwrite: bool) -> Path:
    target = path.resolve()
    if target.is_dir():
        raise FileError(f"{path} is a folder; name a file in it")
    if not target.parent.is_dir():
        raise FileError(f"{path} cannot be written: there is no folder {path.parent}; make it first")
    if target.exists() and not target.is_file():
        raise FileError(f"{path} is not a file that can be replaced; choose another name")
    if target.exists() and not overwrite:
        raise FileError(f"{path} exists already; choose another name, or let it be replaced with overwrite=True")
    return target


def _as_file_error(error: Exception, path: Path) -> Exception:
    """Return a `FileError` for what the file system refused, and any other error as it is."""
    if is_disk_full(error):
        return FileError(f"{path} cannot be written: the disk is full; nothing was changed")
    if isinstance(error, PermissionError):
        return FileError(f"{path} cannot be written: permission denied; nothing was changed")
    if isinstance(error, OSError):
        reason = os.strerror(error.errno) if error.errno else type(error).__name__
        return FileError(f"{path} cannot be written: {reason}; nothing was changed")
    return error


def _flush(path: Path) -> None:
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())


def _flush_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems cannot do it; the file itself is safe
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_disk_full(error: Exception) -> bool:
    """Tell whether an error means that the disk is full, also where a library keeps the number in its text only."""
    if isinstance(error, OSError) and (error.errno in DISK_FULL or (not error.errno and CUT_SHORT.match(str(error)))):
        return True
    return any(f"(os error {number})" in str(error) for number in DISK_FULL)
