"""Whether so many synthetic records fit into memory: asked before they are drawn, as a full memory ends the program."""

import os

from sfumato.display import format_compact
from sfumato.errors import DataError

BYTES_PER_CELL = 64  # of a synthetic file at its largest, as measured: donors, numbers, and columns that are written
GIGABYTE = 1e9


def check_memory(who: str, records: int, columns: int) -> None:
    """Refuse more synthetic records than the memory of this machine can hold."""
    needed, has = BYTES_PER_CELL * records * columns, physical_memory()
    if has is not None and needed > has:
        raise DataError(
            f"{who}.size: {records:,} records of {columns} columns, all releases together, take about "
            f"{format_compact(needed / GIGABYTE, 3)} GB of memory, and this machine has "
            f"{format_compact(has / GIGABYTE, 3)}; make smaller files, each with a seed of its own"
        )


def physical_memory() -> int | None:
    """Return the bytes of memory of this machine, where the system tells."""
    names = getattr(os, "sysconf_names", {})
    if "SC_PAGE_SIZE" not in names or "SC_PHYS_PAGES" not in names:
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
