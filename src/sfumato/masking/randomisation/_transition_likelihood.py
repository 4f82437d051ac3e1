"""The likelihood of randomised categories: the entry of the Markov matrix."""

from collections.abc import Callable

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.contracts import Coordinate, Likelihood
from sfumato.data import Microdata
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.densities import Transitions


def transition_likelihood(
    original: Microdata, masked: Microdata, names: tuple[str, ...], matrix_of: Callable[[str], FloatMatrix]
) -> Likelihood:
    """Return one coordinate for each column; a category that only the masked file has cannot come from any."""
    found = []
    for name in names:
        before, after, categories = common_codes(original, masked, name)
        matrix = np.zeros((len(categories), len(categories)))
        known = matrix_of(name)
        matrix[: len(known), : len(known)] = known
        start, end = (np.where(codes < 0, np.nan, codes) for codes in (before, after))
        found.append(Coordinate(start, end, Transitions(matrix)))
    return tuple(found)
