"""What a missing value tells: whose values are suppressed more often than those of others.

Suppression goes by how rare a value is: over runs of the recipe, the gaps of each person, and of all who have the same
value, show how often it is left out. Where a value is shown, how likely that is hangs on the value and not on the
person; only of somebody who has none it tells that it came from somewhere.
"""

from collections.abc import Sequence

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.data import Microdata
from sfumato.intruder.coded_columns import coded_columns
from sfumato.intruder.shadow_masking import Runs
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.numerics.densities import Transitions

RUNS = 24
MAX_RECORDS = 20_000  # originals up to which runs are made for this
CLASSES = 20  # of numbers, in which values are equally often suppressed
LIKE_ALL = (1.0, 4.0, 16.0, 64.0, 1e6)  # runs for which those of all with such a value count
RARE = 0.05  # gaps, or none, that are added to those of all with such a value


def gap_likelihood(runs: Runs, masked: Microdata, names: Sequence[str]) -> Likelihood:
    """Return what gaps tell of each original, in the columns in which chance decides whose values are missing.

    Parameters
    ----------
    runs
        The original, the recipe, and what was found out by running it.
    masked
        The file.
    names
        The columns.
    """
    found = []
    for name in names if runs.original.n <= MAX_RECORDS else ():
        lacking = ~runs.original.observed(name)
        first = [_own_gaps(runs, name, number) for number in range(2)]
        in_both = (first[0][0] > 0) & (first[1][0] > 0)
        if np.array_equal(first[0][1][in_both] > 0, first[1][1][in_both] > 0):  # no matter of chance
            continue
        every = [*first, *(_own_gaps(runs, name, number) for number in range(2, RUNS))]
        chances = _chances(_value_classes(runs, name), every)
        shown = np.where(lacking, 1 - chances, 1.0)
        codes = np.arange(runs.original.n, dtype=np.float64), (~masked.observed(name)).astype(np.float64)
        found.append(Coordinate(*codes, Transitions(np.column_stack([shown, chances])), is_exact=False))
    return tuple(found)


def _own_gaps(runs: Runs, name: str, number: int) -> tuple[CodeColumn, CodeColumn]:
    """Return how often a run has each original, and how often it lacks the value."""
    shadow = runs.shadow(number)
    gone = ~shadow.data.observed(name)
    counts = [np.bincount(rows, minlength=runs.original.n) for rows in (shadow.rows, shadow.rows[gone])]
    return counts[0], counts[1]


def _value_classes(runs: Runs, name: str) -> CodeColumn:
    """Return the class of the value of each original: the category, or one of a few classes of numbers; 0 for none."""
    (values,), is_number = coded_columns([runs.original], name)
    if is_number and np.isfinite(values).any():
        edges = np.unique(np.nanquantile(values, np.linspace(0, 1, CLASSES + 1)[1:-1]))
        values = np.where(np.isnan(values), np.nan, np.searchsorted(edges, values))
    return np.where(np.isnan(values), 0, np.nan_to_num(values) + 1).astype(np.int64)


def _chances(classes: CodeColumn, runs: Sequence[tuple[CodeColumn, CodeColumn]]) -> FloatColumn:
    """Return how probable it is that each original lacks its value after masking."""
    counts, gone = (np.sum(part, axis=0).astype(np.float64) for part in zip(*runs, strict=True))
    totals = [np.bincount(classes, part) for part in (counts, gone)]
    alike = ((totals[1] + RARE) / (totals[0] + 2 * RARE))[classes]

    def merit(like_all: float) -> float:
        """Return how well the other runs of each person foretell one that is left out."""
        rest = counts - 1 + like_all
        is_gone = np.log(np.maximum(gone - 1 + like_all * alike, 1e-12) / rest)
        is_there = np.log(np.maximum(counts - gone - 1 + like_all * (1 - alike), 1e-12) / rest)
        some = counts > 1
        return float((gone * is_gone + (counts - gone) * is_there)[some].sum())

    best = max(LIKE_ALL, key=merit)
    return np.asarray((gone + best * alike) / (counts + best), dtype=np.float64)
