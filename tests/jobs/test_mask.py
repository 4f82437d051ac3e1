"""A masked file appears with its manifest, or not at all."""

import errno
import hashlib
import json
import os
import platform
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numba
import numpy as np
import polars as pl
import pytest

import sfumato
from sfumato import files
from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import DocumentError, FileError
from sfumato.files import ReadOptions, WriteOptions
from sfumato.jobs.mask import mask
from sfumato.jobs.progress import Stage
from sfumato.masking import AdditiveNoise, RankSwapping
from sfumato.recipe import Manifest, Recipe, manifest_path
from tests.recipe.examples import RECIPE, survey


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    survey().write_csv(path)
    return path


def test_the_masked_file_holds_what_the_recipe_gives_in_another_order(source: Path, tmp_path: Path) -> None:
    mask(source, RECIPE, tmp_path / "masked.csv")
    exact, released = RECIPE.run(files.read(source)).frame, pl.read_csv(tmp_path / "masked.csv")
    given = exact.with_columns(pl.col(pl.Float64).round(2))  # as many decimals as the original has
    assert not released.equals(given)
    assert released.sort(released.columns).equals(given.sort(given.columns))


def test_the_manifest_tells_all_that_is_needed_to_repeat_the_run(source: Path, tmp_path: Path) -> None:
    RECIPE.save(tmp_path / "recipe.yaml")
    before = datetime.now(UTC)
    returned = mask(source, tmp_path / "recipe.yaml", tmp_path / "masked.csv").manifest
    told = json.loads((tmp_path / "masked.csv.manifest.json").read_text(encoding="utf-8"))
    assert told["sfumato"] == sfumato.__version__
    assert told["versions"] == {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "polars": pl.__version__,
    }
    assert told["seed"] == 7
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    assert told["input"] == {"file": "people.csv", "sha256": digest, "rows": 60, "columns": 4}
    digest = hashlib.sha256((tmp_path / "masked.csv").read_bytes()).hexdigest()
    assert told["output"] == {"file": "masked.csv", "sha256": digest, "rows": 60, "columns": 4}
    assert told["recipe"] == {
        "file": "recipe.yaml",
        "sha256": hashlib.sha256((tmp_path / "recipe.yaml").read_bytes()).hexdigest(),
        "text": RECIPE.to_yaml().splitlines(),
    }
    assert told["read_options"] == {}
    assert timedelta(0) <= datetime.fromisoformat(told["started"]) - before < timedelta(minutes=1)
    assert 0 < told["seconds"] < 60
    assert Manifest.load(tmp_path / "masked.csv.manifest.json") == returned


def test_the_manifest_warns_first_that_it_is_confidential(source: Path, tmp_path: Path) -> None:
    mask(source, RECIPE, tmp_path / "masked.csv")
    told = json.loads(manifest_path(tmp_path / "masked.csv").read_text(encoding="utf-8"))
    assert next(iter(told)) == "confidential"
    assert "holds the seed" in told["confidential"]
    assert "do not publish it" in told["confidential"]


def test_the_manifest_holds_no_record_value(tmp_path: Path) -> None:
    frame = pl.DataFrame({"name": ["Zoltan", "Brunhild", "Oda"], "income": [98761.25, 98762.25, 98763.5]})
    frame.write_csv(tmp_path / "people.csv")
    mask(
        tmp_path / "people.csv",
        Recipe(steps=[AdditiveNoise(columns=("income",))], keep_identifiers=True),
        tmp_path / "masked.csv",
    )
    told = manifest_path(tmp_path / "masked.csv").read_text(encoding="utf-8")
    masked = pl.read_csv(tmp_path / "masked.csv")
    cells = [str(value) for column in (*frame.iter_columns(), *masked.iter_columns()) for value in column]
    assert not [value for value in cells if value in told]


def test_one_and_two_threads_write_the_same_bytes(tmp_path: Path) -> None:
    survey(140_000).write_csv(tmp_path / "people.csv")  # three blocks of noise, two of swapping
    columns = ("income", "tax")
    steps = [AdditiveNoise(columns=columns), RankSwapping(columns=columns)]
    recipe = Recipe(steps=steps, seed=1, keep_order=True)
    mask(tmp_path / "people.csv", recipe, tmp_path / "one.csv", threads=1)
    mask(tmp_path / "people.csv", recipe, tmp_path / "two.csv", threads=2)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_a_seed_drawn_for_the_run_is_kept_apart_from_the_recipe(source: Path, tmp_path: Path) -> None:
    recipe = RECIPE.replace(seed=None)
    first = mask(source, recipe, tmp_path / "first.csv").manifest
    second = mask(source, recipe, tmp_path / "second.csv").manifest
    assert first.seed != second.seed
    assert first.recipe == second.recipe
    assert first.repeatable() == recipe.replace(seed=first.seed)


def test_files_are_named_as_seen_from_the_manifest(source: Path, tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    RECIPE.save(tmp_path / "recipe.yaml")
    manifest = mask(source, str(tmp_path / "recipe.yaml"), tmp_path / "release" / "masked.csv").manifest
    assert manifest.input.file == "../people.csv"
    assert manifest.recipe.file == "../recipe.yaml"
    assert manifest.output.file == "masked.csv"


def test_files_are_found_from_a_folder_reached_by_a_link(source: Path, tmp_path: Path) -> None:
    (tmp_path / "far" / "away").mkdir(parents=True)
    (tmp_path / "near").symlink_to(tmp_path / "far" / "away")
    manifest = mask(source, RECIPE, tmp_path / "near" / "masked.csv").manifest
    assert (tmp_path / "near").resolve() / manifest.input.file == tmp_path / "far/away/../../people.csv"


def test_read_options_are_used_and_recorded(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("income;age\n1,5;30\n2,5;40\n4,25;50\n", encoding="utf-8")
    recipe = Recipe(steps=[AdditiveNoise(columns=("income",))], seed=1)
    manifest = mask(
        tmp_path / "people.csv", recipe, tmp_path / "masked.csv", options=ReadOptions(separator=";", decimal=",")
    ).manifest
    told = json.loads(manifest_path(tmp_path / "masked.csv").read_text(encoding="utf-8"))
    assert told["read_options"] == {"separator": ";", "decimal": ","}
    assert manifest.input.columns == 2


@pytest.mark.parametrize("as_file", [False, True])
def test_a_schema_for_the_reader_is_used_and_recorded(source: Path, tmp_path: Path, as_file: bool) -> None:
    variable = Variable(name="age", kind="ordinal", value_labels={1: "one", "1": "text"})
    schema = files.read(source).schema.with_variables(variable)
    (tmp_path / "schema.yaml").write_text(schema.to_yaml(), encoding="utf-8")
    recipe = Recipe(steps=[RankSwapping(columns=("age",))], seed=7)
    given = tmp_path / "schema.yaml" if as_file else schema
    manifest = mask(source, recipe, tmp_path / "masked.csv", options=ReadOptions(schema=given)).manifest
    assert manifest.schema_given() == schema
    with pytest.raises(DocumentError, match="'age' is ordinal"):
        mask(source, RECIPE, tmp_path / "other.csv", options=ReadOptions(schema=given))


def test_progress_is_told(source: Path, tmp_path: Path) -> None:
    stages: list[Stage] = []
    mask(source, RECIPE, tmp_path / "masked.csv", on_progress=stages.append)
    steps = [
        f"step {number} of 3: {name}" for number, name in enumerate(("additive_noise", "rank_swapping", "mdav"), 1)
    ]
    assert [stage.description for stage in stages] == ["reading", *steps, "writing"]
    assert stages[1] == Stage("step 1 of 3: additive_noise", 1, 1)


@pytest.mark.parametrize("name", ["people.csv", "sub/../people.csv", "link.csv", "twin.csv"])
def test_an_output_that_is_the_input_is_refused(source: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.csv").symlink_to(source)
    os.link(source, tmp_path / "twin.csv")
    before = source.read_bytes()
    with pytest.raises(FileError, match=r"would take the place of .*people\.csv; choose another name"):
        mask(source, RECIPE, tmp_path / name)
    assert source.read_bytes() == before


def test_an_output_that_is_the_recipe_is_refused(source: Path, tmp_path: Path) -> None:
    RECIPE.save(tmp_path / "recipe.csv")
    with pytest.raises(FileError, match="would take the place of"):
        mask(source, tmp_path / "recipe.csv", tmp_path / "recipe.csv")
    assert Recipe.load(tmp_path / "recipe.csv") == RECIPE


def test_an_output_whose_schema_file_is_the_given_schema_is_refused(source: Path, tmp_path: Path) -> None:
    (tmp_path / "masked.schema.yaml").write_text("variables: {age: {kind: continuous}}", encoding="utf-8")
    with pytest.raises(FileError, match=r"the output .*masked\.schema\.yaml would take the place of"):
        mask(source, RECIPE, tmp_path / "masked.csv", options=ReadOptions(schema=tmp_path / "masked.schema.yaml"))


def test_an_output_in_an_absent_folder_is_refused(source: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"there is no folder .*absent; make it first"):
        mask(source, RECIPE, tmp_path / "absent" / "masked.csv")


def test_an_output_that_is_a_folder_is_refused(source: Path, tmp_path: Path) -> None:
    (tmp_path / "masked.csv").mkdir()
    with pytest.raises(FileError, match=r"masked\.csv is a folder; name a file in it"):
        mask(source, RECIPE, tmp_path / "masked.csv")


def test_an_absent_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"absent\.csv"):
        mask(tmp_path / "absent.csv", RECIPE, tmp_path / "masked.csv")
    assert list(tmp_path.iterdir()) == []


def test_an_absent_schema_is_refused(source: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"there is no file .*absent\.yaml"):
        mask(source, RECIPE, tmp_path / "masked.csv", options=ReadOptions(schema=tmp_path / "absent.yaml"))


def test_a_run_that_fails_leaves_nothing_behind(source: Path, tmp_path: Path) -> None:
    recipe = Recipe(steps=[AdditiveNoise(columns=("absent",))])
    with pytest.raises(DocumentError):
        mask(source, recipe, tmp_path / "masked.csv")
    assert list(tmp_path.iterdir()) == [source]


def test_a_manifest_that_cannot_be_written_leaves_no_output_behind(source: Path, tmp_path: Path) -> None:
    (tmp_path / "masked.csv.manifest.json").mkdir()
    with pytest.raises(FileError, match=r"masked\.csv\.manifest\.json"):
        mask(source, RECIPE, tmp_path / "masked.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["masked.csv.manifest.json", "people.csv"]


def test_a_manifest_that_cannot_be_written_leaves_an_older_output_as_it_was(source: Path, tmp_path: Path) -> None:
    (tmp_path / "masked.csv.manifest.json").mkdir()
    (tmp_path / "masked.csv").write_text("older", encoding="utf-8")
    with pytest.raises(FileError):
        mask(source, RECIPE, tmp_path / "masked.csv")
    assert (tmp_path / "masked.csv").read_text(encoding="utf-8") == "older"


def test_a_disk_that_is_full_before_the_manifest_is_whole_leaves_no_output_behind(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(manifest: Manifest, path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Manifest, "write_to", refuse)
    schema = Schema(variables=(Variable(name="age", kind="continuous", label="Age in years"),))
    with pytest.raises(FileError, match="the disk is full"):
        mask(source, RECIPE.replace(schema=schema), tmp_path / "masked.csv")
    assert list(tmp_path.iterdir()) == [source]


def test_an_output_that_cannot_be_written_leaves_the_older_one_and_its_manifest(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mask(source, RECIPE.replace(seed=1), tmp_path / "masked.csv")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def refuse(data: Microdata, path: Path, options: WriteOptions) -> None:
        raise FileError(f"{path} cannot be written")

    monkeypatch.setattr(files, "write_with", refuse)
    with pytest.raises(FileError, match=r"masked\.csv cannot be written"):
        mask(source, RECIPE, tmp_path / "masked.csv")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("masked.sas7bdat", "a SAS file can be read, not written"),
        ("masked.cvs", "the suffix '.cvs' is not known; did you mean '.csv'"),
        ("people.parquet", "would share the schema file people.schema.yaml with the input"),
        ("homes.sav", "homes.schema.yaml is the schema of homes.csv too, and would be replaced"),
    ],
)
def test_an_output_that_could_never_be_written_is_refused_before_the_run(
    source: Path, tmp_path: Path, name: str, reason: str
) -> None:
    stages: list[Stage] = []
    (tmp_path / "homes.csv").touch()
    (tmp_path / "homes.schema.yaml").touch()
    with pytest.raises(FileError) as refused:
        mask(source, RECIPE, tmp_path / name, on_progress=stages.append)
    assert reason in str(refused.value)
    assert stages == []


def test_an_older_output_and_its_manifest_are_replaced(source: Path, tmp_path: Path) -> None:
    mask(source, RECIPE.replace(seed=1), tmp_path / "masked.csv")
    manifest = mask(source, RECIPE, tmp_path / "masked.csv").manifest
    assert Manifest.load(manifest_path(tmp_path / "masked.csv")) == manifest
    digest = hashlib.sha256((tmp_path / "masked.csv").read_bytes()).hexdigest()
    assert manifest.output.sha256 == digest


@pytest.mark.parametrize(("seed", "is_told"), [(7, True), (2**100 + 7, False), (None, False)])
def test_a_short_seed_is_told_to_be_found_by_trying(seed: int | None, is_told: bool, tmp_path: Path) -> None:
    pl.DataFrame({"income": [10.5, 20.25, 20.25, 47.5, 51.75, 60.5]}).write_csv(tmp_path / "people.csv")
    recipe = Recipe(steps=[RankSwapping(columns=("income",), window=50)], seed=seed)
    found = mask(tmp_path / "people.csv", recipe, tmp_path / "masked.csv")
    assert any("FOUND BY TRYING" in notice for notice in found.notices) is is_told
