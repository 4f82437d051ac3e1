"""What the workbench computes is what the functions and commands give, and holds no seed."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars
import pytest

import sfumato as sf
from sfumato.app import changes
from sfumato.app.hierarchy_edits import read_tree
from sfumato.app.project import State
from sfumato.app.screens.proposal import limit_words, promise_words
from sfumato.app.table_specifications import specification_of
from sfumato.app.tasks import TASKS, Inputs
from sfumato.app.tasks.studies import plain_study
from sfumato.data import Schema
from sfumato.errors import DataError
from sfumato.files import ReadOptions
from sfumato.jobs.protect import protect
from sfumato.jobs.reports.check_report import check_report
from sfumato.jobs.risk import risk
from sfumato.jobs.tables.table_protect import table_protect
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
    return Inputs(file, sf.read(file).schema.to_yaml(), recipe, SEED, file.parent)


def recipe_of_command(inputs: Inputs, **asked: Any) -> str:
    """Return the recipe that `sfumato protect` finds for the file of a project."""
    options = ReadOptions(schema=Schema.from_yaml(inputs.schema_yaml))
    with TemporaryDirectory() as folder:
        output = Path(folder) / inputs.file.name
        found = protect(inputs.file, output, options=options, seed=SEED, **asked)
    return found.protected.recipe.replace(seed=None).to_yaml()


def test_a_proposal_for_a_file_with_labels_keeps_its_codes(tmp_path: Path) -> None:
    file = tmp_path / "survey.sav"
    labels = {1: "north", 2: "south", 3: "east", 4: "west"}
    table = sf.datasets.demo(200).table.to_native().select("age", "sex", "tax")
    table = table.with_columns(place=polars.Series([1, 2, 3, 4, 1] * 40))
    schema = Schema.infer(table).with_kinds(nominal=["place"]).with_roles(key=["sex", "place"], confidential=["tax"])
    schema = schema.with_variables(schema["place"].replace(value_labels=labels))
    sf.write(sf.Microdata(table, schema), file)
    inputs = replace(inputs_of(file), schema_yaml=schema.to_yaml())
    assert run("propose", inputs, k=30)["recipe"] == recipe_of_command(inputs, k=30)


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


def test_further_measures_are_those_of_the_command(file: Path) -> None:
    schema = sf.read(file).schema.with_roles(key=["age", "sex", "region"], confidential=["marital_status", "tax"])
    inputs = replace(inputs_of(file), schema_yaml=schema.to_yaml())
    entries = [{"suda": {"max_size": 2}}, {"l_diversity": {"apart": {"tax": 100}}}, {"marketer_risk": {}}]
    found = run("measures", inputs, measures=entries)
    result = risk(file, options=ReadOptions(schema=schema), measures=file.parent / "measures.yaml")
    assert [
        {name: one[name] for name in plain} for one, plain in zip(found, result.to_dict()["measures"], strict=True)
    ] == (result.to_dict()["measures"])
    assert [one["title"] for one in found] == ["SUDA", "L-diversity", "Marketer risk"]
    assert sum(found[0]["histogram"]["records"]) == 200
    assert found[1]["histogram"] == {}  # all or nothing


def test_a_proposal_is_held_against_further_limits_as_protect_does(file: Path) -> None:
    asked: dict[str, Any] = {"k": 3, "combinations": 2, "limits": ["global_risk<=0.001"], "number_steps": []}
    found = run("propose", inputs_of(file), **asked)
    assert found["recipe"] == recipe_of_command(inputs_of(file), **asked)
    (words,) = map(limit_words, found["after"]["limits"])
    assert words.startswith("Not kept: global risk <= 0.001 (it is ")


def test_categories_that_are_text_can_be_put_into_an_order(file: Path) -> None:
    data = sf.read(file)
    schema = data.schema.with_kinds(ordinal=["region"])
    codes = [
        one["code"]
        for one in run("categories", replace(inputs_of(file), schema_yaml=schema.to_yaml()), column="region")
    ]
    state = changes.give_order(State("opened", data.schema.to_yaml()), "region", codes, "\n".join(reversed(codes)))
    assert sf.read(file, schema=state.schema).codes("region")[1] == tuple(reversed(codes))
    inputs = replace(inputs_of(file), schema_yaml=state.schema_yaml)
    tree = read_tree(run("hierarchy", inputs, column="region", sizes=[2]))
    assert tree.recoding(1)[codes[-1]] == f"{codes[-1]} to {codes[-2]}"


def test_what_is_proposed_is_what_protect_gives(file: Path) -> None:
    found = run("propose", inputs_of(file), k=3)
    assert found["recipe"] == recipe_of_command(inputs_of(file), k=3)
    assert "rounding" in found["recipe"]  # to the decimals of the file


def test_a_proposal_for_whole_records_is_what_protect_gives(file: Path) -> None:
    found = run("propose", inputs_of(file), k=5, whole_records=True)
    assert found["recipe"] == recipe_of_command(inputs_of(file), k=5, whole_records=True)
    assert [promise_words(promise) for promise in found["promises"]] == ["Kept: k = 5 by all columns that are released"]


def test_a_proposal_keeps_groups_as_close_to_the_file_as_was_asked(file: Path) -> None:
    data = sf.read(file)
    data = data.with_schema(data.schema.with_roles(key=["age", "sex"], confidential=["marital_status"]))
    inputs = replace(inputs_of(file), schema_yaml=data.schema.to_yaml())
    found = run("propose", inputs, k=3, t=0.4)
    assert found["recipe"] == recipe_of_command(inputs, k=3, t=0.4)
    assert [promise_words(promise) for promise in found["promises"]] == [
        "Kept: k = 3 by all keys",
        "Kept: t = 0.4 as the distance of each group from the file in marital_status",
    ]


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
    keyless = Inputs(file, sf.read(file).schema.with_roles(key=[]).to_yaml(), None, SEED, inputs.folder)
    for verb in ("risk", "propose"):
        with pytest.raises(DataError, match="no column is a key"):
            run(verb, keyless)
    with pytest.raises(DataError, match="there is no step yet"):
        run("measure", inputs)


def test_a_table_is_what_the_command_line_makes_of_the_same_specification(file: Path) -> None:
    tree = {"root": "*", "pairs": [["*", "all"], ["all", "female"], ["all", "male"]]}
    specification = specification_of(
        ["region", "sex"],
        rule={"min_units": {"units": 4}},
        protection={"automatic_suppression": {}},
        trees={"sex": tree},
    )
    found = run("table", inputs_of(file), specification=specification)
    expected = table_protect(file.parent / "tables" / "table.yaml")
    assert found["sentences"] == list(expected.sentences)
    assert found["is_safe"]
    (laid,) = expected.crosstabs.values()
    (plain,) = found["tables"].values()
    assert [[cell and cell["text"] for cell in row] for row in plain["cells"]] == [
        [cell and cell.text for cell in row] for row in laid.cells
    ]
    hidden = [cell for row in plain["cells"] for cell in row if cell and cell["is_suppressed"]]
    assert hidden
    assert all(cell["hint"] for cell in hidden)
    written = run("table_release", inputs_of(file), specification=specification)
    assert "tables/released/table.csv" in written["files"]
    others = run("alternatives", inputs_of(file), specification=specification)
    assert {"controlled_rounding", "cell_key_perturbation"} <= {one["name"] for one in others["protections"]}


def test_every_candidate_of_a_study_can_be_taken_and_released(file: Path) -> None:
    data = sf.read(file)
    study = sf.compare(
        data, [sf.Mdav(columns=("age", "tax"), k=k) for k in (3, 20)], seed=SEED, workers=1, progress=False
    )
    found = plain_study(study, data.schema, study.best(), ["seed of the folder", "the map"], [])
    assert {"DR", "DLD"} <= set(found["axes"]["risk"])
    assert {"IL", "IL1s"} <= set(found["axes"]["loss"])
    assert str(SEED) not in json.dumps(found)
    assert found["notices"] == ["the map"]
    assert [one["is_best"] for one in found["candidates"]].count(True) == 1
    for one in found["candidates"]:
        recipe = sf.Recipe.from_yaml(one["recipe"])
        recipe.refuse_release(data.schema)
        assert one["figures"][found["loss"]] == study.candidates[0 if "3" in one["label"] else 1].mean(found["loss"])


def test_synthetic_records_can_be_made_again_byte_for_byte(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    sf.write(sf.Microdata(sf.datasets.demo(150).table.select("age", "sex", "tax").to_native()), file)
    found = run("synthesise", inputs_of(file), holdout=20.0, min_leaf=5, models={"tax": "linear"})
    assert found["leak"]
    assert set(found["shapes"]) == {"age", "sex", "tax"}
    assert "after" in found["shapes"]["tax"]
    assert verify(tmp_path / "synthetic" / "synthetic.csv.manifest.json").ending == "done"


def test_records_are_shown_with_labels_and_by_their_risk(file: Path) -> None:
    found = run("records", inputs_of(file))
    risks = [record["risk"] for record in found["records"]]
    assert risks == sorted(risks, reverse=True)
    assert "person_id" not in found["names"]


def test_a_tree_is_read_from_a_file(file: Path, tmp_path: Path) -> None:
    regions = [one["code"] for one in run("categories", inputs_of(file), column="region")]
    tree = tmp_path / "tree.csv"
    tree.write_text("".join(f"{code},group {number % 2}\n" for number, code in enumerate(regions)))
    found = run("hierarchy", inputs_of(file), column="region", file=str(tree))
    assert read_tree(found).recoding(1)[regions[0]] == "group 0"


def test_a_release_is_verified_and_reported_as_the_commands_do(file: Path) -> None:
    inputs = inputs_of(file, sf.DropIdentifiers(columns=("person_id",)), sf.TopCoding(columns=("age",), at=60))
    run("release", inputs, name="masked.csv")
    manifest = file.parent / "release" / "masked.csv.manifest.json"
    assert run("verify", inputs, name="masked.csv") == {"passed": True, "text": str(verify(manifest))}
    found = run("report", inputs, name="masked.csv", limits=["k>=3"])
    assert "not met" in found["text"].lower()
    page = file.parent / "report" / "report.html"
    assert check_report(page.with_suffix(".json")).ending == "done"
    assert str(SEED) not in page.read_text()
    released = file.parent / "release" / "masked.csv"
    released.write_bytes(released.read_bytes().replace(b"60", b"61", 1))
    assert not run("verify", inputs, name="masked.csv")["passed"]
