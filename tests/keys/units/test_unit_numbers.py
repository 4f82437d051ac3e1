"""A file may hold several numbers of units: each of them counts."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import GROUPS_OF_FEW_HOUSEHOLDS
from sfumato.keys.units.unit_numbers import unit_columns, widest_columns


def employees(*, is_alone: bool, role: str = "household") -> sf.Microdata:
    """Return employees in firms of 1 to 5, each of another household, or in households of two across firms."""
    rng = np.random.default_rng(3)
    firm = np.repeat(np.arange(150), rng.integers(1, 6, 150))
    home = np.arange(firm.size) if is_alone else rng.permutation(firm.size) // 2
    frame = pl.DataFrame(
        {
            "hid": home * 3 + 20_000,
            "employer_no": firm * 41 + 600_000,
            "region": rng.choice([*"ABCDE"], 150)[firm],
            "age": rng.integers(18, 66, firm.size),
            "rent": rng.normal(900, 200, firm.size).round()[home],
            "turnover": rng.lognormal(13, 1, 150).round()[firm],
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "rent", "turnover"], nominal=["hid", "employer_no"])
    identifiers = ["employer_no"] if role == "household" else ["hid", "employer_no"]
    roles = {"identifier": identifiers, "household": ["hid"] if role == "household" else []}
    return sf.Microdata(frame, schema.with_roles(key=["region", "age"], confidential=["rent", "turnover"], **roles))


def fewest_of_groups(masked: sf.Microdata, numbers: pl.Series) -> int:
    """Return of how many units the smallest group of equal records is."""
    groups = pl.DataFrame(masked.frame).select(pl.struct(pl.all()).rank("dense").alias("group"))
    units = groups.with_columns(numbers).group_by("group").agg(pl.col(numbers.name).n_unique())
    return int(min(units[numbers.name].to_list()))


def test_groups_of_k_households_but_fewer_employers_do_not_meet_a_limit_on_k() -> None:
    data = employees(is_alone=False)
    assert unit_columns(data) == (("hid",), ("employer_no",))
    found = sf.protect(data, whole_records=True, k=5, limits=["k=5"], seed=1)
    held = {name: fewest_of_groups(found.data, pl.DataFrame(data.frame)[name]) for name in ("hid", "employer_no")}
    assert held["hid"] >= 5 > held["employer_no"]
    assert not found.after.meets_limits
    assert GROUPS_OF_FEW_HOUSEHOLDS in found.alarms
    assert any(remark.startswith("by employer_no, ") for remark in found.remarks)


@pytest.mark.parametrize("role", ["household", "identifier"])
def test_groups_hold_k_employers_where_each_employee_is_of_another_household(role: str) -> None:
    data = employees(is_alone=True, role=role)
    assert widest_columns(data, ("hid",)) == ("employer_no",)
    found = sf.protect(data, whole_records=True, k=5, limits=["k=5"], seed=1)
    assert fewest_of_groups(found.data, pl.DataFrame(data.frame)["employer_no"]) >= 5
    assert found.after.meets_limits
    assert GROUPS_OF_FEW_HOUSEHOLDS not in found.alarms


def test_amounts_of_employers_are_averaged_by_employer_though_another_number_has_the_role() -> None:
    data = employees(is_alone=False)
    found = sf.protect(data, k=3, seed=1)
    frame = pl.DataFrame(data.frame)
    for name, number in (("rent", "hid"), ("turnover", "employer_no")):
        shown = pl.DataFrame(found.data.frame).select(name).with_columns(frame[number].alias("unit"))
        assert min(shown.group_by(name).agg(pl.col("unit").n_unique())["unit"].to_list()) >= 3
