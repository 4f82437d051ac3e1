"""Synthetic households that are equal, member by member, to one that is the only one of its kind."""

import numpy as np

from sfumato.keys.households import group_households
from sfumato.masking.synthesis._sequential.copied_records import Values, joint_cells, single_cells
from sfumato.numerics.arrays import Rows


def copied_households(original: Values, sizes: Rows, drawn: Values, drawn_sizes: Rows) -> tuple[Rows, int]:
    """Return for each drawn household the single original one with the same members, or -1, and how many are single.

    Parameters
    ----------
    original, drawn
        The values of members, household by household; their order in a household does not matter.
    sizes, drawn_sizes
        The sizes of the households.

    Examples
    --------
    >>> ages = {"age": np.array([30.0, 5.0, 40.0, 40.0])}
    >>> copied_households(ages, np.array([2, 1, 1]), {"age": np.array([5.0, 30.0, 40.0, 30.0])}, np.array([2, 1, 1]))
    (array([ 0, -1, -1]), 1)
    """
    labels = np.repeat(np.arange(sizes.size + drawn_sizes.size), np.concatenate([sizes, drawn_sizes]))
    return single_cells(group_households(labels).compositions(joint_cells(original, drawn)), sizes.size)
