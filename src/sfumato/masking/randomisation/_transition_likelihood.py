"""The likelihood of randomised categories: the entry of the Markov matrix."""

from collections.abc import Callable

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.contracts import Coordinate, Likelihood
from sfumato.data import Category, Microdata
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix
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
        suppressed values. Where it suppresses, an empty cell may come from a value, but no value from an empty cell.
    made_by
        The new categories of a column.
    """
    found = []
    for name in names:
        before, after, categories = common_codes(original, masked, name)
        known, made = matrix_of(name), made_by(name)
        matrix = np.zeros((len(categories), len(categories)))
        matrix[: len(known), : len(known)] = known[:, : len(known)]
        for place, category in enumerate(made, start=len(known)):
            if category in categories:
                matrix[: len(known), categories.index(category)] = known[:, place]
        if known.shape[1] > len(known) + len(made):
            codes = original.summary.missing_codes(name)
            matrix = _with_missing(matrix, known[:, -1], len(codes))
            before, after = (
                np.where(column < 0, len(categories) + _missing_states(file, name, codes), column)
                for file, column in ((original, before), (masked, after))
            )
        start, end = (np.where(codes < 0, np.nan, codes) for codes in (before, after))
        found.append(Coordinate(start, end, Transitions(matrix)))
    return tuple(found)


def _with_missing(matrix: FloatMatrix, suppressed: FloatColumn, codes: int) -> FloatMatrix:
    """Return a matrix with more states: an empty cell, which values may become, and codes for missing; all stay."""
    size = len(matrix)
    found = np.eye(size + 1 + codes)
    found[:size, :size] = matrix
    found[: len(suppressed), size] = suppressed
    return found


def _missing_states(data: Microdata, name: str, codes: tuple[Category, ...]) -> CodeColumn:
    """Return for each record 0 where its cell is empty, and 1, 2, ... where it holds one of the codes for missing."""
    place = {code: state for state, code in enumerate(codes, start=1)}
    return np.array([place.get(value, 0) for value in data.table[name].to_list()], dtype=np.int64)
