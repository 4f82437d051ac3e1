"""Protect a file: masked once, and written as `mask` would write it."""

from pathlib import Path

import polars as pl
import pytest

import sfumato as sf
from sfumato.errors import FileError
from sfumato.files import ReadOptions
from sfumato.jobs.mask import mask
from sfumato.jobs.protect import protect, recipe_path
from sfumato.jobs.result import JobEnding
from sfumato.recipe import Recipe
from tests.protection.surveys import survey


@pytest.fixture
def file(tmp_path: Path) -> Path:
    data = survey()
    sf.write(data.with_frame(data.frame.with_columns(pl.col("tax").round(2))), tmp_path / "survey.csv")
    return tmp_path / "survey.csv"


@pytest.mark.parametrize("seed", [None, 7])
def test_the_protected_records_are_what_mask_gives_by_the_written_recipe_and_the_seed(
    file: Path, tmp_path: Path, seed: int | None
) -> None:
    output = tmp_path / "safe.csv"
    result = protect(file, output, number_steps=[sf.RankSwapping(columns=["tax"])], seed=seed)
    assert result.manifest is not None
    recipe = Recipe.load(recipe_path(output))
    assert recipe.seed == seed
    again = mask(file, recipe.replace(seed=result.manifest.seed), tmp_path / "again.csv").manifest
    # each release has an order and household numbers of its own
    released = [sf.read(path).frame.drop("home") for path in (tmp_path / "again.csv", output)]
    assert released[0].sort(pl.all()).equals(released[1].sort(pl.all()))
    assert again.input == result.manifest.input
    assert again.unchanged == result.manifest.unchanged


def test_the_file_is_masked_once_and_judged_as_it_is_written(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[Recipe] = []
    run = Recipe.run

    def count(recipe: Recipe, *given: object, **options: object) -> object:
        runs.append(recipe)
        return run(recipe, *given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Recipe, "run", count)
    judged = protect(file, tmp_path / "safe.csv").protected.data.frame["tax"]
    assert len(runs) == 1
    assert judged.sort().equals(sf.read(tmp_path / "safe.csv").frame["tax"].sort())


def test_options_that_would_leave_a_key_of_the_schema_unprotected_are_refused(file: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="gives the role key to town, age, income, and the option key would take it"):
        protect(file, tmp_path / "safe.csv", options=ReadOptions(key=("sex", "job")))
    with pytest.raises(FileError, match="gives the role confidential to tax, and the option confidential"):
        protect(file, tmp_path / "safe.csv", options=ReadOptions(confidential=("job",)))
    assert not (tmp_path / "safe.csv").exists()
    said = ReadOptions(key=("sex", "job", "town"), other=("age", "income"))
    assert protect(file, tmp_path / "safe.csv", options=said).manifest is not None


def test_a_limit_that_is_not_met_is_the_ending_and_nothing_is_written(file: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    result = protect(file, tmp_path / "safe.csv", limits=["global_risk<=0"])
    assert result.ending is JobEnding.NOT_MET
    assert result.manifest is None
    assert "No file was written" in result.notices[0]
    assert sorted(tmp_path.iterdir()) == before


def test_a_page_of_an_earlier_run_beside_the_output_is_named(file: Path, tmp_path: Path) -> None:
    first = protect(file, tmp_path / "safe.csv", page=tmp_path / "safe.csv.html")
    again = protect(file, tmp_path / "safe.csv")
    told = "safe.csv.html was there before, and is not about this file: remove it, or write it anew."
    assert told in again.notices
    assert told not in first.notices


def test_another_release_of_the_same_file_beside_the_output_is_named(file: Path, tmp_path: Path) -> None:
    first = protect(file, tmp_path / "safe.csv")
    second = protect(file, tmp_path / "stricter.csv", strict=True)
    assert not any("Other releases" in notice for notice in first.notices)
    [told] = [notice for notice in second.notices if "Other releases of the same original" in notice]
    assert "safe.csv (" in told
    masked = mask(file, tmp_path / "safe.csv.recipe.yaml", tmp_path / "masked.csv")
    assert any("safe.csv (" in notice and "stricter.csv (" in notice for notice in masked.notices)
