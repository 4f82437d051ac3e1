"""A method run several times, and how a printed run is judged by ours."""

from collections.abc import Iterator, Sequence
from zlib import crc32

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.execution import run_step
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.rounded_parts import half_unit, round_half_up

UNLIKELY = 0.01 / 200
"""The chance that a right figure is called wrong: together 1 % for the two hundred that are judged."""
WIDEST = 0.2
"""The part of the printed figure that a tolerance never exceeds, unless a column says otherwise.

It is at most about half of what twice the noise makes of the figure, so that this fails. A figure is judged where runs
differ by at most half of that, in standard deviations: then 95 of 100 right ones pass.
"""
TOO_NOISY = "not judged: runs differ so much that one with twice the noise could not be told from it"
STRENGTHS = ("window", "variance_ratio", "k")
DIGITS = 4


def draws(method: MaskingMethod, data: Microdata, seed: int, times: int, strength: float = 1.0) -> Iterator[Microdata]:
    """Yield `data` masked so many times, with seeds that follow from `seed` and the method: rows differ."""
    method = strengthen(method, strength)
    sequence = np.random.SeedSequence(seed, spawn_key=(crc32(repr(method).encode()),))
    for own in sequence.generate_state(times):
        yield run_step(method, data, seed=int(own), step=0)


def strengthen(method: MaskingMethod, strength: float) -> MaskingMethod:
    """Return the method with so many times its window, ratio of variances or group size.

    Examples
    --------
    >>> from sfumato.masking import RankSwapping
    >>> strengthen(RankSwapping(columns=("income",), window=7), 2).window
    14.0
    """
    name = next(name for name in STRENGTHS if name in type(method).model_fields)
    value = getattr(method, name)
    return method.replace(**{name: type(value)(value * strength)})


def drawn_figure(
    figure: str, printed: str, runs: Sequence[float], note: str = "", unjudged: str = "", widest: float = WIDEST
) -> Figure:
    """Return a printed run beside the mean of ours; it is judged unless `unjudged` says why not.

    Examples
    --------
    >>> found = drawn_figure("a table: a rate", "10.4", [9.9, 10.1, 10.0, 10.2, 9.8, 10.0])
    >>> found.ours, found.tolerance, found.verdict.value
    (10.0, 2.0194, 'within')
    """
    ours = round_half_up(float(np.mean(runs)), DIGITS)
    if unjudged:
        return Figure(figure, FigureKind.REPORT, float(printed), ours, note=unjudged)
    tolerance = round_half_up(tolerance_of(printed, runs, widest), DIGITS)
    return Figure(figure, FigureKind.STATISTICAL, float(printed), ours, tolerance, note)


def tolerance_of(printed: str, runs: Sequence[float], widest: float = WIDEST) -> float:
    """Return how far a printed run may be from the mean of ours: as far as one more run, and by its rounding.

    That is the prediction interval of one more run, if runs are normal, which misses it with the chance `UNLIKELY`. It
    is never wider than `widest` of the figure.

    Examples
    --------
    >>> round(tolerance_of("2.0", [1.9, 2.1]), 2)
    0.45
    """
    from scipy.stats import t

    quantile = float(t.ppf(1 - UNLIKELY / 2, len(runs) - 1))
    error = quantile * float(np.std(runs, ddof=1)) * np.sqrt(1 + 1 / len(runs))
    return float(min(error, widest * abs(float(printed)))) + half_unit(printed)
