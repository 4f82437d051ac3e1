"""The size of the household as a column: acquaintances know it, and a file that tells who lives together shows it."""

from typing import NamedTuple

import numpy as np

from sfumato.contracts import paired_rows
from sfumato.data import Kind, Microdata, Role, Variable, role
from sfumato.keys.findings.sides_by_keys import SidesByKeys, sides_by_keys
from sfumato.numerics.arrays import FloatColumn

SIZE = "the number of persons in the household"


class SizedFiles(NamedTuple):
    """The original in the order of the released file, and the released file, with sizes where both tell households."""

    aligned: Microdata | None
    released: Microdata


def with_household_sizes(original: Microdata, aligned: Microdata | None, released: Microdata) -> SizedFiles:
    """Return both files with the size of each person's household as a column, where the released file shows it.

    Parameters
    ----------
    original, aligned
        The file as it was, and in the order of the released one; None where nothing tells which record is which.
    released
        The released file.
    """
    sized = [_sizes(data) for data in (original, released)]
    if aligned is None or sized[0] is None or sized[1] is None or SIZE in {*aligned.schema.names}:
        return SizedFiles(aligned, released)
    rows = paired_rows(original, released)
    return SizedFiles(_with_sizes(aligned, sized[0][rows]), _with_sizes(released, sized[1]))


def sides_by_size(
    original: Microdata, aligned: Microdata | None, released: Microdata, keys: tuple[str, ...]
) -> SidesByKeys | None:
    """Return how many are left to an acquaintance who also knows how many live in the household, from both sides.

    None where the released file does not show these sizes as they were, or nobody knows what a person would show.
    """
    sized = with_household_sizes(original, aligned, released)
    if sized.aligned is None or SIZE not in sized.released.schema or SIZE in released.schema:
        return None
    shown, true = sized.released.values(SIZE), sized.aligned.values(SIZE)
    seen = np.isfinite(shown)
    if not (shown[seen] == true[seen]).all() or np.unique(shown[seen]).size < 2:
        return None
    return sides_by_keys(sized.aligned, sized.released, (*keys, SIZE))


def _sizes(data: Microdata) -> FloatColumn | None:
    """Return how many records the household of each has; None where the file tells no households."""
    names = data.select(role("household"))
    if len(names) != 1 or not data.observed(names[0]).any():
        return None
    codes = data.codes(names[0])[0]
    counts = np.bincount(codes + 1).astype(np.float64)
    return np.where(codes < 0, np.nan, counts[codes + 1])


def _with_sizes(data: Microdata, sizes: FloatColumn) -> Microdata:
    return data.with_column(Variable(name=SIZE, kind=Kind.CONTINUOUS, role=Role.OTHER), sizes)
