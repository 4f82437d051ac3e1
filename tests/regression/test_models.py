"""Regressions against plain computations of the same."""

import numpy as np
import polars
import pytest
from scipy.optimize import minimize

from sfumato.data import Microdata, Schema
from sfumato.errors import DataError
from sfumato.regression import LinearRegression, LogisticRegression, PoissonRegression

RNG = np.random.default_rng(5)
N = 120
AGE = RNG.integers(20, 70, N).astype(float)
SEX = RNG.choice(["f", "m"], N)
REGION = RNG.choice(["east", "south", "west"], N)
PAY = 5 + 0.3 * AGE + 2.0 * (SEX == "m") + RNG.normal(0, 3, N)
WORKS = np.where(RNG.random(N) < 1 / (1 + np.exp(3 - 0.07 * AGE)), "yes", "no")
CHILDREN = RNG.poisson(np.exp(0.02 * AGE - 0.5)).astype(float)
PEOPLE = Microdata(
    polars.DataFrame(
        {"age": AGE, "sex": SEX, "region": REGION, "pay": PAY, "works": WORKS, "children": CHILDREN, "number": AGE - 20}
    )
)
DESIGN = np.column_stack([np.ones(N), AGE, SEX == "m", REGION == "south", REGION == "west"]).astype(float)


def test_a_linear_regression_is_that_of_the_normal_equations() -> None:
    fit = LinearRegression("pay ~ age + sex + region").fit(PEOPLE)
    inverse = np.linalg.inv(DESIGN.T @ DESIGN)
    expected = inverse @ DESIGN.T @ PAY
    left = PAY - DESIGN @ expected
    assert fit.names == ("constant", "age", "sex=m", "region=south", "region=west")
    np.testing.assert_allclose(fit.estimates, expected, rtol=1e-9)
    np.testing.assert_allclose(fit.covariance, inverse * (left @ left) / (N - 5), rtol=1e-7)


@pytest.mark.parametrize(
    ("asked", "is_so"), [("is(region, south)", REGION == "south"), ("is(children, 1)", CHILDREN == 1)]
)
def test_a_response_that_asks_for_one_category_is_1_where_a_record_has_it(asked: str, is_so: np.ndarray) -> None:
    people = Microdata(PEOPLE.frame.with_columns(answer=np.where(is_so, 1.0, 0.0)))
    found, expected = (LogisticRegression(f"{response} ~ age").fit(people) for response in (asked, "answer"))
    np.testing.assert_array_equal(found.estimates, expected.estimates)
    np.testing.assert_array_equal(found.covariance, expected.covariance)


def test_a_record_without_a_category_is_left_out_where_one_is_asked_for() -> None:
    frame = PEOPLE.frame.with_columns(
        region=polars.when(polars.col("age") < 25).then(None).otherwise(polars.col("region"))
    )
    assert LogisticRegression("is(region, south) ~ age").fit(Microdata(frame)).left_out == (AGE < 25).sum() > 0


def test_a_logistic_regression_maximises_the_likelihood() -> None:
    fit = LogisticRegression("works ~ age + sex").fit(PEOPLE)
    design, answer = DESIGN[:, :3], WORKS == "yes"
    _check_maximum(fit.estimates, fit.covariance, design, lambda eta: np.logaddexp(0, eta) - answer * eta)


def test_a_poisson_regression_maximises_the_likelihood() -> None:
    fit = PoissonRegression("number(children) ~ age + sex").fit(PEOPLE)
    _check_maximum(fit.estimates, fit.covariance, DESIGN[:, :3], lambda eta: np.exp(eta) - CHILDREN * eta)


def _check_maximum(estimates, covariance, design, loss) -> None:  # type: ignore[no-untyped-def]
    scale = np.array([1.0, 50.0, 1.0])
    found = minimize(lambda b: loss(design @ (b / scale)).sum(), estimates * scale * 0.9, tol=1e-12)
    np.testing.assert_allclose(estimates, found.x / scale, rtol=1e-4, atol=1e-5)
    step = 1e-4 / scale
    shifted = [
        [
            sum(
                one * two * loss(design @ (estimates + one * step * row + two * step * column)).sum()
                for one in (1, -1)
                for two in (1, -1)
            )
            for column in np.eye(3)
        ]
        for row in np.eye(3)
    ]
    curvature = np.array(shifted) / (4 * np.outer(step, step))
    np.testing.assert_allclose(covariance, np.linalg.inv(curvature), rtol=1e-3)


def test_interactions_are_products() -> None:
    fit = LinearRegression("pay ~ age*sex").fit(PEOPLE)
    design = np.column_stack([DESIGN[:, :3], AGE * (SEX == "m")])
    np.testing.assert_allclose(fit.estimates, np.linalg.lstsq(design, PAY, rcond=None)[0], rtol=1e-8)


def test_functions_of_numbers_and_numbers_as_categories() -> None:
    fit = LinearRegression("log(pay) ~ square(age) + category(children)").fit(PEOPLE)
    levels = np.unique(CHILDREN)
    design = np.column_stack([np.ones(N), AGE**2, *(level == CHILDREN for level in levels[1:])]).astype(float)
    np.testing.assert_allclose(fit.estimates, np.linalg.lstsq(design, np.log(PAY), rcond=None)[0], rtol=1e-7, atol=1e-9)


def test_a_coefficient_that_others_give_is_not_told() -> None:
    twice = PEOPLE.frame.with_columns(months=polars.col("age") * 12)
    fit = LinearRegression("pay ~ age + months").fit(Microdata(twice))
    assert np.isnan(fit.estimates).tolist() == [False, False, True]


def test_records_with_missing_values_are_left_out_and_counted() -> None:
    gaps = PEOPLE.frame.with_columns(
        age=polars.when(polars.int_range(N) < 7).then(None).otherwise(polars.col("age")),
        sex=polars.when(polars.int_range(N) == 100).then(polars.lit("9")).otherwise(polars.col("sex")),
    )
    schema = Schema.infer(gaps)
    schema = schema.with_variables(schema["sex"].model_copy(update={"missing_codes": ("9",)}))
    fit = LinearRegression("pay ~ age + sex").fit(Microdata(gaps, schema))
    kept = (np.arange(N) >= 7) & (np.arange(N) != 100)
    assert (fit.records, fit.left_out) == (N - 8, 8)
    np.testing.assert_allclose(
        fit.estimates, np.linalg.lstsq(DESIGN[kept, :3], PAY[kept], rcond=None)[0], rtol=1e-8, atol=1e-9
    )


def test_files_fitted_together_have_the_same_coefficients() -> None:
    south = PEOPLE.take_rows(np.flatnonzero(REGION != "west"))
    whole, part = LinearRegression("pay ~ region").fit_all([PEOPLE, south])
    assert whole.names == part.names
    assert np.isnan(part.estimates).tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("regression", "says"),
    [
        (LinearRegression("pay ~ agee"), "there is no column 'agee'"),
        (LinearRegression("pay ~ age:sex"), r"write age\*sex"),
        (LinearRegression("region ~ age"), "must be a number or have two categories.*write is\\(region, "),
        (LogisticRegression("is(region, north) ~ age"), "no record of the original has the category of is"),
        (LinearRegression("pay ~ log(sex)"), "needs numbers"),
        (LinearRegression("number(sex) ~ age"), "categories that are numbers"),
        (LinearRegression("pay ~ log(number)"), "numbers above 0"),
        (LogisticRegression("pay ~ age"), "two categories, or of 0 and 1"),
        (LogisticRegression("works ~ works"), "no finite solution"),
    ],
)
def test_what_cannot_be_fitted_is_refused(regression: LinearRegression, says: str) -> None:
    with pytest.raises(DataError, match=says):
        regression.fit(PEOPLE)


def test_more_coefficients_than_records_are_refused() -> None:
    with pytest.raises(DataError, match="more records than coefficients"):
        LinearRegression("pay ~ age + sex").fit(PEOPLE.take_rows(slice(2)))


@pytest.mark.parametrize(("category", "named"), [("none", "the first category of group"), ("zero", "group=zero")])
def test_a_category_whose_records_all_have_the_same_response_is_named(category: str, named: str) -> None:
    groups = ["x"] * 50 + ["y"] * 50 + [category] * 20
    people = Microdata(polars.DataFrame({"y": ["a", "b"] * 50 + ["a"] * 20, "group": groups}))
    with pytest.raises(DataError, match=f"all records of {named} have the same response"):
        LogisticRegression("is(y, b) ~ group").fit(people)
