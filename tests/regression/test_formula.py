"""Formulas are read, and never run."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.datasets import demo
from sfumato.errors import DataError, KindError, ParameterError
from sfumato.regression import Formula, LogisticRegression, PoissonRegression, compare_fits
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


def test_a_comparison_with_a_number_is_a_column_of_ones_and_zeros() -> None:
    formula = Formula.parse("`net pay` >= 900 ~ age + age<40 + `a>b`")
    assert formula.response == Factor("net pay", ">=", "900")
    assert formula.terms == ((Factor("age"),), (Factor("age", "<", "40"),), (Factor("a>b"),))
    assert str(formula) == "net pay >= 900 ~ age + age < 40 + a>b"


def test_a_comparison_fits_as_a_column_that_was_computed_before() -> None:
    people = demo(600)
    wages, ages = people.values("wage_income"), people.values("age")
    high = np.where(np.isnan(wages), np.nan, wages > 30_000)
    computed = people.with_column(Variable(name="high", kind=Kind.CONTINUOUS), high)
    computed = computed.with_column(Variable(name="old", kind=Kind.CONTINUOUS), (ages >= 40) * 1.0)
    compared = LogisticRegression("wage_income > 30000 ~ age >= 40 + sex").fit(people)
    alone = LogisticRegression("high ~ old + sex").fit(computed)
    assert compared.names == ("constant", "age >= 40", "sex=male")
    assert np.allclose(compared.estimates, alone.estimates)
    assert np.isnan(wages).any()
    assert compared.records == alone.records == np.isfinite(wages).sum()


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
        ("pay ~ age + I(age^2)", r"square\(age\) for age\^2"),
        ("pay ~ age + age**2", r"square\(age\) for age\^2"),
        ("I(pay > 900) ~ age", "age > 40 for"),
        ("pay ~ age > old", "compare a column with a number"),
    ],
)
def test_what_is_no_formula_is_refused_with_what_to_write(text: str, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        Formula.parse(text)


def test_a_response_of_two_kinds_is_told_with_what_to_say() -> None:
    frame = pl.DataFrame({"visits": [0, 1, 2, 3] * 50, "age": range(200)})
    guessed = Microdata(frame, Schema.infer(frame).with_kinds(nominal=["visits"]))
    known = Microdata(frame, Schema.infer(frame).with_kinds(continuous=["visits"]))
    with pytest.raises(KindError, match=r"nominal in the original and continuous in .* as --continuous visits"):
        compare_fits(PoissonRegression("visits ~ age"), guessed, [known])


def test_a_label_as_the_category_of_a_response_is_refused_with_its_code() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"marital": rng.integers(1, 4, 90), "age": rng.normal(40, 9, 90)})
    labels = {1: "single", 2: "married", 3: "widowed"}
    variables = (
        Variable(name="marital", kind=Kind.NOMINAL, value_labels=labels),
        Variable(name="age", kind=Kind.CONTINUOUS),
    )
    data = Microdata(frame, Schema(variables=variables))
    with pytest.raises(DataError, match="codes are meant, and 'married' is the label of 2 in 'marital'"):
        compare_fits(LogisticRegression("is(marital, married) ~ age"), data, [data])
    assert compare_fits(LogisticRegression("is(marital, 2) ~ age"), data, [data]).records == 90
