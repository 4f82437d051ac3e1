"""What the original records themselves do not follow is told before it is asked of synthetic ones."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.datasets import demo
from sfumato.masking import HouseholdSynthesis, SequentialSynthesis
from sfumato.recipe import Recipe

PARTS = "wage_income + business_income + capital_income + transfer_income"
NAMES = ("age", "marital_status", "wage_income", "business_income", "capital_income", "transfer_income", "total_income")


def formula(text: str, column: str = "total_income") -> dict[str, object]:
    return {column: {"formula": {"expression": text}}}


def remarks(data: Microdata, *columns: str, **parameters: object) -> tuple[str, ...]:
    found = SequentialSynthesis(columns=columns, **parameters).remarks(data)
    return tuple(one for one in found if "original records" in one)


def test_rules_that_the_file_follows_are_not_spoken_of() -> None:
    assert remarks(demo(800), *NAMES, models=formula(PARTS), conditions=("age >= 0", "age > 200 or age < 200")) == ()


def test_an_untrue_formula_is_told_with_the_percent_of_records() -> None:
    people = demo(800)
    wages, totals = people.values("wage_income"), people.values("total_income")
    known = np.isfinite(wages) & np.isfinite(totals)
    percent = 100 * np.mean(np.abs(wages - totals)[known] > 1)  # whole numbers: one apart may be rounding
    assert 5 < percent < 95
    shown = f"{percent:.2f}".rstrip("0").rstrip(".")
    assert remarks(people, *NAMES, models=formula("wage_income")) == (
        f"{shown} % of the original records do not follow the formula total_income = wage_income; all synthetic "
        f"records do",
    )


def test_an_untrue_condition_is_told_with_the_percent_of_records() -> None:
    people = demo(800)
    ages, married = people.values("age"), people.frame["marital_status"].to_numpy() == "married"
    percent = f"{100 * np.mean((ages < 50) & married):.2f}".rstrip("0").rstrip(".")
    rule = "age >= 50 or marital_status != 'married'"
    assert remarks(people, *NAMES, conditions=(rule,)) == (
        f"{percent} % of the original records do not meet the condition {rule}; all synthetic records do",
    )


def test_what_a_missing_value_leaves_open_is_no_untruth() -> None:
    frame = pl.DataFrame({"age": [10, 40] * 50, "pay": [-8, 700] * 50})
    schema = Schema.from_yaml("variables: {age: {kind: continuous}, pay: {kind: continuous, missing_codes: [-8]}}")
    data = Microdata(frame, schema)
    assert remarks(data, "age", "pay", conditions=("pay > 100", "age >= 16 or missing(pay, -8)")) == ()
    [told] = remarks(data, "age", "pay", conditions=("not missing(pay, -8)",))
    assert told.startswith("50 % of the original records")


@pytest.mark.parametrize("decimals", [0, 1, None])
def test_rounding_is_no_untruth(decimals: int | None) -> None:
    rng = np.random.default_rng(1)
    weight, height = rng.integers(40, 120, 300), rng.integers(150, 200, 300)
    quotient = weight / (height / 100) ** 2
    bmi = quotient if decimals is None else np.round(quotient, decimals)
    frame = pl.DataFrame({"weight": weight, "height": height, "bmi": bmi})
    data = Microdata(frame, Schema.infer(frame).with_kinds(continuous=frame.columns))
    names = ("weight", "height", "bmi")
    assert remarks(data, *names, models=formula("weight / (height / 100)**2", "bmi")) == ()
    [told] = remarks(data, *names, models=formula("weight / height", "bmi"))
    assert told.startswith("100 % of the original records")


def test_members_of_a_household_are_counted_as_the_condition_asks() -> None:
    frame = pl.DataFrame(
        [(home, who, 40) for home in range(60) for who in (["head", "spouse"] if home % 3 else ["head"])],
        schema=["home", "who", "age"],
        orient="row",
    )
    schema = Schema.infer(frame).with_roles(household=["home"])
    method = HouseholdSynthesis(columns=("who", "age"), relation="who", conditions=("count(who == 'spouse') == 1",))
    assert method.remarks(Microdata(frame, schema))[0] == (
        "20 % of the original records do not meet the condition count(who == 'spouse') == 1; all synthetic records do"
    )


def test_a_recipe_says_so_when_it_runs() -> None:
    told: list[str] = []
    people = demo(300).take_columns(("age", "sex"))
    recipe = Recipe(steps=[SequentialSynthesis(columns=("age", "sex"), conditions=("age >= 50",))], seed=1)
    recipe.run(people, on_remark=told.append)
    assert told[0].startswith("step 1 (sequential_synthesis): ")
    assert "do not meet the condition age >= 50" in told[0]
