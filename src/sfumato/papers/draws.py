"""A method run several times, and how a printed run is judged by ours."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from zlib import crc32

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.execution import run_step
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.rounded_parts import half_unit, round_half_up
from sfumato.papers.spread import SPREADS, UNMEASURED, Spread

REPORT_TOLERANCE = 0.2
"""How far ours may be from a printed figure where no runs tell it, in parts of the printed one."""
NOT_CALIBRATED = "not judged: the calibration does not know it (make papers-calibration)"
TOO_NOISY = "not judged: runs differ so much that one with twice the noise could not be told from it"
TOO_ALIKE = "not judged: runs differ so much that half or twice of it could not be told from it"
STRENGTHS = ("window", "variance_ratio", "k")
DIGITS = 4

Columns = Mapping[str, Sequence[float]]
"""The figures of each run, by the name of a column."""


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
    figure: str,
    printed: str,
    runs: Sequence[float],
    note: str = "",
    *,
    unjudged: str = "",
    why: str = "",
    is_outside: bool = False,
    follows: str = "",
    roundings: int = 1,
    both_ways: bool = False,
    spread: Spread | None = None,
) -> Figure:
    """Return a printed run beside the mean of ours; it is judged unless runs differ too much or `unjudged` says why.

    Parameters
    ----------
    figure, printed, runs, note
        Its name, the figure in print, what came out in each of our runs, and what a reader should know.
    unjudged
        Why it is not judged, whatever its spread.
    why
        What may be behind it if it does not come out; without that no figure is outside.
    is_outside
        Whether it is known not to come out.
    follows
        The printed figures that it follows from.
    roundings
        How many rounded figures it is made of.
    both_ways
        Whether it is judged only if half the noise can be told from it too.
    spread
        How runs spread; as the calibration has it when not given.

    Examples
    --------
    >>> spread = Spread(50, mean=10.0, deviation=0.2, halved=7.0, doubled=14.2)
    >>> found = drawn_figure("a table: a rate", "10.4", [9.9, 10.1, 10.0, 10.2, 9.8], spread=spread)
    >>> found.ours, found.tolerance, found.verdict.value
    (10.0, 1.0243, 'within')
    """
    spread = spread or SPREADS.get(figure, UNMEASURED)
    count, rounding = len(runs), roundings * half_unit(printed)
    ours = round_half_up(float(np.mean(runs)), DIGITS)
    is_steady = spread.is_two_sided(count) if both_ways else spread.is_steady(count)
    unjudged = unjudged or (NOT_CALIBRATED if spread is UNMEASURED else "")
    is_judged = is_steady and not unjudged
    reach = spread.reach(count) if is_steady else spread.prediction(count)
    tolerance = round_half_up(reach + rounding, DIGITS) if isfinite(reach) else 0.0
    kind, chance = FigureKind.STATISTICAL, spread.false_alarm(reach + rounding, count)
    is_unsafe = is_judged and not spread.is_safely_inside(float(printed), tolerance, count)
    if why and (is_outside or is_unsafe):
        kind, note, chance = FigureKind.OUTSIDE, why, 0.0
    elif not is_judged:
        kind, note, chance = FigureKind.REPORT, unjudged or (TOO_ALIKE if both_ways else TOO_NOISY), 0.0
    return Figure(figure, kind, float(printed), ours, tolerance, note, chance, follows, tuple(runs), is_steady)


def report_figure(figure: str, printed: float, ours: float, note: str) -> Figure:
    """Return a figure that is not judged and has no runs: it differs if ours is more than a fifth away."""
    return Figure(figure, FigureKind.REPORT, printed, ours, REPORT_TOLERANCE * abs(printed), note)
