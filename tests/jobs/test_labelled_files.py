"""A labelled file goes in and comes out with its labels, through one recipe."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyreadstat
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.errors import DocumentError
from sfumato.files import ReadOptions, read, write
from sfumato.jobs.mask import mask
from sfumato.jobs.verify import verify
from sfumato.masking import Mdav, Pram, RankSwapping, TopCoding
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
    assert sorted(masked.frame["sex"]) == sorted(survey.frame["sex"])
    assert sorted(masked.frame["health"]) == sorted(survey.frame["health"])
    assert masked.frame["health"].to_list() != survey.frame["health"].to_list()
    assert masked.frame["income"].n_unique() <= 100
    assert verify(tmp_path / f"masked{suffix}.manifest.json").passed


def test_labels_reach_a_csv_through_the_schema_beside_it(survey: Microdata, tmp_path: Path) -> None:
    write(survey, tmp_path / "people.sav")
    mask(tmp_path / "people.sav", RECIPE, tmp_path / "masked.csv")
    assert (tmp_path / "masked.schema.yaml").exists()
    assert read(tmp_path / "masked.csv").schema["sex"].value_labels == {1: "male", 2: "female"}


def write_labelled(path: Path, *, declared: bool) -> pl.DataFrame:
    """Write a survey as another program would: refusals are codes with labels, declared missing (in SPSS) or not."""
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "age": np.r_[rng.integers(18, 80, 280), np.full(20, 99)].astype(float),
            "region": rng.choice([36.0, 62.0, 96.0], 300),
            "income": np.r_[np.full(10, -9.0), rng.lognormal(8, 1, 290).round(2)],
        }
    )
    labels: dict[str, dict[Any, str]] = {
        "age": {99.0: "Refused"},
        "region": {36.0: "north", 62.0: "south", 96.0: "abroad"},
        "income": {-9.0: "Weiß nicht"},
    }
    if path.suffix == ".sav":
        missing: Any = {"age": [99.0], "income": [-9.0]} if declared else None
        scale = dict.fromkeys(frame.columns, "scale")
        pyreadstat.write_sav(frame, path, variable_value_labels=labels, missing_ranges=missing, variable_measure=scale)
    else:
        whole = frame.with_columns(pl.col("age", "region").cast(pl.Int32))
        coded: dict[str, dict[Any, str]] = {
            name: {int(code): text for code, text in each.items()} for name, each in labels.items()
        }
        pyreadstat.write_dta(whole, path, variable_value_labels=coded)
    return frame


CODED = Recipe(
    steps=[
        Mdav(columns=("age",), k=5),
        RankSwapping(columns=("income",), window=20),
        Pram(columns=("region",), stay=50),
    ],
    seed=7,
    keep_order=True,
)
DECLARED = Schema(
    variables=(
        Variable(name="age", kind=Kind.CONTINUOUS, missing_codes=(99,)),
        Variable(name="income", kind=Kind.CONTINUOUS, missing_codes=(-9,)),
    )
)


@pytest.mark.parametrize("suffix", [".sav", ".dta"])
def test_labelled_refusals_that_nobody_declared_stop_the_masking(suffix: str, tmp_path: Path) -> None:
    write_labelled(tmp_path / f"people{suffix}", declared=False)
    with pytest.raises(DocumentError, match=r"column 'age' holds 99 \(20 records, labelled 'Refused'\)") as caught:
        mask(tmp_path / f"people{suffix}", CODED, tmp_path / f"masked{suffix}")
    assert "column 'income' holds -9 (10 records, labelled 'Weiß nicht')" in str(caught.value)
    assert not list(tmp_path.glob("masked*"))


@pytest.mark.parametrize(("suffix", "by_the_file"), [(".sav", True), (".sav", False), (".dta", False)])
def test_declared_refusals_come_back_as_the_same_codes_with_the_same_labels(
    suffix: str, by_the_file: bool, tmp_path: Path
) -> None:
    before = write_labelled(tmp_path / f"people{suffix}", declared=by_the_file)
    options = ReadOptions() if by_the_file else ReadOptions(schema=DECLARED)
    mask(tmp_path / f"people{suffix}", CODED, tmp_path / f"masked{suffix}", options=options)
    reader = pyreadstat.read_sav if suffix == ".sav" else pyreadstat.read_dta
    stated: Any
    after, stated = reader(tmp_path / f"masked{suffix}", user_missing=True, output_format="polars")
    for name, code, label in (("age", 99, "Refused"), ("income", -9, "Weiß nicht")):
        assert (after[name] == code).to_list() == (before[name] == code).to_list()
        assert stated.variable_value_labels[name] == {code: label}
        answered = before[name].filter(before[name] != code)
        masked = after[name].filter(after[name] != code)
        assert masked.mean() == pytest.approx(answered.mean(), rel=0.02)
        assert answered.min() <= masked.min() <= masked.max() <= answered.max()  # type: ignore[operator]
    assert set(after["region"]) == {36, 62, 96}
    if suffix == ".sav":
        assert {
            name: [(each["lo"], each["hi"]) for each in found] for name, found in stated.missing_ranges.items()
        } == {
            "age": [(99, 99)],
            "income": [(-9, -9)],
        }


def test_whole_numbers_that_are_all_labelled_are_codes_though_spss_calls_them_a_scale(tmp_path: Path) -> None:
    write_labelled(tmp_path / "people.sav", declared=True)
    kinds = {variable.name: variable.kind for variable in read(tmp_path / "people.sav").schema.variables}
    assert kinds == {"age": Kind.CONTINUOUS, "region": Kind.NOMINAL, "income": Kind.CONTINUOUS}
