import errno
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.errors import DocumentError, FileError, ParameterError, UnknownColumnError
from sfumato.files import FORMATS, ReadOptions, fit_options, read, write
from sfumato.files.text import utf8_copy
from tests.files.examples import LABELLED, LABELS, written

PEOPLE = "sex,age,wage\n1,34,1200.5\n2,35,0.5\n"
SEX = Schema(variables=(Variable(name="sex", kind=Kind.NOMINAL, role=Role.KEY),))


@pytest.fixture
def people(tmp_path: Path) -> Path:
    return written(tmp_path / "people.csv", PEOPLE)


def test_a_path_may_be_text(people: Path) -> None:
    assert read(str(people)).frame.equals(read(people).frame)


def test_a_path_may_begin_with_the_home_folder(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(people.parent))
    assert read("~/people.csv").n == 2


def test_the_frame_is_polars(people: Path) -> None:
    assert isinstance(read(people).frame, pl.DataFrame)


def test_a_suffix_in_capitals_is_known(people: Path) -> None:
    assert read(people.rename(people.with_name("PEOPLE.CSV"))).n == 2


def test_a_missing_file_is_told_with_the_nearest_name(people: Path) -> None:
    with pytest.raises(FileError, match=r"there is no file .*poeple\.csv; did you mean 'people\.csv'\?"):
        read(people.with_name("poeple.csv"))


def test_a_missing_file_in_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"there is no file .*nowhere/people\.csv$"):
        read(tmp_path / "nowhere" / "people.csv")


def test_a_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a folder; name a file in it"):
        read(tmp_path)


@pytest.mark.parametrize("suffix", FORMATS)
def test_an_empty_file_is_told(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(FileError, match=rf"people\{suffix} is empty"):
        read(written(tmp_path / f"people{suffix}", b""))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("people.cvs", r"the suffix '\.cvs' is not known; did you mean '\.csv'\? The known ones are \.csv, \.txt"),
        ("people.json", r"the suffix '\.json' is not known; the known ones are \.csv"),
        ("people", "it has no suffix; the known ones are"),
        (".csv", "it has no suffix"),
    ],
)
def test_an_unknown_suffix_is_told_with_the_known_ones(people: Path, name: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        read(people.rename(people.with_name(name)))


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".feather", ".xlsx"])
@pytest.mark.parametrize("content", [b"not what it says", b"PAR1ARROW1PK\x03\x04" * 30])
def test_content_that_does_not_fit_its_suffix_is_told_without_showing_it(
    tmp_path: Path, suffix: str, content: bytes
) -> None:
    with pytest.raises(FileError, match=rf"a\{suffix} cannot be read as an? \w+ file.*check the file and its suffix"):
        read(written(tmp_path / f"a{suffix}", content))


def test_a_file_that_may_not_be_read_is_told(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FileError, match=r"people\.csv may not be read: permission denied"):
        read(people)


def test_a_disk_too_full_for_a_temporary_copy_is_told(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_to_full_disk(*_: object) -> None:
        with Path("/dev/full").open("wb", buffering=0) as stream:
            stream.write(b"x")

    monkeypatch.setattr(utf8_copy, "decode_chunks", write_to_full_disk)
    with pytest.raises(FileError, match=r"people\.csv cannot be read: the disk is full where its .* copy goes"):
        read(people, encoding="cp1252")


@pytest.mark.parametrize(
    ("name", "option", "message"),
    [
        ("a.parquet", {"separator": ","}, r"read\.separator is for \.csv, .*; a\.parquet is a Parquet file"),
        ("a.sav", {"decimal": ","}, r"read\.decimal is for \.csv, .*; a\.sav is an SPSS file"),
        ("a.csv", {"sheet": "one"}, r"read\.sheet is for \.xlsx; a\.csv is a text file"),
        ("a.xlsx", {"encoding": "utf-8"}, r"read\.encoding is for .*\.dta.*; a\.xlsx is an Excel file"),
        ("a.csv", {"separator": ",,"}, r"read\.separator must be one character such as ',' or ';'; got ',,'"),
        ("a.csv", {"separator": ""}, r"read\.separator must be one character"),
        ("a.csv", {"decimal": "·"}, r"read\.decimal must be '\.' or ','; got '·'"),
    ],
)
def test_an_option_that_means_nothing_for_the_file_is_refused(
    tmp_path: Path, name: str, option: dict[str, str], message: str
) -> None:
    write(Microdata(LABELLED), tmp_path / name)
    with pytest.raises(ParameterError, match=message):
        read(tmp_path / name, **option)


def test_a_schema_may_describe_only_some_columns(people: Path) -> None:
    found = read(people, SEX).schema
    assert found["sex"] == SEX["sex"]
    assert found["wage"] == read(people).schema["wage"]


@pytest.mark.parametrize("as_text", [True, False])
def test_a_schema_may_be_the_path_of_its_file(people: Path, tmp_path: Path, as_text: bool) -> None:
    path = written(tmp_path / "other.yaml", SEX.to_yaml())
    assert read(people, str(path) if as_text else path).schema["sex"] == SEX["sex"]


def test_a_described_column_that_the_file_does_not_have_is_told_with_the_nearest_name(people: Path) -> None:
    schema = Schema(variables=(Variable(name="agee", kind=Kind.CONTINUOUS),))
    with pytest.raises(
        UnknownColumnError,
        match="the schema describes a column that the file lacks: there is no column 'agee'; did you mean 'age'",
    ):
        read(people, schema)


def test_a_missing_schema_is_told_with_the_nearest_name(people: Path) -> None:
    written(people.with_name("people.yaml"), SEX.to_yaml())
    with pytest.raises(FileError, match=r"there is no file .*people\.yml; did you mean 'people\.yaml'"):
        read(people, people.with_name("people.yml"))


@pytest.mark.parametrize("content", [b"variables: [", b"[1, 2]", b"\xff\xfe", b"variables: {sex: {kind: odd}}"])
def test_a_schema_that_is_none_is_told_with_its_path(people: Path, content: bytes) -> None:
    with pytest.raises((DocumentError, FileError), match=r"the schema .*bad\.yaml (has|is not UTF-8)"):
        read(people, written(people.with_name("bad.yaml"), content.replace(b"[1, 2]", b"variables: {sex: {kin: odd}}")))


def test_what_a_schema_leaves_open_is_as_the_file_says(tmp_path: Path) -> None:
    write(Microdata(LABELLED, LABELS), tmp_path / "a.sav")
    found = read(tmp_path / "a.sav", SEX).schema["sex"]
    assert found == LABELS["sex"].replace(role=Role.KEY)


def test_what_a_schema_says_goes_before_what_the_file_says(tmp_path: Path) -> None:
    write(Microdata(LABELLED, LABELS), tmp_path / "a.sav")
    given = Variable(name="sex", kind=Kind.ORDINAL, label="Sex", value_labels={1: "m"}, missing_codes=(2,))
    assert read(tmp_path / "a.sav", Schema(variables=(given,))).schema["sex"] == given


def test_the_order_of_text_is_as_the_file_says_when_the_schema_leaves_it_open(tmp_path: Path) -> None:
    labels = {"low": "Low", "high": "High"}
    size = Variable(name="size", kind=Kind.ORDINAL, value_labels=labels, categories=("low", "high"))
    write(Microdata(pl.DataFrame({"size": ["high", "low"]}), Schema(variables=(size,))), tmp_path / "a.sav")
    given = Schema(variables=(Variable(name="size", kind=Kind.ORDINAL, role=Role.KEY),))
    assert read(tmp_path / "a.sav", given).codes("size")[0].tolist() == [1, 0]


def test_the_schema_beside_a_file_is_used_when_none_is_given(people: Path) -> None:
    written(people.with_name("people.schema.yaml"), SEX.to_yaml())
    assert read(people).schema["sex"].role is Role.KEY
    assert read(people, Schema(variables=())).schema["sex"] == Schema.infer(read(people).frame)["sex"]


def test_the_schema_beside_a_packed_file_has_the_same_name(people: Path) -> None:
    write(read(people), people.with_name("people.csv.gz"))
    written(people.with_name("people.schema.yaml"), SEX.to_yaml())
    assert read(people.with_name("people.csv.gz")).schema["sex"].role is Role.KEY


def test_a_schema_beside_a_file_that_does_not_fit_is_told_with_its_path(people: Path) -> None:
    written(people.with_name("people.schema.yaml"), "variables: {sexx: {kind: nominal}}")
    with pytest.raises(
        UnknownColumnError, match=r"people\.schema\.yaml describes a column that .*: there is no column 'sexx'; did you"
    ):
        read(people)


def test_columns_without_a_value_get_the_type_that_their_kind_asks_for(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "n,d,t,x\n,,,1\n")
    schema = Schema.from_yaml("variables: {n: {kind: continuous}, d: {kind: date}, t: {kind: nominal}}")
    data = read(path, schema)
    assert data.frame.dtypes[:3] == [pl.Float64, pl.Date, pl.String]
    assert data.summary.observed("n") == 0


def test_reading_needs_neither_pandas_nor_pyarrow(tmp_path: Path) -> None:
    program = f"""
import sys
sys.modules["pandas"] = sys.modules["pyarrow"] = None
import polars as pl
from pathlib import Path
from sfumato.data import Microdata
from sfumato.files import FORMATS, read, write
frame = pl.DataFrame({{"i": [1, None], "f": [0.5, None], "t": ["a", None], "d": [None, "2020-01-01"]}})
frame = frame.with_columns(pl.col("d").str.to_date())
for suffix, form in FORMATS.items():
    if form.write is not None:
        write(Microdata(frame), Path({str(tmp_path)!r}) / f"a{{suffix}}")
        assert read(Path({str(tmp_path)!r}) / f"a{{suffix}}").frame.equals(frame), suffix
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_importing_the_room_loads_no_heavy_library() -> None:
    program = (
        "import sys, sfumato.files; print([name for name in ('polars', 'pandas', 'pyreadstat') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_a_format_that_is_given_goes_before_the_suffix(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [31, 45], "town": ["A", "B"]})
    frame.write_parquet(tmp_path / "people.dat")
    assert read(tmp_path / "people.dat", format="parquet").frame.equals(frame)
    frame.write_csv(tmp_path / "people")
    assert read(tmp_path / "people", format="csv").frame.equals(frame)
    with pytest.raises(ParameterError, match="got 'parqet'; did you mean 'parquet'"):
        read(tmp_path / "people.dat", format="parqet")


def test_options_for_two_files_go_to_those_whose_format_knows_them(tmp_path: Path) -> None:
    paths = [tmp_path / "people.sav", tmp_path / "masked.csv"]
    options = ReadOptions(separator=";", encoding="latin-1")
    assert fit_options(options, paths) == [ReadOptions(encoding="latin-1"), options]
    with pytest.raises(ParameterError, match=r"read\.sheet is for \.xlsx"):
        fit_options(ReadOptions(sheet="2024"), paths)
