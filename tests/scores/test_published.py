"""The published scores, checked against their formulas in print."""

import pytest

from sfumato.scores import SCORES, USUAL_SCORES

VALUES = {
    "IL": 20.0, "IL1sym": 11.0, "IL1s": 7.0, "IL2": 2.0, "IL3": 30.0, "IL4": 5.0, "IL5": 3.0,
    "DLD": 10.0, "PLD": 40.0, "RSLD": 70.0, "ID": 50.0,
    "MD": 4.0, "PD": 8.0, "SOlow": 1.0, "LINKlow": 2.0, "INFlow": 24.0, "MIAlow": 3.0,
}  # fmt: skip
S0, S1, S2 = (2 + 30 + 5 + 3) / 4, (11 + 2 + 30 + 5 + 3) / 5, (7 + 2 + 5 + 3) / 4
DR, DR_RANK = 0.25 * 10 + 0.25 * 40 + 0.5 * 50, (70 + 10 + 40) / 6 + 0.5 * 50
PRINTED = {
    "simplified_score": 0.5 * 20 + 0.25 * 10 + 0.25 * 50,
    "overall_score": 0.5 * 20 + 0.125 * 10 + 0.125 * 40 + 0.25 * 50,
    "slides_risk": DR,
    "slides_risk_with_rank_linkage": DR_RANK,
    "slides_score_with_rank_linkage": (20 + DR_RANK) / 2,
    "s0": S0,
    "s1": S1,
    "s2": S2,
    "ascore": (S0 + 40) / 2,
    "dscore": (S1 + 40) / 2,
    "sscore": (S2 + 40) / 2,
    "synthetic_score": ((4 + 8) / 2 + 24) / 2,
}


@pytest.mark.parametrize("name", SCORES)
def test_a_published_score_is_its_printed_formula(name: str) -> None:
    assert SCORES[name].score(VALUES) == pytest.approx(PRINTED[name])


def test_every_published_score_names_its_source_and_has_a_symbol_of_its_own() -> None:
    assert all(score.source for score in SCORES.values())
    assert len({score.symbol for score in SCORES.values()}) == len(SCORES)
    assert all(SCORES[score.name] is score for score in USUAL_SCORES)


def test_the_slides_score_is_the_overall_score() -> None:
    assert SCORES["overall_score"].score(VALUES) == pytest.approx((VALUES["IL"] + DR) / 2)
