"""Synthetic records that are equal to a record that is the only one of its kind in the original file.

Some are there by chance, as in a second sample of the same population, and say nothing of who was in the first: a file
without a single one would show, by what is lacking, whose record it was made from. So as many may stay, in proportion,
as two files drawn from the models have in common.
"""

from collections.abc import Mapping

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Rows

Values = Mapping[str, FloatColumn]


def excess_copies(original: Values, drawn: Values, second: Values, rng: np.random.Generator) -> Rows:
    """Return the rows of drawn records that copy single original ones, as far as they are more than by chance.

    Parameters
    ----------
    original, drawn
        The values of the original records and of the drawn ones, by column.
    second
        As many other records drawn from the models as there are original ones: the share of its single records that
        the drawn ones hit is that of chance.
    rng
        The generator: it chooses which copies stay.
    """
    return beyond_chance(copied_records(original, drawn), copied_records(second, drawn), rng)


def beyond_chance(found: tuple[Rows, int], by_chance: tuple[Rows, int], rng: np.random.Generator) -> Rows:
    """Return which of those that copy a single one do so beyond what chance explains.

    Parameters
    ----------
    found
        For each drawn record or household the single original one that it equals, or -1; and how many are single.
    by_chance
        The same of another file drawn from the models in the place of the original.
    rng
        The generator.
    """
    copied, single = found
    hits, chance = (np.unique(numbers[numbers >= 0]) for numbers, _ in (found, by_chance))
    share = chance.size / max(by_chance[1], 1)
    refused = rng.permutation(hits)[int(share * single) :]
    return np.flatnonzero(np.isin(copied, refused))


def copied_records(original: Values, drawn: Values) -> tuple[Rows, int]:
    """Return for each drawn record the row of the single original one that it equals, or -1, and how many are single.

    Examples
    --------
    >>> copied_records({"x": np.array([1.0, 2.0, 2.0, np.nan])}, {"x": np.array([2.0, np.nan, 1.0, 7.0])})
    (array([-1,  3,  0, -1]), 2)
    """
    return single_cells(joint_cells(original, drawn), len(next(iter(original.values()))))


def joint_cells(original: Values, drawn: Values) -> Rows:
    """Return a number for each original record, then for each drawn one: the same where all values are."""
    cells = np.zeros(sum(len(next(iter(values.values()))) for values in (original, drawn)), dtype=np.int64)
    for name in original:
        codes = np.unique(np.concatenate([original[name], drawn[name]]), return_inverse=True)[1]
        cells = np.unique(cells * (int(codes.max()) + 1) + codes, return_inverse=True)[1]
    return cells


def single_cells(cells: Rows, n: int) -> tuple[Rows, int]:
    """Return for each number after the first `n` the place of the single one of these that equals it, or -1.

    And how many of the first are single.
    """
    is_single = np.bincount(cells[:n], minlength=int(cells.max()) + 1) == 1
    row = np.full(is_single.size, -1, dtype=np.int64)
    row[cells[:n]] = np.where(is_single[cells[:n]], np.arange(n), -1)
    return row[cells[n:]], int(np.count_nonzero(is_single))
