"""Sums of products in one thread."""

import sys
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any


def one_thread() -> AbstractContextManager[object]:
    """Return a context in which matrix products and k-means run in one thread.

    Several threads add up in an order of their own, so that the last digits would depend on the number of cores; and on
    blocks that fit in a processor's cache they spend more time waiting for each other than they save.
    """
    limits: AbstractContextManager[object] = _libraries(len(sys.modules)).limit(limits=1)
    return limits


@lru_cache(maxsize=1)
def _libraries(_modules: int) -> Any:
    """Return the libraries that are loaded, found anew where modules were: it takes longer than most products."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
