"""What other libraries raise, told in our own words: their messages may hold a record's values."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sfumato.errors import FileError, SfumatoError
from sfumato.storage.atomic import is_disk_full


@contextmanager
def translate_read_errors(path: Path, name: str) -> Iterator[None]:
    """Turn whatever a reading library raises inside the block into a `FileError` without its message.

    What the file system refused goes on as it is, for `sfumato.files.reading` to tell.

    Parameters
    ----------
    path
        The file being read.
    name
        What the file should be, as in "a Parquet file".
    """
    try:
        yield
    except (SfumatoError, MemoryError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a library written in Rust may panic, which is no Exception
        if isinstance(error, OSError) and (error.errno or is_disk_full(error)):
            raise
        raise FileError(
            f"{path} cannot be read as {name}: its content is damaged or something else; check the file and its suffix"
        ) from None


@contextmanager
def translate_write_errors(name: str) -> Iterator[None]:
    """Turn whatever a writing library raises inside the block into a `FileError` without its message.

    What the file system refused goes on as it is, for `sfumato.storage.atomic` to tell.

    Parameters
    ----------
    name
        What is being written, as in "a Parquet file".
    """
    try:
        yield
    except (SfumatoError, OSError, MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:
        if is_disk_full(error):
            raise
        raise FileError(f"{name} could not be written completely; is the disk full? Nothing was changed") from None
