"""The scale on which the noise of a chain adds up: values as they are, or the logarithms of their sizes."""

from collections.abc import Callable

import numpy as np

from sfumato.contracts import Coordinate, Spans
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Floats
from sfumato.numerics.densities import Transitions

NOTHING = -60.0  # the logarithm that stands for that of 0
Scale = Callable[[Floats], Floats]
"""Places values where noise adds up."""


def as_values(values: Floats) -> Floats:
    """Return values as they are."""
    return values


def log_sizes(values: Floats) -> Floats:
    """Return the logarithms of the sizes of values; 0 lies far below all others, missing stays missing.

    Examples
    --------
    >>> log_sizes(np.array([-1.0, 0.0, np.nan]))
    array([  0., -60.,  nan])
    """
    sizes = np.abs(values)
    return np.where(sizes == 0, NOTHING, np.log(np.where(sizes == 0, 1.0, sizes)))


def log_spans(spans: Spans) -> Spans:
    """Return between which logarithms the sizes of values lie.

    Where both signs are possible, the farther end counts for both.

    Examples
    --------
    >>> log_spans(Spans(np.array([-1.0, 1.0, 0.0]), np.array([1.0, np.inf, 0.0])))
    Spans(low=array([-inf,   0., -60.]), high=array([  0.,  inf, -60.]))
    """
    is_open = (spans.low <= 0) & (spans.high >= 0) & (spans.low < spans.high)
    ends = [log_sizes(end) for end in spans]
    return Spans(np.where(is_open, -np.inf, np.minimum(*ends)), np.maximum(*ends))


def sign_coordinate(before: FloatColumn, spans: Spans) -> Coordinate | None:
    """Return that signs stay, and 0 stays 0, where spans tell them; none where all are the same."""
    is_told = (spans.low > 0) | (spans.high < 0) | ((spans.low == 0) & (spans.high == 0))
    after = np.where(is_told, np.sign(spans.low) + 1, np.nan)
    origin = np.where(np.isnan(before), np.nan, np.sign(before) + 1)
    if _codes(origin).size < 2 and _codes(after).size < 2:
        return None
    return Coordinate(origin, after, Transitions(np.eye(3)), is_exact=False)


def _codes(column: FloatColumn) -> CodeColumn:
    return np.unique(column[~np.isnan(column)]).astype(np.int64)
