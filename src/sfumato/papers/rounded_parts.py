"""What a score can be when its parts are known to the printed digits only."""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

from sfumato.papers.figure import Figure, FigureKind
from sfumato.scores import WeightedScore

DIGITS = 6
BLUR = 1e-6  # by arithmetic, and by the rounding to so many digits


def score_from_parts(
    figure: str,
    score: WeightedScore,
    parts: Mapping[str, str],
    printed: str,
    is_misprinted: bool = False,
    note: str = "",
) -> Figure:
    """Return a printed score beside the one that its printed parts give; a misprint is only shown.

    Numbers are given as text, so that their digits are known. The weights of the score must not be negative.

    Examples
    --------
    >>> half = WeightedScore(weights={"loss": 0.5, "risk": 0.5})
    >>> found = score_from_parts("a table", half, {"loss": "20.1", "risk": "10.0"}, printed="15.09")
    >>> found.ours, round(found.tolerance, 3), found.verdict.value
    (15.05, 0.055, 'consistent')
    """
    ours = score.score({symbol: float(parts[symbol]) for symbol in score.weights})
    slack = score.score({symbol: half_unit(parts[symbol]) for symbol in score.weights})
    return _figure(figure, ours, slack, printed, is_misprinted, note)


def multiple_of_part(
    figure: str, part: str, factor: float, printed: str, is_misprinted: bool = False, note: str = ""
) -> Figure:
    """Return a printed figure beside the one that another gives, times a factor; a misprint is only shown.

    Examples
    --------
    >>> multiple_of_part("a table", "0.281", 0.5**0.5, "0.199").verdict.value
    'consistent'
    """
    return _figure(figure, factor * float(part), factor * half_unit(part), printed, is_misprinted, note)


def _figure(figure: str, ours: float, slack: float, printed: str, is_misprinted: bool, note: str) -> Figure:
    """Return the figure; it and the parts are rounded in print, and the tolerance is what that allows."""
    kind = FigureKind.MISPRINT if is_misprinted else FigureKind.PRINT
    if is_misprinted and not note:
        note = f"a misprint: the printed parts give {round_half_up(ours, _digits(printed))}"
    tolerance = round_half_up(slack + half_unit(printed) + BLUR, DIGITS)
    return Figure(figure, kind, float(printed), round_half_up(ours, DIGITS), tolerance, note)


def half_unit(number: str) -> float:
    """Return half a unit of the last printed digit.

    Examples
    --------
    >>> half_unit("17.5"), half_unit("33")
    (0.05, 0.5)
    """
    return 0.5 * 10.0 ** -_digits(number)


def round_half_up(number: float, digits: int) -> float:
    """Return the number rounded to so many decimals as print does it, halves away from 0.

    Examples
    --------
    >>> round_half_up(22.145, 2), round_half_up(41.4375, 2)
    (22.15, 41.44)
    """
    return float(Decimal(repr(number)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def _digits(number: str) -> int:
    return -int(Decimal(number).as_tuple().exponent)
