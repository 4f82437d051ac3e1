"""Run a loop over many queries in several threads."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

PIECE = 4096  # queries that one thread takes at a time


def run_in_threads(loop: Callable[[slice], None], count: int) -> None:
    """Call `loop` for one piece of the first `count` queries after another, in as many threads as this process may use.

    The pieces are the same on any machine; the loop writes only to its piece of the outputs and runs compiled, without
    Python's lock.
    """
    pieces = [slice(start, min(start + PIECE, count)) for start in range(0, count, PIECE)]
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if min(len(pieces), usable) < 2:
        for piece in pieces:
            loop(piece)
        return
    with ThreadPoolExecutor(max_workers=min(len(pieces), usable)) as pool:
        for _ in pool.map(loop, pieces):
            pass  # an error in a thread is raised here
