import numpy as np
import pytest

from sfumato.papers import Figure, FigureKind
from sfumato.papers.headline import chance_of_alarm, headline


def test_what_is_computed_is_counted_apart_from_what_follows_from_print() -> None:
    figures = [
        Figure("a", FigureKind.EXACT, 1, 1),
        Figure("b", FigureKind.STATISTICAL, 1, 2, tolerance=0.5),
        Figure("c", FigureKind.PRINT, 1, 1),
        Figure("d", FigureKind.PRINT, 2, 2),
        Figure("e", FigureKind.REPORT, 1, 2, note="why"),
        Figure("f", FigureKind.MISPRINT, 1, 2, note="a misprint"),
    ]
    assert headline(figures) == (
        "6 figures, of which 2 are computed again and judged (1 exact, 1 statistical): 1 reproduced, 0 within, "
        "1 deviates; 1 differs, 1 explained; 2 follow from print."
    )


def test_the_chance_of_an_alarm_is_that_of_any_figure() -> None:
    chances = np.array([0.01, 0.05, 0.0])
    figures = [Figure(str(chance), FigureKind.STATISTICAL, 1, 1, false_alarm=float(chance)) for chance in chances]
    assert chance_of_alarm(figures) == pytest.approx((0.06, 1 - 0.99 * 0.95))
