"""Give any text file as an unpacked one in UTF-8, in chunks and never whole in memory."""

import gzip
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sfumato.errors import FileError
from sfumato.files.text.detection import checked_encoding, decoded, decodes, found_encoding

READ_AS_THEY_ARE = {"utf-8", "utf-8-sig", "ascii"}


@contextmanager
def plain_text(path: Path, encoding: str | None, *, is_packed: bool) -> Iterator[Path]:
    """Give a path where the text stands unpacked and in UTF-8: the file itself, or a copy that goes with the block.

    Parameters
    ----------
    path
        A text file.
    encoding
        The encoding; found when None.
    is_packed
        Whether it is packed with gzip.
    """
    with TemporaryDirectory(prefix="sfumato-") as name:  # only its owner may look into it
        folder = Path(name)
        unpacked = _unpacked(path, folder / "unpacked") if is_packed else path
        if not unpacked.stat().st_size:
            raise FileError(f"{path} is empty")
        encoding = checked_encoding(encoding) if encoding else found_encoding(unpacked)
        if encoding in READ_AS_THEY_ARE and decodes(unpacked, encoding):
            yield unpacked
        else:
            yield _transcoded(path, unpacked, encoding, folder / "transcoded")


def _unpacked(path: Path, copy: Path) -> Path:
    try:
        with gzip.open(path) as source, copy.open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 22)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise FileError(f"{path} cannot be unpacked: it is not a gzip file, or not whole") from None
    return copy


def _transcoded(path: Path, source: Path, encoding: str, copy: Path) -> Path:
    try:
        with copy.open("w", encoding="utf-8", newline="") as target:
            target.writelines(decoded(source, encoding))
    except UnicodeError:
        raise FileError(f"{path} is not written in {encoding}; leave 'encoding' out to have it found") from None
    return copy
