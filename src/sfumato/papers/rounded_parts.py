"""What a score can be when its parts are known to the printed digits only."""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

from sfumato.papers.figure import Figure, FigureKind
from sfumato.scores import WeightedScore

SLACK = 1e-9  # the ends of an interval are blurred by arithmetic


def from_parts(figure: str, score: WeightedScore, parts: Mapping[str, str], printed: str, note: str = "") -> Figure:
    """Return a printed score beside the one that its printed parts give; one with a note is only reported.

    The parts are rounded in print, so that they allow an interval of scores, which the note tells. Where it holds the
    printed score, ours is that one; else ours is the score of the parts as they are printed. Numbers are given as text,
    so that their digits are known.

    Examples
    --------
    >>> half = WeightedScore(weights={"loss": 0.5, "risk": 0.5})
    >>> agreeing = from_parts("one", half, {"loss": "20.1", "risk": "10.0"}, printed="15.09")
    >>> agreeing.ours, agreeing.note
    (15.09, 'parts give 15.05 (15.00 to 15.10)')
    >>> from_parts("another", half, {"loss": "20.1", "risk": "10.0"}, printed="16.09").ours
    15.05
    """
    digits = -_exponent(printed)
    low, high = (rounded(end, digits) for end in interval(score, parts))
    as_printed = rounded(score.score({symbol: float(part) for symbol, part in parts.items()}), digits)
    ours = float(printed) if low <= float(printed) <= high else as_printed
    given = f"parts give {as_printed:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"
    return Figure(figure, FigureKind.REPORT if note else FigureKind.EXACT, float(printed), ours, note=note or given)


def interval(score: WeightedScore, parts: Mapping[str, str]) -> tuple[float, float]:
    """Return the least and the most that the score can be; its weights must not be negative.

    Examples
    --------
    >>> low, high = interval(WeightedScore(weights={"loss": 0.5, "risk": 0.5}), {"loss": "20.0", "risk": "10"})
    >>> round(low, 6), round(high, 6)
    (14.725, 15.275)
    """
    low, high = (
        score.score({symbol: float(part) + sign * half_unit(part) for symbol, part in parts.items()})
        for sign in (-1, 1)
    )
    return low - SLACK, high + SLACK


def half_unit(number: str) -> float:
    """Return half a unit of the last printed digit.

    Examples
    --------
    >>> half_unit("17.5"), half_unit("33")
    (0.05, 0.5)
    """
    return 0.5 * 10.0 ** _exponent(number)


def rounded(number: float, digits: int) -> float:
    """Return the number rounded to so many decimals as print does it, halves away from 0.

    Examples
    --------
    >>> rounded(22.145, 2), rounded(41.4375, 2)
    (22.15, 41.44)
    """
    return float(Decimal(repr(number)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def _exponent(number: str) -> int:
    return int(Decimal(number).as_tuple().exponent)
