"""What a step and a recipe do is shown beside the original, also where a column becomes another."""

from pathlib import Path

import pytest

import sfumato as sf
from sfumato.app.screens.proposal import limit_words
from sfumato.data import role
from tests.app.test_tasks import SEED, inputs_of, run


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("before") / "survey.csv"
    sf.write(sf.datasets.demo(200), path)
    return path


def test_a_preview_shows_the_classes_that_numbers_become(file: Path) -> None:
    recipe = sf.Recipe(steps=[sf.Discretisation(columns=("age",), breaks=(30, 60))]).to_yaml()
    shape = run("preview", inputs_of(file), recipe=recipe, column="age")["shape"]
    assert shape["became"]["labels"] == ["below 30", "30 to below 60", "60 or more"]  # in their order
    assert sum(shape["became"]["after"]) == pytest.approx(100, abs=0.1)
    dropped = sf.Recipe(steps=[sf.DropIdentifiers(columns=("age",))]).to_yaml()
    assert run("preview", inputs_of(file), recipe=dropped, column="age")["is_dropped"]


def test_the_risk_by_the_keys_after_a_recipe_is_that_of_the_masked_file_and_limits_are_judged_as_in_a_proposal(
    file: Path,
) -> None:
    bare = inputs_of(file, sf.TopCoding(columns=("age",), at=60))
    data = bare.data
    found = run("masked_risk", bare, limits=["k>=3"])
    masked = bare.given_recipe.run(data)
    expected = sf.risk_report(masked, k=3)
    assert {one["name"]: one["after"] for one in found["figures"]} == {one.name: one.value for one in expected.figures}
    assert {one["name"]: one["value"] for one in found["figures"]} == {
        one.name: one.value for one in sf.risk_report(data, k=3).figures
    }
    (limit,) = found["limits"]
    assert limit_words(limit).startswith("Not kept: k >= 3 (it is 1); it does not hold against")
    proposed = run("propose", bare, k=3, limits=["k>=3"])
    kept = run("masked_risk", inputs_of(file, *sf.Recipe.from_yaml(proposed["recipe"]).steps), limits=["k>=3"])
    assert kept["limits"] == proposed["after"]["limits"]
    assert kept["limits"][0]["is_met"]
    keys = data.select(role("key"))
    suppressed = run("masked_risk", inputs_of(file, sf.LocalSuppression(columns=("region", "sex"), k=5)))["keys"]
    masked = sf.Recipe(steps=[sf.LocalSuppression(columns=("region", "sex"), k=5)], seed=SEED).run(data)
    assert {one["key"]: one["gaps"][1] for one in suppressed} == {key: masked.frame[key].null_count() for key in keys}
    assert run("masked_risk", inputs_of(file, sf.DropIdentifiers(columns=keys)))["gone"] == list(keys)


def test_a_measure_that_is_refused_does_not_hide_the_others(file: Path) -> None:
    asked = [{"suda": {}}, {"t_closeness": {"sensitive": ["age"], "columns": ["age"]}}]
    found = run("measures", inputs_of(file), measures=asked)
    assert [bool(one.get("problem")) for one in found] == [False, True]
