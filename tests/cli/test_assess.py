"""`sfumato assess`: what it prints, how records are matched, and what can be asked for."""

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tests.cli.commands import Ran, masked
from tests.risk.synthetic.planted import population

MEASURES = """\
measures:
  - distance_linkage: {columns: [income, tax]}
  - rank_interval_linkage: {columns: [income, tax], window: 10}
scores:
  - weights: {RSLD: 1}
"""
QUICK = "measures:\n  - information_loss: {columns: [income, tax]}\n  - distance_linkage: {columns: [income, tax]}\n"
FIELDS = [
    "format",
    "values",
    "outliers",
    "records",
    "not_measured",
    "withheld",
    "alarms",
    "remarks",
    "measurements",
    "scores",
]


def test_assess_prints_risk_loss_and_score(sfumato: Callable[..., Ran], folder: Path) -> None:
    masked(sfumato, folder)
    ran = sfumato("assess", folder / "people.csv", folder / "masked.csv")
    assert ran.code == 0
    assert all(symbol in ran.out for symbol in ("IL", "DLD", "ID", "score"))


def test_assess_of_files_of_different_length_shows_what_needs_no_pairs(
    sfumato: Callable[..., Ran], folder: Path
) -> None:
    pl.read_csv(folder / "people.csv").head(10).drop("person_id").write_csv(folder / "short.csv")
    ran = sfumato("assess", folder / "people.csv", folder / "short.csv", "--json")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert found["values"]["SR"] > 90
    assert "distance_linkage" in found["withheld"]
    assert "The files have 200 and 10 records, and nothing tells which are which." in found["remarks"]
    refused = sfumato("assess", folder / "people.csv", folder / "short.csv", "--same-order")
    assert refused.code == 1
    assert "got 200 and 10: leave out the option --same-order, and give" in refused.err


def test_the_same_file_twice_is_refused(sfumato: Callable[..., Ran], folder: Path) -> None:
    ran = sfumato("assess", folder / "people.csv", folder / ".." / folder.name / "people.csv")
    assert ran.code == 1
    assert "the original and the masked file are one and the same" in ran.err


def test_exchanged_files_are_refused_where_a_manifest_proves_it(sfumato: Callable[..., Ran], folder: Path) -> None:
    masked(sfumato, folder)
    for options in ((), ("--manifest", folder / "masked.csv.manifest.json")):
        ran = sfumato("assess", folder / "masked.csv", folder / "people.csv", *options)
        assert ran.code == 1
        assert "the files are exchanged" in ran.err
        assert "give the original first" in ran.err


def test_assess_matches_records_by_an_identifier_and_bears_dropped_columns(
    sfumato: Callable[..., Ran], folder: Path
) -> None:
    masked(sfumato, folder)
    frame = pl.read_csv(folder / "masked.csv")
    (folder / "quick.yaml").write_text(QUICK)
    quick = ("--json", "--measures", folder / "quick.yaml")
    straight = sfumato("assess", folder / "people.csv", folder / "masked.csv", *quick)
    frame.reverse().write_csv(folder / "turned.csv")
    turned = sfumato("assess", folder / "people.csv", folder / "turned.csv", *quick)
    assert json.loads(turned.out)["values"] == pytest.approx(json.loads(straight.out)["values"])
    assert json.loads(turned.out)["remarks"] == ["Records were matched by the identifier person_id."]
    frame.drop("region").write_csv(folder / "narrow.csv")
    narrow = json.loads(sfumato("assess", folder / "people.csv", folder / "narrow.csv", "--json").out)
    assert narrow["not_measured"] == ["region"]


def test_a_risk_that_rests_on_an_order_that_nothing_shows_is_withheld(
    sfumato: Callable[..., Ran], folder: Path
) -> None:
    masked(sfumato, folder)
    frame = pl.read_csv(folder / "masked.csv")
    frame.drop("person_id").write_csv(folder / "released.csv")
    frame.sort("person_id").drop("person_id").write_csv(folder / "in_order.csv")
    (folder / "quick.yaml").write_text(QUICK)

    def remarks(file: str, *options: str | Path) -> str:
        ran = sfumato("assess", folder / "people.csv", folder / file, *options)
        return " ".join((ran.out + ran.err).split())

    assert "All measures asked for need to know that" in remarks("released.csv", "--measures", folder / "quick.yaml")
    assert "WITHHELD, as they rest on knowing which record is which: " in remarks("released.csv")
    assert "Rows were taken to be in the same order" in remarks("in_order.csv")
    assert "NO MORE ALIKE THAN STRANGERS" in remarks("released.csv", "--same-order")


def test_assess_shows_overall_and_outliers_side_by_side(sfumato: Callable[..., Ran], folder: Path) -> None:
    masked(sfumato, folder)
    (folder / "quick.yaml").write_text(QUICK)
    asked = (folder / "people.csv", folder / "masked.csv", "--measures", folder / "quick.yaml")
    assert "overall outliers" in " ".join(sfumato("assess", *asked).out.split())
    assert "outliers" not in sfumato("assess", *asked, "--no-outliers").out


def test_assess_as_json_has_the_documented_fields_and_the_score(sfumato: Callable[..., Ran], folder: Path) -> None:
    masked(sfumato, folder)
    found = json.loads(sfumato("assess", folder / "people.csv", folder / "masked.csv", "--json").out)
    assert list(found) == FIELDS
    assert found["format"] == 1
    assert set(found["outliers"]) == {"share", "records", "columns", "values"}
    assert found["outliers"]["values"].keys() <= found["values"].keys()
    described = (Path(__file__).parents[2] / "docs" / "assessing.md").read_text()
    for field in (*found, *found["measurements"][0]):
        assert f"`{field}`" in described
    values = found["values"]
    assert values["score"] == pytest.approx(0.5 * values["IL"] + 0.25 * values["DLD"] + 0.25 * values["ID"])


def test_the_intruder_knows_the_recipe(sfumato: Callable[..., Ran], folder: Path) -> None:
    masked(sfumato, folder)
    files = (folder / "people.csv", folder / "masked.csv")

    def attacks(*options: str | Path) -> dict[str, float]:
        found = json.loads(sfumato("assess", *files, "--json", *options).out)["measurements"]
        return next(one["parts"] for one in found if one["symbol"] == "WCL")

    by_manifest = attacks()
    (folder / "masked.csv.manifest.json").unlink()
    assert set(by_manifest) - set(attacks()) == {"rank intervals", "likelihood, exchanges"}
    assert attacks("--recipe", folder / "recipe.yaml") == by_manifest


def test_measures_of_a_file_know_the_recipe_unless_they_state_otherwise(
    sfumato: Callable[..., Ran], folder: Path
) -> None:
    masked(sfumato, folder)
    columns = "columns: [income, tax]"
    (folder / "measures.yaml").write_text(
        f"measures:\n  - rank_interval_linkage: {{{columns}}}\n  - worst_case_linkage: {{{columns}, window: 50}}\n"
    )
    options = ("--measures", folder / "measures.yaml", "--recipe", folder / "recipe.yaml", "--json")
    found = json.loads(sfumato("assess", folder / "people.csv", folder / "masked.csv", *options).out)
    assert [one["parameters"]["window"] for one in found["measurements"]] == [10, 50]


def test_measures_and_scores_come_from_a_file(sfumato: Callable[..., Ran], folder: Path) -> None:
    masked(sfumato, folder)
    (folder / "measures.yaml").write_text(MEASURES)
    options = ("--measures", folder / "measures.yaml")
    found = json.loads(sfumato("assess", folder / "people.csv", folder / "masked.csv", *options, "--json").out)
    assert list(found["values"]) == ["DLD", "RSLD", "RSLDsure", "weighted"]


def test_a_control_tells_what_a_file_gives_away_about_those_in_it(sfumato: Callable[..., Ran], folder: Path) -> None:
    people = population(200, 1)
    people.write_csv(folder / "members.csv")
    population(200, 2).write_csv(folder / "others.csv")
    people.head(150).sample(fraction=1.0, shuffle=True, seed=1).write_csv(folder / "copies.csv")
    files = (folder / "members.csv", folder / "copies.csv")
    ran = sfumato("assess", *files, "--control", folder / "others.csv", "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert found["remarks"][0].startswith("LEAK FOUND by singling out")
    assert {"SO", "LINK", "INF", "MIA", "synthetic"} <= found["values"].keys()
    refused = sfumato("assess", *files, "--control", files[0])
    assert refused.code == 1
    assert "the control is one of the two files" in refused.err
