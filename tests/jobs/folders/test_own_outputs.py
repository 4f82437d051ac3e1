"""A run replaces and takes over only what is its own, and keeps its output out of the input."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sfumato.data import summary
from sfumato.errors import FileError, UnfinishedRunError
from sfumato.execution import blocks
from sfumato.execution.folders import ThisProcess
from sfumato.files import ReadOptions
from sfumato.jobs.folders import make_parts, resources
from sfumato.jobs.folders.plan import plan_mask
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.mask import mask
from sfumato.jobs.verify import verify
from sfumato.masking import AdditiveNoise, DropIdentifiers, Pram
from sfumato.recipe import Manifest, Recipe, manifest_path
from tests.files.folders.parts import write_parts
from tests.masking.survey import SCHEMA, survey

SHORT = Recipe(steps=(DropIdentifiers(), AdditiveNoise(columns=("income",))), seed=7)
RECIPE = Recipe(steps=(*SHORT.steps, Pram(columns=("region",), stay=80)), seed=7)


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(blocks, "ROWS_PER_BLOCK", 200)
    monkeypatch.setattr(summary, "ROWS_PER_PIECE", 200)
    monkeypatch.setattr(resources, "BLOCKS_PER_RANGE", 2)
    write_parts(survey(600), tmp_path / "people", [11, 300])
    (tmp_path / "people.schema.yaml").write_text(SCHEMA.to_yaml(), encoding="utf-8")
    return tmp_path / "people"


def leave_killed_run(people: Path, output: Path, monkeypatch: pytest.MonkeyPatch, name: str = "release_folder") -> None:
    """Mask, and be killed before the release is made, or before what is called by another name."""
    with monkeypatch.context() as killed:
        killed.setattr("sfumato.storage.private_folders.shutil.rmtree", lambda *_, **__: None)
        killed.setattr(make_parts, name, lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            mask(people, SHORT, output, threads=1)


def test_a_run_that_goes_on_never_replaces_the_output_of_another(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out"
    leave_killed_run(people, output, monkeypatch)
    other = mask(people, RECIPE, output, threads=1).manifest
    with pytest.raises(FileError, match="exists already"):
        mask(people, SHORT, output, threads=1)
    assert Manifest.load(manifest_path(output)) == other
    went_on = mask(people, SHORT, output, threads=1, overwrite=True)
    assert went_on.notices[0].startswith("An interrupted run of the same command was found")
    assert verify(manifest_path(output), threads=1).passed


def test_parts_that_were_put_in_place_and_replaced_since_are_made_anew(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out"
    with monkeypatch.context() as killed:
        killed.setattr("sfumato.storage.private_folders.shutil.rmtree", lambda *_, **__: None)
        mask(people, SHORT, output, threads=1)
    mask(people, RECIPE, output, threads=1, overwrite=True)
    with pytest.raises(FileError, match="exists already"):
        mask(people, SHORT, output, threads=1)
    mask(people, SHORT, output, threads=1, overwrite=True)
    assert verify(manifest_path(output), threads=1).passed


def test_a_file_of_facts_is_replaced_only_when_asked_for(people: Path, tmp_path: Path) -> None:
    facts = tmp_path / "facts.json"
    facts.write_text("those of January", encoding="utf-8")
    with pytest.raises(FileError, match=r"facts\.json exists already, and other files may be masked by"):
        mask(people, SHORT, tmp_path / "out", threads=1, write_facts=facts)
    assert facts.read_text(encoding="utf-8") == "those of January"
    assert not (tmp_path / "out").exists()
    mask(people, SHORT, tmp_path / "out", threads=1, write_facts=facts, overwrite=True)
    assert "recipe_sha256" in facts.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["masked", "masked.parquet"])
def test_an_output_among_the_parts_of_the_input_is_refused(name: str, people: Path, tmp_path: Path) -> None:
    for given in (people, people / "*.parquet"):
        if given == people or name.endswith(".parquet"):
            with pytest.raises(FileError, match="would lie among the parts of the input"):
                mask(given, SHORT, people / name, options=ReadOptions(schema=SCHEMA), threads=1)
    with pytest.raises(FileError, match="would lie among the parts of the input"):
        plan_mask(people, SHORT, people / name, threads=1)
    assert all(file.suffix == ".parquet" and file.name != name for file in people.iterdir())


def test_a_run_that_loses_its_cluster_keeps_what_is_finished(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Losing(ThisProcess):
        def map(self, task: Callable[[Any], Any], tasks: Iterable[Any], /) -> Iterator[Any]:
            yield from super().map(task, tasks)
            raise UnfinishedRunError("lost")

    with pytest.raises(UnfinishedRunError):
        mask(people, SHORT, tmp_path / "out", resources=Resources(engine=Losing()))
    assert list(tmp_path.glob(".sfumato-*-spill/*.done.json"))
    result = mask(people, SHORT, tmp_path / "out", threads=1)
    assert "taken over" in result.notices[0]
    assert not list(tmp_path.glob(".sfumato-*"))


def test_what_is_made_again_lies_where_somebody_says(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mask(people, SHORT, tmp_path / "out", threads=1)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "absent"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    seen: list[str] = []

    class Watched:
        def map(self, task: Callable[[Any], Any], tasks: Iterable[Any], /) -> Iterator[Any]:
            seen.extend(path.name for path in (tmp_path / "spill").iterdir())
            return map(task, tasks)

    (tmp_path / "spill").mkdir()
    used = Resources(spill=tmp_path / "spill", engine=Watched())
    assert verify(manifest_path(tmp_path / "out"), threads=1, resources=used).passed
    assert seen
    assert all(name.startswith(".sfumato-") for name in seen)
    assert not list((tmp_path / "spill").iterdir())
    nowhere = verify(manifest_path(tmp_path / "out"), resources=Resources(spill=tmp_path / "nowhere"))
    assert "a private folder cannot be made in" in str(nowhere)
