from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest

from sfumato.data import Kind, Microdata
from sfumato.files import read, write
from sfumato.files.labelled.pyreadstat_files import LETTER_CODES
from tests.files.examples import LABELLED, LABELS, without_schema, written


def test_stata_keeps_labels_by_itself(tmp_path: Path) -> None:
    write(Microdata(LABELLED, LABELS), tmp_path / "a.dta")
    found = without_schema(tmp_path / "a.dta").schema
    assert found["sex"] == LABELS["sex"].replace(missing_codes=())
    assert found["health"] == LABELS["health"].replace(kind=Kind.NOMINAL)
    assert found["income"] == LABELS["income"].replace(missing_ranges=())
    assert found["born"] == LABELS["born"]


@pytest.mark.parametrize("numbers", [[1, 2, 3], [1.5, 2.5, 3.5], [1.0, 2.0, 5e9]])
def test_lettered_missing_values_of_stata_come_back_as_letters(tmp_path: Path, numbers: list[float]) -> None:
    frame = pl.DataFrame({"x": pl.Series([*map(type(numbers[0]), numbers), "a", "z", None], dtype=pl.Object)})
    labels: dict[Any, str] = {"a": "refused", "z": "not asked"}
    pyreadstat.write_dta(
        frame, tmp_path / "b.dta", missing_user_values={"x": ["a", "z"]}, variable_value_labels={"x": labels}
    )
    data = read(tmp_path / "b.dta")
    assert data.schema["x"].missing_codes == (LETTER_CODES["a"], LETTER_CODES["z"])
    assert data.schema["x"].value_labels == {LETTER_CODES["a"]: "refused", LETTER_CODES["z"]: "not asked"}
    assert data.observed("x").tolist() == [True, True, True, False, False, False]
    write(data, tmp_path / "a.dta")
    columns, metadata = pyreadstat.read_dta(tmp_path / "a.dta", output_format="dict", user_missing=True)
    assert list(columns["x"]) == [*numbers, "a", "z", None]
    assert metadata.variable_value_labels["x"] == labels
    assert without_schema(tmp_path / "a.dta").schema["x"] == data.schema["x"]
    for rows in (slice(3), slice(5, 6)):  # whose letters no record has any more
        write(data.take_rows(rows), tmp_path / "c.dta", overwrite=True)
        columns, metadata = pyreadstat.read_dta(tmp_path / "c.dta", output_format="dict", user_missing=True)
        assert list(columns["x"]) == [*numbers, "a", "z", None][rows]
        assert metadata.variable_value_labels["x"] == labels


def test_a_column_of_letters_alone_comes_back(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": pl.Series(["a", "b"], dtype=pl.Object), "y": [1, 2]})
    pyreadstat.write_dta(frame, tmp_path / "a.dta", missing_user_values={"x": ["a", "b"]})
    data = read(tmp_path / "a.dta")
    assert data.frame["x"].to_list() == [LETTER_CODES["a"], LETTER_CODES["b"]]
    assert data.summary.observed("x") == 0


def test_letters_of_stata_become_missing_codes_in_every_other_format(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": pl.Series([1, 2, "a", None], dtype=pl.Object)})
    pyreadstat.write_dta(frame, tmp_path / "b.dta", missing_user_values={"x": ["a"]})
    data = read(tmp_path / "b.dta")
    for suffix in (".csv", ".parquet", ".sav", ".xlsx"):
        write(data, tmp_path / f"a{suffix}")
        back = read(tmp_path / f"a{suffix}")
        assert back.frame["x"].to_list() == [1, 2, LETTER_CODES["a"], None]
        assert back.observed("x").tolist() == [True, True, False, False]


def test_a_labelled_column_is_nominal_unless_few_of_its_values_have_a_label(tmp_path: Path) -> None:
    frame = pl.DataFrame({"code": list(range(30)), "hours": list(range(30))})
    labels: dict[str, dict[float, str]] = {
        "code": {place: f"code {place}" for place in range(20)},
        "hours": {0: "none", 29: "29 or more"},
    }
    pyreadstat.write_dta(frame, tmp_path / "a.dta", variable_value_labels=labels)
    schema = read(tmp_path / "a.dta").schema
    assert schema["code"].kind is Kind.NOMINAL
    assert schema["hours"].kind is Kind.CONTINUOUS


def test_an_encoding_can_be_given_for_an_old_file(tmp_path: Path) -> None:
    pyreadstat.write_dta(pl.DataFrame({"x": ["Stra?e"]}), tmp_path / "a.dta", version=10)
    content = (tmp_path / "a.dta").read_bytes()
    path = written(tmp_path / "a.dta", content.replace(b"Stra?e", "Straße".encode("cp1252")))
    assert read(path, encoding="CP1252").frame["x"].to_list() == ["Straße"]


def test_a_missing_value_after_a_letter_is_missing_for_other_readers_too(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [1, LETTER_CODES["b"], None, 2, None]})
    schema = Microdata(frame).schema
    data = Microdata(frame, schema.with_variables(schema["x"].replace(missing_codes=(LETTER_CODES["b"],))))
    write(data, tmp_path / "a.dta")
    read_back, _ = pyreadstat.read_dta(tmp_path / "a.dta", user_missing=True)
    assert read_back["x"].isna().tolist() == [False, False, True, False, True]
    assert [value for value in read_back["x"] if value == value] == [1, "b", 2]
    assert read(tmp_path / "a.dta").frame.equals(frame)
