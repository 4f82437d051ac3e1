"""How far runs of a figure differ, and what half and twice the noise make of it: measured once, and stored.

So which figures are judged, and by which tolerance, is settled before a seed is chosen, and without a look at print.
Of these, what agrees for good with print is settled before as well.
`make papers-calibration` measures it anew, with seeds that no run of the command should be given.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, sqrt
from pathlib import Path

UNLIKELY = 0.01 / 200
"""The chance that a right figure is called wrong where the tolerance is as wide as runs ask for."""
MAX_SPREAD = 0.5
"""The largest error of one more run for a figure to be judged, in parts of the widest tolerance."""
MARGIN = 3.5
"""How many of its standard errors the mean of our runs must be away from the end of a tolerance to agree for good."""
STORED = Path(__file__).parent / "calibration.csv"
NUMBERS = ("mean", "deviation", "halved", "doubled")


@dataclass(frozen=True)
class Spread:
    """What the runs of the calibration have found of one figure.

    Parameters
    ----------
    runs
        How many there were with the printed noise.
    mean, deviation
        Their mean and standard deviation.
    halved, doubled
        The means with half and with twice the noise.
    """

    runs: int
    mean: float
    deviation: float
    halved: float
    doubled: float

    def error(self, runs: int) -> float:
        """Return the standard deviation of the difference between one more run and the mean of so many."""
        return self.deviation * sqrt(1 + 1 / runs)

    def is_steady(self, runs: int) -> bool:
        """Tell whether one run tells the printed noise from twice of it, so that the figure is judged."""
        return self.error(runs) <= MAX_SPREAD * self._upwards

    def is_two_sided(self, runs: int) -> bool:
        """Tell whether one run tells the printed noise from half of it as well."""
        return self.error(runs) <= MAX_SPREAD * min(self._upwards, self._downwards)

    def reach(self, runs: int) -> float:
        """Return how far a run may be from the mean of so many.

        It is a prediction interval, but never wider than half the change that twice the noise makes, nor, where one run
        can tell half the noise, than half the change that that makes.

        Examples
        --------
        >>> steady = Spread(50, mean=10.0, deviation=0.1, halved=8.0, doubled=13.0)
        >>> round(steady.reach(16), 2), steady.is_two_sided(16)
        (0.46, True)
        >>> round(Spread(50, mean=10.0, deviation=0.4, halved=9.5, doubled=12.0).reach(16), 2)
        1.0
        """
        widest = min(self._upwards, self._downwards) if self.is_two_sided(runs) else self._upwards
        return min(self.prediction(runs), widest)

    def is_safely_inside(self, printed: float, tolerance: float, runs: int) -> bool:
        """Tell whether a printed run is so far inside its tolerance that the mean of so many is, whatever the seed.

        Examples
        --------
        >>> steady = Spread(50, mean=10.0, deviation=0.1, halved=8.0, doubled=13.0)
        >>> steady.is_safely_inside(10.1, 0.46, 16), steady.is_safely_inside(10.4, 0.46, 16)
        (True, False)
        """
        wander = self.deviation * sqrt(1 / runs + 1 / self.runs)
        return abs(self.mean - printed) + MARGIN * wander <= tolerance

    def prediction(self, runs: int) -> float:
        """Return how far one more run may be from the mean of so many, if runs are normal, but for `UNLIKELY`."""
        from scipy.stats import t

        return float(t.ppf(1 - UNLIKELY / 2, self.runs - 1)) * self.error(runs)

    def false_alarm(self, tolerance: float, runs: int) -> float:
        """Return the chance that a right figure is outside a tolerance, if runs are normal."""
        from scipy.stats import t

        return 2 * float(t.sf(tolerance / self.error(runs), self.runs - 1)) if self.deviation else 0.0

    @property
    def _upwards(self) -> float:
        return abs(self.doubled - self.mean) / 2

    @property
    def _downwards(self) -> float:
        return abs(self.mean - self.halved) / 2


UNMEASURED = Spread(2, 0.0, inf, 0.0, 0.0)
"""Of a figure that the calibration does not know: it is never judged."""


def read_spreads(path: Path = STORED) -> dict[str, Spread]:
    """Return what is stored, by the name of the figure."""
    with path.open(encoding="utf-8", newline="") as text:
        return {
            row["figure"]: Spread(int(row["runs"]), *(float(row[name]) for name in NUMBERS))
            for row in csv.DictReader(text)
        }


def write_spreads(spreads: Mapping[str, Spread], path: Path = STORED) -> None:
    """Store spreads by the name of the figure."""
    with path.open("w", encoding="utf-8", newline="") as text:
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(("figure", "runs", *NUMBERS))
        for figure, spread in spreads.items():
            lines.writerow((figure, spread.runs, *(f"{getattr(spread, name):.6g}" for name in NUMBERS)))


SPREADS = read_spreads()
