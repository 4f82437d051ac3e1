import pytest

from sfumato.papers import Figure, FigureKind
from sfumato.papers.headline import expected_alarms, headline


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
        "0 undecided, 1 deviates; 1 differs, 0 undecided, 1 explained; 2 follow from print."
    )


def test_figures_that_follow_from_others_are_told_apart() -> None:
    figures = [Figure(name, FigureKind.STATISTICAL, 1, 1, follows=follows) for name, follows in (("a", ""), ("b", "a"))]
    assert "(2 statistical, 1 of their own and 1 that follow from others)" in headline(figures)


def test_expected_alarms_are_the_sum_of_the_chances() -> None:
    figures = [Figure(str(chance), FigureKind.STATISTICAL, 1, 1, false_alarm=chance) for chance in (0.01, 0.05, 0.0)]
    assert expected_alarms(figures) == pytest.approx(0.06)
