"""What other libraries raise, told in our own words: their messages may hold a record's values."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sfumato.errors import FileError, SfumatoError


@contextmanager
def told_plainly(path: Path, name: str) -> Iterator[None]:
    """Turn whatever a reading library raises inside the block into a `FileError` without its message.

    Parameters
    ----------
    path
        The file being read.
    name
        What the file should be, as in "a Parquet file".
    """
    try:
        yield
    except (SfumatoError, MemoryError, KeyboardInterrupt):
        raise
    except PermissionError:
        raise FileError(f"{path} may not be read: permission denied") from None
    except Exception:
        raise FileError(
            f"{path} cannot be read as {name}: its content is damaged or something else; check the file and its suffix"
        ) from None
