import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Kind, Microdata, Role, Schema, numeric, role
from sfumato.datasets import demo
from sfumato.errors import ParameterError

PARTS = ("wage_income", "business_income", "capital_income", "transfer_income")
MONEY = (*PARTS, "total_income", "tax", "social_contributions", "expenditure", "savings")
YOUNGEST = {"primary": 11, "lower secondary": 15, "upper secondary": 18, "bachelor": 21, "master": 23, "doctorate": 26}


@pytest.fixture(scope="module")
def survey() -> Microdata:
    return demo(20_000, seed=3)


@pytest.fixture(scope="module")
def people(survey: Microdata) -> pl.DataFrame:
    frame: pl.DataFrame = survey.frame
    return frame


def number(figure: object) -> float:
    """Return a figure of a column as the number that it is; to polars it may be of any type."""
    assert isinstance(figure, int | float)
    return figure


def share(condition: pl.Series) -> float:
    return number(condition.mean())


@settings(max_examples=40)
@given(n=st.integers(1, 300), seed=st.integers(0, 2**32))
def test_exactly_as_many_persons_come_back_as_asked_for(n: int, seed: int) -> None:
    frame = demo(n, seed).frame
    assert frame.height == n
    sizes = frame.group_by("household_id").len()["len"]
    assert sizes.max() <= 8
    adults = frame.group_by("household_id").agg(pl.col("age").max())["age"]
    assert adults.min() >= 18


def test_ten_thousand_persons_come_back_by_default() -> None:
    assert demo().n == 10_000


@pytest.mark.parametrize("n", [0, -5])
def test_a_survey_of_nobody_is_refused(n: int) -> None:
    with pytest.raises(ParameterError, match=rf"demo.n must be in \[1, inf\); got {n}"):
        demo(n)


def test_the_same_seed_gives_the_same_file_and_another_seed_another() -> None:
    first, second, other = (demo(500, seed).frame for seed in (1, 1, 2))
    assert first.write_csv() == second.write_csv()
    assert first.write_csv() != other.write_csv()


def test_the_schema_says_kinds_roles_and_labels(survey: Microdata) -> None:
    schema = survey.schema
    assert schema.select(role("key")) == ("region", "age", "sex", "marital_status", "education", "occupation")
    assert schema.select(role("confidential")) == MONEY
    assert schema.select(role("household")) == ("household_id",)
    assert schema.select(role("identifier")) == ("person_id",)
    assert schema.select(role("weight")) == ("sampling_weight",)
    assert schema.select(numeric) == ("age", *MONEY)
    assert schema["education"].kind is Kind.ORDINAL
    assert schema["education"].categories[0] == "none"
    assert schema["education"].categories[-1] == "doctorate"
    assert all(variable.label for variable in schema.variables)


def test_every_column_fits_its_schema(survey: Microdata) -> None:
    for variable in survey.schema.variables:
        assert survey.summary.observed(variable.name) > 0
    assert Schema.from_yaml(survey.schema.to_yaml()) == survey.schema


def test_a_guess_finds_the_household_the_identifier_and_the_weight(people: pl.DataFrame) -> None:
    guessed = Schema.infer(people)
    assert guessed["household_id"].role is Role.HOUSEHOLD
    assert guessed["person_id"].role is Role.IDENTIFIER
    assert guessed["sampling_weight"].role is Role.WEIGHT


def test_persons_are_numbered_once_and_households_together(people: pl.DataFrame) -> None:
    assert people["person_id"].n_unique() == people.height
    assert people["household_id"].is_sorted()
    assert people["household_id"].n_unique() == people["household_id"].max()


def test_households_have_one_to_eight_members_and_one_region_and_weight(people: pl.DataFrame) -> None:
    homes = people.group_by("household_id").agg(pl.len(), pl.col("region", "sampling_weight").n_unique())
    assert sorted(homes["len"].unique()) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert homes["region"].max() == homes["sampling_weight"].max() == 1


def test_ages_run_from_nought_to_a_hundred_with_many_children_and_few_very_old(people: pl.DataFrame) -> None:
    assert people["age"].min() == 0
    assert 97 <= number(people["age"].max()) <= 100
    assert 0.18 < share(people["age"] < 18) < 0.32
    assert 0.10 < share(people["age"] >= 65) < 0.25
    assert 0.47 < share(people["sex"] == "female") < 0.55


def test_children_live_with_someone_at_least_sixteen_years_older(people: pl.DataFrame) -> None:
    homes = people.with_columns(oldest=pl.col("age").max().over("household_id"))
    children = homes.filter(pl.col("age") < 18)
    assert number((children["oldest"] - children["age"]).min()) >= 16


def test_spouses_come_in_pairs_of_adults_of_like_age(people: pl.DataFrame) -> None:
    spouses = people.filter(pl.col("marital_status") == "married")
    assert number(spouses["age"].min()) >= 18
    pairs = spouses.group_by("household_id").agg(
        pl.len(), gap=pl.col("age").max() - pl.col("age").min(), sexes=pl.col("sex").n_unique()
    )
    assert pairs["len"].unique().to_list() == [2]
    assert number(pairs["gap"].mean()) < 6
    assert 0.9 < share(pairs["sexes"] == 2) < 1


def test_nobody_under_age_was_ever_married(people: pl.DataFrame) -> None:
    assert people.filter(pl.col("age") < 18)["marital_status"].unique().to_list() == ["never married"]


def test_widowhood_comes_with_age(people: pl.DataFrame) -> None:
    by_status = dict(people.group_by("marital_status").agg(pl.col("age").mean()).iter_rows())
    assert by_status["widowed"] > by_status["divorced"] > by_status["never married"]


def test_regions_are_of_very_different_size(people: pl.DataFrame) -> None:
    sizes = people["region"].value_counts()["count"]
    assert len(sizes) == 12
    assert number(sizes.max()) > 40 * number(sizes.min())


def test_weights_are_decimal_above_one_and_set_by_the_region(people: pl.DataFrame) -> None:
    weight = people["sampling_weight"]
    assert number(weight.min()) > 1
    assert share(weight % 1 != 0) > 0.9
    within = people.group_by("region").agg(pl.col("sampling_weight").var())["sampling_weight"]
    assert number(within.max()) < 0.2 * number(weight.var())


@pytest.mark.parametrize("education", YOUNGEST)
def test_nobody_is_too_young_for_their_education(people: pl.DataFrame, education: str) -> None:
    assert number(people.filter(pl.col("education") == education)["age"].min()) >= YOUNGEST[education]


def test_people_who_live_together_resemble_each_other_in_education(survey: Microdata) -> None:
    level = survey.values("education")
    adults = survey.frame.with_columns(level=pl.Series(level)).filter(pl.col("marital_status") == "married")
    pairs = adults.filter(~pl.col("level").is_nan()).group_by("household_id").agg(pl.col("level"))
    both = np.array([row for row in pairs["level"].to_list() if len(row) == 2])
    assert 0.2 < np.corrcoef(both.T)[0, 1] < 0.6


def test_those_at_work_and_only_they_have_an_occupation(people: pl.DataFrame) -> None:
    at_work = people["employment_status"].is_in(["employee", "self-employed"])
    assert (people["occupation"].is_not_null() == at_work).all()
    assert people["occupation"].drop_nulls().n_unique() == 15
    assert number(people.filter(at_work)["age"].min()) >= 16
    assert number(people.filter(pl.col("employment_status") == "retired")["age"].min()) >= 54
    assert people.filter(pl.col("employment_status") == "child")["age"].max() == 15


def test_physicians_have_studied(people: pl.DataFrame) -> None:
    educations = set(people.filter(pl.col("occupation") == "physician")["education"].drop_nulls())
    assert educations == {"master", "doctorate"}


def test_the_total_is_the_exact_sum_of_its_parts_where_all_are_there(people: pl.DataFrame) -> None:
    total = people.select(pl.sum_horizontal(*PARTS, ignore_nulls=False)).to_series()
    assert total.equals(people["total_income"], null_equal=True)


def test_incomes_are_skewed_with_zeros_and_a_long_tail(people: pl.DataFrame) -> None:
    wages = people["wage_income"].drop_nulls()
    earned = wages.filter(wages > 0)
    assert share(wages == 0) > 0.4
    assert number(earned.mean()) > 1.1 * number(earned.median())
    assert number(earned.max()) > 6 * number(earned.median())
    assert share(people["capital_income"].drop_nulls() == 0) > 0.7
    assert wages.min() == people["capital_income"].min() == people["transfer_income"].min() == 0


def test_only_the_self_employed_have_losses_and_few_of_them(people: pl.DataFrame) -> None:
    losses = people.filter(pl.col("business_income") < 0)
    assert losses["employment_status"].unique().to_list() == ["self-employed"]
    assert 0.02 < losses.height / people.filter(pl.col("employment_status") == "self-employed").height < 0.12


def test_tax_is_nothing_on_low_incomes_and_progressive_on_others(people: pl.DataFrame) -> None:
    known = people.drop_nulls("total_income")
    assert known.filter(pl.col("total_income") <= 11_000)["tax"].max() == 0
    rates = [
        known.filter(pl.col("total_income").is_between(low, high)).select(
            pl.col("tax").sum() / pl.col("total_income").sum()
        )
        for low, high in [(12_000, 20_000), (30_000, 40_000), (60_000, 90_000), (120_000, 10**9)]
    ]
    assert rates[0].item() < rates[1].item() < rates[2].item() < rates[3].item() < 0.5


def test_money_is_correlated_but_only_the_total_is_collinear(people: pl.DataFrame) -> None:
    complete = people.select(MONEY).drop_nulls().to_numpy()
    standardised = (complete - complete.mean(axis=0)) / complete.std(axis=0)
    assert np.linalg.matrix_rank(standardised, tol=1e-6 * len(complete)) == len(MONEY) - 1
    correlation = np.corrcoef(complete.T)
    tax, total, spending = (MONEY.index(name) for name in ("tax", "total_income", "expenditure"))
    assert correlation[tax, total] > 0.8
    assert 0.3 < correlation[spending, total] < 0.9


def test_a_household_spends_together(people: pl.DataFrame) -> None:
    spending = people.drop_nulls("expenditure").with_columns(pl.col("expenditure").log())
    within = spending.group_by("household_id").agg(pl.col("expenditure").var())["expenditure"].drop_nulls().mean()
    assert number(within) < 0.4 * number(spending["expenditure"].var())


def test_a_few_percent_of_some_columns_are_missing_and_nothing_else(people: pl.DataFrame) -> None:
    missing = {name: people[name].null_count() / people.height for name in people.columns if people[name].null_count()}
    assert set(missing) == {
        "education",
        "occupation",
        "wage_income",
        "business_income",
        "capital_income",
        "total_income",
        "expenditure",
        "savings",
    }
    del missing["occupation"]
    assert all(0.002 < found < 0.1 for found in missing.values())


def test_answers_are_missing_more_often_of_the_rich_and_the_old(people: pl.DataFrame) -> None:
    employees = people.filter(pl.col("employment_status") == "employee")
    rich = employees["tax"] > employees["tax"].median()
    silent = employees["wage_income"].is_null()
    assert share(silent.filter(rich)) > 1.5 * share(silent.filter(~rich))
    untold = people["education"].is_null()
    assert share(untold.filter(people["age"] >= 70)) > 1.5 * share(untold.filter(people["age"] < 50))


def test_amounts_have_no_negative_zeros(people: pl.DataFrame) -> None:
    amounts = people.select(MONEY).to_numpy()
    assert not (np.signbit(amounts) & (amounts == 0)).any()
