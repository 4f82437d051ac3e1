"""What the workbench compares is what the commands make of the same file, by one yardstick for all recipes."""

import json
from dataclasses import replace
from pathlib import Path

import polars
import pytest

import sfumato as sf
from sfumato.app import changes
from sfumato.app.project import State
from sfumato.app.studies import study_measures
from sfumato.app.studies.proposal_entries import proposal_entry
from sfumato.data import Schema
from sfumato.jobs.compare import compare as compare_job
from tests.app.test_tasks import inputs_of, recipe_of_command, run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    sf.write(sf.datasets.demo(200), path)
    return path


def test_proposals_are_compared_with_methods_by_keys_and_numbers(file: Path) -> None:
    inputs = inputs_of(file)
    schema = Schema.from_yaml(inputs.schema_yaml).with_roles(key=["sex", "age"], confidential=["tax"])
    inputs = replace(inputs, schema_yaml=schema.to_yaml())
    entries = [
        proposal_entry("keys", {}, [3, 10]),
        proposal_entry("whole records", {"whole_records": True}, [5, 500]),
        {"name": "numbers alone", "mdav": {"columns": ["tax"], "k": 5}},
    ]
    found = run("compare", inputs, candidates=entries)
    by_name = {one["label"]: one for one in found["candidates"]}
    assert list(by_name) == ["keys, k = 3", "keys, k = 10", "whole records, k = 5", "numbers alone"]
    assert [one["error"] for one in by_name.values()] == [""] * 4
    assert [
        notice for notice in found["notices"] if notice.startswith("Of whole records, k = 500: nothing can be proposed")
    ]
    steps = sf.Recipe.from_yaml(recipe_of_command(inputs, k=10)).steps
    assert sf.Recipe.from_yaml(by_name["keys, k = 10"]["recipe"]).steps == steps
    keys, numbers = (f"WCL[columns=role({which})]" for which in ("key", "confidential"))
    risk = {name: one["figures"] for name, one in by_name.items()}
    assert risk["keys, k = 10"][keys] < risk["keys, k = 3"][keys] < risk["numbers alone"][keys]
    assert risk["whole records, k = 5"]["WCL[columns=linkable]"] <= 20
    mean = risk["keys, k = 3"]["WCLmean"]
    assert mean == pytest.approx((risk["keys, k = 3"][keys] + risk["keys, k = 3"][numbers]) / 2)
    loss = "UV[columns=linkable]"
    assert risk["keys, k = 10"][loss] > risk["keys, k = 3"][loss] > risk["numbers alone"][loss] > 0
    assert (found["risk"], found["loss"]) == ("WCLmean", loss)
    assert found["titles"][keys] == "Linked by who knows the keys, %"
    kept = (file.parent / "studies" / "grid" / "proposals.json").read_text()
    assert run("compare", inputs, candidates=entries)["candidates"] == found["candidates"]
    assert (file.parent / "studies" / "grid" / "proposals.json").read_text() == kept
    grid = file.parent / "studies" / "grid"
    again = compare_job(grid / "study.yaml", grid)  # what sfumato compare does with the same file
    assert again.study.reused == len(by_name)
    assert [one.label for one in again.study.candidates] == list(by_name)
    assert [one.mean(keys) for one in again.study.candidates] == [figures[keys] for figures in risk.values()]


def test_codes_that_are_numbers_stay_numbers_in_a_grid_that_is_kept(tmp_path: Path) -> None:
    data = sf.datasets.demo(200)
    region = data.codes("region")[0]
    path = tmp_path / "coded.csv"
    sf.write(sf.Microdata(data.frame.with_columns(region=polars.Series(region + 1))), path)
    inputs = inputs_of(path)
    schema = Schema.from_yaml(inputs.schema_yaml).with_kinds(nominal=["region"])
    schema = schema.with_roles(key=["sex", "age", "region"], confidential=["tax"])
    inputs = replace(inputs, schema_yaml=schema.to_yaml())
    own = {"name": "own", "steps": [{"recoding": {"columns": ["region"], "map": {1: 2}, "keeps_others": True}}]}
    state = changes.add_candidates(State("opened", inputs.schema_yaml), [own, proposal_entry("keys", {}, [3])])
    entries = json.loads(json.dumps(state.settings[changes.GRID]))  # as the folder of the project keeps them
    for _ in range(2):  # the second time the proposal is taken from the folder
        found = run("compare", inputs, candidates=entries)["candidates"]
        assert [(one["label"], one["error"]) for one in found] == [("own", ""), ("keys, k = 3", "")]


def test_large_files_are_compared_without_the_attacks_that_take_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_measures, "MAX_ATTACKED", 100)
    data = sf.datasets.demo(200)
    coded = sf.Recipe(steps=[sf.Discretisation(columns=("tax",), breaks=[100.0])])
    measures = study_measures.study_measures(data, [coded])["measures"]
    named = {name: parameters["columns"] for one in measures[:3] for name, parameters in one.items()}
    assert list(named) == ["k_anonymity", "distance_linkage", "interval_disclosure"]
    assert "tax" not in named["distance_linkage"]  # which is not a number in each of them
    assert {"wage_income", "savings"} <= set(named["distance_linkage"])
