"""Ways to work out what few persons have from outputs that look harmless one by one."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.outputs import OutputLog, Status
from sfumato.outputs.leverage import Leverage

RECORDS = 300
RNG = np.random.default_rng(8)
TARGETS = 4  # persons whose income somebody is after
PEOPLE = pl.DataFrame(
    {
        "town": ["A"] * 150 + ["B"] * 150,
        "age": np.concatenate([RNG.integers(20, 80, RECORDS - TARGETS), [97] * TARGETS]).astype(float),
        "income": RNG.lognormal(8, 0.5, RECORDS).round(),
        "ill": [1] * 40 + [0] * 110 + [1] * 4 + [0] * 146,
        "flag": [3.0] * (RECORDS - TARGETS) + [5.0] * TARGETS,
        "level": [0.25, 1.5] * ((RECORDS - TARGETS) // 2) + [2.75] * TARGETS,
    }
)


@pytest.mark.parametrize("statistic", ["median", "q25", "q90"])
def test_quantiles_with_and_without_few_persons_do_not_tell_where_these_lie(statistic: str) -> None:
    log = OutputLog(PEOPLE)
    assert log.pivot_table("income", "town", aggfunc=statistic).hidden == 0
    second = log.pivot_table("income", "town", aggfunc=statistic, where="age < 97")
    assert second.frame[statistic].is_null().to_list() == [False, True]


def test_quantiles_of_different_columns_are_not_held_against_each_other() -> None:
    log = OutputLog(PEOPLE)
    log.pivot_table("income", "town", aggfunc="median")
    assert log.pivot_table("age", "town", aggfunc="median", where="age < 97").hidden == 0


def test_quantiles_hide_no_counts() -> None:
    log = OutputLog(PEOPLE)
    log.pivot_table("income", "town", aggfunc="median", where="age < 97")
    assert log.crosstab("town").status is Status.SAFE


def test_a_project_remembers_what_quantiles_are_of(tmp_path: Path) -> None:
    log = OutputLog(PEOPLE, tmp_path / "project", name="anna")
    log.pivot_table("income", "town", aggfunc="median")
    log.finalise()
    other = OutputLog(PEOPLE, tmp_path / "project", name="ben")
    assert other.pivot_table("income", "town", aggfunc="median", where="age < 97").hidden == 1


@pytest.mark.parametrize("coding", [(0, 1), (1, 2), (100, 0)])
@pytest.mark.parametrize("statistic", ["mean", "sum", "std"])
def test_the_mean_of_a_variable_with_two_values_is_judged_as_the_counts_it_tells(
    statistic: str, coding: tuple[int, int]
) -> None:
    """Four of 150 are ill in town B: a mean of 0.0267 tells that as a crosstab would, which hides it."""
    frame = PEOPLE.with_columns(pl.col("ill").replace_strict({0: coding[0], 1: coding[1]}))
    output = OutputLog(frame).pivot_table("ill", "town", aggfunc=statistic)
    assert output.frame[statistic].is_null().to_list() == [False, True]


def test_the_mean_of_a_variable_with_two_values_is_audited_beside_crosstabs_of_it() -> None:
    log = OutputLog(PEOPLE)
    log.crosstab("town", "ill", where="age < 97")
    assert log.pivot_table("ill", "town").hidden == 2


@pytest.mark.parametrize("formula", ["income ~ flag", "income ~ age + flag", "income ~ level + square(level) + town"])
def test_predictors_that_single_out_few_persons_need_a_look_however_they_are_coded(formula: str) -> None:
    output = OutputLog(PEOPLE).ols(formula)
    assert output.status is Status.REVIEW
    assert any("fewer than 10 records" in reason for reason in output.reasons)


def test_a_linear_model_of_an_outcome_is_judged_as_the_counts_it_tells() -> None:
    assert OutputLog(PEOPLE).ols("ill ~ town").status is Status.REVIEW
    assert OutputLog(PEOPLE).ols("income ~ town").status is Status.SAFE


def test_the_weight_of_a_group_is_found_where_a_column_marks_it() -> None:
    """Against every group of two there is: its indicator lies in the space of the predictors, or not."""
    rng = np.random.default_rng(0)
    marked = np.zeros(30)
    marked[[4, 17]] = 1.0
    hidden_by_others = np.column_stack([np.ones(30), rng.normal(size=(30, 2)), marked + 1e-4 * rng.normal(size=30)])
    assert Leverage(hidden_by_others).singles_out(5)
    assert not Leverage(hidden_by_others[:, :3]).singles_out(5)
    assert not Leverage(np.column_stack([np.ones(30), np.arange(30) < 12])).singles_out(5)


def test_histograms_with_shifted_limits_do_not_tell_few_records() -> None:
    log = OutputLog(PEOPLE)
    income = np.sort(PEOPLE["income"].to_numpy())
    log.histogram("income", bins=[float(income[100]), float(income[200])])
    shifted = log.histogram("income", bins=[float(income[103]), float(income[200])])
    assert shifted.hidden >= 2
