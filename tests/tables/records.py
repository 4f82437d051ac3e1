"""Records and hierarchies for the tests of tables, and their tables by the plain definition."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from sfumato.data import Hierarchy

PLACES = Hierarchy.from_levels([("a", "x", "Total"), ("b", "x", "Total"), ("c", "y", "Total"), ("d", "Total")])
OTHER = Hierarchy.from_levels([("a", "u", "Total"), ("c", "u", "Total"), ("b", "v", "Total"), ("d", "v", "Total")])
SECTORS = Hierarchy.from_levels([("f", "Total"), ("g", "Total")])


@st.composite
def firms(draw: st.DrawFn) -> pl.DataFrame:
    """Return records of firms with a place, a sector, sales (whole, so that sums are exact), a weight and a group."""
    size, rng = draw(st.integers(1, 25)), np.random.default_rng(draw(st.integers(0, 2**32)))
    return pl.DataFrame(
        {
            "place": rng.choice(PLACES.leaves, size),
            "sector": rng.choice(SECTORS.leaves, size),
            "sales": rng.integers(-5, 30, size),
            "weight": rng.choice([1.0, 1.5, 2.0], size),
            "group": rng.integers(0, 6, size),
            "asks": rng.random(size) < 0.3,
        }
    )


def codes_above(leaf: Any, groupings: Sequence[Hierarchy]) -> set[Any]:
    """Return a leaf and all codes that it is under."""
    return {leaf}.union(*(tree.ancestors(leaf) for tree in groupings))


def members(frame: pl.DataFrame, by: Mapping[str, Sequence[Hierarchy]]) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    """Return the records of each cell, totals included, one record after another."""
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in frame.iter_rows(named=True):
        for cell in product(*(codes_above(row[name], trees) for name, trees in by.items())):
            found.setdefault(cell, []).append(row)
    return found
