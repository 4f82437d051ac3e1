"""Scores: published and own."""

import pytest

from sfumato.errors import DataError, ParameterError
from sfumato.scores import SCORES, WeightedScore
from sfumato.scores.published import simplified_score

VALUES = {"IL": 20.0, "IL1": 60.0, "DLD": 10.0, "ID": 40.0}


def test_the_simplified_score_is_half_loss_and_half_risk() -> None:
    assert simplified_score.score(VALUES) == 0.5 * 20 + 0.25 * 10 + 0.25 * 40
    assert simplified_score.formula == "0.5 IL + 0.25 DLD + 0.25 ID"
    assert "2002" in simplified_score.source


def test_scores_are_listed_by_their_name() -> None:
    assert all(score.name == name for name, score in SCORES.items())
    assert SCORES["simplified_score"] is simplified_score


def test_own_weights_are_added_up() -> None:
    own = WeightedScore(weights={"IL1": 0.25, "DLD": 2.0}, name="own_score", symbol="own")
    assert own.score(VALUES) == 0.25 * 60 + 2 * 10
    assert own.formula == "0.25 IL1 + 2 DLD"
    assert own.needs == ("IL1", "DLD")


def test_refuses_a_symbol_that_was_not_measured_and_names_the_nearest() -> None:
    with pytest.raises(DataError, match=r"weighted_score: there is no measure 'DLDD' .* did you mean 'DLD'\?"):
        WeightedScore(weights={"IL": 0.5, "DLDD": 0.5}).score(VALUES)


def test_says_what_was_measured_when_nothing_is_near() -> None:
    with pytest.raises(DataError, match=r"'PLD1' among those taken \(IL\); measure it too"):
        WeightedScore(weights={"PLD1": 1.0}).score({"IL": 3.0})


def test_knows_whether_its_measures_are_there() -> None:
    assert simplified_score.is_known(VALUES)
    assert not simplified_score.is_known({"IL": 1.0})


def test_refuses_to_have_no_weights() -> None:
    with pytest.raises(ParameterError, match=r"WeightedScore.weights must have at least 1 item"):
        WeightedScore(weights={})
