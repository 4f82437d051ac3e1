"""Dates in formulas and conditions: ages follow from births, and what comes later does."""

from datetime import date, timedelta
from functools import cache

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.expressions.dates import completed_years, days_of_text
from sfumato.masking import HouseholdSynthesis, SequentialSynthesis

REFERENCE = date(2021, 12, 31)
AGE = {"age": {"formula": {"expression": "years('2021-12-31' - birth)"}}}


def age_at(birth: date, day: date = REFERENCE) -> int:
    """Return an age as people count it."""
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


@cache
def people() -> Microdata:
    rng = np.random.default_rng(3)
    births = [REFERENCE - timedelta(days=int(days)) for days in rng.integers(0, 32_000, 400)]
    weddings = [
        birth + timedelta(days=int(days)) for birth, days in zip(births, rng.integers(6600, 14_000, 400), strict=True)
    ]
    frame = pl.DataFrame(
        {
            "home": np.repeat(np.arange(200), 2),
            "birth": births,
            "age": [age_at(birth) for birth in births],
            "wedding": [day if day <= REFERENCE else None for day in weddings],
            "stay": rng.integers(1, 60, 400),
        }
    )
    kinds = {"birth": Kind.DATE, "age": Kind.CONTINUOUS, "wedding": Kind.DATE, "stay": Kind.CONTINUOUS}
    variables = [Variable(name=name, kind=kind) for name, kind in kinds.items()]
    return Microdata(frame, Schema(variables=(Variable(name="home", kind="nominal", role=Role.HOUSEHOLD), *variables)))


def test_completed_years_are_those_that_people_count() -> None:
    rng = np.random.default_rng(1)
    days = [date(1900, 1, 1) + timedelta(days=int(one)) for one in rng.integers(0, 60_000, 2000)]
    days += [date(2000, 2, 29), date(2001, 2, 28), date(2001, 3, 1), date(1969, 12, 31)]
    numbers = np.array([days_of_text(day.isoformat()) for day in days])
    found = completed_years(numbers, numbers[::-1])
    assert found.tolist() == [age_at(earlier, later) for later, earlier in zip(days, days[::-1], strict=True)]


@pytest.mark.parametrize("by_household", [False, True])
def test_age_and_birth_do_not_come_apart(by_household: bool) -> None:
    columns = ("birth", "age", "wedding")
    conditions = ("wedding >= birth", "birth <= '2021-12-31'", "years(wedding - birth) >= 16")
    if by_household:
        household = HouseholdSynthesis(columns=columns, models=AGE, conditions=(*conditions, "min(birth) <= birth"))
        drawn = run_step(household, people(), seed=1, step=0).frame
    else:
        persons = SequentialSynthesis(columns=columns, models=AGE, conditions=conditions)
        drawn = run_step(persons, people().without_columns(("home", "stay")), seed=1, step=0).frame
    assert drawn["age"].to_list() == [age_at(birth) for birth in drawn["birth"]]
    assert drawn.filter(pl.col("wedding") < pl.col("birth")).height == 0
    assert drawn["birth"].max() <= REFERENCE
    married = drawn.drop_nulls("wedding")
    assert married.height > 100
    assert min(age_at(birth, day) for birth, day in married.select("birth", "wedding").rows()) >= 16


def test_without_a_rule_they_do() -> None:
    method = SequentialSynthesis(columns=("birth", "age"))
    drawn = run_step(method, people().take_columns(("birth", "age")), seed=1, step=0).frame
    assert drawn["age"].to_list() != [age_at(birth) for birth in drawn["birth"]]


def test_members_are_compared_by_dates() -> None:
    rule = "years(max(birth) - min(birth)) <= 60"
    method = HouseholdSynthesis(columns=("birth",), conditions=(rule,))
    homes = (
        run_step(method, people(), seed=1, step=0)
        .frame.group_by("home")
        .agg(pl.col("birth").min().alias("first"), pl.col("birth").max().alias("last"))
    )
    assert max(age_at(first, last) for first, last in homes.select("first", "last").rows()) <= 60


def test_a_date_can_be_computed() -> None:
    models = {"wedding": {"formula": {"expression": "birth + 365 * stay"}}}
    data = people().take_columns(("birth", "stay", "wedding"))
    method = SequentialSynthesis(columns=("birth", "stay", "wedding"), models=models)
    drawn = run_step(method, data, seed=1, step=0).frame
    expected = [birth + timedelta(days=365 * stay) for birth, stay in drawn.select("birth", "stay").rows()]
    assert drawn["wedding"].to_list() == expected


@pytest.mark.parametrize(
    "rule", ["birth > age", "birth > 'yesterday'", "age > '2021-12-31'", "birth + wedding > birth", "year(age) > 2000"]
)
def test_a_date_is_no_number(rule: str) -> None:
    method = SequentialSynthesis(columns=("birth", "age", "wedding"), conditions=(rule,))
    with pytest.raises(DataError, match=r"conditions: number 1 .* takes a date for a number"):
        run_step(method, people().without_columns(("home", "stay")), seed=1, step=0)


@pytest.mark.parametrize(("column", "formula"), [("age", "birth + 1"), ("birth", "age + 1"), ("age", "birth * 2")])
def test_a_formula_gives_what_its_column_holds(column: str, formula: str) -> None:
    order = ("birth", "age") if column == "age" else ("age", "birth")
    method = SequentialSynthesis(columns=order, models={column: {"formula": {"expression": formula}}})
    with pytest.raises(DataError, match=f"the formula of '{column}'"):
        run_step(method, people().take_columns(order), seed=1, step=0)


def test_times_of_day_are_no_dates() -> None:
    frame = pl.DataFrame({"at": pl.Series([0, 3_600_000_000_000] * 20).cast(pl.Time), "age": range(40)})
    schema = Schema(variables=(Variable(name="at", kind=Kind.DATE), Variable(name="age", kind=Kind.CONTINUOUS)))
    method = SequentialSynthesis(columns=("at", "age"), conditions=("year(at) > 2000",))
    with pytest.raises(DataError, match="times of day"):
        run_step(method, Microdata(frame, schema), seed=1, step=0)


@pytest.mark.parametrize("rule", ["years(birth) > 3", "days(birth) > 3", "years(birth - wedding, 2) > 3"])
def test_refuses_functions_that_there_are_not(rule: str) -> None:
    with pytest.raises(ParameterError, match=r"years\(later - earlier\) or year\(date\)"):
        SequentialSynthesis(columns=("birth",), conditions=(rule,))


def test_a_column_may_be_called_as_a_function_is() -> None:
    frame = pl.DataFrame({"year": np.arange(60.0), "count": np.arange(60.0)})
    persons = SequentialSynthesis(columns=("year", "count"), conditions=("year >= 0",))
    assert run_step(persons, Microdata(frame), seed=1, step=0).frame["year"].min() >= 0
