from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.errors import DataError, UnknownColumnError
from sfumato.loss import UnexplainedVariance

RNG = np.random.default_rng(3)
INCOME = np.round(RNG.lognormal(7, 1, 120), 2)
TOWN = RNG.choice(["A", "B", "C", "D"], 120, p=[0.5, 0.3, 0.1, 0.1])
LEVELS = ("low", "middle", "high")
HEALTH = np.array(LEVELS)[RNG.integers(0, 3, 120)]
FRAME = pl.DataFrame({"income": INCOME, "town": TOWN, "health": HEALTH})
SCHEMA = sf.Schema(
    variables=(
        sf.Variable(name="income", kind=sf.Kind.CONTINUOUS, role=sf.Role.CONFIDENTIAL),
        sf.Variable(name="town", kind=sf.Kind.NOMINAL, role=sf.Role.KEY),
        sf.Variable(name="health", kind=sf.Kind.ORDINAL, categories=LEVELS),
    )
)
ORIGINAL = sf.Microdata(FRAME, SCHEMA)


def part(column: str, masked: pl.DataFrame, kind: str = "") -> float:
    schema = SCHEMA.with_kinds(**{kind: [column]}) if kind else SCHEMA
    data = sf.Microdata(masked, schema)
    return UnexplainedVariance(columns=(column,)).measure(ORIGINAL, data).parts[column]


def test_numbers_are_explained_by_a_line_and_gaps_by_their_mean_as_in_least_squares() -> None:
    noisy = INCOME + RNG.normal(0, 500, 120)
    is_gap = np.arange(120) % 7 == 0
    design = np.column_stack([~is_gap, np.where(is_gap, 0, noisy), is_gap]).astype(float)
    rest = np.linalg.lstsq(design, INCOME, rcond=None)[1][0]
    masked = FRAME.with_columns(pl.Series("income", [None if gap else x for gap, x in zip(is_gap, noisy, strict=True)]))
    assert part("income", masked) == pytest.approx(100 * rest / np.sum((INCOME - INCOME.mean()) ** 2))


def test_numbers_that_became_classes_are_explained_by_the_mean_of_their_class() -> None:
    classes = np.where(INCOME < 500, "low", np.where(INCOME < 1500, "middle", "high"))
    rest = sum(np.sum((INCOME[classes == one] - INCOME[classes == one].mean()) ** 2) for one in np.unique(classes))
    found = part("income", FRAME.with_columns(pl.Series("income", classes)), "nominal")
    assert found == pytest.approx(100 * rest / np.sum((INCOME - INCOME.mean()) ** 2))


def test_categories_are_explained_as_far_as_pairs_of_one_masked_category_agree() -> None:
    masked = np.where(np.isin(TOWN, ["A", "C"]), "A or C", TOWN)
    masked[::11] = "B"
    differ = [np.mean(TOWN[masked == one] != town) for town, one in zip(TOWN, masked, strict=True)]
    expected = np.mean(differ) / np.mean([np.mean(town != TOWN) for town in TOWN])
    assert part("town", FRAME.with_columns(pl.Series("town", masked))) == pytest.approx(100 * expected)


def test_a_step_in_an_order_loses_less_than_a_jump() -> None:
    low = HEALTH == "low"
    to_middle, to_high = (FRAME.with_columns(pl.Series("health", np.where(low, to, HEALTH))) for to in LEVELS[1:])
    assert 0 < part("health", to_middle) < part("health", to_high)


def test_broader_classes_lose_more_and_a_single_one_everything() -> None:
    found = [
        part("income", FRAME.with_columns(pl.Series("income", [f"class {int(x // width)}" for x in INCOME])), "nominal")
        for width in (100, 1000, 1e9)
    ]
    assert found == sorted(found)
    assert found[-1] == pytest.approx(100)
    assert part("town", FRAME.with_columns(pl.lit("any").alias("town"))) == pytest.approx(100)


def test_what_can_be_undone_loses_nothing() -> None:
    renamed = FRAME.with_columns(income=3 - 2 * pl.col("income"), town=pl.lit("town ") + pl.col("town"))
    assert part("income", renamed) == pytest.approx(0, abs=1e-9)
    assert part("town", renamed) == pytest.approx(0, abs=1e-9)


def test_dates_are_compared_in_days_and_by_their_periods() -> None:
    days = [date(2020, 1, 1) + timedelta(days=int(x)) for x in RNG.integers(0, 700, 50)]
    original = sf.Microdata(pl.DataFrame({"seen": days}))
    month = sf.Microdata(pl.DataFrame({"seen": [day.strftime("%Y-%m") + " m" for day in days]}))
    year = sf.Microdata(pl.DataFrame({"seen": [f"in {day.year}" for day in days]}))
    found = [
        UnexplainedVariance(columns=("seen",)).measure(original, masked).value for masked in (original, month, year)
    ]
    assert found[0] == pytest.approx(0, abs=1e-9)
    assert 0 < found[1] < found[2] < 100


def test_a_column_that_is_gone_is_lost_where_a_rule_picks_it_and_refused_where_it_is_named() -> None:
    masked = ORIGINAL.without_columns(("town",))
    found = UnexplainedVariance(columns=sf.linkable).measure(ORIGINAL, masked)
    assert dict(found.parts) == pytest.approx({"income": 0, "town": 100, "health": 0}, abs=1e-9)
    assert found.value == pytest.approx(100 / 3)
    empty = sf.Microdata(FRAME.with_columns(pl.lit(None, dtype=pl.String).alias("town")), SCHEMA)
    assert UnexplainedVariance(columns=sf.linkable).measure(ORIGINAL, empty).parts["town"] == 100
    with pytest.raises(UnknownColumnError, match="the masked file has no column 'town'"):
        UnexplainedVariance(columns=("town", "income")).measure(ORIGINAL, masked)
    with pytest.raises(DataError, match=r"no value of any column that role\(key\) picks"):
        UnexplainedVariance(columns=sf.role("key")).measure(ORIGINAL, masked)


def test_a_column_that_never_varied_has_nothing_to_lose() -> None:
    flat = FRAME.with_columns(pl.lit("A").alias("town"))
    found = UnexplainedVariance(columns=("town", "income")).measure(
        sf.Microdata(flat, SCHEMA), sf.Microdata(flat.with_columns(pl.lit("B").alias("town")), SCHEMA)
    )
    assert found.value == pytest.approx(0, abs=1e-9)
    assert found.parts["town"] == 0


def test_huge_amounts_stay_finite() -> None:
    huge = sf.Microdata(pl.DataFrame({"income": [1e70, 2e70, -3e70, 0.0]}))
    small = sf.Microdata(pl.DataFrame({"income": [1e-70, 2e-70, 3e-70, 0.0]}))
    found = UnexplainedVariance(columns=("income",)).measure(huge, small).value
    r = np.corrcoef([1, 2, -3, 0], [1, 2, 3, 0])[0, 1]
    assert found == pytest.approx(100 * (1 - r**2))
