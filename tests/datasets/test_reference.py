from pathlib import Path

import pytest

from sfumato.data import Kind, categorical, numeric, role
from sfumato.datasets import REFERENCES, reference
from sfumato.errors import FileError, ParameterError

FRANCDAT_LIKE = "Num1,Key1,Key2,w\n3,1,2,18\n4,2,2,45.5\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "francdat.csv").write_text(FRANCDAT_LIKE)
    monkeypatch.setenv("SFUMATO_DATA", str(tmp_path))
    return tmp_path


def test_an_unknown_name_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ParameterError, match=r"one of census, eia, .*; got 'cencus'; did you mean 'census'\?"):
        reference("cencus")


@pytest.mark.parametrize("name", [*REFERENCES][:3])
def test_a_file_that_is_not_there_is_named_with_its_folder_and_where_it_is_published(folder: Path, name: str) -> None:
    with pytest.raises(FileError) as caught:
        reference(name)
    message = str(caught.value)
    assert f"{name}.csv is not in {folder};" in message
    assert "set SFUMATO_DATA to a folder" in message
    assert ("sdcMicro" if name == "household_survey" else "CASC") in message


def test_the_folder_that_the_user_names_is_the_only_one_looked_in(folder: Path) -> None:
    assert reference("francdat").n == 2


def test_a_folder_given_in_the_call_is_the_only_one_looked_in(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    with pytest.raises(FileError, match=f"francdat.csv is not in {other}; name a folder that holds it"):
        reference("francdat", other)
    (other / "francdat.csv").write_text(FRANCDAT_LIKE + "5,1,2,1\n")
    assert reference("francdat", other).n == 3


def test_without_a_folder_the_environment_variable_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SFUMATO_DATA", raising=False)
    with pytest.raises(FileError, match="SFUMATO_DATA is not set; set it to the folder that holds the reference files"):
        reference("eia")


def test_continuous_columns_come_as_floats_even_when_written_as_integers(folder: Path) -> None:
    frame = reference("francdat").frame
    assert [str(dtype) for dtype in frame.dtypes] == ["Float64", "Int64", "Int64", "Float64"]


@pytest.mark.reference
def test_census_has_seven_keys_and_is_all_continuous() -> None:
    data = reference("census")
    assert (data.n, len(data.schema.names)) == (1080, 13)
    assert data.select(role("key")) == ("AFNLWGT", "AGI", "EMCONTRB", "FEDTAX", "PTOTVAL", "STATETAX", "TAXINC")
    assert len(data.select(role("confidential"))) == 6
    assert data.select(numeric) == data.schema.names
    matrix = data.matrix(data.schema.names)
    assert (matrix != 0).all()
    assert data.summary.mean("AGI") == pytest.approx(matrix[:, 1].sum() / 1080)


@pytest.mark.reference
def test_eia_has_ten_continuous_columns_and_five_that_identify() -> None:
    data = reference("eia")
    assert data.n == 4092
    assert data.select(role("identifier")) == ("UTILITYID", "UTILNAME")
    assert data.select(role("key")) == ("STATE",)
    assert data.select(categorical) == ("STATE", "YEAR", "MONTH")
    assert data.select(numeric) == data.schema.names[5:]
    assert len(data.select(numeric)) == 10


@pytest.mark.reference
def test_the_household_survey_has_the_published_number_of_sample_uniques() -> None:
    data = reference("household_survey")
    keys = tuple(name for name in data.select(role("key")) if data.schema[name].kind is Kind.NOMINAL)
    assert keys == ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")
    assert data.select(role("key")) == (*keys, "age")
    assert data.select(role("household")) == ("ori_hid",)
    assert data.select(role("weight")) == ("sampling_weight", "household_weights")
    assert data.select(role("confidential")) == ("expend", "income", "savings")
    groups = [len(rows) for rows in data.strata(keys)]
    assert (groups.count(1), 2 * groups.count(2)) == (157, 124)


@pytest.mark.reference
def test_francdat_has_the_published_frequencies() -> None:
    data = reference("francdat")
    keys = data.select(role("key"))
    frequency = [0] * data.n
    weight = [0.0] * data.n
    for rows in data.strata(keys):
        for row in rows:
            frequency[row] = len(rows)
            weight[row] = data.values("w")[rows].sum()
    assert keys == ("Key1", "Key2", "Key3", "Key4")
    assert frequency == [2, 2, 2, 1, 1, 1, 1, 2]
    assert weight == [110, 84.5, 84.5, 17, 541, 8, 5, 110]


def test_a_folder_may_be_given_as_text(tmp_path: Path) -> None:
    (tmp_path / "francdat.csv").write_text(FRANCDAT_LIKE)
    assert reference("francdat", str(tmp_path)).n == 2
    with pytest.raises(ParameterError, match=r"reference.folder must be a path; got 5"):
        reference("francdat", 5)  # type: ignore[arg-type]
