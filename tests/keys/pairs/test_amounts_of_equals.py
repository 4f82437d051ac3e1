"""Amounts that records have in common which are equal in a few columns are told, those of one household once."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.keys.recomputed_values import recomputed_columns

N = 800


def staff() -> sf.Microdata:
    rng = np.random.default_rng(6)
    grade, step, hours = rng.integers(1, 8, N), rng.integers(1, 6, N), rng.choice([50, 75, 100], N)
    pay = ((1800 + 310 * grade * (1 + 0.045 * step)) * hours / 100).round(2)
    pay[:200] = (pay[:200] * rng.lognormal(0, 0.3, 200)).round(2)  # by contracts of their own
    frame = pl.DataFrame(
        {
            "sex": rng.choice(["f", "m"], N),
            "parking": rng.integers(0, 9, N),
            "grade": grade,
            "step": step,
            "hours": hours,
            "pay": pay,
            "bonus": rng.permutation(pay),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(nominal=frame.columns[:4], continuous=["hours", "pay", "bonus"])
    return sf.Microdata(frame, schema.with_roles(key=["sex"], confidential=["pay", "bonus"], other=frame.columns[1:5]))


def equals_by_hand(data: sf.Microdata, names: tuple[str, ...]) -> int:
    columns = [data.frame[name].to_list() for name in names]
    cells, pay = [*zip(*columns, strict=True)], data.values("pay")
    told = 0
    for row in range(data.n):
        others = sorted(pay[other] for other in range(data.n) if other != row and cells[other] == cells[row])
        told += len(others) > 1 and abs(others[(len(others) - 1) // 2] - pay[row]) <= 0.01 * pay[row]
    return told


def test_a_table_of_pay_by_three_columns_is_told_also_where_one_lost_values() -> None:
    data = staff()
    masked = sf.Mdav(columns=("pay", "bonus"), k=3).mask(data, np.random.default_rng(0))
    grades = masked.frame["grade"].to_list()
    masked = masked.with_column(masked.schema["grade"], pl.Series([None, None, *grades[2:]]))
    unchanged = ("sex", "parking", "step", "hours")
    [found] = recomputed_columns(data, masked, unchanged)
    assert (found.column, {*found.sources}) == ("pay", {"grade", "step", "hours"})
    assert found.records == equals_by_hand(masked.with_column(data.schema["pay"], data.values("pay")), found.sources)
    assert 0.7 * N < found.records < 0.8 * N


@pytest.mark.parametrize(("has_number", "is_named"), [(True, False), (False, True)])
def test_members_of_one_household_tell_nobody_elses_amount(has_number: bool, is_named: bool) -> None:
    rng = np.random.default_rng(2)
    homes = np.repeat(np.arange(N // 4), 4)
    rent, street = rng.lognormal(6, 0.6, N // 4).round(), rng.integers(0, 60, N // 4)
    floor = rng.choice([*"abcdefg"], N // 4)
    frame = pl.DataFrame({"home": homes, "street": street[homes], "floor": floor[homes], "rent": rent[homes]})
    schema = sf.Schema.infer(frame).with_kinds(nominal=["home", "street", "floor"], continuous=["rent"])
    schema = schema.with_roles(household=["home"], key=[], other=["street", "floor"], confidential=["rent"])
    data = sf.Microdata(frame, schema)
    masked = data.with_column(schema["rent"], rng.permutation(rent[homes])).without_columns(("home",))
    known = data if has_number else data.without_columns(("home",))
    assert [one.column for one in recomputed_columns(known, masked, ("street", "floor"))] == ["rent"] * is_named
