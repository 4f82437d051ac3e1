"""Sums of products in one thread."""

from contextlib import AbstractContextManager


def one_thread() -> AbstractContextManager[object]:
    """Return a context in which matrix products and k-means run in one thread.

    Several threads add up in an order of their own, so that the last digits would depend on the number of cores; and on
    blocks that fit in a processor's cache they spend more time waiting for each other than they save.
    """
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits
