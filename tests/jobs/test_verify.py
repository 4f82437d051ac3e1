"""A masked file is proved to come from its input by its recipe, or shown not to."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from sfumato import files
from sfumato.data import Microdata
from sfumato.errors import VerificationError
from sfumato.files import ReadOptions
from sfumato.jobs.folders.checks import Check
from sfumato.jobs.mask import mask
from sfumato.jobs.verify import VerifyResult, verify
from sfumato.masking import RankSwapping
from sfumato.recipe import Recipe, manifest_path
from tests.recipe.examples import RECIPE, SWAPPING, survey


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    survey().write_csv(path)
    return path


@pytest.fixture
def output(source: Path, tmp_path: Path) -> Path:
    mask(source, RECIPE, tmp_path / "masked.csv")
    return tmp_path / "masked.csv"


def failed(verification: VerifyResult) -> list[str]:
    return [check.name for check in verification.checks if not check.passed]


def change_manifest(masked: Path, **changes: object) -> None:
    path = manifest_path(masked)
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **changes}), encoding="utf-8")


def test_an_honest_output_passes_every_check(output: Path) -> None:
    verification = verify(manifest_path(output))
    assert verification.passed
    assert verification.checks == (
        Check("recipe", True, "the recipe in the manifest has its recorded SHA-256"),
        Check("input", True, "the input people.csv has its recorded SHA-256"),
        Check("output", True, "the output masked.csv has its recorded SHA-256"),
        Check("repetition", True, "the recipe, run again, gives the same output"),
    )


@pytest.mark.parametrize("threads", [1, 2])
def test_the_number_of_threads_does_not_matter(output: Path, threads: int) -> None:
    assert verify(manifest_path(output), threads=threads).passed


def test_a_run_with_a_drawn_seed_can_be_repeated(source: Path, tmp_path: Path) -> None:
    mask(source, RECIPE.replace(seed=None), tmp_path / "drawn.csv")
    assert verify(manifest_path(tmp_path / "drawn.csv")).passed


def test_read_options_and_schema_are_used_again(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("code;income\n01;1,5\n02;2,5\n03;4,25\n", encoding="utf-8")
    recipe = Recipe.from_yaml("steps: [additive_noise: {columns: [income]}]")
    mask(tmp_path / "people.csv", recipe, tmp_path / "masked.csv", options=ReadOptions(separator=";", decimal=","))
    assert verify(manifest_path(tmp_path / "masked.csv")).passed


def test_the_schema_beside_the_input_is_remembered(source: Path, tmp_path: Path) -> None:
    beside = tmp_path / "people.schema.yaml"
    beside.write_text("variables: {age: {kind: ordinal}}", encoding="utf-8")
    mask(source, RECIPE.replace(steps=[RankSwapping(columns=("age",))]), tmp_path / "masked.csv")
    beside.unlink()
    assert verify(manifest_path(tmp_path / "masked.csv")).passed


def test_a_schema_put_beside_the_input_later_does_not_matter(source: Path, output: Path, tmp_path: Path) -> None:
    (tmp_path / "people.schema.yaml").write_text("variables: {age: {kind: nominal}}", encoding="utf-8")
    assert verify(manifest_path(output)).passed


@pytest.mark.parametrize("suffix", ["parquet", "tsv", "xlsx", "sav", "dta"])
def test_every_format_can_be_verified(source: Path, tmp_path: Path, suffix: str) -> None:
    files.write(files.read(source), tmp_path / f"people.{suffix}")
    mask(tmp_path / f"people.{suffix}", RECIPE, tmp_path / f"masked.{suffix}")
    assert verify(manifest_path(tmp_path / f"masked.{suffix}")).passed


@pytest.mark.parametrize("place", [0, 100, -1])
def test_a_changed_byte_of_the_output_is_found(output: Path, place: int) -> None:
    content = bytearray(output.read_bytes())
    content[place] ^= 1
    output.write_bytes(content)
    verification = verify(manifest_path(output))
    assert not verification.passed
    assert failed(verification) == ["output", "repetition"]


def test_an_output_of_another_recipe_is_found(source: Path, output: Path, tmp_path: Path) -> None:
    mask(source, RECIPE.replace(steps=[SWAPPING]), tmp_path / "other.csv")
    shutil.copy(tmp_path / "other.csv", output)
    assert failed(verify(manifest_path(output))) == ["output", "repetition"]


def test_an_output_forged_together_with_its_digest_is_found(source: Path, output: Path, tmp_path: Path) -> None:
    other = mask(source, RECIPE.replace(seed=8), tmp_path / "other.csv").manifest
    shutil.copy(tmp_path / "other.csv", output)
    change_manifest(output, output={**other.output.model_dump(), "file": "masked.csv"})
    assert failed(verify(manifest_path(output))) == ["repetition"]


def test_another_input_is_found_and_not_masked(source: Path, output: Path) -> None:
    with source.open("a", encoding="utf-8") as stream:
        stream.write("north,1.0,2.0,30\n")
    verification = verify(manifest_path(output))
    assert failed(verification) == ["input", "repetition"]
    assert verification.checks[-1].sentence == "the recipe was not run again: this is not the input that was masked"


def test_another_seed_in_the_manifest_is_found(output: Path) -> None:
    change_manifest(output, seed=8)
    verification = verify(manifest_path(output))
    assert failed(verification) == ["repetition"]
    assert verification.checks[-1].sentence == "the recipe, run again, gives another output: some bytes differ"


def test_another_recipe_in_the_manifest_is_found(output: Path) -> None:
    told = json.loads(manifest_path(output).read_text(encoding="utf-8"))["recipe"]
    text = [line.replace("window: 10.0", "window: 30.0") for line in told["text"]]
    change_manifest(output, recipe={**told, "text": text})
    assert failed(verify(manifest_path(output))) == ["recipe", "repetition"]


def test_changed_versions_are_named_where_they_may_be_the_reason(output: Path) -> None:
    change_manifest(output, seed=8, versions={"numpy": "1.0.0"})
    assert "(made with numpy 1.0.0, now " in verify(manifest_path(output)).checks[-1].sentence
    change_manifest(output, seed=7)
    assert verify(manifest_path(output)).passed


def test_a_recipe_that_cannot_be_run_again_fails_with_its_reason(output: Path) -> None:
    told = json.loads(manifest_path(output).read_text(encoding="utf-8"))["recipe"]
    text = [line.replace("tax", "taxes") for line in told["text"]]
    change_manifest(output, recipe={**told, "text": text})
    sentence = verify(manifest_path(output)).checks[-1].sentence
    assert sentence.startswith("the recipe cannot be run again: the recipe has 1 problem")


def test_files_that_moved_together_are_found(
    output: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "all"
    shutil.move(tmp_path, elsewhere)
    assert verify(manifest_path(elsewhere / "masked.csv")).passed


def test_an_input_that_moved_alone_can_be_named(source: Path, output: Path, tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    moved = source.rename(tmp_path / "vault" / "renamed.csv")
    with pytest.raises(VerificationError, match=r"nothing can be verified without the input .*people\.csv"):
        verify(manifest_path(output))
    assert verify(manifest_path(output), source=moved).passed


def test_absent_files_are_told_together(source: Path, output: Path) -> None:
    source.unlink()
    output.unlink()
    with pytest.raises(
        VerificationError, match=r"without the input .*people\.csv and the output .*masked\.csv; give an input"
    ):
        verify(manifest_path(output))


def test_an_absent_manifest_cannot_be_verified(tmp_path: Path) -> None:
    with pytest.raises(VerificationError, match=r"nothing can be verified: the manifest .*absent\.json cannot be read"):
        verify(tmp_path / "absent.json")


def test_a_broken_manifest_cannot_be_verified(output: Path) -> None:
    change_manifest(output, recipe={"sha256": "0", "text": ["steps: [no_such_method]"]})
    with pytest.raises(VerificationError, match="there is no method 'no_such_method'"):
        verify(manifest_path(output))
    manifest_path(output).write_text("{", encoding="utf-8")
    with pytest.raises(VerificationError, match="it is not JSON"):
        verify(manifest_path(output))


def test_a_workbook_that_differs_only_in_how_it_is_packed_holds_the_same(source: Path, tmp_path: Path) -> None:
    output = tmp_path / "masked.xlsx"
    mask(source, RECIPE, output)
    with zipfile.ZipFile(output) as packed:
        content = {name: packed.read(name) for name in packed.namelist()}
    with zipfile.ZipFile(output, "w", zipfile.ZIP_STORED) as unpacked:
        for name, part in content.items():
            unpacked.writestr(name, part)
    assert failed(verify(manifest_path(output))) == ["output"]


@pytest.mark.parametrize("suffix", ["xlsx", "sav", "dta"])
def test_a_changed_value_is_found_in_formats_that_store_the_time(source: Path, tmp_path: Path, suffix: str) -> None:
    output = tmp_path / f"masked.{suffix}"
    mask(source, RECIPE, output)
    masked = files.read(output)
    changed = masked.frame.with_columns(tax=masked.frame["tax"].scatter(5, masked.frame["tax"][5] + 0.5))
    files.write(Microdata(changed, masked.schema), output)
    verification = verify(manifest_path(output))
    assert failed(verification) == ["output", "repetition"]
    assert verification.checks[-1].sentence == "the recipe, run again, gives another output: some values differ"


def test_it_prints_as_one_line_per_check(output: Path) -> None:
    output.write_text("other", encoding="utf-8")
    assert str(verify(manifest_path(output))).splitlines()[1:3] == [
        "passed  the input people.csv has its recorded SHA-256",
        "FAILED  the output masked.csv does not have its recorded SHA-256: it is another, or was changed",
    ]
