"""Powers in formulas and conditions."""

import numpy as np
import pytest

from sfumato.expressions.expression import parse_condition, parse_formula


def test_powers_are_those_of_mathematics() -> None:
    values = {"weight": np.array([64.0, 81.0]), "height": np.array([1.6, 1.8])}
    assert parse_formula("weight / height**2").evaluate(values) == pytest.approx([25.0, 25.0])
    assert parse_formula("-2**2 + 2**3**1").evaluate({}) == pytest.approx(4.0)
    assert parse_condition("weight < height**2 * 25.1").is_met(values, {}).tolist() == [True, True]


def test_what_has_no_value_is_missing_and_what_is_huge_ends() -> None:
    values = {"a": np.array([-1.0, 0.0, np.nan])}
    assert np.isnan(parse_formula("a**0.5").evaluate(values)).tolist() == [True, False, True]
    assert np.isinf(parse_formula("10**10**10").evaluate({}))
    assert not parse_condition("1 / a > 0").is_broken(values, {})[1:].any()


def test_the_sign_of_other_programs_is_refused_with_the_right_one() -> None:
    for parse, text in ((parse_formula, "weight / height^2"), (parse_condition, "height^2 > 1")):
        with pytest.raises(ValueError, match=r"powers as height\*\*2, not height\^2"):
            parse(text)
