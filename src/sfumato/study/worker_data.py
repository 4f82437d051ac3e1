"""Hand the data to other processes: in a file that only this user can read, and that does not stay."""

import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir
from time import sleep, time

from sfumato.data import Microdata

PREFIX = "sfumato-study-"
STALE_AFTER = 86_400.0  # seconds
SHORT_WAIT = 0.02  # seconds


@contextmanager
def share_data(data: Microdata) -> Iterator[Path]:
    """Write the data to a file that only this user can read, and remove it in the end."""
    remove_stale_data(Path(gettempdir()))
    with TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-") as folder:
        path = Path(folder) / "data.pickle"
        with path.open("wb") as file:
            pickle.dump(data, file, protocol=pickle.HIGHEST_PROTOCOL)
        yield path


@lru_cache(maxsize=1)
def load_shared_data(path: Path) -> Microdata:
    """Return the data that were handed over, loaded once by each process."""
    with path.open("rb") as file:
        data: Microdata = pickle.load(file)  # noqa: S301 - written by this study in a folder of its own
    return data


@contextmanager
def process_lock(path: Path) -> Iterator[None]:
    """Let only one of the processes that share the data at `path` be in the block at a time."""
    turn = path.with_name("turn")
    while True:
        try:
            turn.mkdir()  # succeeds in one process only
            break
        except FileExistsError:
            sleep(SHORT_WAIT)
    try:
        yield
    finally:
        with suppress(OSError):  # the study was given up, and its folder is gone
            turn.rmdir()


def remove_data_of(process: int) -> None:
    """Remove the data of a study whose process was killed."""
    for left in Path(gettempdir()).glob(f"{PREFIX}{process}-*"):
        rmtree(left, ignore_errors=True)


def remove_stale_data(folder: Path) -> None:
    """Remove the data of studies that were ended, with all their processes, more than a day ago."""
    if os.name != "posix":
        return
    for left in folder.glob(f"{PREFIX}*"):
        owner = left.name.removeprefix(PREFIX).partition("-")[0]
        with suppress(OSError):
            if time() - left.stat().st_mtime > STALE_AFTER and owner.isdecimal() and not _is_alive(int(owner)):
                rmtree(left, ignore_errors=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
