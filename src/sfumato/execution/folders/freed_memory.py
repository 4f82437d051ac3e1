"""Give freed memory back to the system: between tasks, as the next one may take it elsewhere."""

import ctypes
from collections.abc import Callable
from functools import cache


def give_back_freed_memory() -> bool:
    """Give back what the C library keeps of freed memory, and return whether it can be told to; only that of GNU can.

    It keeps the more the more blocks of many sizes came and went, and commands ask it to keep even more.
    """
    trim = _trim()
    if trim is None:
        return False
    trim(0)
    return True


@cache
def _trim() -> Callable[[int], int] | None:
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another library, or Windows
        return None
    return found
