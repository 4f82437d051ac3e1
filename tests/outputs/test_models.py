"""Regressions as outputs."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.outputs import OutputLog, OutputRules, Status
from sfumato.regression import LinearRegression, LogisticRegression
from tests.outputs.test_log import PEOPLE


def test_coefficients_are_those_of_the_fit() -> None:
    log = OutputLog(PEOPLE)
    for output, model in (
        (log.ols("income ~ age + sex"), LinearRegression("income ~ age + sex")),
        (log.logit("ill ~ age"), LogisticRegression("ill ~ age")),
    ):
        fit = model.fit(Microdata(PEOPLE))
        shown = output.frame
        np.testing.assert_allclose(shown["estimate"].to_list()[:-1], fit.estimates)
        np.testing.assert_allclose(shown["standard error"].to_list()[:-1], fit.errors)
        assert shown["estimate"].to_list()[-1] == fit.records
        assert output.status is Status.SAFE


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (PEOPLE.head(11), "residual degrees of freedom"),
        (PEOPLE.with_columns(sex=pl.Series(["f"] * 4 + ["m"] * 296)), "sex=m stands for fewer than 10 records"),
        (PEOPLE.with_columns(age=pl.Series([30.0 + place % 7 for place in range(299)] + [9e5])), "a single record"),
    ],
)
def test_a_model_that_rests_on_few_records_needs_a_look(frame: pl.DataFrame, reason: str) -> None:
    output = OutputLog(frame).ols("income ~ age + sex")
    assert output.status is Status.REVIEW
    assert any(reason in one for one in output.reasons)


def test_a_rare_outcome_needs_a_look() -> None:
    frame = PEOPLE.with_columns(ill=pl.Series([1] * 6 + [0] * 294))
    assert any("rarer outcome" in reason for reason in OutputLog(frame).logit("ill ~ age").reasons)


def test_fits_to_two_sets_of_records_that_differ_by_few_need_a_look() -> None:
    log = OutputLog(PEOPLE)
    log.ols("income ~ age")
    oldest = PEOPLE["age"].sort(descending=True)[4]
    second = log.ols("income ~ age", where=f"age < {oldest}")
    assert second.status is Status.REVIEW
    assert any("not in log-ols-2" in reason for reason in second.reasons)


def test_the_means_of_two_groups_are_audited_as_a_fit_tells_them() -> None:
    """A fit on categories alone gives their means: beside the mean over all it tells that of the third."""
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"town": ["A"] * 40 + ["B"] * 40 + ["C"] * 2, "pay": rng.lognormal(3, 0.3, 82)})
    log = OutputLog(frame, rules=OutputRules(min_freedom=5))
    assert log.ols("pay ~ town").status is Status.REVIEW


def test_a_small_count_that_is_shown_because_a_model_tells_it_already_is_named() -> None:
    log = OutputLog(PEOPLE.with_columns(kind=pl.Series(["a"] * 296 + ["b"] * 4)))
    assert log.ols("income ~ kind").status is Status.REVIEW
    second = log.crosstab("kind")
    assert second.status is Status.REVIEW
    assert any(reason.startswith("1 cell of fewer than 10 records is shown") for reason in second.reasons)
