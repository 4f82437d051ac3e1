"""What SPSS and Stata keep in the file itself, seen without the schema beside it."""

from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.errors import FileError
from sfumato.files import labelled as shared
from sfumato.files import read, write
from sfumato.files.labelled import LETTER_CODES
from tests.files.examples import LABELLED, LABELS, labelled, written

SPSS = (".sav", ".zsav")
BOTH = (*SPSS, ".dta")


def without_schema(path: Path) -> Microdata:
    path.with_name("a.schema.yaml").unlink(missing_ok=True)
    return read(path)


@pytest.mark.parametrize("suffix", SPSS)
def test_spss_keeps_labels_missing_codes_and_measures_by_itself(tmp_path: Path, suffix: str) -> None:
    write(Microdata(LABELLED, LABELS), tmp_path / f"a{suffix}")
    assert [path.name for path in tmp_path.iterdir()] == [f"a{suffix}"]
    assert read(tmp_path / f"a{suffix}").schema == LABELS


@pytest.mark.parametrize("suffix", SPSS)
def test_roles_have_no_place_in_an_spss_file(tmp_path: Path, suffix: str) -> None:
    write(labelled(), tmp_path / f"a{suffix}")
    assert without_schema(tmp_path / f"a{suffix}").schema["sex"].role is Role.OTHER


def test_stata_keeps_labels_by_itself(tmp_path: Path) -> None:
    write(Microdata(LABELLED, LABELS), tmp_path / "a.dta")
    found = without_schema(tmp_path / "a.dta").schema
    assert found["sex"] == LABELS["sex"].replace(missing_codes=())
    assert found["health"] == LABELS["health"].replace(kind=Kind.NOMINAL)
    assert found["income"] == LABELS["income"].replace(missing_ranges=())
    assert found["born"] == LABELS["born"]


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
    pyreadstat.write_sav(
        frame,
        tmp_path / "a.sav",
        column_labels={"q1": "Frage 1: größer?"},
        variable_value_labels={"q1": {1.0: "ja", 2.0: "nein", 9.0: "k.A."}, "q5": {"low": "Low", "high": "High"}},
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
    pyreadstat.write_sav(
        frame, tmp_path / "a.sav", variable_measure={"x": "ordinal"}, variable_value_labels={"x": {"a": "A", "b": "B"}}
    )
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


@pytest.mark.parametrize(("suffix", "longest"), [(".sav", 255), (".dta", 80)])
def test_labels_that_are_too_long_stay_whole_in_the_second_file(tmp_path: Path, suffix: str, longest: int) -> None:
    schema = Schema(variables=(Variable(name="x", kind=Kind.CONTINUOUS, label="x" * 400),))
    write(Microdata(pl.DataFrame({"x": [1.5, 2.5]}), schema), tmp_path / f"a{suffix}")
    assert read(tmp_path / f"a{suffix}").schema == schema
    assert without_schema(tmp_path / f"a{suffix}").schema["x"].label == "x" * longest


def test_value_labels_that_are_too_long_stay_whole_in_the_second_file(tmp_path: Path) -> None:
    schema = Schema(variables=(Variable(name="x", kind=Kind.NOMINAL, value_labels={1: "ü" * 100, 2: "b"}),))
    write(Microdata(pl.DataFrame({"x": [1, 2]}), schema), tmp_path / "a.sav")
    assert read(tmp_path / "a.sav").schema == schema
    assert without_schema(tmp_path / "a.sav").schema["x"].value_labels == {1: "ü" * 60, 2: "b"}


def test_labels_of_codes_of_another_type_than_the_column_go_into_the_second_file_only(tmp_path: Path) -> None:
    schema = Schema(
        variables=(Variable(name="x", kind=Kind.NOMINAL, value_labels={"1": "one"}, missing_codes=("DK",)),)
    )
    for suffix in BOTH:
        write(Microdata(pl.DataFrame({"x": [1, 2]}), schema), tmp_path / f"a{suffix}")
        assert read(tmp_path / f"a{suffix}").schema == schema


@pytest.mark.parametrize("numbers", [[1, 2, 3], [1.5, 2.5, 3.5], [1.0, 2.0, 5e9]])
def test_lettered_missing_values_of_stata_come_back_as_letters(tmp_path: Path, numbers: list[float]) -> None:
    frame = pl.DataFrame({"x": pl.Series([*map(type(numbers[0]), numbers), "a", "z", None], dtype=pl.Object)})
    labels = {"a": "refused", "z": "not asked"}
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


def test_dates_with_letters_or_user_missing_values_are_missing(tmp_path: Path) -> None:
    days = pl.DataFrame({"x": pl.Series([21_915.0, "a"], dtype=pl.Object)})
    pyreadstat.write_dta(days, tmp_path / "a.dta", missing_user_values={"x": ["a"]}, variable_format={"x": "%td"})
    assert read(tmp_path / "a.dta").frame["x"].to_list() == [date(2020, 1, 1), None]
    seconds = pl.DataFrame({"x": [13_797_216_000.0, 99.0]})
    pyreadstat.write_sav(seconds, tmp_path / "a.sav", missing_ranges={"x": [99.0]}, variable_format={"x": "DATE11"})
    assert read(tmp_path / "a.sav").frame["x"].to_list() == [date(2020, 1, 1), None]


@pytest.mark.parametrize(
    ("suffix", "number", "display", "expected"),
    [
        (".sav", 13_797_216_000.0, "ADATE10", date(2020, 1, 1)),
        (".sav", 13_797_216_000.0, "EDATE10", date(2020, 1, 1)),
        (".sav", 13_797_216_000.0, "MOYR8", date(2020, 1, 1)),
        (".sav", 13_797_219_600.0, "DATE11", datetime(2020, 1, 1, 1)),
        (".sav", 13_797_219_600.5, "DATETIME20", datetime(2020, 1, 1, 1, 0, 0, 500_000)),
        (".sav", 3_723.0, "TIME8", time(1, 2, 3)),
        (".sav", 90_000.0, "DTIME12", 90_000.0),
        (".sav", 5.0, "F8.2", 5.0),
        (".sav", 5.0, "F8.0", 5),
        (".dta", 21_915.0, "%td", date(2020, 1, 1)),
        (".dta", 21_915.0, "%tdDD/NN/CCYY", date(2020, 1, 1)),
        (".dta", 21_915.0, "%d", date(2020, 1, 1)),
        (".dta", -25_442.0, "%td", date(1890, 5, 5)),
        (".dta", 1_893_459_600_000.0, "%tc", datetime(2020, 1, 1, 1)),
        (".dta", 3_723_000.0, "%tcHH:MM:SS", time(1, 2, 3)),
        (".dta", 720.0, "%tm", 720.0),
        (".dta", 5.0, "%9.2f", 5.0),
    ],
)
def test_numbers_are_read_as_their_display_format_says(
    tmp_path: Path, suffix: str, number: float, display: str, expected: object
) -> None:
    frame, path = pl.DataFrame({"x": [number, None]}), tmp_path / f"a{suffix}"
    writer = pyreadstat.write_sav if suffix == ".sav" else pyreadstat.write_dta
    writer(frame, path, variable_format={"x": display})
    found = read(path).frame["x"].to_list()
    assert found == [expected, None]
    assert type(found[0]) is type(expected)


@pytest.mark.parametrize("suffix", BOTH)
def test_microseconds_are_rounded_to_milliseconds(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"x": [datetime(2020, 1, 1, 1, 2, 3, 123_456)], "y": [time(1, 2, 3, 999_600)]})
    write(Microdata(frame), tmp_path / f"a{suffix}")
    assert read(tmp_path / f"a{suffix}").frame.row(0) == (datetime(2020, 1, 1, 1, 2, 3, 123_000), time(1, 2, 4))


@pytest.mark.parametrize("suffix", BOTH)
def test_text_of_any_length_comes_back(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"x": ["ü" * 10_000, "short", None, "é" * 300], "y": ["a" * 2_044, "b" * 2_045, "", "c"]})
    write(Microdata(frame), tmp_path / f"a{suffix}")
    assert read(tmp_path / f"a{suffix}").frame.rows() == frame.with_columns(y=pl.col("y").replace("", None)).rows()


@pytest.mark.parametrize("suffix", BOTH)
def test_integers_of_every_size_come_back(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"x": [2**53, -(2**53), 0], "y": [2_147_483_647, -5, None], "z": [2_147_483_620, 1, 2]})
    write(Microdata(frame), tmp_path / f"a{suffix}")
    back = read(tmp_path / f"a{suffix}").frame
    assert back.rows() == frame.rows()
    assert back.select("y", "z").schema == frame.select("y", "z").schema


@pytest.mark.parametrize("suffix", BOTH)
def test_every_type_of_number_can_be_written(tmp_path: Path, suffix: str) -> None:
    types = (
        pl.Int8,
        pl.Int16,
        pl.Int32,
        pl.Int64,
        pl.UInt8,
        pl.UInt16,
        pl.UInt32,
        pl.UInt64,
        pl.Float32,
        pl.Decimal(10, 2),
    )
    frame = pl.DataFrame([pl.Series(f"c{place}", [1, None, 3], dtype=dtype) for place, dtype in enumerate(types)])
    write(Microdata(frame), tmp_path / f"a{suffix}")
    assert all(column.to_list() == [1, None, 3] for column in read(tmp_path / f"a{suffix}").frame)


@pytest.mark.parametrize("suffix", BOTH)
def test_files_are_read_in_pieces_without_a_seam(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"x": list(range(25)), "y": [None if place % 7 else f"t{place}" for place in range(25)]})
    write(Microdata(frame), tmp_path / f"a{suffix}")
    for rows in (1, 5, 10, 25, 26):
        monkeypatch.setattr(shared, "ROWS_AT_ONCE", rows)
        assert read(tmp_path / f"a{suffix}").frame.equals(frame)


@pytest.mark.parametrize(
    ("suffix", "name"),
    [
        *((".sav", name) for name in ("a b", "1a", "_a", "ALL", "ü" * 33, "a.", "a-b")),
        *((".dta", name) for name in ("a b", "1a", "a.b", "if", "str5", "ü" * 33, "a-b")),
    ],
)
def test_a_name_that_the_program_cannot_hold_is_refused(tmp_path: Path, suffix: str, name: str) -> None:
    program = "SPSS" if suffix == ".sav" else "Stata"
    with pytest.raises(FileError, match=f"{program} cannot hold these column names: '{name}'; rename them"):
        write(Microdata(pl.DataFrame({name: [1.5], "good": [2.5]})), tmp_path / f"a{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_names_that_differ_only_in_case_are_refused_for_spss(tmp_path: Path) -> None:
    frame = pl.DataFrame({"Age": [1.5], "age": [2.5]})
    with pytest.raises(FileError, match="SPSS does not tell these column names apart: 'Age', 'age'"):
        write(Microdata(frame), tmp_path / "a.sav")
    write(Microdata(frame), tmp_path / "a.dta")
    assert read(tmp_path / "a.dta").frame.equals(frame)


def test_text_beyond_what_spss_can_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="column 'x' holds text of more than 32767 bytes"):
        write(Microdata(pl.DataFrame({"x": ["ü" * 16_384]})), tmp_path / "a.sav")


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".dta", ".sas7bdat", ".xpt"])
@pytest.mark.parametrize("content", [b"nothing of the kind" * 50, b"\x00" * 2_000])
def test_a_file_that_is_something_else_is_refused(tmp_path: Path, suffix: str, content: bytes) -> None:
    with pytest.raises(FileError, match=rf"a{suffix} cannot be read as an? (SPSS|Stata|SAS).* file"):
        read(written(tmp_path / f"a{suffix}", content))


@pytest.mark.parametrize("suffix", BOTH)
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, suffix: str) -> None:
    write(Microdata(pl.DataFrame({"x": list(range(5_000)), "y": ["text"] * 5_000})), tmp_path / f"a{suffix}")
    whole = (tmp_path / f"a{suffix}").read_bytes()
    with pytest.raises(FileError, match="cannot be read as"):
        read(written(tmp_path / f"a{suffix}", whole[: len(whole) // 2]))


def test_a_labelled_column_is_nominal_unless_few_of_its_values_have_a_label(tmp_path: Path) -> None:
    frame = pl.DataFrame({"code": list(range(30)), "hours": list(range(30))})
    labels = {"code": {place: f"code {place}" for place in range(20)}, "hours": {0: "none", 29: "29 or more"}}
    pyreadstat.write_dta(frame, tmp_path / "a.dta", variable_value_labels=labels)
    schema = read(tmp_path / "a.dta").schema
    assert schema["code"].kind is Kind.NOMINAL
    assert schema["hours"].kind is Kind.CONTINUOUS


def test_an_encoding_can_be_given_for_an_old_file(tmp_path: Path) -> None:
    pyreadstat.write_dta(pl.DataFrame({"x": ["Stra?e"]}), tmp_path / "a.dta", version=10)
    content = (tmp_path / "a.dta").read_bytes()
    path = written(tmp_path / "a.dta", content.replace(b"Stra?e", "Straße".encode("cp1252")))
    assert read(path, encoding="CP1252").frame["x"].to_list() == ["Straße"]
