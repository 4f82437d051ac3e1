"""What leaves the house as parts is what `Recipe.release` gives in memory."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.comparison.kept_values import count_kept_values, kept_percents
from sfumato.data import Microdata, Schema, Variable, summary
from sfumato.errors import DataError
from sfumato.execution.folders import Spill, ThisProcess
from sfumato.files.folders import row_digests
from sfumato.files.folders.row_digests import chunk_digests, rows_digest
from sfumato.masking import AdditiveNoise
from sfumato.recipe import Recipe
from sfumato.recipe.folders import release
from sfumato.recipe.folders.release import ReleasedParts, release_folder
from tests.files.folders.parts import folder_of

N = 330
RNG = np.random.default_rng(4)
FRAME = pl.DataFrame(
    {
        "person": np.arange(N),
        "household": RNG.integers(1000, 1090, N),
        "job": pl.Series(RNG.choice(["nurse", "clerk"], N), dtype=pl.Enum(["bishop", "clerk", "nurse"])),
        "sex": RNG.integers(1, 3, N),
        "income": RNG.lognormal(8, 1, N).round(2),
    }
)
SCHEMA = Schema(
    variables=(
        Variable(name="person", kind="nominal", role="identifier"),
        Variable(name="household", kind="nominal", role="household"),
        Variable(name="job", kind="nominal"),
        Variable(name="sex", kind="nominal", value_labels={1: "f", 2: "m", 3: "bishop"}),
        Variable(name="income", kind="continuous"),
    )
)
KEY = 12345
RECIPE = Recipe(steps=[AdditiveNoise(columns=("income",))], seed=1, keep_identifiers=True)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "ROWS_PER_PIECE", 50)
    monkeypatch.setattr(row_digests, "ROWS_PER_DIGEST", 40)
    monkeypatch.setattr(release, "ROWS_PER_DIGEST", 40)
    monkeypatch.setattr(release, "ROWS_PER_PART", 120)


def written(recipe: Recipe, tmp_path: Path, rows_per_range: int) -> tuple[pl.DataFrame, ReleasedParts]:
    place = tmp_path / str(rows_per_range)
    for name in ("", "spill", "out"):
        (place / name).mkdir()
    folder = folder_of(FRAME, SCHEMA, place / "in", [100, 101])
    facts = release_folder(
        recipe,
        folder,
        folder,
        place / "out",
        spill=Spill(place / "spill", ThisProcess()),
        release_key=KEY,
        rows_per_range=rows_per_range,
    )
    return pl.concat([pl.read_parquet(place / "out" / part.file) for part in facts.parts]), facts


@pytest.mark.parametrize(
    "waivers", [{}, {"keep_order": True}, {"keep_households": True, "keep_categories": True}], ids=str
)
def test_the_parts_are_what_memory_releases(waivers: dict[str, bool], tmp_path: Path) -> None:
    recipe = RECIPE.replace(**waivers)
    wanted = recipe.release(Microdata(FRAME, SCHEMA), KEY)
    for rows in (70, 1000):
        found, facts = written(recipe, tmp_path, rows)
        assert found.equals(wanted.frame)
        assert found.schema == wanted.frame.schema
        assert facts.schema == wanted.schema
        assert facts.rows_sha256 == rows_digest(wanted.frame, chunk_digests(wanted.frame))
        parts = [40] * 8 + [10] if rows < 120 else [120, 120, 90]  # a task holds a part, and so no more than a range
        assert [part.rows for part in facts.parts] == parts
    assert facts.unchanged == tuple(n for n in FRAME.columns if n != "household" or "keep_households" in waivers)


def test_identifiers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="person"):
        written(RECIPE.replace(keep_identifiers=None), tmp_path, 100)


def test_counts_of_kept_values_add_up_over_ranges() -> None:
    before = Microdata(FRAME, SCHEMA)
    after = before.map_columns(("income",), lambda name, values: np.where(values > 3000, 3000, values))
    rows = [slice(0, 100), slice(100, N)]
    parts = [count_kept_values(before.take_rows(each), after.take_rows(each))["income"] for each in rows]
    assert parts[0] + parts[1] == count_kept_values(before, after)["income"]
    stayed = int((FRAME["income"] <= 3000).sum())
    assert kept_percents({"income": parts[0] + parts[1]}) == {"income": round(100 * stayed / N, 2)}
