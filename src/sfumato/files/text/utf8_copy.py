"""Give any text file as an unpacked one in UTF-8, in chunks and never whole in memory."""

import gzip
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sfumato.errors import FileError
from sfumato.files.text.detection import can_decode, decode_chunks, detect_encoding, normalise_encoding

READ_AS_THEY_ARE = {"utf-8", "utf-8-sig", "ascii"}


@contextmanager
def utf8_copy(path: Path, encoding: str | None, *, is_packed: bool) -> Iterator[tuple[Path, str]]:
    """Give a path where the text stands unpacked and in UTF-8, and the encoding that the file has.

    The path is that of the file itself, or of a copy that goes with the block.

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
        unpacked = _unpack(path, folder / "unpacked") if is_packed else path
        if not unpacked.stat().st_size:
            raise FileError(f"{path} is empty: it holds not a single byte; check where it comes from")
        found = normalise_encoding(encoding) if encoding else detect_encoding(unpacked)
        is_tried = encoding is None and found == "utf-8"  # as it was found by decoding all of it
        encoding = found
        if found in READ_AS_THEY_ARE and (is_tried or can_decode(unpacked, found)):
            yield unpacked, encoding
        else:
            yield _transcode(path, unpacked, encoding, folder / "transcoded"), encoding


def _unpack(path: Path, copy: Path) -> Path:
    try:
        with gzip.open(path) as source, copy.open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 22)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise FileError(f"{path} cannot be unpacked: it is not a gzip file, or not whole") from None
    return copy


def _transcode(path: Path, source: Path, encoding: str, copy: Path) -> Path:
    try:
        with copy.open("w", encoding="utf-8", newline="") as target:
            target.writelines(decode_chunks(source, encoding))
    except UnicodeError:
        raise FileError(f"{path} is not written in {encoding}; leave 'encoding' out to have it found") from None
    return copy
