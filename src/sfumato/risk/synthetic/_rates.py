"""How often an attack succeeds, held against a control: Wilson intervals, excess risk, and when a leak is found."""

from dataclasses import dataclass
from math import ceil, exp, floor, sqrt

from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.risk.synthetic._independent_size import independent_size

SIGNIFICANCE = 0.05  # of a 95 % confidence interval
MAX_CHANCE = 0.002  # a leak is found where chance shows as much in fewer files than this, over all that was tried
ROUNDING = 1e-9
NO_CONTROL = (
    "Without a control it cannot be told how much of this the file tells about everybody, and how much about the "
    "persons in it: of this attack the latter is at most so much, and another attack may find more"
)


@dataclass(frozen=True)
class Attack:
    """How often an attack succeeded; counts may be fractions where equally good guesses share.

    Parameters
    ----------
    right, tried
        Successes and attacks on persons of the original.
    control_right, control_tried
        The same for persons of the control; 0 attacks where there is none.
    """

    right: float
    tried: int
    control_right: float = 0.0
    control_tried: int = 0

    @classmethod
    def of(
        cls,
        chances: FloatColumn,
        control_chances: FloatColumn | None = None,
        households: tuple[CodeColumn, CodeColumn] | None = None,
    ) -> "Attack":
        """Return the attack of which each person's chance to be guessed right is known.

        Where the households of both files are known, persons who live together count for as many as they tell.
        """
        if control_chances is None:
            return cls(float(chances.sum()), chances.size)
        homes = households or (None, None)
        both = (chances, control_chances)
        ours, others = (round(independent_size(side, home)) for side, home in zip(both, homes, strict=True))
        return cls(float(chances.mean()) * ours, ours, float(control_chances.mean()) * others, others)

    @property
    def rate(self) -> float:
        """The successes in percent of the attacks."""
        return 100 * self.right / max(self.tried, 1)

    @property
    def control_rate(self) -> float:
        """The same of the control."""
        return 100 * self.control_right / max(self.control_tried, 1)

    @property
    def risk(self) -> float:
        """What is above the control, in percent of what could be; without a control the rate."""
        return max(100 * (self.rate - self.control_rate) / max(100 - self.control_rate, ROUNDING), 0.0)

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the 95 % confidence interval of the risk, in percent."""
        return self.interval_of_worst(1)

    def interval_of_worst(self, count: int) -> tuple[float, float]:
        """Return the interval where this attack was picked from so many: all of them are inside, in 95 % of files.

        It is above 0 only where the exact test rules chance out at the same level.
        """
        if not self.tried:
            return 0.0, 0.0  # nothing could be asked
        value, error = wilson(self.right, self.tried, count)
        if self.control_tried:
            value, error = _excess(value, error, *wilson(self.control_right, self.control_tried, count))
        low, high = (min(max(100 * end, 0.0), 100.0) for end in (value - error, value + error))
        if low > 0 and self.control_tried and self.chance > SIGNIFICANCE / 2 / count:
            low = 0.0  # the approximation fails where nearly all of the control are guessed right
        return min(low, self.risk), max(high, self.risk)

    @property
    def chance(self) -> float:
        """How probably persons drawn from one population show as much: the exact test of Fisher, one-sided."""
        return share_chance(self.right, self.tried, self.control_right, self.control_tried)

    def parts(self, name: str) -> dict[str, float]:
        """Return the rates by name."""
        of_control = {f"{name} (control)": self.control_rate} if self.control_tried else {}
        return {f"{name} (original)": self.rate, **of_control}


def wilson(right: float, tried: int, count: int = 1) -> tuple[float, float]:
    """Return the middle of the 95 % interval of Wilson (1927) of a share, and half its width, for one of `count`.

    Examples
    --------
    >>> [round(figure, 4) for figure in wilson(10, 100)]
    [0.1148, 0.0596]
    """
    from scipy.special import ndtri

    z = -float(ndtri(SIGNIFICANCE / 2 / count))
    total = tried + z**2
    return (right + z**2 / 2) / total, z / total * sqrt(max(right * (tried - right) / tried, 0.0) + z**2 / 4)


def _excess(rate: float, error: float, control: float, control_error: float) -> tuple[float, float]:
    """Return the excess risk (a - c) / (1 - c) and its error, as the source propagates both."""
    room = 1 - control
    return (rate - control) / room, sqrt((error / room) ** 2 + (control_error * (rate - 1) / room**2) ** 2)


def share_chance(right: float, tried: int, control_right: float, control_tried: int) -> float:
    """Return the chance that so many or more of the successes fall on the original, if any persons are as likely.

    Examples
    --------
    >>> round(share_chance(5, 10, 0, 10), 4)
    0.0163
    """
    from scipy.special import gammaln

    hits = min(floor(right + ROUNDING), tried)
    total = hits + min(ceil(control_right - ROUNDING), control_tried)
    if not control_tried or not hits:
        return 1.0

    def log_choose(n: int, k: int) -> float:
        return float(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))

    whole = log_choose(tried + control_tried, total)
    terms = (
        exp(log_choose(tried, k) + log_choose(control_tried, total - k) - whole)
        for k in range(hits, min(total, tried) + 1)
        if total - k <= control_tried
    )
    return min(sum(terms), 1.0)


def finds_leak(chances: list[float], files: int = 1) -> bool:
    """Tell whether the least of some chances is too small for all that was tried, in so many files (Bonferroni)."""
    return bool(chances) and min(chances) * len(chances) * files < MAX_CHANCE


def verdict(shows_leak: bool | None, found: str) -> str:
    """Return the remark of a measure: whether it found a leak, and what the figure rests on."""
    if shows_leak is None:
        return f"{found}. {NO_CONTROL}"
    return f"LEAK FOUND: {found}" if shows_leak else f"No leak found: {found}"
