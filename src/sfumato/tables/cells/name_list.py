"""Names of cells in messages: the first few, and how many more there are."""

from collections.abc import Sequence


def list_names(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are.

    Examples
    --------
    >>> list_names(["region=N", "region=S", "region=W"], 2)
    'region=N; region=S and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return "; ".join(names[:most]) + more
