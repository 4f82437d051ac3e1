"""Classes, suppressed values and missing codes of labelled files, as pyreadstat reads them back without our reader."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyreadstat
import pytest

import sfumato as sf
from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Role
from sfumato.files import ReadOptions
from sfumato.jobs._file_pair import read_pair
from sfumato.jobs.mask import mask
from sfumato.jobs.protect import protect
from sfumato.jobs.verify import verify

REGIONS = {1.0: "North", 2.0: "South", 3.0: "East", 8.0: "Island"}
AGES = {99.0: "Refused", -8.0: "Does not apply", -9.0: "Do not know"}
MISSING: dict[str, list[Any]] = {"age": [{"lo": -9.0, "hi": -1.0}, 99.0]}
CLASSES = ["below 30", "30 to below 60", "60 or more"]
RECORDS = 300


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    rng, row = np.random.default_rng(3), pl.int_range(RECORDS)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 90, RECORDS).astype(float),
            "region": rng.choice([1.0, 2.0, 3.0], RECORDS, p=[0.6, 0.39, 0.01]),
            "town": rng.choice(["Pisa", "Rome", "Castelnuovo"], RECORDS, p=[0.6, 0.39, 0.01]),
            "income": rng.normal(2000, 300, RECORDS).round(2),
        }
    )
    codes = pl.when(row % 20 == 0).then(99.0).when(row % 31 == 0).then(-8.0).when(row % 47 == 0).then(-9.0)
    frame = frame.with_columns(age=codes.otherwise(pl.col("age")))
    pyreadstat.write_sav(
        frame,
        tmp_path / "people.sav",
        file_label="Survey of 2024",
        column_labels={"age": "Age of the person", "region": "Where they live"},
        variable_value_labels={"age": AGES, "region": REGIONS},
        missing_ranges=MISSING,
        variable_measure={"age": "scale", "region": "nominal"},
        variable_format={"age": "F3.0", "region": "F1.0", "income": "F10.3"},
    )
    return tmp_path / "people.sav"


def masked_by(survey: Path, *steps: MaskingMethod, suffix: str = "sav") -> tuple[pl.DataFrame, Any]:
    output = survey.with_name(f"masked.{suffix}")
    mask(survey, sf.Recipe(steps=steps, seed=1, keep_order=True), output)
    assert verify(survey.with_name(f"masked.{suffix}.manifest.json")).passed
    return by_pyreadstat(output)


def by_pyreadstat(path: Path, *, user_missing: bool = True) -> tuple[pl.DataFrame, Any]:
    reader = pyreadstat.read_dta if path.suffix == ".dta" else pyreadstat.read_sav
    frame, metadata = reader(path, user_missing=user_missing, output_format="polars")
    return frame, metadata


@pytest.mark.parametrize("suffix", ["sav", "zsav", "dta"])
def test_classes_of_numbers_are_labelled_codes(survey: Path, suffix: str) -> None:
    before, _ = by_pyreadstat(survey)
    after, metadata = masked_by(survey, sf.Discretisation(columns=("age",), breaks=(30, 60)), suffix=suffix)
    expected = [age if age in AGES else 1 + (age >= 30) + (age >= 60) for age in before["age"]]
    assert after["age"].to_list() == expected
    assert metadata.variable_value_labels["age"] == {1: CLASSES[0], 2: CLASSES[1], 3: CLASSES[2], **AGES}
    assert metadata.column_names_to_labels["age"] == "Age of the person"
    assert metadata.variable_value_labels["region"] == {code: REGIONS[code] for code in (1.0, 2.0, 3.0)}


@pytest.mark.parametrize(
    "step",
    [
        sf.Discretisation(columns=("age",), breaks=(30, 60)),
        sf.TopCoding(columns=("age",), at=70),
        sf.Mdav(columns=("age",), k=5),
        sf.LocalSuppression(columns=("region",), k=10),
    ],
    ids=lambda step: step.name(),
)
def test_missing_codes_come_back_with_the_same_declarations_and_labels(survey: Path, step: MaskingMethod) -> None:
    before, declared = by_pyreadstat(survey)
    after, metadata = masked_by(survey, step)
    assert metadata.missing_ranges["age"] == declared.missing_ranges["age"]
    labels = metadata.variable_value_labels["age"]
    assert {code: labels[code] for code in AGES} == AGES
    for code in AGES:
        assert after["age"].eq(code).equals(before["age"].eq(code))
    without, _ = by_pyreadstat(survey.with_name("masked.sav"), user_missing=False)
    assert without["age"].null_count() == int(before["age"].is_in(list(AGES)).sum())


def test_suppressed_values_are_missing_to_every_reader(survey: Path) -> None:
    suppression = sf.LocalSuppression(columns=("region", "town"), k=10)
    shown, metadata = masked_by(survey, suppression)
    assert shown["region"].null_count() > 0  # system-missing
    assert metadata.missing_ranges["town"] == [{"lo": "", "hi": ""}]
    read, _ = by_pyreadstat(survey.with_name("masked.sav"), user_missing=False)
    assert read["town"].null_count() == shown["town"].eq("").sum() > 0
    stata, _ = masked_by(survey, suppression, suffix="dta")
    assert stata["region"].null_count() == shown["region"].null_count()
    again = sf.read(survey.with_name("masked.sav"), sf.Schema(variables=()))
    assert again.schema["town"].missing_codes == ()
    assert again.frame["town"].null_count() == read["town"].null_count()


def test_a_text_column_without_gaps_is_declared_as_it_was(survey: Path) -> None:
    _, metadata = masked_by(survey, sf.TopCoding(columns=("age",), at=70))
    assert "town" not in metadata.missing_ranges


def test_groups_of_labelled_codes_are_labelled_codes(survey: Path) -> None:
    coast = {"coast": [1, 8], "inland": [2, 3]}
    after, metadata = masked_by(survey, sf.Generalisation(columns=("region",), hierarchy=coast, depth=1))
    assert metadata.variable_value_labels["region"] == {1.0: "coast", 2.0: "inland"}
    before, _ = by_pyreadstat(survey)
    assert after["region"].to_list() == [1.0 if code == 1 else 2.0 for code in before["region"]]


def test_lettered_missing_values_of_stata_stay_letters(tmp_path: Path) -> None:
    ages: list[Any] = [*range(20, 60), "a", "b", None]
    frame = pl.DataFrame({"age": pl.Series(ages, dtype=pl.Object)})
    labels: dict[Any, str] = {"a": "Refused", "b": "Not asked"}
    pyreadstat.write_dta(
        frame, tmp_path / "people.dta", missing_user_values={"age": ["a", "b"]}, variable_value_labels={"age": labels}
    )
    after, metadata = masked_by(
        tmp_path / "people.dta", sf.Discretisation(columns=("age",), breaks=(30, 50)), suffix="dta"
    )
    assert after["age"].to_list()[-3:] == ["a", "b", None]
    assert metadata.missing_user_values == {"age": ["a", "b"]}
    assert {code: metadata.variable_value_labels["age"][code] for code in labels} == labels


def test_others_have_a_code_that_no_label_has(survey: Path) -> None:
    options = ReadOptions(key=("region",))
    protect(survey, survey.with_name("out.sav"), options=options, k=20, max_suppressed=0)
    after, metadata = by_pyreadstat(survey.with_name("out.sav"))
    before, original = by_pyreadstat(survey)
    labels = metadata.variable_value_labels["region"]
    (other,) = (code for code, label in labels.items() if label == "other")
    assert other not in {*original.variable_value_labels["region"], *before["region"]}
    assert 8.0 not in labels  # nobody lives there
    assert set(after["region"]) == {1.0, other}


def test_an_assessment_does_not_take_class_codes_for_numbers(survey: Path) -> None:
    options = ReadOptions(key=("age", "region", "town"), confidential=("income",))
    for suffix in ("sav", "dta"):
        output = survey.with_name(f"out.{suffix}")
        protect(survey, output, options=options, k=3, seed=1)
        masked = read_pair(survey, output, options).masked
        assert (masked.schema["age"].kind, masked.schema["age"].role) == (Kind.ORDINAL, Role.KEY)
        assert masked.schema["income"].kind is Kind.CONTINUOUS
        survey.with_name("out.schema.yaml").unlink()


@pytest.mark.parametrize("suffix", ["sav", "zsav", "dta", "csv"])
def test_what_the_file_says_that_it_is_stays(survey: Path, suffix: str) -> None:
    output = survey.with_name(f"masked.{suffix}")
    mask(survey, sf.Recipe(steps=[sf.RankSwapping(columns=("income",))]), output)
    if suffix != "csv":  # which has no room for it
        assert by_pyreadstat(output)[1].file_label == "Survey of 2024"


def test_numbers_are_shown_with_as_many_decimals_as_in_the_input(survey: Path) -> None:
    swapping = sf.RankSwapping(columns=("income",))
    assert masked_by(survey, swapping)[1].original_variable_types["income"] == "F10.3"
    stata = survey.with_name("numbers.dta")
    pyreadstat.write_dta(by_pyreadstat(survey)[0].select("income"), stata, variable_format={"income": "%9.2f"})
    assert masked_by(stata, swapping, suffix="dta")[1].original_variable_types["income"] == "%9.2f"
    assert masked_by(stata, swapping, suffix="zsav")[1].original_variable_types["income"].startswith("F")
