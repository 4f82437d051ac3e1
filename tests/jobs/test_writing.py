"""What a verb writes: in the dialect of its input, or as it is asked for, and never over what cannot be made again."""

import csv
import re
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import polars as pl
import pytest

import sfumato as sf
from sfumato.cli.commands import app
from sfumato.errors import FileError, ParameterError
from sfumato.files import ReadOptions, WriteOptions
from sfumato.files.write_options import LineEnding, Quoting
from sfumato.jobs.improve import improve
from sfumato.jobs.mask import mask
from sfumato.jobs.protect import protect
from sfumato.jobs.verify import verify

OF_THE_INPUT = ("numbers", "file_label", "display_formats")  # which nobody can ask for
VERBS = (improve, mask, protect)
GERMAN = """"plz";"ort";"alter";"betrag";"aktiv"
"01234";"Köln; Süd";34;1,5;"true"
"99999";"Düren";;2,25;"false"
"04109";"Fürth";71;-3;"true"
"""
RECIPE = sf.Recipe(steps=[sf.TopCoding(columns=("alter",), at=60)], seed=1, keep_order=True)


def german(folder: Path, encoding: str = "cp1252", line_end: str = "\r\n") -> Path:
    path = folder / "leute.csv"
    path.write_bytes(GERMAN.replace("\n", line_end).encode(encoding))
    return path


def rows(path: Path, encoding: str, delimiter: str) -> list[list[str]]:
    with path.open(encoding=encoding, newline="") as stream:
        return list(csv.reader(stream, delimiter=delimiter))


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__name__)
def test_a_verb_that_writes_takes_write_options_and_so_does_its_command(verb: Callable[..., object]) -> None:
    assert signature(verb).parameters["write_options"].default == WriteOptions()
    assert signature(verb).parameters["overwrite"].default is False
    (command,) = [each for each in app.registered_commands if each.callback.__name__ == verb.__name__]  # type: ignore[union-attr]
    asked = {f"output_{name}" for name in WriteOptions.__dataclass_fields__ if name not in OF_THE_INPUT}
    assert asked | {"overwrite"} <= set(signature(command.callback).parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize(("encoding", "line_end"), [("cp1252", "\r\n"), ("utf-8-sig", "\n"), ("utf-16", "\r\n")])
def test_a_text_file_comes_back_in_its_own_dialect(tmp_path: Path, encoding: str, line_end: str) -> None:
    source, output = german(tmp_path, encoding, line_end), tmp_path / "maskiert.csv"
    mask(source, RECIPE, output)
    expected = GERMAN.replace(";71;", ";60;").replace("-3;", "-3,0;").replace("\n", line_end)
    assert output.read_bytes() == expected.encode(encoding)
    assert rows(output, encoding, ";")[2] == ["99999", "Düren", "", "2,25", "false"]
    assert verify(tmp_path / "maskiert.csv.manifest.json").passed


@pytest.mark.parametrize(("true", "false"), [("true", "false"), ("True", "False"), ("TRUE", "FALSE")])
def test_truth_values_come_back_in_the_words_of_the_file(tmp_path: Path, true: str, false: str) -> None:
    text = "alter,aktiv\n" + f"34,\n50,{false}\n34,{true}\n50,{true}\n" * 20
    (tmp_path / "people.csv").write_text(text)
    mask(tmp_path / "people.csv", RECIPE, tmp_path / "masked.csv", options=ReadOptions(continuous=("alter",)))
    assert (tmp_path / "masked.csv").read_text() == text


def test_what_is_asked_for_goes_before_the_dialect_of_the_input(tmp_path: Path) -> None:
    asked = WriteOptions(separator=",", encoding="utf-8", quoting=Quoting.NECESSARY, line_ending=LineEnding.LF)
    mask(german(tmp_path), RECIPE, tmp_path / "masked.csv", write_options=asked)
    lines = (tmp_path / "masked.csv").read_bytes().decode("utf-8").split("\n")
    assert lines[:3] == ["plz,ort,alter,betrag,aktiv", "01234,Köln; Süd,34,1.5,true", "99999,Düren,,2.25,false"]
    assert verify(tmp_path / "masked.csv.manifest.json").passed


def test_a_protected_file_has_the_dialect_of_its_input(tmp_path: Path) -> None:
    lines = ["sexo;idade;renda", *(f"{'fm'[i % 2]};{20 + i % 40};{i},5" for i in range(200))]
    (tmp_path / "pessoas.csv").write_bytes(("\r\n".join(lines) + "\r\n").encode("cp1252"))
    options = ReadOptions(key=("sexo", "idade"), confidential=("renda",))
    protect(tmp_path / "pessoas.csv", tmp_path / "protegido.csv", options=options, seed=1)
    content = (tmp_path / "protegido.csv").read_bytes()
    assert content.count(b"\r\n") == content.count(b"\n") == 201
    assert all(
        len(row) == 3 and float(row[2].replace(",", ".")) >= 0
        for row in rows(tmp_path / "protegido.csv", "cp1252", ";")[1:]
    )


def test_an_improved_file_has_the_dialect_of_the_masked_one(tmp_path: Path) -> None:
    lines = ["a;b", *(f"{i},5;{i % 17},25" for i in range(60))]
    for name in ("original.csv", "masked.csv"):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    parameters = {"max_steps": 5}
    improve(tmp_path / "original.csv", tmp_path / "masked.csv", tmp_path / "better.csv", parameters=parameters, seed=1)
    assert rows(tmp_path / "better.csv", "utf-8", ";")[0] == ["a", "b"]
    assert all("," in cell for row in rows(tmp_path / "better.csv", "utf-8", ";")[1:] for cell in row)


def test_a_file_of_tabs_is_a_file_of_commas_under_that_suffix(tmp_path: Path) -> None:
    (tmp_path / "people.tsv").write_text("age\tincome\n30\t1,5\n40\t2,5\n")
    recipe = sf.Recipe(steps=[sf.TopCoding(columns=("age",), at=35)], keep_order=True)
    mask(tmp_path / "people.tsv", recipe, tmp_path / "masked.csv")
    assert (tmp_path / "masked.csv").read_text() == "age,income\n30,1.5\n35,2.5\n"
    mask(tmp_path / "masked.csv", recipe, tmp_path / "again.tsv")
    assert (tmp_path / "again.tsv").read_text() == "age\tincome\n30\t1.5\n35\t2.5\n"


def test_suppressed_cells_are_empty_in_excel_and_null_in_parquet(tmp_path: Path) -> None:
    frame = pl.DataFrame({"town": ["Pisa"] * 5 + ["Rome"], "age": [30] * 6})
    sf.write(sf.Microdata(frame), tmp_path / "people.csv")
    recipe = sf.Recipe(steps=[sf.LocalSuppression(columns=("town",), k=2)], keep_order=True)
    for suffix in ("xlsx", "parquet", "feather"):
        mask(tmp_path / "people.csv", recipe, tmp_path / f"masked.{suffix}")
    sheet = ZipFile(tmp_path / "masked.xlsx").read("xl/worksheets/sheet1.xml").decode()
    assert re.findall(r'r="([AB]7)"', sheet) == ["B7"]  # no cell at all, rather than an empty text
    assert pl.read_parquet(tmp_path / "masked.parquet")["town"].to_list() == ["Pisa"] * 5 + [None]
    assert pl.read_ipc(tmp_path / "masked.feather")["town"].to_list() == ["Pisa"] * 5 + [None]


@pytest.mark.parametrize(
    ("output", "asked", "message"),
    [
        ("a.parquet", {"separator": ";"}, r"write\.separator is for \.csv, .*; a\.parquet is a Parquet file"),
        ("a.csv", {"encoding": "utf-99"}, r"write\.encoding must be the name of an encoding"),
        ("a.dat", {"format": "cvs"}, r"write\.format must be the suffix of a known format; got 'cvs'.*csv"),
    ],
)
def test_options_that_cannot_be_met_are_refused_before_anything_is_read(
    tmp_path: Path, output: str, asked: dict[str, Any], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        mask(tmp_path / "absent.csv", RECIPE, tmp_path / output, write_options=WriteOptions(**asked))


def test_characters_that_the_encoding_lacks_are_refused_with_the_column(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("town,alter\nŁódź,40\n" + "Pisa,41\n" * 40, encoding="utf-8")
    options, write_options = ReadOptions(continuous=("alter",)), WriteOptions(encoding="cp1252")
    with pytest.raises(FileError, match="column 'town' holds characters that the encoding cp1252 does not have"):
        mask(tmp_path / "people.csv", RECIPE, tmp_path / "masked.csv", options=options, write_options=write_options)
    assert not (tmp_path / "masked.csv").exists()


def test_a_file_that_no_manifest_could_make_again_is_not_replaced(tmp_path: Path) -> None:
    source, output = german(tmp_path), tmp_path / "precious.csv"
    output.write_text("not ours")
    with pytest.raises(FileError, match=r"precious\.csv exists already, and no manifest .* the option overwrite"):
        mask(source, RECIPE, output)
    assert output.read_text() == "not ours"
    mask(source, RECIPE, output, overwrite=True)
    output.write_text("changed by hand")
    with pytest.raises(FileError, match="exists already"):
        mask(source, RECIPE, output)


def test_the_same_command_can_be_given_again_and_no_key_is_lost(tmp_path: Path) -> None:
    source, output, manifest = german(tmp_path), tmp_path / "masked.csv", tmp_path / "masked.csv.manifest.json"
    for _ in range(2):
        mask(source, RECIPE, output)
    assert not list(tmp_path.glob("*.earlier-*"))  # an output in its old order needs no key
    before = manifest.read_bytes()
    mask(source, RECIPE.replace(steps=[sf.TopCoding(columns=("alter",), at=50)]), output)
    assert (tmp_path / "masked.csv.manifest.earlier-1.json").read_bytes() == before
    assert verify(manifest).passed


def test_an_edited_recipe_is_not_replaced_by_protecting_again(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("sex,n\n" + "f,1\nm,2\n" * 5)
    source, options = tmp_path / "people.csv", ReadOptions(key=("sex",))
    for _ in range(2):
        protect(source, tmp_path / "out.csv", options=options, k=2)
    recipe = tmp_path / "out.csv.recipe.yaml"
    recipe.write_text(recipe.read_text() + "# mine\n")
    with pytest.raises(FileError, match=r"out\.csv\.recipe\.yaml exists already"):
        protect(source, tmp_path / "out.csv", options=options, k=2)
    protect(source, tmp_path / "out.csv", options=options, k=2, overwrite=True)
