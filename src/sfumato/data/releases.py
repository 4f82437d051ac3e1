"""Columns that a synthesis adds: the number of each of several copies in one file, and what the records are."""

from sfumato.data.microdata import Microdata

RELEASE = "release"  # the column in which copies that share a file are numbered
LABEL = "label"  # the column that says of every record that it is synthetic, where that is asked for


def copies_of(original: Microdata, file: Microdata) -> list[Microdata]:
    """Return the copies of the original that a file holds, one by one: itself where it does not number any."""
    if RELEASE not in file.schema or RELEASE in original.schema:
        return [file]
    return [file.take_rows(rows) for rows in file.strata((RELEASE,))]
