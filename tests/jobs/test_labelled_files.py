"""A labelled file goes in and comes out with its labels, through one recipe."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.files import read, write
from sfumato.jobs.mask import mask
from sfumato.jobs.verify import verify
from sfumato.masking import Mdav, RankSwapping, TopCoding
from sfumato.recipe import Recipe

SCHEMA = Schema(
    variables=(
        Variable(name="age", kind=Kind.CONTINUOUS, label="Age in years", role=Role.KEY),
        Variable(name="sex", kind=Kind.NOMINAL, label="Sex", value_labels={1: "male", 2: "female"}),
        Variable(name="health", kind=Kind.ORDINAL, label="Health", value_labels={1: "bad", 2: "fair", 3: "good"}),
        Variable(name="income", kind=Kind.CONTINUOUS, label="Yearly income"),
    )
)
RECIPE = Recipe(
    steps=[
        TopCoding(columns=("age",), at=80),
        RankSwapping(columns=("health",), window=20),
        Mdav(columns=("income",), k=3),
    ],
    seed=7,
    schema=Schema(variables=(SCHEMA["health"],)),
)


@pytest.fixture
def survey() -> Microdata:
    rng = np.random.default_rng(2)
    return Microdata(
        pl.DataFrame(
            {
                "age": rng.integers(18, 99, 300),
                "sex": rng.integers(1, 3, 300),
                "health": rng.integers(1, 4, 300),
                "income": rng.lognormal(9, 1, 300).round(),
            }
        ),
        SCHEMA,
    )


@pytest.mark.parametrize("suffix", [".dta", ".sav", ".zsav"])
def test_value_labels_survive_the_whole_walk(survey: Microdata, suffix: str, tmp_path: Path) -> None:
    write(survey, tmp_path / f"people{suffix}")
    mask(tmp_path / f"people{suffix}", RECIPE, tmp_path / f"masked{suffix}")
    masked = read(tmp_path / f"masked{suffix}")
    for name in ("sex", "health"):
        assert masked.schema[name].value_labels == SCHEMA[name].value_labels
    for name in SCHEMA.names:
        assert masked.schema[name].label == SCHEMA[name].label
    assert masked.frame["age"].max() == 80
    assert masked.frame["sex"].to_list() == survey.frame["sex"].to_list()
    assert sorted(masked.frame["health"]) == sorted(survey.frame["health"])
    assert masked.frame["health"].to_list() != survey.frame["health"].to_list()
    assert masked.frame["income"].n_unique() <= 100
    assert verify(tmp_path / f"masked{suffix}.manifest.json").passed


def test_labels_reach_a_csv_through_the_schema_beside_it(survey: Microdata, tmp_path: Path) -> None:
    write(survey, tmp_path / "people.sav")
    mask(tmp_path / "people.sav", RECIPE, tmp_path / "masked.csv")
    assert (tmp_path / "masked.schema.yaml").exists()
    assert read(tmp_path / "masked.csv").schema["sex"].value_labels == {1: "male", 2: "female"}
