"""Protect and synthesise a folder of parts that fits into memory: as the same rows in one file, or refused before."""

from pathlib import Path

import polars as pl
import pytest

from sfumato.datasets import demo
from sfumato.errors import FileError
from sfumato.files import write
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.protect import protect
from sfumato.jobs.synthesise import synthesise
from sfumato.jobs.verify import verify

COLUMNS = ("region", "sex", "employment_status", "tax")


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of three parts of unequal sizes, beside one file with the same rows."""
    place = tmp_path_factory.mktemp("people")
    data = demo(n=600, seed=4).take_columns(COLUMNS)
    write(data, place / "whole.parquet")
    (place / "parts").mkdir()
    for number, (start, stop) in enumerate([(0, 50), (50, 400), (400, 600)]):
        data.frame[start:stop].write_parquet(place / "parts" / f"{number}.parquet")
    (place / "whole.schema.yaml").replace(place / "parts.schema.yaml")
    (place / "whole.schema.yaml").write_bytes((place / "parts.schema.yaml").read_bytes())
    return place


def rows_of(file: Path) -> pl.DataFrame:
    frame = pl.read_parquet(file)
    return frame.sort(frame.columns)


def test_protects_a_folder_like_the_same_rows_in_one_file(people: Path) -> None:
    protect(people / "parts", people / "protected.parquet", seed=1)
    protect(people / "whole.parquet", people / "protected-whole.parquet", seed=1)
    assert rows_of(people / "protected.parquet").equals(rows_of(people / "protected-whole.parquet"))


def test_the_manifest_of_a_protected_folder_tells_of_each_part_and_can_be_verified(people: Path) -> None:
    manifest = protect(people / "parts", people / "told.parquet", seed=1).manifest
    assert manifest is not None
    assert [part.rows for part in manifest.input.parts or ()] == [50, 350, 200]
    assert verify(people / "told.parquet.manifest.json").passed


def test_a_changed_part_does_not_verify(people: Path, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    for part in (people / "parts").iterdir():
        (tmp_path / "parts" / part.name).write_bytes(part.read_bytes())
    (tmp_path / "parts.schema.yaml").write_bytes((people / "parts.schema.yaml").read_bytes())
    protect(tmp_path / "parts", tmp_path / "protected.parquet", seed=1)
    pl.read_parquet(tmp_path / "parts" / "0.parquet").reverse().write_parquet(tmp_path / "parts" / "0.parquet")
    assert not verify(tmp_path / "protected.parquet.manifest.json").passed


def test_synthesises_a_folder_like_the_same_rows_in_one_file(people: Path) -> None:
    synthesise(people / "parts", people / "drawn.parquet", seed=1)
    synthesise(people / "whole.parquet", people / "drawn-whole.parquet", seed=1)
    assert rows_of(people / "drawn.parquet").equals(rows_of(people / "drawn-whole.parquet"))
    assert verify(people / "drawn.parquet.manifest.json").passed


@pytest.mark.parametrize("job", [protect, synthesise])
def test_a_folder_that_does_not_fit_is_refused_with_what_would(people: Path, job: object) -> None:
    assert callable(job)
    with pytest.raises(FileError, match=r"600 records of 4 columns.*enough for about [0-9,]+ records.*random sample"):
        job(people / "parts", people / "none.parquet", resources=Resources(memory="300.1MB"))
    assert not (people / "none.parquet").exists()


def test_a_report_on_a_folder_is_refused_before_anything_is_written(people: Path) -> None:
    with pytest.raises(FileError, match="report on a sample"):
        protect(people / "parts", people / "none.parquet", report=people / "report.html")
    assert not (people / "none.parquet").exists()
