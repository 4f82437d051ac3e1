"""A lock file: one process at a time changes what a folder holds."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sfumato.errors import FileError

SECONDS_BETWEEN_TRIES = 0.05


@contextmanager
def folder_lock(folder: Path, seconds: float = 60.0) -> Iterator[None]:
    """Hold the lock of a folder; wait for others, and give up after some seconds.

    The system frees the lock when the process ends, however it does.
    """
    with (folder / ".lock").open("w") as file:
        if os.name == "posix":
            import fcntl

            end = time.monotonic() + seconds
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except OSError:
                    if time.monotonic() > end:
                        raise FileError(f"another process has been changing {folder} for long; try again") from None
                    time.sleep(SECONDS_BETWEEN_TRIES)
        yield
