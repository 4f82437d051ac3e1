"""The likelihood of randomised categories: the entry of the Markov matrix."""

from collections.abc import Callable

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.contracts import Coordinate, Likelihood
from sfumato.data import Category, Microdata
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.densities import Transitions


def transition_likelihood(
    original: Microdata,
    masked: Microdata,
    names: tuple[str, ...],
    matrix_of: Callable[[str], FloatMatrix],
    made_by: Callable[[str], tuple[Category, ...]] = lambda _: (),
) -> Likelihood:
    """Return one coordinate for each column; a category that only the masked file has cannot come from any other one.

    Parameters
    ----------
    original, masked, names
        The files and the columns.
    matrix_of
        The Markov matrix of a column: rows for its categories; columns for these, for new ones and, one more, for
        suppressed values.
    made_by
        The new categories of a column.
    """
    found = []
    for name in names:
        before, after, categories = common_codes(original, masked, name)
        known, made = matrix_of(name), made_by(name)
        suppresses = known.shape[1] > len(known) + len(made)
        matrix = np.zeros((len(categories) + suppresses, len(categories) + suppresses))
        matrix[: len(known), : len(known)] = known[:, : len(known)]
        for place, category in enumerate(made, start=len(known)):
            if category in categories:
                matrix[: len(known), categories.index(category)] = known[:, place]
        if suppresses:
            matrix[: len(known), -1] = known[:, -1]
            after = np.where(after < 0, len(categories), after)
        start, end = (np.where(codes < 0, np.nan, codes) for codes in (before, after))
        found.append(Coordinate(start, end, Transitions(matrix)))
    return tuple(found)
