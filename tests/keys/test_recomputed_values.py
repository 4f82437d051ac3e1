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
