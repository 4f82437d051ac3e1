"""Groups of equal records are of k households, or of k persons where some have several records."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import GROUPS_OF_FEW_HOUSEHOLDS, GROUPS_OF_FEW_PERSONS
from sfumato.data import Role
from sfumato.keys.units.household_numbers import undeclared_households

KEYS = ["region", "age", "sex"]


def survey() -> pl.DataFrame:
    """Return the members of households, who share a region, a number of rooms and a rent."""
    rng = np.random.default_rng(8)
    home = np.repeat(np.arange(160), rng.integers(1, 5, 160))
    return pl.DataFrame(
        {
            "file_ref": 4_000 + 7 * home,
            "region": rng.choice([*"ABCDEFGH"], 160)[home],
            "rooms": rng.integers(1, 9, 160)[home],
            "rent": rng.lognormal(6, 0.6, 160).round(0)[home],
            "age": rng.integers(0, 90, home.size),
            "sex": rng.choice(["f", "m"], home.size),
            "income": rng.lognormal(7, 1, home.size).round(0),
        }
    )


def microdata(frame: pl.DataFrame, **roles: list[str]) -> sf.Microdata:
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "rent", "income", "file_ref"])
    roles = {"other": ["rooms"], "confidential": ["rent", "income"], **roles}
    return sf.Microdata(frame, schema.with_roles(key=KEYS, **roles))


def units_of_groups(masked: pl.DataFrame, unit: pl.Series) -> pl.DataFrame:
    """Return how many records and different units each group of equal records has."""
    groups = masked.select(pl.struct(pl.all()).rank("dense").alias("group")).with_columns(unit.alias("unit"))
    return groups.group_by("group").agg(pl.len().alias("records"), pl.col("unit").n_unique().alias("units"))


@pytest.mark.parametrize("k", [3, 5])
@pytest.mark.parametrize("role", ["household", "other"])
def test_whole_records_are_equal_to_those_of_k_households(k: int, role: str) -> None:
    frame = survey()
    found = sf.protect(microdata(frame, **{role: ["file_ref"]}), whole_records=True, limits=[f"k={k}"], seed=1)
    masked = pl.DataFrame(found.data.frame)
    assert "file_ref" not in masked.columns
    assert min(units_of_groups(masked, frame["file_ref"])["units"].to_list()) >= k
    assert found.after.meets_limits
    assert found.alarms == ()
    told = [remark for remark in found.remarks if remark.startswith("numbers of households") and "file_ref" in remark]
    assert bool(told) == (role == "other")


def test_groups_of_fewer_households_are_counted_and_said_first() -> None:
    frame = survey()
    data = microdata(frame, household=["file_ref"])
    names = tuple(frame.columns[1:])
    recipe = sf.Recipe(
        steps=[sf.RecordMicroaggregation(columns=names, k=3), sf.DropIdentifiers(columns=("file_ref",))], seed=1
    )
    masked = recipe.run(data)
    groups = units_of_groups(pl.DataFrame(masked.frame), frame["file_ref"])
    few = groups.filter(pl.col("units") < 3)["records"].sum()
    alone = groups.filter(pl.col("units") == 1)["records"].sum()
    assert few > alone > 0
    found = sf.assess(data, masked, methods=recipe.steps, worst_case=False, same_order=True)
    assert GROUPS_OF_FEW_HOUSEHOLDS in found.alarms
    told = f"{few} records are in groups of equal records that are of fewer than 3 households, {alone} in groups of one"
    assert any(told in remark for remark in found.remarks)


def test_a_household_that_was_not_declared_counts_too() -> None:
    frame = survey()
    data = microdata(frame, other=["file_ref", "rooms"])
    assert undeclared_households(data) == ("file_ref",)
    masked = sf.RecordMicroaggregation(columns=tuple(frame.columns), k=3).mask(data, np.random.default_rng(1))
    found = sf.assess(data, masked, worst_case=False, same_order=True)
    assert GROUPS_OF_FEW_HOUSEHOLDS in found.alarms


def test_rents_rooms_and_numbers_of_single_records_number_no_households() -> None:
    frame = survey().with_columns(flat=pl.int_range(pl.len()) + 10_000)
    one = frame.drop("file_ref").with_columns(file_ref=pl.lit(1))
    data = microdata(one, other=["rooms", "flat", "rent"], confidential=["income"])
    assert data.schema["rent"].role is Role.OTHER
    assert undeclared_households(data) == ()


def test_whole_records_are_equal_to_those_of_k_patients_of_several_stays() -> None:
    rng = np.random.default_rng(2)
    patient = np.repeat(np.arange(150), rng.integers(1, 6, 150))
    frame = pl.DataFrame(
        {
            "patient_no": patient + 9_000,
            "region": rng.choice([*"ABCD"], 150)[patient],
            "age": rng.integers(20, 90, 150)[patient],
            "sex": rng.choice(["f", "m"], 150)[patient],
            "cost": rng.lognormal(7, 1, patient.size).round(0),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(nominal=["patient_no"], continuous=["age"])
    data = sf.Microdata(frame, schema.with_roles(key=KEYS, confidential=["cost"], identifier=["patient_no"]))
    found = sf.protect(data, whole_records=True, limits=["k=3"], seed=1)
    assert min(units_of_groups(pl.DataFrame(found.data.frame), frame["patient_no"])["units"].to_list()) >= 3
    assert found.after.meets_limits
    names = tuple(frame.columns[1:])
    apart = sf.RecordMicroaggregation(columns=names, k=3).mask(data, np.random.default_rng(1))
    masked = apart.without_columns(("patient_no",))
    few = units_of_groups(pl.DataFrame(masked.frame), frame["patient_no"]).filter(pl.col("units") < 3)["records"].sum()
    told = sf.assess(data, masked, worst_case=False, same_order=True)
    assert GROUPS_OF_FEW_PERSONS in told.alarms
    assert any(f"{few} records are in groups of equal records" in remark for remark in told.remarks)


def test_a_subsidy_that_follows_from_an_area_numbers_no_households() -> None:
    rng = np.random.default_rng(2)
    area = (rng.pareto(1.2, 400) * 10).round(1)
    frame = pl.DataFrame({"commune": rng.choice([*"ABCDE"], 400), "area": area, "grant_2024": area * 270})
    schema = sf.Schema.infer(frame).with_kinds(continuous=["area", "grant_2024"])
    data = sf.Microdata(frame, schema.with_roles(key=["commune"], confidential=["area", "grant_2024"], household=[]))
    assert undeclared_households(data) == ()
