"""Individual risk of a file: what the weights and the missing keys do, and the known figures of reference files."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema
from sfumato.datasets import reference
from sfumato.errors import DataError, UnknownColumnError
from sfumato.keys.individual_risks import individual_risks
from sfumato.risk import IndividualRisk

SURVEY_KEYS = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")


def people(town: list[str | None], job: list[str | None], persons: list[float | None]) -> Microdata:
    types = {"town": pl.String, "job": pl.String, "persons": pl.Float64}
    frame = pl.DataFrame({"town": town, "job": job, "persons": persons}, schema=types)
    schema = Schema.infer(frame).with_kinds(nominal=["town", "job"], continuous=["persons"])
    return Microdata(frame, schema.with_roles(key=["town", "job"], weight=["persons"]))


def per_record(measure: IndividualRisk, data: Microdata) -> list[float]:
    found = measure.of(data).per_record
    assert found is not None
    return [float(risk) for risk in found]


LEVELS = st.sampled_from(["A", "B", None])
RECORDS = st.lists(st.tuples(LEVELS, LEVELS, st.floats(1, 1000)), min_size=1, max_size=12)


@given(records=RECORDS, missing=st.sampled_from(["wildcard", "category"]))
def test_each_record_has_the_risk_of_those_who_match_it(
    records: list[tuple[str | None, str | None, float]], missing: str
) -> None:
    town, job, persons = (list(column) for column in zip(*records, strict=True))
    if not any(town) or not any(job):
        return

    def match(one: str | None, other: str | None) -> bool:
        return one == other or (missing == "wildcard" and None in (one, other))

    matching = [[match(a, x) and match(b, y) for x, y, _ in records] for a, b, _ in records]
    sizes = np.array(matching).sum(axis=1)
    weighted = np.array(matching) @ np.array(persons)
    found = IndividualRisk(missing=missing).of(people(town, job, list(persons)))
    assert found.per_record == pytest.approx(100 * individual_risks(sizes, weighted))
    assert found.value == pytest.approx(found.parts["IRE"] / len(records) * 100)
    assert found.parts["IRM"] == pytest.approx(100 * individual_risks(sizes, weighted).max())


def test_without_weights_the_risk_is_one_over_the_class_and_the_remark_says_why() -> None:
    frame = pl.DataFrame({"town": ["A", "A", "B", "A"]})
    found = IndividualRisk(columns=("town",)).of(Microdata(frame))
    assert found.per_record == pytest.approx([100 / 3, 100 / 3, 100, 100 / 3])
    assert found.remark.startswith("without weights the file counts as the whole population")


def test_a_suppressed_key_lowers_the_risk_as_a_wildcard_and_not_as_a_category() -> None:
    full = people(["A", "A", "B", "B"], ["x", "x", "x", "y"], [9.0] * 4)
    suppressed = people(["A", "A", "B", "B"], ["x", "x", "x", None], [9.0] * 4)
    assert per_record(IndividualRisk(), suppressed)[3] < per_record(IndividualRisk(), full)[3]
    as_category = IndividualRisk(missing="category")
    assert per_record(as_category, suppressed) == per_record(as_category, full)


def test_larger_weights_are_less_risk() -> None:
    small, large = (people(["A", "B"], ["x", "x"], [w, w]) for w in (5.0, 50.0))
    assert IndividualRisk().of(large).value < IndividualRisk().of(small).value


@pytest.mark.parametrize(("limit", "above"), [(20.0, 0.0), (17.0, 1.0), (1.7, 3.0)])
def test_counts_the_records_above_the_limit(limit: float, above: float) -> None:
    data = people(["A", "A", "B"], ["x", "x", "x"], [60.0, 50.0, 17.0])
    assert IndividualRisk(max_risk=limit).of(data).parts["IRL"] == above


def test_bad_weights_are_refused_with_their_number() -> None:
    data = people(["A", "A", "B"], ["x", "x", "x"], [None, 0.0, 17.0])
    with pytest.raises(DataError, match=r"IndividualRisk.weight: 'persons' .* missing or not above 0 in 2 of 3"):
        IndividualRisk().of(data)


def test_an_unknown_weight_is_refused_with_the_nearest_name() -> None:
    data = people(["A", "A", "B"], ["x", "x", "x"], [2.0, 2.0, 17.0])
    with pytest.raises(UnknownColumnError, match="no column 'person'; did you mean 'persons'"):
        IndividualRisk(weight="person").of(data)


def test_a_key_that_makes_everybody_unique_is_named() -> None:
    frame = pl.DataFrame({"number": [str(i) for i in range(3000)], "town": ["A", "B"] * 1500})
    schema = Schema.infer(frame).with_kinds(nominal=["number", "town"])
    found = IndividualRisk(columns=("number", "town")).of(Microdata(frame, schema))
    assert found.value == 100.0
    assert "'number' makes most records unique by itself: recode it into classes" in found.remark


@pytest.mark.reference
def test_the_small_worked_example_has_its_printed_risks() -> None:
    printed = [0.017144, 0.022042, 0.022042, 0.177076, 0.011654, 0.297063, 0.402359, 0.017144]
    assert [round(risk / 100, 6) for risk in per_record(IndividualRisk(), reference("francdat"))] == printed


@pytest.mark.reference
def test_the_household_survey_has_its_known_number_of_reidentifications() -> None:
    """The known number is that of sdcMicro, which approximates from three records on; the exact mean is 10.7755."""
    measure = IndividualRisk(columns=SURVEY_KEYS, weight="sampling_weight")
    data = reference("household_survey")
    assert round(measure.of(data).parts["IRE"], 4) == 10.7783
    assert round(measure.replace(exact=True).of(data).parts["IRE"], 4) == 10.7755
