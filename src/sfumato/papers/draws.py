"""A method run several times, and how a printed run is judged by ours."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.execution import run_step
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.rounded_parts import half_unit, round_half_up

UNLIKELY = 0.01 / 200
"""The chance that a right figure is called wrong where the tolerance is as wide as runs ask for."""
MAX_SPREAD = 0.5
"""The largest standard deviation of runs for a figure to be judged, in parts of the widest tolerance."""
UNTOLD = 0.2
"""The part of a printed figure from which on ours differs, where no runs tell how far one may be from it."""
TOO_NOISY = "not judged: runs differ so much that one with twice the noise could not be told from it"
STRENGTHS = ("window", "variance_ratio", "k")
DOUBLED = 2.0
DIGITS = 4

Columns = Mapping[str, Sequence[float]]
"""The figures of each run, by the name of a column."""


@dataclass(frozen=True)
class Runs:
    """One figure in several runs: with the printed noise, with twice of it, and with as much as is asked for."""

    plain: Sequence[float]
    doubled: Sequence[float]
    asked: Sequence[float]

    @property
    def widest(self) -> float:
        """The widest tolerance: half of what twice the noise makes of the figure, so that this fails."""
        return abs(float(np.mean(self.doubled) - np.mean(self.plain))) / 2

    @property
    def deviation(self) -> float:
        """The standard deviation of one more run about the mean of those with the printed noise."""
        return float(np.std(self.plain, ddof=1)) * float(np.sqrt(1 + 1 / len(self.plain)))

    @property
    def is_noisy(self) -> bool:
        """Whether runs differ too much, or twice the noise changes too little, for a figure to be judged."""
        return self.deviation > MAX_SPREAD * self.widest

    @property
    def prediction(self) -> float:
        """How far one more run is from the mean, if runs are normal, but with the chance `UNLIKELY`."""
        from scipy.stats import t

        return float(t.ppf(1 - UNLIKELY / 2, len(self.plain) - 1)) * self.deviation

    def tolerance(self, printed: str) -> float:
        """Return how far a printed run may be from the mean of ours: as far as one more run, and by its rounding.

        Examples
        --------
        >>> round(Runs([1.9, 2.0, 2.1], [2.9, 3.1], [2.0]).tolerance("2.0"), 2)  # half a unit more than 1 / 2
        0.55
        """
        return min(self.prediction, self.widest) + half_unit(printed)

    def false_alarm(self, printed: str) -> float:
        """Return the chance that a right figure is outside its tolerance, if runs are normal."""
        from scipy.stats import t

        reach = min(self.prediction, self.widest) + half_unit(printed)
        return 2 * float(t.sf(reach / self.deviation, len(self.plain) - 1)) if self.deviation else 0.0


def runs_of(columns: Callable[[float], Columns], strength: float) -> dict[str, Runs]:
    """Return the runs of each column, from a function that runs an experiment with so many times the noise.

    Examples
    --------
    >>> runs_of(lambda noise: {"loss": [noise, 1.1 * noise]}, 1.0)["loss"].widest
    0.525
    """
    plain, doubled = columns(1.0), columns(DOUBLED)
    asked = {1.0: plain, DOUBLED: doubled}.get(strength) or columns(strength)
    return {name: Runs(plain[name], doubled[name], asked[name]) for name in plain}


def run_count(runs: int, strength: float) -> int:
    """Return how many runs are made: with another noise than the printed one half as many are enough."""
    return runs if strength == 1.0 else max(runs // 2, 2)


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
    figure: str, printed: str, runs: Runs, note: str = "", unjudged: str = "", outside: str = ""
) -> Figure:
    """Return a printed run beside the mean of ours; it is judged unless runs differ too much or `unjudged` says why.

    `outside` says what may be behind a figure that lies outside its tolerance with some seed.

    Examples
    --------
    >>> runs = Runs([9.9, 10.1, 10.0, 10.2, 9.8], [14.0, 14.2], [9.9, 10.1])
    >>> found = drawn_figure("a table: a rate", "10.4", runs)
    >>> found.ours, found.tolerance, found.verdict.value
    (10.0, 2.1, 'within')
    """
    ours = round_half_up(float(np.mean(runs.asked)), DIGITS)
    if outside:
        reach = round_half_up(runs.tolerance(printed), DIGITS)
        return Figure(figure, FigureKind.OUTSIDE, float(printed), ours, reach, outside)
    if unjudged or runs.is_noisy:
        reach = round_half_up(
            runs.prediction + half_unit(printed) if runs.is_noisy else runs.tolerance(printed), DIGITS
        )
        return Figure(figure, FigureKind.REPORT, float(printed), ours, reach, unjudged or TOO_NOISY)
    tolerance = round_half_up(runs.tolerance(printed), DIGITS)
    chance = runs.false_alarm(printed)
    return Figure(figure, FigureKind.STATISTICAL, float(printed), ours, tolerance, note, chance)


def report_figure(figure: str, printed: float, ours: float, note: str) -> Figure:
    """Return a figure that is not judged and of which no runs tell the tolerance: it differs by more than a fifth."""
    return Figure(figure, FigureKind.REPORT, printed, ours, UNTOLD * abs(printed), note)
