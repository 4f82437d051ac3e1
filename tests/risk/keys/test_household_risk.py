"""Household risk: what members share, and the known figure of a reference file."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema
from sfumato.datasets import reference
from sfumato.errors import DataError
from sfumato.risk import HouseholdRisk, IndividualRisk
from sfumato.risk.keys.household_risk import household_numbers, household_risks

SURVEY_KEYS = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")


def homes(home: list[int | None], job: list[str]) -> Microdata:
    frame = pl.DataFrame({"home": home, "job": job, "persons": [7.0] * len(job)}, schema_overrides={"home": pl.Int64})
    schema = Schema.infer(frame).with_kinds(nominal=["home", "job"], continuous=["persons"])
    return Microdata(frame, schema.with_roles(key=["job"], household=["home"], weight=["persons"]))


MEMBERS = st.lists(st.tuples(st.integers(0, 4), st.sampled_from("abcd")), min_size=1, max_size=15)


@given(members=MEMBERS)
def test_is_the_probability_that_not_all_members_stay_unseen(members: list[tuple[int, str]]) -> None:
    home, job = (list(column) for column in zip(*members, strict=True))
    data = homes(home, job)
    alone, found = IndividualRisk().of(data), HouseholdRisk().of(data)
    assert alone.per_record is not None
    expected = [
        1 - np.prod([1 - alone.per_record[j] / 100 for j, other in enumerate(home) if other == one]) for one in home
    ]
    assert found.per_record == pytest.approx(100 * np.array(expected))
    assert found.parts["HRE"] == pytest.approx(sum(expected))
    assert found.parts["HRH"] == pytest.approx(sum(expected[home.index(one)] for one in set(home)))


def test_records_without_a_household_are_by_themselves() -> None:
    data = homes([None, None, 3, 3], ["a", "b", "c", "d"])
    assert household_numbers("HouseholdRisk", data, None).tolist() == [1, 0, 2, 2]
    assert HouseholdRisk().of(data.take_rows(np.array([0, 1]))).value == pytest.approx(
        IndividualRisk().of(data.take_rows(np.array([0, 1]))).value
    )


def test_a_member_who_is_surely_found_gives_all_away() -> None:
    assert household_risks(np.array([1.0, 0.1, 0.0]), np.array([0, 0, 1])).tolist() == [1.0, 0.0]


def test_is_never_below_the_individual_risk() -> None:
    data = homes([0, 0, 1, 1, 1], ["a", "b", "a", "a", "c"])
    alone, found = IndividualRisk().of(data), HouseholdRisk().of(data)
    assert alone.per_record is not None
    assert found.per_record is not None
    assert (found.per_record >= alone.per_record).all()


def test_a_file_without_households_is_refused_with_what_to_do() -> None:
    with pytest.raises(DataError, match=r"HouseholdRisk.household: no column has the role household; name the one"):
        HouseholdRisk(columns=("job",)).of(Microdata(pl.DataFrame({"job": ["a", "b"]})))


def test_two_columns_of_households_are_asked_about() -> None:
    data = homes([0, 0], ["a", "b"])
    doubled = data.with_schema(data.schema.with_variables(data.schema["job"].replace(role="household")))
    with pytest.raises(DataError, match="the columns home, job have the role household; name the one"):
        HouseholdRisk(columns=("job",)).of(doubled)


@pytest.mark.reference
def test_the_household_survey_has_its_known_number_of_reidentifications() -> None:
    """The known number is that of sdcMicro, which approximates from three records on; the exact mean is 51.7996."""
    measure = HouseholdRisk(columns=SURVEY_KEYS, weight="sampling_weight")
    data = reference("household_survey")
    assert round(measure.of(data).parts["HRE"], 4) == 51.8129
    assert round(measure.replace(exact=True).of(data).parts["HRE"], 4) == 51.7996
