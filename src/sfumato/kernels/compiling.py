"""Compile a loop once and keep the machine code for later processes, where the user can write."""

import logging
import threading
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import event

from sfumato.kernels.inner_loops import Loop

P = ParamSpec("P")
T = TypeVar("T")

NOTICE_AFTER = 2.0  # seconds after which somebody who waits should know why
MESSAGE = "Compiling loops for this machine. This happens once, and may take some seconds."


def compiled(loop: Callable[P, T]) -> Callable[P, T]:
    """Return `loop` compiled on first call, and run without holding Python's lock.

    The machine code is kept on disk for later processes, as long as this loop and all that it calls stay as they are.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return loop
    return cast(Callable[P, T], Loop(loop))


class Announcement(event.Listener):
    """Say once, on the logger of the package, that loops are being compiled, when it takes long."""

    def __init__(self, seconds: float = NOTICE_AFTER) -> None:
        self._seconds = seconds
        self._depth = 0  # loops call loops, which are compiled on the way
        self._timer: threading.Timer | None = None
        self._is_said = False

    def on_start(self, _: Any) -> None:
        """Start to wait when the outermost compilation starts."""
        self._depth += 1
        if self._depth == 1 and not self._is_said:
            self._timer = threading.Timer(self._seconds, self._say)
            self._timer.daemon = True
            self._timer.start()

    def on_end(self, _: Any) -> None:
        """Wait no longer when the outermost compilation ends."""
        self._depth -= 1
        if self._depth == 0 and self._timer is not None:
            self._timer.cancel()

    def _say(self) -> None:
        self._is_said = True
        logging.getLogger("sfumato").warning(MESSAGE)


event.register("numba:compile", Announcement())  # type: ignore[no-untyped-call]
