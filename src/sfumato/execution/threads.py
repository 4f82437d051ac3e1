"""How many threads or processes a run uses."""

import os

from sfumato.errors import ParameterError


def usable_threads(asked: int | None) -> int:
    """Return how many threads to use: as many as asked for, or as this process may."""
    if asked is not None and asked < 1:
        raise ParameterError([f"threads must be in [1, inf); got {asked}"])
    if asked is not None:
        return asked
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
