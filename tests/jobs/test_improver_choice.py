"""Which improver is taken when a request names none, one, or only parameters."""

import pytest

from sfumato.errors import ParameterError
from sfumato.improve import IMPROVERS, MomentMatching, PostMaskingOptimisation
from sfumato.jobs._improver_choice import AUTO, MAX_CLIMBING_RECORDS, choose_improver

TAX = ("tax",)


def test_the_number_of_records_chooses_the_improver_unless_a_parameter_does() -> None:
    few, many = (choose_improver(AUTO, (), {}, TAX, n) for n in (MAX_CLIMBING_RECORDS, MAX_CLIMBING_RECORDS + 1))
    assert (few, many) == (PostMaskingOptimisation(columns=TAX), MomentMatching(columns=TAX))
    grouped = choose_improver(AUTO, (), {"keeps_groups": True, "scale": 0.5}, TAX, MAX_CLIMBING_RECORDS + 1)
    assert grouped == PostMaskingOptimisation(columns=TAX, keeps_groups=True, scale=0.5)


def test_a_parameter_that_the_improver_does_not_have_is_refused() -> None:
    with pytest.raises(ParameterError, match="ScoreOptimisation has no parameter 'target_percent'"):
        choose_improver("score_optimisation", (), {"target_percent": 50}, TAX, 10)


def test_columns_that_are_named_go_before_all_numeric_ones() -> None:
    assert choose_improver(AUTO, ("income",), {}, TAX, 10).columns == ("income",)


@pytest.mark.parametrize("name", IMPROVERS)
def test_each_improver_can_be_asked_for_and_limited(name: str) -> None:
    chosen = choose_improver(name, (), {"max_steps": 3, "record_percent": 50}, TAX, 10)
    limited = chosen.model_dump()
    assert chosen.name() == name
    assert limited["record_percent"] == 50
    assert limited["max_steps"] == 3
