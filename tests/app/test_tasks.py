"""What the workbench computes is what the functions and commands give, and holds no seed."""

import json
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.app.tasks import TASKS, Inputs
from sfumato.errors import DataError
from sfumato.jobs.verify import verify

SEED = 98765432123456789


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("app") / "survey.csv"
    sf.write(sf.datasets.demo(200), path)
    return path


def run(verb: str, inputs: Inputs, **arguments: Any) -> Any:
    found = TASKS[verb](inputs, arguments, lambda stage: None)
    assert str(SEED) not in json.dumps(found)
    return found


def inputs_of(file: Path, *steps: Any) -> Inputs:
    recipe = sf.Recipe(steps=steps, seed=SEED) if steps else None
    return Inputs(file, sf.read(file).schema.to_yaml(), recipe, SEED, file.parent / "release")


def test_every_column_has_a_shape_that_adds_up_but_those_that_name_people(file: Path) -> None:
    found = run("look", inputs_of(file))
    shapes = {column["name"]: column["shape"] for column in found["columns"]}
    assert shapes.pop("person_id") == shapes.pop("household_id") == {}
    data = sf.read(file)
    for name, shape in shapes.items():
        gaps = 100 * (1 - data.observed(name).mean()) if "missing" not in shape["labels"] else 0
        assert sum(shape["before"]) == pytest.approx(100 - gaps, abs=0.1), name


def test_the_risk_is_that_of_the_report(file: Path) -> None:
    found = run("risk", inputs_of(file), k=5)
    report = sf.risk_report(sf.read(file), k=5)
    assert {figure["name"]: figure["value"] for figure in found["figures"]} == report.to_dict()["figures"]
    assert sum(found["histogram"]["records"]) == 200


def test_what_is_proposed_is_what_protect_gives(file: Path) -> None:
    found = run("propose", inputs_of(file), k=3)
    assert found["recipe"] == sf.protect(sf.read(file), 3, seed=SEED).recipe.replace(seed=None).to_yaml()


def test_a_preview_shows_a_column_before_and_after(file: Path) -> None:
    recipe = sf.Recipe(steps=[sf.TopCoding(columns=("age",), at=30)]).to_yaml()
    shape = run("preview", inputs_of(file), recipe=recipe, column="age")["shape"]
    assert sum(shape["before"]) == pytest.approx(100, abs=0.1)
    assert shape["before"] != shape["after"]
    assert sum(share for label, share in zip(shape["labels"], shape["after"], strict=True) if float(label) > 33) == 0


def test_the_masked_file_is_measured_against_somebody_who_has_the_recipe(file: Path) -> None:
    steps = (sf.DropIdentifiers(columns=("person_id",)), sf.Mdav(columns=("age", "tax"), k=5))
    found = run("measure", inputs_of(file, *steps))
    data, recipe = sf.read(file), sf.Recipe(steps=steps, seed=SEED)
    expected = sf.assess(data, recipe.run(data), methods=recipe.parts)
    assert {one["name"]: one["value"] for one in found["figures"]} == {
        one.name: one.value for one in expected.measurements
    }
    assert found["dropped"] == ["person_id"]


def test_a_release_can_be_made_again_byte_for_byte(file: Path) -> None:
    inputs = inputs_of(file, sf.DropIdentifiers(columns=("person_id",)), sf.AdditiveNoise(columns=("tax",), scale=0.5))
    found = run("release", inputs, name="masked.csv")
    output = Path(found["output"])
    assert output.exists()
    assert verify(output.with_name("masked.csv.manifest.json")).ending == "done"


def test_tells_what_to_do_where_there_is_no_key_or_no_step(file: Path) -> None:
    inputs = inputs_of(file)
    keyless = Inputs(file, sf.read(file).schema.with_roles(key=[]).to_yaml(), None, SEED, inputs.release_folder)
    for verb in ("risk", "propose"):
        with pytest.raises(DataError, match="no column is a key"):
            run(verb, keyless)
    with pytest.raises(DataError, match="there is no step yet"):
        run("measure", inputs)
