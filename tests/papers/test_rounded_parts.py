import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.papers import FigureKind, Verdict
from sfumato.papers.rounded_parts import multiple_of_part, score_from_parts
from sfumato.scores import WeightedScore

HALF = WeightedScore(weights={"loss": 0.5, "risk": 0.5})
shares = st.floats(0, 100)


@given(shares, shares)
def test_a_score_rounded_after_its_parts_were_always_comes_out(loss: float, risk: float) -> None:
    parts = {"loss": f"{loss:.2f}", "risk": f"{risk:.1f}"}
    printed = f"{HALF.score({'loss': loss, 'risk': risk}):.2f}"
    assert score_from_parts("", HALF, parts, printed).verdict is Verdict.CONSISTENT


@given(shares, shares)
def test_a_score_further_away_than_its_parts_allow_deviates(loss: float, risk: float) -> None:
    parts = {"loss": f"{loss:.2f}", "risk": f"{risk:.1f}"}
    of_parts = HALF.score({symbol: float(part) for symbol, part in parts.items()})
    figure = score_from_parts("", HALF, parts, f"{of_parts + 0.5 * 0.055 + 0.02:.2f}")
    assert figure.verdict is Verdict.DEVIATES
    assert figure.ours == pytest.approx(of_parts, abs=1e-6)


def test_a_known_misprint_is_only_shown() -> None:
    figure = score_from_parts("", HALF, {"loss": "1.0", "risk": "3.0"}, "9.0", is_misprinted=True)
    assert (figure.kind, figure.ours) == (FigureKind.MISPRINT, 2.0)
    assert figure.note == "a misprint: the printed parts give 2.0"


@given(shares)
def test_a_multiple_of_a_rounded_part_comes_out_and_twice_of_it_does_not(part: float) -> None:
    printed = f"{0.7 * (part + 1):.2f}"
    assert multiple_of_part("", f"{part + 1:.2f}", 0.7, printed).verdict is Verdict.CONSISTENT
    assert multiple_of_part("", f"{part + 1:.2f}", 1.4, printed).verdict is Verdict.DEVIATES
