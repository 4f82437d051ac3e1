"""Masked numbers that columns released as they were give back are named and counted, and chance is not."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.keys.recomputed_values import RECOMPUTABLE, Recomputed, recomputed_columns

N = 300


def people(confidential: str) -> sf.Microdata:
    rng = np.random.default_rng(4)
    home = np.sort(rng.integers(0, 120, N))
    height, mass = rng.normal(170, 9, N).round(), rng.normal(75, 12, N).round(1)
    wage, rent = rng.lognormal(8, 0.7, N).round(2), rng.lognormal(6, 0.7, N).round(2)
    frame = pl.DataFrame(
        {
            "home": home,
            "sex": rng.choice(["f", "m"], N),
            "height": height,
            "mass": mass,
            "wage": wage,
            "rent": rent,
            "index": (mass / (height / 100) ** 2).round(1),
            "total": (wage + rent).round(2),
            "pay": (wage * rng.lognormal(0, 0.5, N)).round(2),
            "household_wage": np.bincount(home, wage)[home].round(2),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(nominal=["home"], continuous=frame.columns[2:])
    roles = {"key": ["sex"], "household": ["home"], "confidential": [confidential], "identifier": []}
    return sf.Microdata(frame, schema.with_roles(**roles))


@pytest.mark.parametrize(
    ("column", "sources"),
    [
        ("index", "height and mass"),
        ("total", "wage and rent"),
        ("household_wage", "the sum of wage in the household"),
    ],
)
def test_a_function_of_released_columns_is_named_and_counted(column: str, sources: str) -> None:
    data = people(column)
    others = tuple(name for name in ("total", "index", "household_wage") if name != column)
    rest = data.without_columns(others)
    found = sf.protect(rest, k=3, seed=1, limits=["interval_disclosure<=99"], keep=rest.schema.names)
    wage, homes = data.values("wage"), data.frame["home"].to_numpy()
    by_hand = {
        "index": data.values("mass") / (data.values("height") / 100) ** 2,
        "total": wage + data.values("rent"),
        "household_wage": np.array([wage[homes == home].sum() for home in homes]),
    }[column]
    told = np.count_nonzero(np.abs(by_hand - data.values(column)) <= 0.01 * data.values(column))
    [alarm] = [remark for remark in found.remarks if remark.startswith(RECOMPUTABLE)]
    assert f"{column} by {sources} (of " in alarm
    counted = int(alarm.partition("(of ")[2].partition(" of")[0])
    assert told == counted == N
    assert [limit.is_met for limit in found.after.limits] == [False]
    assert "SOME MASKED VALUES CAN BE COMPUTED" in " ".join(str(found).partition("Note")[0].split())
    assessed = sf.assess(data, found.data, methods=found.recipe.steps, worst_case=False, same_order=True)
    assert f"{alarm}." in assessed.remarks
    assert assessed.alarms == found.alarms


def test_a_column_that_only_goes_with_others_is_not_named() -> None:
    data = people("pay")
    assert not any(RECOMPUTABLE in remark for remark in sf.protect(data, k=3, seed=1).remarks)


def test_amounts_of_persons_who_live_alone_are_those_of_their_household() -> None:
    data = people("household_wage").without_columns(("total", "index"))
    masked = data.with_column(data.schema["household_wage"], np.full(N, 1.0)).without_columns(("home",))
    [found] = recomputed_columns(data, masked, ("height", "mass", "wage", "rent", "pay"))
    homes = data.frame["home"].to_numpy()
    alone = int(np.count_nonzero(np.bincount(homes)[homes] == 1))
    assert found == Recomputed("household_wage", ("wage",), alone, N)


def test_a_mean_of_marks_is_computed_from_them_also_where_marks_are_taken_for_codes() -> None:
    rng = np.random.default_rng(5)
    marks = {name: rng.integers(1, 7, 300) for name in ("german", "maths", "english")}
    frame = pl.DataFrame({**marks, "mean": np.mean(list(marks.values()), axis=0).round(2)})
    schema = sf.Schema.infer(frame).with_kinds(nominal=list(marks), continuous=["mean"])
    data = sf.Microdata(frame, schema.with_roles(confidential=["mean"], key=[], other=list(marks)))
    masked = data.with_column(data.schema["mean"], np.full(300, 3.5))
    [found] = recomputed_columns(data, masked, tuple(marks))
    assert (found.column, found.sources, found.records) == ("mean", tuple(marks), 300)


@pytest.mark.parametrize("has_gaps", [False, True])
def test_a_mean_that_is_rounded_is_told_of_all_also_of_who_lacks_a_mark(has_gaps: bool) -> None:
    rng = np.random.default_rng(2)
    marks = rng.integers(1, 7, (400, 4)).astype(np.float64)
    marks[rng.random(marks.shape) < 0.08 * has_gaps] = np.nan
    names = ("german", "maths", "english", "sport")
    columns = {name: pl.Series(column).fill_nan(None) for name, column in zip(names, marks.T, strict=True)}
    frame = pl.DataFrame({**columns, "mean": np.nanmean(marks, axis=1).round(1)})
    schema = sf.Schema.infer(frame).with_kinds(nominal=names, continuous=["mean"])
    data = sf.Microdata(frame, schema.with_roles(confidential=["mean"], key=[], other=names))
    masked = data.with_column(data.schema["mean"], np.full(400, 3.5))
    assert recomputed_columns(data, masked, names) == [Recomputed("mean", names, 400, 400)]


def stays() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    ward, days = rng.integers(0, 8, N), rng.integers(1, 25, N)
    admitted = np.datetime64("2024-01-01") + rng.integers(0, 365, N)
    rate, base = np.array([412.5, 655.8, 389.9, 518.3, 702.15, 298.4, 365.0, 276.6]), 25.5 * np.arange(8)
    return pl.DataFrame(
        {
            "ward": np.array([*"KISCMOFE"])[ward],
            "days": days,
            "admitted": admitted,
            "discharged": admitted + days,
            "by_day": (rate[ward] * days).round(2),
            "with_base": (base[ward] + rate[ward] * days).round(0),
            "fee": rate[ward],
            "luck": rng.permutation(rate[ward] * days),
        }
    )


@pytest.mark.parametrize(
    ("amount", "released", "sources"),
    [
        ("by_day", ("ward", "days"), ("ward", "days")),
        ("with_base", ("ward", "days"), ("ward", "days")),
        ("by_day", ("ward", "admitted", "discharged"), ("ward", "admitted", "discharged")),
        ("fee", ("ward", "days"), ("ward",)),
        ("luck", ("ward", "days"), None),
        ("by_day", ("days",), None),
    ],
)
def test_costs_by_a_category_and_a_number_are_told(
    amount: str, released: tuple[str, ...], sources: tuple[str, ...] | None
) -> None:
    frame = stays().select(*released, amount)
    schema = sf.Schema.infer(frame).with_kinds(continuous=[amount, *({"days"} & {*released})])
    data = sf.Microdata(frame, schema.with_roles(confidential=[amount], key=[], other=released))
    masked = data.with_column(data.schema[amount], np.full(N, 3.5))
    found = [Recomputed(amount, sources, N, N)] if sources else []
    assert recomputed_columns(data, masked, released) == found


def test_a_total_of_seven_of_forty_columns_with_gaps_is_computed_from_its_parts() -> None:
    rng = np.random.default_rng(8)
    values = rng.lognormal(5, 1, (500, 40)).round()
    names = tuple(f"q{place:02d}" for place in range(40))
    total = values[:, 3::5][:, :7].sum(axis=1)
    values[rng.random(values.shape) < 0.07] = np.nan
    columns = {name: pl.Series(column).fill_nan(None) for name, column in zip(names, values.T, strict=True)}
    data = sf.Microdata(pl.DataFrame({**columns, "total": total}))
    data = data.with_schema(data.schema.with_roles(confidential=["total"], key=[], other=names))
    masked = data.with_column(data.schema["total"], np.full(500, 3.5))
    complete = int(np.isfinite(values[:, 3::5][:, :7].sum(axis=1)).sum())
    [found] = recomputed_columns(data, masked, names)
    assert (found.column, found.sources) == ("total", names[3::5][:7])
    assert complete <= found.records <= complete + 25  # and some whose parts without a value are small
