"""Facts of one file mask another by the same thresholds, are told to be confidential, or refused."""

import json
import stat
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.data import Schema
from sfumato.errors import DataError, FileError, ParameterError
from sfumato.files import ReadOptions
from sfumato.jobs.mask import mask
from sfumato.jobs.verify import verify
from sfumato.masking import AdditiveNoise, CorrelatedNoise, InvariantPram, LossyCompression, RankSwapping, TopCoding
from sfumato.recipe import Recipe, manifest_path

SCHEMA = Schema.from_yaml(
    """
    variables:
    - {name: income, kind: continuous}
    - {name: tax, kind: continuous}
    - {name: town, kind: nominal}
    """
)
OPTIONS = ReadOptions(schema=SCHEMA)


def month(path: Path, seed: int, n: int, scale: float, towns: str = "ABC") -> Path:
    rng = np.random.default_rng(seed)
    income = scale * rng.lognormal(7, 1, n)
    frame = pl.DataFrame({"income": income, "tax": income / 4 + rng.normal(size=n), "town": rng.choice(list(towns), n)})
    frame.write_parquet(path)
    return path


@pytest.fixture
def january(tmp_path: Path) -> Path:
    return month(tmp_path / "jan.parquet", 1, 500, 1)


@pytest.fixture
def february(tmp_path: Path) -> Path:
    return month(tmp_path / "feb.parquet", 2, 700, 3)


def run(file: Path, recipe: Recipe, **given: Path) -> pl.DataFrame:
    output = file.with_name("-".join(["masked", file.stem, *given]) + ".parquet")
    mask(file, recipe.replace(keep_order=True), output, options=OPTIONS, threads=1, **given)  # type: ignore[arg-type]
    return pl.read_parquet(output)


def test_a_later_month_is_cut_where_the_first_one_was(january: Path, february: Path, tmp_path: Path) -> None:
    recipe = Recipe(steps=[TopCoding(columns=("income",), percent=5), RankSwapping(columns=("tax",))], seed=1)
    highest = run(january, recipe, write_facts=tmp_path / "facts.json")["income"].max()
    assert run(february, recipe, facts=tmp_path / "facts.json")["income"].max() == highest
    assert run(february, recipe)["income"].max() != highest
    assert verify(manifest_path(tmp_path / "masked-feb-facts.parquet"), source=february, threads=1).passed


def test_noise_has_the_deviations_and_draws_of_the_first_month(january: Path, february: Path, tmp_path: Path) -> None:
    recipe = Recipe(steps=[AdditiveNoise(columns=("income", "tax"), scale=0.5)], seed=1)
    before = pl.read_parquet(january)
    first = run(january, recipe, write_facts=tmp_path / "facts.json")
    noise = run(february, recipe, facts=tmp_path / "facts.json")["income"] - pl.read_parquet(february)["income"]
    assert noise.std() == pytest.approx(0.5 * float(before["income"].std()), rel=0.1)  # type: ignore[arg-type]
    own = (run(february, recipe)["income"] - pl.read_parquet(february)["income"]).std()
    assert own > 2 * noise.std()  # type: ignore[operator]
    again = run(january, recipe, facts=tmp_path / "facts.json")
    assert again.equals(first)  # facts of the file itself change nothing


def test_every_figure_comes_back_from_the_file_to_the_last_bit(january: Path, tmp_path: Path) -> None:
    steps = (
        CorrelatedNoise(columns=("income", "tax")),
        InvariantPram(columns=("town",), stay=60),
        LossyCompression(columns=("income", "tax")),
    )
    recipe = Recipe(steps=steps, seed=1)
    first = run(january, recipe, write_facts=tmp_path / "facts.json")
    assert run(january, recipe, facts=tmp_path / "facts.json").equals(first)


def test_facts_are_private_and_tell_what_they_hold_of_single_records(january: Path, tmp_path: Path) -> None:
    recipe = Recipe(steps=[LossyCompression(columns=("income", "tax")), InvariantPram(columns=("town",))], seed=1)
    told = mask(
        january, recipe, tmp_path / "out", options=OPTIONS, threads=1, write_facts=tmp_path / "facts.json"
    ).notices
    assert stat.S_IMODE((tmp_path / "facts.json").stat().st_mode) == 0o600
    assert any(
        "as confidential as the data" in notice and "income: its lowest and highest" in notice for notice in told
    )
    tells = json.loads((tmp_path / "facts.json").read_text())["tells"]
    assert "town: each of its categories, and how many records have it" in tells


def test_facts_that_do_not_fit_are_refused_without_a_value(january: Path, tmp_path: Path) -> None:
    recipe, facts = Recipe(steps=[InvariantPram(columns=("town",))], seed=1), tmp_path / "facts.json"
    run(january, recipe, write_facts=facts)
    march = month(tmp_path / "mar.parquet", 3, 300, 1, "ABCX")
    with pytest.raises(DataError, match="column 'town' has 1 category that the facts do not know") as error:
        run(march, recipe, facts=facts)
    assert "X" not in str(error.value)
    with pytest.raises(DataError, match="facts of another recipe"):
        run(january, recipe.replace(steps=(InvariantPram(columns=("town",), stay=55),)), facts=facts)
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(FileError, match="holds no facts"):
        run(january, recipe, facts=tmp_path / "other.json")
    with pytest.raises(FileError, match="cannot be read"):
        run(january, recipe, facts=tmp_path / "absent.json")
    with pytest.raises((FileError, ParameterError), match="write_facts"):
        mask(january, recipe, tmp_path / "o", options=OPTIONS, facts=facts, write_facts=facts)
