from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.errors import FileError
from sfumato.files import read, write
from tests.files.examples import LABELLED, LABELS, labelled, without_schema

SPSS = (".sav", ".zsav")


@pytest.mark.parametrize("suffix", SPSS)
def test_spss_keeps_labels_missing_codes_and_measures_by_itself(tmp_path: Path, suffix: str) -> None:
    write(Microdata(LABELLED, LABELS), tmp_path / f"a{suffix}")
    assert [path.name for path in tmp_path.iterdir()] == [f"a{suffix}"]
    assert read(tmp_path / f"a{suffix}").schema == LABELS


@pytest.mark.parametrize("suffix", SPSS)
def test_roles_have_no_place_in_an_spss_file(tmp_path: Path, suffix: str) -> None:
    write(labelled(), tmp_path / f"a{suffix}")
    assert without_schema(tmp_path / f"a{suffix}").schema["sex"].role is Role.OTHER


def test_spss_files_of_others_are_read_with_all_they_say(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "q1": [1.0, 2.0, 8.0, 9.0, None],
            "q2": [-5.0, 3.5, 99.0, 1e6, None],
            "q3": ["a", "b", "REFUSED", "", "c"],
            "q4": [5.0, 6.0, 7.0, 5.0, 6.0],
            "q5": ["low", "high", "low", "high", "low"],
        }
    )
    labels: dict[str, dict[Any, str]] = {
        "q1": {1.0: "ja", 2.0: "nein", 9.0: "k.A."},
        "q5": {"low": "Low", "high": "High"},
    }
    pyreadstat.write_sav(
        frame,
        tmp_path / "a.sav",
        column_labels={"q1": "Frage 1: größer?"},
        variable_value_labels=labels,
        missing_ranges={
            "q1": [8.0, 9.0],
            "q2": [{"lo": -1e308 * 1.7976931348623157, "hi": -1.0}, 99.0],
            "q3": ["REFUSED"],
        },
        variable_measure={"q1": "nominal", "q2": "scale", "q4": "ordinal", "q5": "ordinal"},
    )
    data = read(tmp_path / "a.sav")
    assert data.schema["q1"] == Variable(
        name="q1",
        kind=Kind.NOMINAL,
        label="Frage 1: größer?",
        value_labels={1: "ja", 2: "nein", 9: "k.A."},
        missing_codes=(8, 9),
    )
    assert data.frame["q1"].dtype == pl.Int64
    assert data.schema["q2"].kind is Kind.CONTINUOUS
    assert data.schema["q2"].missing_codes == (99,)
    assert data.values("q2")[[1, 3]].tolist() == [3.5, 1e6]
    assert data.summary.observed("q2") == 2
    assert data.schema["q3"].missing_codes == ("REFUSED",)
    assert data.summary.counts("q3") == {"a": 1, "b": 1, "c": 1}
    assert data.schema["q4"].kind is Kind.ORDINAL
    assert data.codes("q4")[1] == (5.0, 6.0, 7.0)
    assert data.codes("q5")[1] == ("low", "high")


def test_lowest_and_highest_of_spss_come_back(tmp_path: Path) -> None:
    largest = 1.7976931348623157e308
    for bounds in ((-largest, -1.0), (1000.0, largest)):
        schema = Schema(variables=(Variable(name="x", kind=Kind.CONTINUOUS, missing_ranges=(bounds,)),))
        write(Microdata(pl.DataFrame({"x": [-5.5, 2.5, 5000.5]}), schema), tmp_path / "a.sav")
        assert read(tmp_path / "a.sav").schema == schema


def test_text_that_spss_calls_ordinal_without_labelling_all_of_it_is_nominal(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": ["a", "b", "c"]})
    labels: dict[str, dict[Any, str]] = {"x": {"a": "A", "b": "B"}}
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_measure={"x": "ordinal"}, variable_value_labels=labels)
    assert read(tmp_path / "a.sav").schema["x"].kind is Kind.NOMINAL


@pytest.mark.parametrize("codes", [(1, 2, 3, 4, 5), (1, 2, "a long answer in words")])
def test_missing_codes_that_spss_has_no_room_for_go_into_the_second_file(
    tmp_path: Path, codes: tuple[Any, ...]
) -> None:
    schema = Schema(
        variables=(Variable(name="x", kind=Kind.CONTINUOUS, missing_codes=codes, missing_ranges=((8, 9),)),)
    )
    write(Microdata(pl.DataFrame({"x": [1, 2, 3, 4, 5, 6, 8]}), schema), tmp_path / "a.sav")
    assert read(tmp_path / "a.sav").schema == schema
    assert without_schema(tmp_path / "a.sav").schema["x"].missing_codes == (1,)


def test_value_labels_that_are_too_long_stay_whole_in_the_second_file(tmp_path: Path) -> None:
    schema = Schema(variables=(Variable(name="x", kind=Kind.NOMINAL, value_labels={1: "ü" * 100, 2: "b"}),))
    write(Microdata(pl.DataFrame({"x": [1, 2]}), schema), tmp_path / "a.sav")
    assert read(tmp_path / "a.sav").schema == schema
    assert without_schema(tmp_path / "a.sav").schema["x"].value_labels == {1: "ü" * 60, 2: "b"}


def test_names_that_differ_only_in_case_are_refused_for_spss(tmp_path: Path) -> None:
    frame = pl.DataFrame({"Age": [1.5], "age": [2.5]})
    with pytest.raises(FileError, match="SPSS treats these column names as equal: 'Age', 'age'"):
        write(Microdata(frame), tmp_path / "a.sav")
    write(Microdata(frame), tmp_path / "a.dta")
    assert read(tmp_path / "a.dta").frame.equals(frame)


def test_text_beyond_what_spss_can_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="column 'x' holds text of more than 32767 bytes"):
        write(Microdata(pl.DataFrame({"x": ["ü" * 16_384]})), tmp_path / "a.sav")


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ((-9, -8, -7, -6), [{"lo": -9.0, "hi": -6.0}]),
        ((-9, -8, -7, 99), [{"lo": -9.0, "hi": -7.0}, {"lo": 99.0, "hi": 99.0}]),
        ((-9, 97, 98, 99), [{"lo": 97.0, "hi": 99.0}, {"lo": -9.0, "hi": -9.0}]),
    ],
)
def test_more_missing_codes_than_spss_has_room_for_become_a_range_without_values(
    tmp_path: Path, codes: tuple[int, ...], expected: list[dict[str, float]]
) -> None:
    schema = Schema(variables=(Variable(name="x", kind=Kind.CONTINUOUS, missing_codes=codes),))
    write(Microdata(pl.DataFrame({"x": [*codes, 1, 50]}), schema), tmp_path / "a.sav")
    _, metadata = pyreadstat.read_sav(tmp_path / "a.sav", user_missing=True, output_format="dict")
    assert sorted(metadata.missing_ranges["x"], key=str) == sorted(expected, key=str)
    values, _ = pyreadstat.read_sav(tmp_path / "a.sav", output_format="dict")
    assert [value for value in values["x"] if value is not None and value == value] == [1.0, 50.0]
