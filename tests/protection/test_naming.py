"""What broader keys are called, in the language of who releases them."""

from pathlib import Path

import numpy as np
import polars as pl
import pyreadstat
import pytest

import sfumato as sf
from sfumato.errors import ParameterError
from sfumato.jobs.assess import assess
from sfumato.jobs.protect import protect
from sfumato.protection.ladders import Naming, ladder
from sfumato.recipe.release import unchanged_percents
from tests.docs.running import run_command

NAMES = {"lowest": "<{high}", "between": "{low}-{last}", "highest": "{low}+", "joined": "{low}/{high}"}
LEVELS = {1: "sehr schlecht", 2: "schlecht", 3: "mittel", 4: "gut", 5: "sehr gut", 6: "bestens"}


@pytest.fixture
def people() -> sf.Microdata:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "alter": rng.integers(18, 90, 60),
            "ort": rng.choice([*"abcdefghij"], 60, p=[0.4, 0.3, *[0.3 / 8] * 8]),
            "gesundheit": rng.integers(1, 7, 60),
        }
    )
    schema = sf.Schema(
        variables=[
            sf.Variable(name="alter", kind="continuous", role="key"),
            sf.Variable(name="ort", kind="nominal", role="key"),
            sf.Variable(name="gesundheit", kind="ordinal", role="key", value_labels=LEVELS),
        ]
    )
    return sf.Microdata(frame, schema)


def words(data: sf.Microdata) -> set[str]:
    shown = {str(value) for name in ("alter", "ort") for value in data.table[name].to_list() if value is not None}
    return shown | set(data.schema["gesundheit"].value_labels.values())


def test_no_english_word_is_left_where_names_are_given(people: sf.Microdata) -> None:
    usual = words(sf.protect(people, k=3, max_suppressed=2, seed=1).data)
    named = sf.protect(people, k=3, max_suppressed=2, other_label="Sonstige", class_names=NAMES, seed=1)
    found = words(named.data)
    assert any("below" in word or "or more" in word for word in usual)
    assert "Sonstige" in found
    assert not any(word in name for name in found for word in ("below", "other", " to ", "or more"))
    assert any(name.endswith("+") for name in found)
    assert named.recipe.run(people).frame.equals(named.data.frame)
    assert sf.Recipe.from_yaml(named.recipe.to_yaml()) == named.recipe


def test_joined_codes_are_text_where_no_file_keeps_their_labels(tmp_path: Path) -> None:
    frame = pl.DataFrame({"size": [1, 2, 3, 4, 5, -9] * 20 + [6], "status": [1, 2, 1] * 40 + [7]})
    size = sf.Variable(name="size", kind="ordinal", role="key", missing_codes=[-9])
    status = sf.Variable(name="status", kind="nominal", role="key", value_labels={1: "single", 2: "married"})
    sf.write(sf.Microdata(frame, sf.Schema(variables=[size, status])), tmp_path / "people.csv")
    result = protect(tmp_path / "people.csv", tmp_path / "out.csv", k=5, max_suppressed=0)
    out = pl.read_csv(tmp_path / "out.csv", infer_schema_length=None)
    assert set(out["size"]) <= {"1 to 2", "3 to 4", "5 to 6", "-9", None}
    assert "1 to 2" in set(out["size"])
    assert set(out["status"]) == {"1", "other"}
    assert sf.read(tmp_path / "out.csv").schema["size"].missing_codes == ("-9",)
    assert sf.read(tmp_path / "out.csv").schema["status"].value_labels == {"1": "single"}
    found = assess(tmp_path / "people.csv", tmp_path / "out.csv").assessment
    assert found.values["CD"] < 100  # a code that stayed is the same as text
    assert not any("stayed as they were" in notice for notice in result.notices)


def test_a_code_that_stands_for_more_than_before_did_not_stay() -> None:
    frame = pl.DataFrame({"size": [1, 2, 3, 4] * 5})
    people = sf.Microdata(frame, sf.Schema(variables=[sf.Variable(name="size", kind="ordinal")]))
    joined = sf.Recoding(columns=["size"], map={2: 1}, keeps_others=True, labels={1: "1 to 2"})
    assert unchanged_percents(people, sf.Recipe(steps=[joined]).run(people)) == {"size": 50.0}


def test_joined_codes_get_a_number_that_stands_for_no_missing_value_and_tells_no_rare_code() -> None:
    frame = pl.DataFrame({"job": [1, 2] * 20 + [3] * 9 + [95, 96, 99]})
    job = sf.Variable(
        name="job", kind="nominal", missing_ranges=[[97, 1e308]], value_labels={2_147_483_622: "no answer"}
    )
    people = sf.Microdata(frame, sf.Schema(variables=[job]))
    first, *_ = [rung.step for rung in ladder(people, "job", naming=Naming(labelled_codes=True)) if rung.step]
    assert isinstance(first, sf.Recoding)
    assert (first.map, first.labels) == ({95: 4, 96: 4}, {4: "other"})
    high = people.with_frame(frame.with_columns(job=pl.Series([95, 96] * 20 + [94] * 9 + [92, 93, 99])))
    steps = [rung.step for rung in ladder(high, "job", naming=Naming(labelled_codes=True)) if rung.step]
    assert next(step.labels for step in steps if isinstance(step, sf.Recoding)) == {91: "other"}


def test_joined_years_get_a_number_that_nobody_reads_as_a_year() -> None:
    frame = pl.DataFrame({"born": [2009, 2010] * 20 + [2011] * 9 + [2008, 2012, 2015]})
    people = sf.Microdata(frame, sf.Schema.infer(frame).with_kinds(nominal=["born"]))
    steps = [rung.step for rung in ladder(people, "born", naming=Naming(labelled_codes=True)) if rung.step]
    assert steps
    for step in steps:
        assert isinstance(step, sf.Recoding)
        assert step.labels == {10_000: "other"}


def test_an_other_label_that_is_taken_is_told_apart() -> None:
    frame = pl.DataFrame({"job": ["Sonstige"] * 20 + [*"xyzw"]})
    people = sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["job"]))
    found = sf.protect(people, k=3, max_suppressed=0, other_label="Sonstige").data.frame["job"]
    assert set(found) == {"Sonstige", "Sonstige *"}


def test_an_empty_other_label_is_refused(people: sf.Microdata) -> None:
    with pytest.raises(ParameterError, match=r"protect\.other_label must be text; got none"):
        sf.protect(people, other_label=" ")


def test_the_command_takes_names_and_a_labelled_file_has_them(
    people: sf.Microdata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sf.write(people, "leute.sav")
    options = [f"--class-name={which}={pattern}" for which, pattern in NAMES.items()]
    command = ["protect", "leute.sav", "-o", "aus.sav", "--other-label=Sonstige", *options]
    ran = run_command(command)
    assert ran.code == 0, ran.err
    labels = pyreadstat.read_sav("aus.sav")[1].variable_value_labels["alter"]
    assert all(text[0] == "<" or text[-1] == "+" or "-" in text or text.isdigit() for text in labels.values())
    assert run_command([*command, "--class-name=highest=old"]).code == 1


def test_a_recipe_lists_joined_categories_by_name_and_not_by_how_rare_they_are() -> None:
    counts = {"d": 40, "a": 6, "c": 5, "b": 4, "f": 3, "e": 1}
    frame = pl.DataFrame({"ort": [place for place, count in counts.items() for _ in range(count)]})
    people = sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["ort"]))
    recoding = sf.protect(people, k=8, max_suppressed=1, seed=1).recipe.steps[0]
    assert isinstance(recoding, sf.Recoding)
    joined = list(recoding.map)
    assert len(joined) > 2
    assert joined == sorted(joined)
