import csv
import io
from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import FileError, ParameterError
from sfumato.files import read, write
from tests.files.examples import written

PEOPLE = "name,age,income\nAnna,34,1200.5\nJörg,,0.5\n"
PEOPLE_FRAME = pl.DataFrame({"name": ["Anna", "Jörg"], "age": [34, None], "income": [1200.5, 0.5]})


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1"]
)
def test_the_encoding_is_found(tmp_path: Path, encoding: str) -> None:
    assert read(written(tmp_path / "people.csv", PEOPLE.encode(encoding))).frame.equals(PEOPLE_FRAME)


def test_an_umlaut_far_down_an_otherwise_plain_file_is_found(tmp_path: Path) -> None:
    text = "name\n" + "Anna\n" * 50_000 + "Jörg\n"
    assert read(written(tmp_path / "people.csv", text.encode("cp1252"))).frame["name"][-1] == "Jörg"


def test_bytes_that_windows_does_not_know_are_latin_1(tmp_path: Path) -> None:
    frame = read(written(tmp_path / "people.csv", b"name\n\xfc\x81\n")).frame
    assert frame["name"].to_list() == ["ü\x81"]


def test_an_encoding_can_be_given(tmp_path: Path) -> None:
    path = written(tmp_path / "people.csv", PEOPLE.encode("mac_roman"))
    assert read(path, encoding="mac_roman").frame.equals(PEOPLE_FRAME)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "utf-16"])
def test_a_file_in_another_encoding_than_given_is_refused(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path / "people.csv", PEOPLE.encode("cp1252"))
    with pytest.raises(FileError, match=f"people.csv is not written in {encoding}; leave 'encoding' out"):
        read(path, encoding=encoding)


def test_an_unknown_encoding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"read\.encoding must be the name of an encoding.*got 'utf-9'"):
        read(written(tmp_path / "people.csv", PEOPLE), encoding="utf-9")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".txt"])
def test_the_separator_is_found(tmp_path: Path, separator: str, suffix: str) -> None:
    path = written(tmp_path / f"people{suffix}", PEOPLE.replace(",", separator))
    assert read(path).frame.equals(PEOPLE_FRAME)


def test_a_separator_inside_quotes_does_not_count(tmp_path: Path) -> None:
    frame = read(written(tmp_path / "a.csv", 'name;place\n"a,b,c";"d,e,f"\n"g,h,i";"j,k,l"\n')).frame
    assert frame.to_dict(as_series=False) == {"name": ["a,b,c", "g,h,i"], "place": ["d,e,f", "j,k,l"]}


def test_a_separator_can_be_given(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", PEOPLE.replace(",", ":"))
    assert read(path, separator=":").frame.equals(PEOPLE_FRAME)


def test_text_with_spaces_is_one_column(tmp_path: Path) -> None:
    frame = read(written(tmp_path / "a.csv", "full name\nAnna Maria\nJon Doe\n")).frame
    assert frame.to_dict(as_series=False) == {"full name": ["Anna Maria", "Jon Doe"]}


def test_a_decimal_comma_is_found(tmp_path: Path) -> None:
    frame = read(written(tmp_path / "a.csv", "x;y;z\n1,5;2;a,b\n-0,25;3;c\n")).frame
    assert frame.to_dict(as_series=False) == {"x": [1.5, -0.25], "y": [2, 3], "z": ["a,b", "c"]}


def test_a_decimal_comma_far_down_is_found(tmp_path: Path) -> None:
    frame = read(written(tmp_path / "a.csv", "x;y\n" + "1;2\n" * 20_000 + "1,5;3\n")).frame
    assert frame["x"][-1] == 1.5


def test_thousands_points_beside_decimal_commas_are_not_taken_for_decimals(tmp_path: Path) -> None:
    frame = read(written(tmp_path / "a.csv", "x;y;z\n1,5;1.234;2,5\n2,5;5.678;3,5\n")).frame
    assert frame["y"].to_list() == [1234, 5678]


def test_quoted_thousands_commas_are_not_taken_for_decimals(tmp_path: Path) -> None:
    assert read(written(tmp_path / "a.csv", 'x,y\n"1,234",1\n"5,678",2\n')).frame["x"].to_list() == [1234, 5678]


def test_a_decimal_mark_can_be_given(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "x;y\n1,5;1.5\n")
    assert read(path, decimal=".").frame.row(0) == ("1,5", 1.5)
    assert read(path, decimal=",").frame.row(0) == (1.5, "1.5")


def test_german_files_come_back_as_they_were(tmp_path: Path) -> None:
    frame = pl.DataFrame({"betrag": [1.5, None, -1e-7], "text": ["a;b", "1,5 kg", None], "tag": [date(2020, 1, 1)] * 3})
    write(Microdata(frame), tmp_path / "a.csv", separator=";", decimal=",")
    assert (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()[:2] == [
        "betrag;text;tag",
        '1,5;"a;b";2020-01-01',
    ]
    assert read(tmp_path / "a.csv").frame.equals(frame)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_of_every_system_are_read(tmp_path: Path, ends: str, last: bool) -> None:
    text = PEOPLE.replace("\n", ends)
    path = written(tmp_path / "people.csv", text if last else text.removesuffix(ends))
    assert read(path).frame.equals(PEOPLE_FRAME)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_a_single_column_is_read_with_every_line_end(tmp_path: Path, ends: str) -> None:
    frame = read(written(tmp_path / "a.csv", ends.join(["x", "1", "2", "", "4"]))).frame
    assert frame["x"].to_list() == [1, 2, None, 4]


@pytest.mark.parametrize("text", ["\n\na,b\n1,2\n3,4\n", "a,b\n\n1,2\n\r\n3,4\n", "a,b\n1,2\n3,4\n\n\r\n\n"])
def test_blank_lines_are_no_records(tmp_path: Path, text: str) -> None:
    assert read(written(tmp_path / "a.csv", text)).frame.rows() == [(1, 2), (3, 4)]


def test_a_record_that_is_all_missing_stays(tmp_path: Path) -> None:
    assert read(written(tmp_path / "a.csv", "a,b\n1,2\n,\n3,4\n")).frame.rows() == [(1, 2), (None, None), (3, 4)]


def test_a_blank_line_of_a_single_column_is_a_missing_value(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [None, 1, None, None]})
    write(Microdata(frame), tmp_path / "a.csv")
    assert read(tmp_path / "a.csv").frame.equals(frame)


def test_quotation_marks_inside_a_field_are_text(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", 'size,n\n5" pipe,1\n"6"" pipe",2\n7" pipe,3\nthe "best",4\n')
    assert read(path).frame["size"].to_list() == ['5" pipe', '6" pipe', '7" pipe', 'the "best"']
    assert read(path).frame["n"].to_list() == [1, 2, 3, 4]


def test_line_breaks_inside_quotes_are_text(tmp_path: Path) -> None:
    frame = read(written(tmp_path / "a.csv", 'a,b\n"one\ntwo",1\n"three\r\nfour",2\n')).frame
    assert frame["a"].to_list() == ["one\ntwo", "three\r\nfour"]


@pytest.mark.parametrize(
    ("text", "line", "fields"),
    [
        ("a,b\n1,2\n3\n4,5\n", 3, 1),
        ("a,b\n1,2\n3,4,99999\n", 3, 3),
        ('a,b\n"x\ny",2\n3,"99999",5\n', 4, 3),
        ('a,b\n1,2\n"99999,3\n4,5\n', 3, 1),
    ],
)
def test_a_ragged_row_is_refused_with_its_line_and_without_its_content(
    tmp_path: Path, text: str, line: int, fields: int
) -> None:
    with pytest.raises(
        FileError, match=rf"a\.csv: line {line} has {fields} fields where the first line has 2"
    ) as error:
        read(written(tmp_path / "a.csv", text))
    assert "99999" not in str(error.value)


def test_a_ragged_row_far_down_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="line 40002 has 1 fields"):
        read(written(tmp_path / "a.csv", "a,b\n" + "1,2\n" * 40_000 + "3\n"))


def test_repeated_column_names_are_refused_and_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="column names must be unique; repeated: 'age', 'sex'"):
        read(written(tmp_path / "a.csv", "age,sex,id,age,sex\n1,2,3,4,5\n"))


def test_a_file_without_a_line_of_names_shows_no_values(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="does the first line hold a record instead of names") as error:
        read(written(tmp_path / "a.csv", "Anna,7777,7777\nJörg,1,2\n"))
    assert "7777" not in str(error.value)
    assert "Anna" not in str(error.value)


def test_a_column_without_a_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="the first line gives no name for column 1; name each column"):
        read(written(tmp_path / "a.csv", ",age\n0,34\n1,35\n"))


@pytest.mark.parametrize("content", ["", "\n\n\n", "\ufeff"])
def test_a_file_without_a_line_is_empty(tmp_path: Path, content: str) -> None:
    with pytest.raises(FileError, match=r"a\.csv is empty"):
        read(written(tmp_path / "a.csv", content))


@pytest.mark.parametrize("content", ["a,b\n", "a,b", "\ufeffa,b\r\n"])
def test_a_file_with_names_only_has_no_records(tmp_path: Path, content: str) -> None:
    data = read(written(tmp_path / "a.csv", content))
    assert (data.n, data.schema.names) == (0, ("a", "b"))


def test_a_single_record_is_read(tmp_path: Path) -> None:
    assert read(written(tmp_path / "a.csv", "a,b\n1,x")).frame.rows() == [(1, "x")]


def test_a_workbook_with_the_suffix_of_text_is_refused(tmp_path: Path) -> None:
    write(Microdata(PEOPLE_FRAME), tmp_path / "people.xlsx")
    (tmp_path / "people.xlsx").rename(tmp_path / "people.csv")
    with pytest.raises(FileError, match=r"people\.csv does not hold text"):
        read(tmp_path / "people.csv")


def test_text_with_the_suffix_of_packed_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"people\.csv\.gz cannot be unpacked: it is not a gzip file"):
        read(written(tmp_path / "people.csv.gz", PEOPLE))


def test_packed_text_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    write(Microdata(PEOPLE_FRAME), tmp_path / "people.csv.gz")
    whole = (tmp_path / "people.csv.gz").read_bytes()
    with pytest.raises(FileError, match="cannot be unpacked"):
        read(written(tmp_path / "people.csv.gz", whole[:-12]))


def test_names_with_the_signs_of_patterns_mean_only_themselves(tmp_path: Path) -> None:
    written(tmp_path / "people1.csv", "other\n1\n")
    assert read(written(tmp_path / "people[1].csv", PEOPLE)).frame.equals(PEOPLE_FRAME)


@pytest.mark.parametrize("name", ["^.*$", '"', 'a "b"', "a\nb", "x,y", "*", "0"])
def test_a_column_of_any_name_comes_back(tmp_path: Path, name: str) -> None:
    frame = pl.DataFrame({"x": [1, 2], name: ["a", None], "y": [0.5, 1.5]})
    write(Microdata(frame), tmp_path / "a.csv")
    assert read(tmp_path / "a.csv").frame.equals(frame)


def test_codes_that_the_schema_writes_as_text_stay_text(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "region,n\n1,1\n2,2\n")
    schema = Schema(variables=(Variable(name="region", kind="ordinal", categories=("2", "1")),))
    data = read(path, schema)
    assert data.frame["region"].to_list() == ["1", "2"]
    assert data.codes("region")[0].tolist() == [1, 0]


def test_moments_with_a_blank_between_day_and_time_are_read(tmp_path: Path) -> None:
    frame = read(written(tmp_path / "a.csv", "t\n2020-01-01 10:00:00\n2020-01-02T11:30:00.5\n")).frame
    assert frame["t"].to_list() == [datetime(2020, 1, 1, 10), datetime(2020, 1, 2, 11, 30, 0, 500_000)]


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from('ab",\n\r ;'), max_size=40))
def test_any_text_is_read_as_the_careful_reader_has_it_or_refused(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "a.csv", "x,y\n" + text)
    records = [record for record in csv.reader(io.StringIO("x,y\n" + text, newline="")) if record]
    if any(len(record) != 2 for record in records):
        with pytest.raises(FileError, match=r"line \d+ has \d+ fields"):
            read(path, separator=",")
    else:
        assert read(path, separator=",").frame.rows() == [(x or None, y or None) for x, y in records[1:]]


def test_a_decimal_mark_that_would_make_text_of_all_decimal_numbers_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("age;rent;pay\n31;500,25;12\n45;1200;13,5\n", encoding="utf-8")
    with pytest.raises(
        FileError, match=r"decimal mark '\.' no column holds decimal numbers, with ',' rent, pay: leave"
    ):
        read(path, decimal=".")
    assert read(path, decimal=",").frame["rent"].to_list() == [500.25, 1200]


def test_whole_numbers_among_decimal_ones_are_written_as_such(tmp_path: Path) -> None:
    frame = pl.DataFrame({"rent": [500.0, 0.1, None, -1e300], "pay": [1.0, 2.0, 3.0, -0.0]})
    write(Microdata(frame), tmp_path / "x.csv", separator=";", decimal=",")
    assert (tmp_path / "x.csv").read_text().splitlines() == ["rent;pay", "500;1,0", "0,1;2,0", ";3,0", "-1e+300;0,0"]
    assert read(tmp_path / "x.csv").frame.equals(frame)


def test_a_character_that_is_cut_by_the_end_of_a_chunk_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.files.text.detection.CHUNK", 5)
    path = tmp_path / "towns.csv"
    path.write_bytes("town,x\n\u00e9\u00e9,1\nab,2\n".encode())
    assert read(path).frame["town"].to_list() == ["\u00e9\u00e9", "ab"]
    path.write_bytes(b"town,x\nab,1\n\xe9,2\n")
    assert read(path).frame["town"].to_list() == ["ab", "\u00e9"]  # of Windows' western encoding
