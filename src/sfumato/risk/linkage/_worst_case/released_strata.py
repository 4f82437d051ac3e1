"""Strata that the release shows as they were: whoever has the recipe attacks each as the file of its own that it was.

What a method does inside a stratum goes by the scale, the ranks and the neighbours there, and not by those of the file.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from sfumato.comparison.side_by_side import Comparison
from sfumato.contracts import MaskingMethod, columns_present
from sfumato.data import Microdata
from sfumato.intruder.coded_columns import combination_codes
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows

MAX_STRATA = 50  # as many runs of each attack
IN_STRATA = "{attack}, in strata of {columns}"
Attacks = Callable[[Comparison], dict[str, FloatColumn]]
"""Attacks on a file by values: how far each links each record."""


def strata_attacks(
    attacks: Attacks,
    files: Comparison,
    pair: tuple[Microdata, Microdata],
    steps: Sequence[MaskingMethod],
    known: tuple[str, ...],
) -> dict[str, FloatColumn]:
    """Return how far attacks link each record that are carried out inside the strata of each step by themselves.

    Parameters
    ----------
    attacks
        The attacks on a file.
    files
        The columns that the intruder compares.
    pair
        The original and the masked file.
    steps
        The recipe.
    known
        The columns that the intruder knows: strata that they do not know part nothing.
    """
    found: dict[str, FloatColumn] = {}
    for columns in dict.fromkeys(released_strata(steps, pair[0], known)):
        strata = combination_codes(pair, columns)
        are_shown = np.array_equal(strata[0][files.rows], strata[1])  # otherwise the recipe is that of another file
        if not are_shown or not 1 < len(np.unique(strata[0])) <= MAX_STRATA:
            continue
        for records, part in parts(files, strata[0], strata[1]):
            is_alone = len(part.original) == 1  # and so named by the stratum
            for name, chances in attacks(part).items():
                called = IN_STRATA.format(attack=name, columns=" and ".join(columns))
                linked = found.setdefault(called, np.zeros(len(files.masked)))
                linked[records] = 1.0 if is_alone else chances
    return found


def released_strata(
    steps: Sequence[MaskingMethod], original: Microdata, known: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """Yield the columns of the strata of each step that the intruder knows all, and that no step masks.

    Exchanges inside strata are followed from record to record, which finds all that these attacks would.
    """
    masked = {name for step in steps for name in columns_present(step.columns, original)}
    for step in steps:
        if step.strata and not step.exchanges_values and set(step.strata) <= set(known) - masked:
            yield tuple(sorted(step.strata))


def parts(files: Comparison, before: CodeColumn, after: CodeColumn) -> Iterator[tuple[Rows, Comparison]]:
    """Yield the masked records of each stratum, and both files as they are there.

    Examples
    --------
    >>> files = Comparison(("tax",), np.array([[1.0], [2.0], [3.0]]), np.array([[4.0], [5.0]]), np.array([2, 1]))
    >>> strata = np.array([0, 1, 0]), np.array([0, 1])
    >>> [(records.tolist(), part.rows.tolist()) for records, part in parts(files, *strata)]
    [([0], [1]), ([1], [0])]
    """
    place = np.zeros(len(before), dtype=np.int64)
    for stratum in np.unique(after):
        rows, records = np.flatnonzero(before == stratum), np.flatnonzero(after == stratum)
        place[rows] = np.arange(len(rows))
        some = place[files.rows[records]]
        yield records, replace(files, original=files.original[rows], masked=files.masked[records], rows=some)
