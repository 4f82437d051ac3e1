"""Compile a loop once and keep the machine code for later processes."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
T = TypeVar("T")


def compiled(loop: Callable[P, T]) -> Callable[P, T]:
    """Return `loop` compiled on first call, cached on disk, and run without holding Python's lock."""
    return cast(Callable[P, T], numba.njit(cache=True, nogil=True)(loop))
