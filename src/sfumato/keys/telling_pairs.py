"""Two columns that tell a key together: the age at arrival and the years since then add up to the age."""

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np

from sfumato.data import METRIC, Microdata, Role
from sfumato.keys.telling_columns import (
    MAX_DRAWN,
    MAX_RECORDS,
    Telling,
    has_order,
    in_order,
    is_told,
    ordered_codes,
    telling_names,
    years,
)
from sfumato.numerics.arrays import CodeColumn, Rows

MAX_COLUMNS = 20  # of numbers, of which all pairs are tried
FIRST_LOOK = 200  # records, by which most pairs are left aside


def telling_pairs(masked: Microdata, names: tuple[str, ...], found: Sequence[Telling]) -> list[Telling]:
    """Return the pairs of columns whose sum or difference tells an ordered key that neither tells by itself.

    Parameters
    ----------
    masked, names
        The file as it is released, and its keys.
    found
        What is known to tell a key.
    """
    keys = {name: ordered_codes(masked, name) for name in names if has_order(masked, name)}
    columns = [name for name in telling_names(masked) if name not in names and _is_number(masked, name)][:MAX_COLUMNS]
    values = {name: years(masked, name) for name in columns} if keys else {}
    told = {(one.key, one.column) for one in found}
    pairs = []
    order = np.random.default_rng(0).permutation(masked.n)[:MAX_DRAWN]  # which records are looked at is no secret
    for first, second in combinations(values, 2):
        rows = order[np.isfinite(values[first][order]) & np.isfinite(values[second][order])][:MAX_RECORDS]
        for (key, codes), is_sum in product(keys.items(), (True, False)):
            if {(key, first), (key, second)} & told:
                continue
            both = values[first][rows] + (1 if is_sum else -1) * values[second][rows]
            if _is_told(codes[rows], in_order(both)):
                pairs.append(Telling(key, first, other=second, is_sum=is_sum))
    return pairs


def _is_told(key: CodeColumn, column: CodeColumn) -> bool:
    """Tell whether a column tells a key: by a few records first, as most do not."""
    few: Rows = np.arange(min(FIRST_LOOK, key.size))
    return is_told(key[few], column[few], True) and is_told(key, column, True)


def _is_number(data: Microdata, name: str) -> bool:
    return name in data.schema and data.schema[name].kind in METRIC and data.schema[name].role is not Role.WEIGHT
