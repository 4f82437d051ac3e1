"""What a score can be when its parts are known to the printed digits only."""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

from sfumato.papers.figure import Figure, FigureKind
from sfumato.scores import WeightedScore

DIGITS = 6
BLUR = 1e-6  # by arithmetic, and by the rounding to so many digits


def score_from_parts(
    figure: str, score: WeightedScore, parts: Mapping[str, str], printed: str, note: str = ""
) -> Figure:
    """Return a printed score beside the one that its printed parts give; one with a note is only reported.

    The parts and the score are rounded in print: the tolerance is what that allows. Numbers are given as text, so that
    their digits are known. The weights of the score must not be negative.

    Examples
    --------
    >>> half = WeightedScore(weights={"loss": 0.5, "risk": 0.5})
    >>> found = score_from_parts("a table", half, {"loss": "20.1", "risk": "10.0"}, printed="15.09")
    >>> found.ours, round(found.tolerance, 3), found.verdict.value
    (15.05, 0.055, 'exact')
    """
    ours = score.score({symbol: float(part) for symbol, part in parts.items()})
    slack = score.score({symbol: half_unit(part) for symbol, part in parts.items()}) + half_unit(printed)
    kind = FigureKind.REPORT if note else FigureKind.EXACT
    return Figure(figure, kind, float(printed), round_half_up(ours, DIGITS), round_half_up(slack + BLUR, DIGITS), note)


def half_unit(number: str) -> float:
    """Return half a unit of the last printed digit.

    Examples
    --------
    >>> half_unit("17.5"), half_unit("33")
    (0.05, 0.5)
    """
    return 0.5 * 10.0 ** _exponent(number)


def round_half_up(number: float, digits: int) -> float:
    """Return the number rounded to so many decimals as print does it, halves away from 0.

    Examples
    --------
    >>> round_half_up(22.145, 2), round_half_up(41.4375, 2)
    (22.15, 41.44)
    """
    return float(Decimal(repr(number)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def _exponent(number: str) -> int:
    return int(Decimal(number).as_tuple().exponent)
