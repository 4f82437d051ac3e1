"""What the files of a table are called, and whether two tables would share theirs."""

import re
from collections.abc import Iterable


def file_name(name: str) -> str:
    """Return a table's name in characters that any file system takes."""
    return re.sub(r"[^\w.+-]+", "_", name).strip("._") or "table"


def sharing_files(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return each table whose files would be those of one before it, with that one; some systems know no capitals.

    Examples
    --------
    >>> sharing_files(["by size", "by region", "By_size"])
    [('By_size', 'by size')]
    """
    first: dict[str, str] = {}
    return [(name, other) for name in names if (other := first.setdefault(file_name(name).casefold(), name)) != name]
