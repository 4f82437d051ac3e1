"""Several synthetic copies of one original in a file, numbered in a column."""

from sfumato.data.microdata import Microdata

RELEASE = "release"  # the column in which copies that share a file are numbered


def copies_of(original: Microdata, file: Microdata) -> list[Microdata]:
    """Return the copies of the original that a file holds, one by one: itself where it does not number any."""
    if RELEASE not in file.schema or RELEASE in original.schema:
        return [file]
    return [file.take_rows(rows) for rows in file.strata((RELEASE,))]
