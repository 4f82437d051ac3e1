"""Processes that work for another one and end with it."""

import os
import signal
from collections.abc import Callable
from threading import Thread
from time import sleep

SECONDS_BETWEEN_LOOKS = 1.0


def depend_on_parent(parent: int, clean_up: Callable[[int], None] | None = None) -> None:
    """Let the parent alone decide what Ctrl-C means: it ends its processes itself. If it is killed, end with it.

    Parameters
    ----------
    parent
        Its process id; it may be gone before this process has begun.
    clean_up
        Called with the parent's process id when that was killed, to remove what it left.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.name == "posix":
        Thread(target=_watch, args=(parent, clean_up), daemon=True).start()


def _watch(parent: int, clean_up: Callable[[int], None] | None) -> None:
    while os.getppid() == parent:
        sleep(SECONDS_BETWEEN_LOOKS)
    if clean_up is not None:
        clean_up(parent)
    os._exit(1)  # whoever wanted the result is gone
