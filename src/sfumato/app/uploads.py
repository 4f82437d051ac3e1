"""Bring a file into a folder through the browser: written as it comes, whole or not at all, for its owner only."""

from collections.abc import AsyncIterator
from pathlib import Path, PurePosixPath, PureWindowsPath

from sfumato.errors import FileError
from sfumato.files.formats import format_of
from sfumato.storage.atomic import replace_file

UPLOAD = "/upload"
NAME, FOLDER = "x-file-name", "x-folder"  # headers, percent-encoded: addresses hold no names
ONLY_OWNER = 0o600


async def save_upload(chunks: AsyncIterator[bytes], folder: Path, name: str) -> Path:
    """Write what the browser sends as a new file of a folder; a file that is there is left alone."""
    target = folder / checked_name(name)
    with replace_file(target, overwrite=False) as temporary:
        temporary.chmod(ONLY_OWNER)
        with temporary.open("wb") as stream:
            async for chunk in chunks:
                stream.write(chunk)
    return target


def checked_name(name: str) -> str:
    r"""Return the name of a file without folders; refuse one of a format that is not read.

    Examples
    --------
    >>> checked_name("C:\\surveys\\people.csv")
    'people.csv'
    """
    plain = PureWindowsPath(PurePosixPath(name).name).name
    if not plain or plain.startswith(".") or not plain.isprintable():
        raise FileError("choose a file with a plain name")
    format_of(Path(plain))
    return plain
