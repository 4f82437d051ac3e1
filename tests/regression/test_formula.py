"""Formulas are read, and never run."""

import pytest

from sfumato.errors import ParameterError
from sfumato.regression import Formula
from sfumato.regression.formula import Factor


def test_a_star_stands_for_both_columns_and_their_interaction() -> None:
    assert str(Formula.parse("pay ~ age*sex")) == "pay ~ age + sex + age:sex"


def test_terms_named_twice_count_once() -> None:
    assert Formula.parse("pay ~ age + sex + age*sex") == Formula.parse("pay ~ age*sex")


@pytest.mark.parametrize("text", ["pay ~ 0 + age", "pay ~ age - 1"])
def test_the_constant_can_be_left_out(text: str) -> None:
    assert not Formula.parse(text).has_constant


def test_names_with_spaces_and_functions_are_columns() -> None:
    formula = Formula.parse("`net income` ~ log(`total income`) + category(year)")
    assert formula.response == Factor("net income")
    assert formula.terms == ((Factor("total income", "log"),), (Factor("year", "category"),))


@pytest.mark.parametrize("category", ["post-secondary", "'post-secondary'", '"post-secondary"'])
def test_a_response_may_ask_for_one_category(category: str) -> None:
    formula = Formula.parse(f"is(education, {category}) ~ age + sex")
    assert formula.response == Factor("education", "is", "post-secondary")
    assert str(formula) == "is(education, post-secondary) ~ age + sex"
    assert formula.columns == ("education", "age", "sex")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("pay", "one '~'"),
        ("pay ~", "one '~'"),
        ("a ~ b ~ c", "one '~'"),
        ("pay ~ age - sex", "cannot take a term away"),
        ("pay ~ exec(age)", "'exec' is not known"),
        ("pay ~ log(log(age))", "is not a term"),
        ("pay ~ age + ", "is not a term"),
        ("pay ~ is(sex, male)", "must be the response"),
    ],
)
def test_what_is_no_formula_is_refused_with_what_to_write(text: str, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        Formula.parse(text)
