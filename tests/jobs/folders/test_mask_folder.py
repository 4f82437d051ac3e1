"""Folders larger than memory: masked as in memory, whatever the parts and the processes, or refused beforehand."""

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato import files
from sfumato.data import Microdata, summary
from sfumato.errors import (
    DataError,
    DocumentError,
    FileError,
    ParameterError,
    SfumatoError,
    UnknownColumnError,
)
from sfumato.execution import blocks
from sfumato.execution.folders import ThisProcess
from sfumato.files import ReadOptions
from sfumato.jobs.folders import make_parts, resources
from sfumato.jobs.folders.plan import plan_mask
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.mask import mask
from sfumato.jobs.progress import Stage
from sfumato.jobs.verify import verify
from sfumato.masking import (
    AdditiveNoise,
    BlockedMicroaggregation,
    DropIdentifiers,
    LocalSuppression,
    Mdav,
    Pram,
    RankSwapping,
    Sampling,
)
from sfumato.recipe import Manifest, Recipe, manifest_path
from tests.files.folders.parts import write_parts
from tests.masking.survey import SCHEMA, survey

N = 3000
STEPS = (
    DropIdentifiers(),
    AdditiveNoise(columns=("income",)),
    Pram(columns=("region",), stay=80),
    RankSwapping(columns=("tax", "income"), window=1),
)
RECIPE = Recipe(steps=STEPS, seed=7)
SHORT = Recipe(steps=STEPS[:2], seed=7)


@pytest.fixture(autouse=True)
def ranges_of_a_thousand_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "ROWS_PER_BLOCK", 500)
    monkeypatch.setattr(blocks, "RANKS_PER_BLOCK", 700)
    monkeypatch.setattr(summary, "ROWS_PER_PIECE", 500)
    monkeypatch.setattr(resources, "BLOCKS_PER_RANGE", 2)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    write_parts(survey(N), tmp_path / "people", [11, 1700])
    (tmp_path / "people.schema.yaml").write_text(SCHEMA.to_yaml(), encoding="utf-8")
    return tmp_path / "people"


def rows_of(folder: Path) -> pl.DataFrame:
    return pl.concat([pl.read_parquet(part) for part in sorted(folder.iterdir())])


def test_one_process_two_other_parts_and_memory_give_the_same_rows(people: Path, tmp_path: Path) -> None:
    one = mask(people, RECIPE, tmp_path / "one", threads=1).manifest
    two = mask(people, RECIPE, tmp_path / "two", threads=2).manifest
    survey(N).write_parquet(tmp_path / "whole.parquet")
    (tmp_path / "whole.schema.yaml").write_text(SCHEMA.to_yaml(), encoding="utf-8")
    recipe = one.repeatable()
    in_memory = recipe.run(files.read(tmp_path / "whole.parquet"))
    for manifest, name in ((one, "one"), (two, "two")):
        assert rows_of(tmp_path / name).equals(recipe.release(in_memory, manifest.release_key).frame)
    assert verify(manifest_path(tmp_path / "two"), source=people, threads=1).passed
    other_parts = write_parts(survey(N), tmp_path / "other", [2000])[0].parent
    again = mask(other_parts, RECIPE, tmp_path / "three", options=ReadOptions(schema=SCHEMA), threads=1).manifest
    assert again.output.rows == N
    assert recipe.release(in_memory, again.release_key).frame.equals(rows_of(tmp_path / "three"))


def test_other_releases_of_a_folder_and_of_a_part_of_it_are_named(people: Path, tmp_path: Path) -> None:
    first = mask(people, RECIPE, tmp_path / "one", threads=1)
    assert not any("Other releases" in notice for notice in first.notices)
    part = sorted(people.iterdir())[1]
    mask(part, RECIPE, tmp_path / "half.parquet", options=ReadOptions(schema=SCHEMA))
    second = mask(people, RECIPE, tmp_path / "two", threads=1)
    [told] = [notice for notice in second.notices if "Other releases of the same original" in notice]
    day = second.manifest.started.date().isoformat()
    assert f"half.parquet ({day}), one ({day})." in told


def test_one_parquet_file_is_written_of_parts_and_proved(people: Path, tmp_path: Path) -> None:
    manifest = mask(people, RECIPE, tmp_path / "one.parquet", threads=1).manifest
    folder = mask(people, RECIPE, tmp_path / "parts", threads=1).manifest
    recipe = folder.repeatable()
    in_memory = recipe.run(Microdata(survey(N), SCHEMA))
    assert pl.read_parquet(tmp_path / "one.parquet").equals(recipe.release(in_memory, manifest.release_key).frame)
    assert verify(manifest_path(tmp_path / "one.parquet"), threads=1).passed
    assert files.read(tmp_path / "one.parquet").schema["tax"].missing_codes == (-9,)
    with pytest.raises(FileError, match="exists already"):
        mask(people, RECIPE, tmp_path / "one.parquet", threads=1)
    survey(20).write_parquet(tmp_path / "one.parquet")
    failed = [
        check.name for check in verify(manifest_path(tmp_path / "one.parquet"), threads=1).checks if not check.passed
    ]
    assert failed == ["output"]
    assert not list(tmp_path.glob(".sfumato-*"))


def test_several_files_and_text_are_masked_as_one(people: Path, tmp_path: Path) -> None:
    named = sorted(people.iterdir())
    manifest = mask(named[:2], RECIPE, tmp_path / "two", threads=1).manifest
    assert [part.rows for part in manifest.input.parts or ()] == [11, 1689]
    assert verify(manifest_path(tmp_path / "two"), threads=1).passed
    survey(N).write_csv(tmp_path / "whole.csv")
    text = mask(
        tmp_path / "whole.csv", SHORT, tmp_path / "text", options=ReadOptions(schema=SCHEMA), threads=1
    ).manifest
    in_memory = SHORT.run(files.read(tmp_path / "whole.csv", SCHEMA))
    assert rows_of(tmp_path / "text").equals(text.repeatable().release(in_memory, text.release_key).frame)
    assert verify(manifest_path(tmp_path / "text"), threads=1).passed
    assert not list(tmp_path.glob(".sfumato-*"))


def test_the_manifest_and_the_schema_stand_beside_the_parts_and_nothing_else_is_left(
    people: Path, tmp_path: Path
) -> None:
    stages: list[Stage] = []
    result = mask(people, RECIPE, tmp_path / "out", threads=1, on_progress=stages.append)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "out",
        "out.manifest.json",
        "out.schema.yaml",
        "people",
        "people.schema.yaml",
    ]
    stored = Manifest.load(manifest_path(tmp_path / "out"))
    assert stored == result.manifest
    assert [part.rows for part in stored.input.parts or ()] == [11, 1689, 1300]
    assert stored.unchanged == ("health", "note", "born", "admitted")
    assert "3,000 records, 7 columns, 1 part" in str(result)
    assert any("were not looked for" in notice for notice in result.notices)
    assert Stage("step 2 of 4: additive_noise", 3, 3) in stages
    mask(tmp_path / "out", Recipe(steps=[RankSwapping(columns=("tax",))]), tmp_path / "again", threads=1)


def test_a_killed_run_goes_on_with_its_own_seed(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = RECIPE.replace(seed=None)
    with monkeypatch.context() as killed:
        killed.setattr("sfumato.storage.private_folders.shutil.rmtree", lambda *_, **__: None)
        killed.setattr(make_parts, "release_folder", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            mask(people, recipe, tmp_path / "out", threads=1)
    (spill,) = tmp_path.glob(".sfumato-*-spill")
    drawn = (spill / "run.json").read_text(encoding="utf-8")
    done: list[Stage] = []
    manifest = mask(people, recipe, tmp_path / "out", threads=1, on_progress=done.append).manifest
    assert f'"{manifest.seed}"' in drawn
    assert {stage.description for stage in done if stage.total} == {"writing"}
    assert verify(manifest_path(tmp_path / "out"), threads=1).passed


class Dying(ThisProcess):
    """Does some tasks, and is killed at the next."""

    def __init__(self, tasks: int) -> None:
        self.left = tasks

    def map(self, task: Callable[[Any], Any], tasks: Iterable[Any], /) -> Iterator[Any]:
        for each in tasks:
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            yield task(each)


def test_a_run_that_is_killed_at_any_task_goes_on_to_the_same_rows(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = (
        DropIdentifiers(),
        LocalSuppression(columns=("region", "health"), k=3),
        BlockedMicroaggregation(columns=("income", "tax"), k=3),
        Mdav(columns=("income",), k=3, within=("region",)),
        RankSwapping(columns=("tax",), window=1),
    )
    recipe = Recipe(steps=steps, seed=7, keep_order=True)
    monkeypatch.setattr(blocks, "NEIGHBOURS_PER_BLOCK", 1500)
    tasks: list[Stage] = []
    wanted = mask(people, recipe, tmp_path / "wanted", threads=1, on_progress=tasks.append).manifest.output.rows_sha256
    total = sum(1 for stage in tasks if stage.total)
    assert total > 30
    for done in range(1, total, 9):
        with monkeypatch.context() as killed:
            killed.setattr("sfumato.storage.private_folders.shutil.rmtree", lambda *_, **__: None)
            with pytest.raises(KeyboardInterrupt):
                mask(people, recipe, tmp_path / f"out-{done}", resources=Resources(engine=Dying(done)))
        again = mask(people, recipe, tmp_path / f"out-{done}", threads=1).manifest
        assert again.output.rows_sha256 == wanted
        assert not list(tmp_path.glob(".sfumato-*"))


def test_a_run_that_was_killed_while_it_published_does_so_again(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as killed:
        killed.setattr("sfumato.storage.private_folders.shutil.rmtree", lambda *_, **__: None)
        mask(people, SHORT.replace(seed=None), tmp_path / "out", threads=1)
    seed = Manifest.load(manifest_path(tmp_path / "out")).seed
    manifest_path(tmp_path / "out").unlink()
    assert mask(people, SHORT.replace(seed=None), tmp_path / "out", threads=1).manifest.seed == seed
    assert not list(tmp_path.glob(".sfumato-*"))


def test_a_run_that_fails_leaves_nothing_behind(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill_the_disk(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(make_parts, "release_folder", fill_the_disk)
    with pytest.raises(FileError, match="the disk is full"):
        mask(people, SHORT, tmp_path / "out", threads=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people", "people.schema.yaml"]


def test_an_earlier_release_is_replaced_only_when_asked_for(people: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    first = mask(people, SHORT, tmp_path / "out", threads=1).manifest
    with pytest.raises(FileError, match="exists already"):
        mask(people, SHORT, tmp_path / "out", threads=1)
    (tmp_path / "out" / "notes.txt").write_text("mine")
    with pytest.raises(FileError, match=r"notes\.txt, which is no part"):
        mask(people, SHORT, tmp_path / "out", threads=1, overwrite=True)
    (tmp_path / "out" / "notes.txt").unlink()
    second = mask(people, SHORT.replace(seed=8), tmp_path / "out", threads=1, overwrite=True).manifest
    assert second.output.rows_sha256 != first.output.rows_sha256
    assert (tmp_path / "out.manifest.earlier-1.json").exists()


def test_a_part_that_was_changed_is_found(people: Path, tmp_path: Path) -> None:
    mask(people, SHORT, tmp_path / "out", threads=1)
    rows_of(tmp_path / "out").reverse().write_parquet(tmp_path / "out" / "part-00000.parquet")
    failed = [check.name for check in verify(manifest_path(tmp_path / "out"), threads=1).checks if not check.passed]
    assert failed == ["output"]
    survey(20).write_parquet(people / "people-0.parquet")
    failed = [check.name for check in verify(manifest_path(tmp_path / "out"), threads=1).checks if not check.passed]
    assert failed == ["input", "output", "repetition"]


def test_what_cannot_be_written_or_run_is_refused_before_anything_is_done(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(FileError, match="become a Parquet file or, where the name has no suffix, a folder"):
        mask(people, RECIPE, tmp_path / "out.csv")
    with pytest.raises(FileError, match="would take the place of the input"):
        mask(people, RECIPE, people, overwrite=True)
    kept = (people.with_name("people.schema.yaml")).rename(tmp_path / "out.schema.yaml")
    with pytest.raises(FileError, match="would take the place of the input's"):
        mask(people, RECIPE, tmp_path / "out", options=ReadOptions(schema=kept), overwrite=True)
    with pytest.raises(FileError, match=r"out\.schema\.yaml exists already"):
        mask(people, RECIPE, tmp_path / "out", options=ReadOptions(schema=SCHEMA))
    kept.rename(people.with_name("people.schema.yaml"))
    with pytest.raises(DocumentError, match="sampling changes which records there are"):
        mask(people, Recipe(steps=[DropIdentifiers(), Sampling(percent=50)]), tmp_path / "out")
    monkeypatch.setattr("sfumato.execution.folders.whole.BYTES_PER_VALUE", 10**9)
    with pytest.raises(DataError, match="mdav needs all 3,000 records at once in 2 columns"):
        mask(people, Recipe(steps=[DropIdentifiers(), Mdav(columns=("income",))]), tmp_path / "out")
    with pytest.raises(ParameterError, match="memory must be at least"):
        mask(people, RECIPE, tmp_path / "out", resources=Resources(memory="100MB"))
    with pytest.raises(UnknownColumnError, match="did you mean 'income'"):
        mask(people, Recipe(steps=[DropIdentifiers(), RankSwapping(columns=("incomee",))]), tmp_path / "out")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SfumatoError, match="with the package distributed"):
        mask(people, RECIPE, tmp_path / "out", resources=Resources(cluster="tcp://127.0.0.1:1"))
    assert not (tmp_path / "out").exists()


def test_the_plan_tells_passes_bytes_and_memory_and_runs_nothing(people: Path, tmp_path: Path) -> None:
    plan = plan_mask(people, RECIPE, threads=2, resources=Resources(memory="2GB"))
    assert [(step.step, step.passes) for step in plan.steps] == [
        ("1 drop_identifiers", 0),
        ("2 additive_noise", 1),
        ("3 pram", 1),
        ("4 rank_swapping", 3),
        ("release", 2),
    ]
    assert plan.steps[1].gigabytes_read == pytest.approx(N * 8 / 1e9, rel=0.1)
    assert "3,000 records by 2 processes, with 2.0 GB" in str(plan)
    assert len(list(tmp_path.iterdir())) == 2
