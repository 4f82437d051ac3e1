"""Every verb that reads data takes the same options, and reads the same with them."""

from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from pathlib import Path

import polars as pl
import pytest

import sfumato as sf
from sfumato.cli.commands import app
from sfumato.errors import SchemaError
from sfumato.files import ReadOptions, WriteOptions
from sfumato.jobs.assess import assess
from sfumato.jobs.compare import compare
from sfumato.jobs.describe import describe
from sfumato.jobs.improve import improve
from sfumato.jobs.init import init
from sfumato.jobs.mask import mask
from sfumato.jobs.protect import protect
from sfumato.jobs.risk import risk
from sfumato.jobs.search import search
from sfumato.jobs.verify import verify

VERBS = (assess, compare, describe, improve, init, mask, protect, risk, search)
FORCED = ReadOptions(format="csv", separator="|", decimal=",", encoding="latin-1")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    numbers = (
        pl.DataFrame(sf.datasets.demo(500, 0).frame).select("total_income", "expenditure", "savings").fill_null(0.0)
    )
    lines = ["|".join(numbers.columns)]
    lines += ["|".join(str(value).replace(".", ",") for value in row) for row in numbers.iter_rows()]
    (tmp_path / "people.dat").write_text("\n".join(lines) + "\n", encoding="latin-1")
    return tmp_path / "people.dat"


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__name__)
def test_a_verb_takes_them_and_so_does_its_command(verb: Callable[..., object]) -> None:
    assert signature(verb).parameters["options"].default == ReadOptions()
    (command,) = [each for each in app.registered_commands if each.callback.__name__ == verb.__name__]  # type: ignore[union-attr]
    assert set(ReadOptions.__dataclass_fields__) <= set(signature(command.callback).parameters)  # type: ignore[arg-type]


def test_a_file_of_any_name_is_masked_assessed_improved_and_verified(people: Path, tmp_path: Path) -> None:
    assert [column.kind for column in describe(people, options=FORCED).columns] == ["continuous"] * 3
    recipe = sf.Recipe(steps=[sf.Mdav(columns=("total_income", "savings"), k=5)], seed=1)
    mask(people, recipe, tmp_path / "masked.dat", options=FORCED, write_options=WriteOptions(format="csv"))
    assert verify(tmp_path / "masked.dat.manifest.json").passed
    assert assess(people, tmp_path / "masked.dat", options=FORCED, outliers=False).assessment.values["DLD"] >= 0
    better = improve(
        people, tmp_path / "masked.dat", tmp_path / "better.csv", options=FORCED, parameters={"max_steps": 10}, seed=1
    )
    assert better.manifest.read_options == FORCED
    assert verify(tmp_path / "better.csv.manifest.json").passed


def test_kinds_and_roles_that_are_named_go_before_the_schema_and_are_kept_in_it(tmp_path: Path) -> None:
    rows = "\n".join(f"{i % 30},{i % 2},{1 + i % 3}.5,{i}" for i in range(60))
    (tmp_path / "people.csv").write_text(f"region,sex,weight,income\n{rows}\n")
    (tmp_path / "people.schema.yaml").write_text("variables: {sex: {kind: nominal, role: key}}\n")
    named = ReadOptions(
        nominal=("region",), key=("region",), weight="income", continuous=("income",), other=("income",)
    )
    with pytest.raises(SchemaError, match="column 'income' is named twice: as weight and as other"):
        describe(tmp_path / "people.csv", options=named)
    options = replace(named, other=())
    read = describe(tmp_path / "people.csv", options=options)
    assert {column.name: (column.kind, column.role) for column in read.columns} == {
        "region": ("nominal", "key"),
        "sex": ("nominal", "other"),
        "weight": ("continuous", "other"),
        "income": ("continuous", "weight"),
    }
    recipe = sf.Recipe(steps=[sf.LocalSuppression(columns=sf.role("key"), k=2)])
    manifest = mask(tmp_path / "people.csv", recipe, tmp_path / "masked.csv", options=options).manifest
    assert manifest.read_options == ReadOptions(separator=None)
    assert "  region: {kind: nominal, role: key}" in manifest.input_schema
    assert verify(tmp_path / "masked.csv.manifest.json").passed
