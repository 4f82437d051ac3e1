"""A key that several columns give together, as a total is given by its parts, is found and counts against a limit."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import K_FAILS
from sfumato.datasets import demo
from sfumato.keys.findings.exposure import READABLE
from sfumato.keys.number_codes import has_numbers, numbers_of
from sfumato.keys.pairs.column_sums import ColumnSum, giving_sum, giving_sums
from sfumato.keys.pairs.linear_relations import linear_relations
from sfumato.numerics.arrays import FloatColumn

N = 400
PARTS = ["men", "women", "part_time", "family"]


def firms(less_family: bool, errors: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    parts = {name: rng.negative_binomial(1, 0.08, N) for name in PARTS}
    factor = -1 if less_family else 1
    employees = parts["men"] + parts["women"] + parts["part_time"] + factor * parts["family"]
    employees[:errors] += 7  # wrong entries
    towns = rng.choice([*"ABCDE"], N, p=[0.4, 0.3, 0.15, 0.1, 0.05])
    turnover = (employees * rng.lognormal(4, 0.7, N)).round(1)
    return pl.DataFrame({"town": towns, "employees": employees, **parts, "turnover": turnover})


@pytest.mark.parametrize(("less_family", "errors"), [(False, 0), (True, 0), (False, 20)])
def test_a_total_among_the_keys_is_read_off_its_parts_and_counted_as_by_hand(less_family: bool, errors: int) -> None:
    frame = firms(less_family, errors)
    schema = sf.Schema.infer(frame).with_kinds(continuous=["employees", *PARTS, "turnover"])
    data = sf.Microdata(frame, schema.with_roles(key=["town", "employees"], other=[*PARTS, "turnover"]))
    found = sf.protect(data, k=3, limits=["k=3"], number_steps=(), keep=["turnover"], seed=1)
    shown = pl.DataFrame(found.data.frame)
    assert shown.select(PARTS).equals(frame.select(PARTS))
    signs = {**dict.fromkeys(PARTS, 1), "family": -1 if less_family else 1}
    read = sum(shown[name] * sign for name, sign in signs.items()).to_list()  # type: ignore[union-attr]
    became = {old: new for old, new in zip(frame["town"], shown["town"], strict=True) if new is not None}
    people = [*zip(map(became.get, frame["town"]), frame["employees"], strict=True)]
    fitting = [
        sum(size == one and town in {None, where} for where, size in people) if one == people[row][1] else 3
        for row, (town, one) in enumerate(zip(shown["town"], read, strict=True))
    ]
    few = sum(count < 3 for count in fitting)
    assert few > 20
    [told] = [remark for remark in found.remarks if remark.startswith(READABLE)]
    assert "men, women, part_time and family together (employees)" in told
    assert f"at least {few} of {N} records" in told
    assert K_FAILS in found.alarms
    assert found.after.limits[0].figure == min(fitting)
    assert not found.after.meets_limits


def test_a_sum_names_no_column_that_it_can_do_without() -> None:
    rng = np.random.default_rng(1)
    parts = {name: rng.poisson(6, 500).astype(float) for name in "abcdef"}
    parts["c"][:100] = np.nan
    found = giving_sum(parts["a"] + 2 * parts["c"] - parts["f"], parts)
    assert found is not None
    assert (found.columns, found.factors) == (("a", "c", "f"), (1.0, 2.0, -1.0))
    assert giving_sum(parts["a"] + parts["f"], parts) is None  # two are looked for as pairs
    noise = np.random.default_rng(2).normal(0, 3, 500)
    assert giving_sum(parts["a"] + parts["b"] + parts["f"] + noise, parts) is None


@pytest.mark.parametrize("n", [300, 1_000, 10_000])
def test_no_key_of_the_demo_surveys_is_such_a_sum(n: int) -> None:
    data = demo(n)
    numbers = {one: numbers_of(data, one) for one in data.schema.names if has_numbers(data, one)}
    for key in ("age", "region", "education"):
        if has_numbers(data, key):
            assert giving_sum(numbers[key], {name: one for name, one in numbers.items() if name != key}) is None


def test_a_sum_is_found_among_more_columns_than_records_can_fit() -> None:
    rng = np.random.default_rng(7)
    columns = {f"q{place:02d}": rng.integers(0, 320, 200).astype(float) for place in range(40)}
    columns |= {name: rng.poisson(9, 200).astype(float) for name in ("full_time", "part_time", "trainees")}
    found = giving_sum(columns["full_time"] + columns["part_time"] + columns["trainees"], columns)
    assert found is not None
    assert found.columns == ("full_time", "part_time", "trainees")


def wide(records: int = 400, gaps: float = 0.08) -> tuple[dict[str, FloatColumn], tuple[str, ...]]:
    rng = np.random.default_rng(3)
    columns = {f"q{place:02d}": rng.lognormal(4, 1, records).round() for place in range(40)}
    parts = tuple(f"q{place:02d}" for place in (2, 9, 14, 20, 26, 31, 38))
    columns["total"] = np.sum([columns[name] for name in parts], axis=0)
    for column in columns.values():
        column[rng.random(records) < gaps] = np.nan
    return columns, parts


def test_a_total_of_seven_parts_is_found_among_forty_columns_that_all_have_gaps() -> None:
    columns, parts = wide()
    values = {name: column for name, column in columns.items() if name != "total"}
    assert giving_sums({"total": columns["total"]}, values)["total"] == ColumnSum(parts, (1.0,) * 7)


def test_a_part_is_found_by_its_total_and_the_other_parts() -> None:
    columns, parts = wide()
    found = giving_sums({"q20": columns["q20"]}, columns)["q20"]
    others = tuple(name for name in parts if name != "q20")
    assert dict(zip(found.columns, found.factors, strict=True)) == {"total": 1.0, **dict.fromkeys(others, -1.0)}


def test_no_sum_is_told_of_columns_that_only_go_together() -> None:
    rng = np.random.default_rng(4)
    usual = rng.normal(0, 1, 300)
    columns = {f"q{place:02d}": np.exp(usual + rng.normal(4, 0.5, 300)).round() for place in range(40)}
    assert linear_relations(columns) == {}
