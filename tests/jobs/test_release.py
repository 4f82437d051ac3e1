"""What leaves the house tells nobody who is who by a number, a household number or a place in the file."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.data import Schema
from sfumato.errors import DataError, FileError
from sfumato.files import ReadOptions
from sfumato.jobs.assess import assess
from sfumato.jobs.describe import describe
from sfumato.jobs.improve import improve
from sfumato.jobs.mask import mask
from sfumato.jobs.protect import protect
from sfumato.jobs.verify import verify
from sfumato.masking import DropIdentifiers, Mdav, Pseudonymise, Sampling, TopCoding
from sfumato.recipe import Recipe, manifest_path

TOP = TopCoding(columns=("income",), at=4500.0)
DROP = DropIdentifiers(columns=("person_id",))
RECIPE = Recipe(steps=[DROP, TOP], seed=3)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a file of 40 households of three, in rising order of everything, with a schema beside it."""
    rng = np.random.default_rng(8)
    rows = [
        (
            1000 + place,
            100 + place // 3,
            str(rng.choice(["m", "f"])),
            str(rng.choice(["north", "south"])),
            20 + place // 2,
            place * 40.0,
        )
        for place in range(120)
    ]
    columns = ["person_id", "household_id", "sex", "region", "age", "income"]
    frame = pl.DataFrame(rows, schema=columns, orient="row").with_columns(weight=pl.col("income") / 7 + 1)
    frame.write_csv(tmp_path / "people.csv")
    schema = (
        Schema.infer(frame)
        .with_kinds(continuous=["age", "income"], nominal=["household_id"])
        .with_roles(identifier=["person_id"], household=["household_id"], key=["sex", "region", "age"])
        .with_roles(confidential=["income"], weight=["weight"])
    )
    (tmp_path / "people.schema.yaml").write_text(schema.to_yaml(), encoding="utf-8")
    return tmp_path / "people.csv"


def released(tmp_path: Path, name: str = "masked.csv") -> pl.DataFrame:
    return pl.read_csv(tmp_path / name)


def test_a_file_with_an_identifier_that_no_step_hides_is_refused_with_what_to_add(source: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError) as refused:
        mask(source, Recipe(steps=[TOP]), tmp_path / "masked.csv")
    for advice in ("person_id", "drop_identifiers", "pseudonymise", "keep_identifiers: true"):
        assert advice in str(refused.value)
    assert not (tmp_path / "masked.csv").exists()


def test_an_identifier_is_refused_before_the_steps_are_run(source: Path, tmp_path: Path) -> None:
    stages: list[str] = []
    with pytest.raises(DataError, match="would be released"):
        mask(
            source,
            Recipe(steps=[TOP]),
            tmp_path / "masked.csv",
            on_progress=lambda stage: stages.append(stage.description),
        )
    assert stages == ["reading"]


def test_an_identifier_is_refused_after_a_step_that_draws_records_too(source: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="would be released"):
        mask(source, Recipe(steps=[Sampling(size=50)]), tmp_path / "masked.csv")


def test_what_the_recipe_says_of_the_roles_counts(source: Path, tmp_path: Path) -> None:
    schema = Schema.from_yaml("variables: {income: {kind: continuous, role: identifier}}")
    with pytest.raises(DataError, match="income would be released"):
        mask(source, RECIPE.replace(schema=schema), tmp_path / "masked.csv")


def test_a_dropped_identifier_is_not_in_the_file(source: Path, tmp_path: Path) -> None:
    mask(source, RECIPE, tmp_path / "masked.csv")
    assert "person_id" not in released(tmp_path).columns


def test_a_pseudonymised_identifier_is_released_without_any_original_number(source: Path, tmp_path: Path) -> None:
    mask(source, Recipe(steps=[Pseudonymise(), TOP]), tmp_path / "masked.csv")
    given = set(pl.read_csv(source)["person_id"].cast(pl.String))
    assert not given & set(released(tmp_path)["person_id"].cast(pl.String))


def test_a_recipe_may_say_that_identifiers_are_released_and_that_is_noticed(source: Path, tmp_path: Path) -> None:
    recipe = Recipe.from_yaml("keep_identifiers: true\nsteps: [top_coding: {columns: [income], at: 4500}]")
    result = mask(source, recipe, tmp_path / "masked.csv")
    assert sorted(released(tmp_path)["person_id"]) == sorted(pl.read_csv(source)["person_id"])
    assert "IDENTIFIERS ARE IN THE FILE: person_id." in result.notices


def test_no_order_of_households_or_of_rows_is_left(source: Path, tmp_path: Path) -> None:
    mask(source, RECIPE, tmp_path / "masked.csv")
    before, after = pl.read_csv(source), released(tmp_path)
    key = {income: place for place, income in enumerate(before["income"])}  # every income below the top is unique
    rows = [(key[row["income"]], row["household_id"]) for row in after.iter_rows(named=True) if row["income"] < 4500]
    places, households = zip(*rows, strict=True)
    assert not set(households) & set(before["household_id"])
    for found in (places, households):
        rises = sum(first < second for first, second in pairwise(found))
        assert 0.3 < rises / (len(found) - 1) < 0.7  # of a random order half the neighbours rise
    numbers = {place // 3: number for place, number in rows}
    ordered = [numbers[place] for place in sorted(numbers)]
    assert 0.2 < sum(a < b for a, b in pairwise(ordered)) / (len(ordered) - 1) < 0.8


def test_members_of_a_household_still_share_a_number_that_nobody_else_has(source: Path, tmp_path: Path) -> None:
    mask(source, RECIPE, tmp_path / "masked.csv")
    before = pl.read_csv(source)
    household = dict(zip(before["income"], before["household_id"], strict=True))
    below = released(tmp_path).filter(pl.col("income") < 4500)
    pairs = {(household[row["income"]], row["household_id"]) for row in below.iter_rows(named=True)}
    assert len(pairs) == len({first for first, _ in pairs}) == len({second for _, second in pairs})
    assert sorted(released(tmp_path)["household_id"].unique()) == list(range(1, 41))


def test_order_and_household_numbers_can_be_kept_which_is_noticed(source: Path, tmp_path: Path) -> None:
    result = mask(source, RECIPE.replace(keep_order=True, keep_households=True), tmp_path / "masked.csv")
    before, after = pl.read_csv(source), released(tmp_path)
    assert after["household_id"].to_list() == before["household_id"].to_list()
    assert after["age"].to_list() == before["age"].to_list()
    assert any("keep_order" in notice for notice in result.notices)
    assert any("keep_households" in notice for notice in result.notices)


def test_a_household_that_was_given_a_pseudonym_keeps_it(source: Path, tmp_path: Path) -> None:
    recipe = Recipe(steps=[DROP, Pseudonymise(columns=("household_id",)), TOP], seed=3)
    mask(source, recipe, tmp_path / "masked.csv")
    assert released(tmp_path)["household_id"].cast(pl.String).str.len_chars().min() == 16


def test_the_order_does_not_change_what_the_steps_draw(source: Path, tmp_path: Path) -> None:
    recipe = Recipe(steps=[DROP, Mdav(columns=("income", "age"), k=3)], seed=3)
    mask(source, recipe, tmp_path / "masked.csv")
    mask(source, recipe.replace(keep_order=True, keep_households=True), tmp_path / "kept.csv")
    columns = ["sex", "region", "age", "income", "weight"]
    shuffled, kept = (released(tmp_path, name).select(columns) for name in ("masked.csv", "kept.csv"))
    assert shuffled.sort(columns).equals(kept.sort(columns))


def test_a_seed_that_is_known_tells_neither_the_order_nor_the_household_numbers(source: Path, tmp_path: Path) -> None:
    for name in ("masked.csv", "again.csv"):
        mask(source, RECIPE.replace(seed=1), tmp_path / name)
    files = [released(tmp_path, name) for name in ("masked.csv", "again.csv")]
    assert files[0]["income"].to_list() != files[1]["income"].to_list()
    by_weight = [file.sort("weight")["household_id"].to_list() for file in files]
    assert by_weight[0] != by_weight[1]
    assert all(verify(manifest_path(tmp_path / name)).passed for name in ("masked.csv", "again.csv"))


def test_a_shuffled_file_is_verified(source: Path, tmp_path: Path) -> None:
    mask(source, RECIPE.replace(seed=None), tmp_path / "masked.csv")
    assert verify(manifest_path(tmp_path / "masked.csv")).passed


def test_the_manifest_beside_a_file_tells_which_record_is_which(source: Path, tmp_path: Path) -> None:
    mask(source, RECIPE, tmp_path / "masked.csv")
    mask(source, RECIPE.replace(keep_order=True), tmp_path / "kept.csv")
    found, kept = (assess(source, tmp_path / name, outliers=False).assessment for name in ("masked.csv", "kept.csv"))
    assert found.values == pytest.approx(dict(kept.values))
    assert "Records were matched by the key in masked.csv.manifest.json." in found.remarks


def test_a_sample_is_matched_by_its_manifest_too(source: Path, tmp_path: Path) -> None:
    mask(source, Recipe(steps=[DROP, Sampling(size=100)]), tmp_path / "masked.csv")
    found = assess(source, tmp_path / "masked.csv", outliers=False).assessment
    assert found.values["IL1s"] == 0  # every record is held against itself


def test_a_manifest_that_lies_elsewhere_can_be_given(source: Path, tmp_path: Path) -> None:
    mask(source, RECIPE, tmp_path / "masked.csv")
    (tmp_path / "secret").mkdir()
    moved = manifest_path(tmp_path / "masked.csv").rename(tmp_path / "secret" / "manifest.json")
    found = assess(source, tmp_path / "masked.csv", manifest=moved, outliers=False).assessment
    assert "Records were matched by the key in manifest.json." in found.remarks
    (tmp_path / "masked.csv").write_text((tmp_path / "masked.csv").read_text() + "\n")
    with pytest.raises(FileError, match=r"masked\.csv is not the file that it was written for"):
        assess(source, tmp_path / "masked.csv", manifest=moved)


def test_the_manifest_of_another_file_is_not_used_and_that_is_said(source: Path, tmp_path: Path) -> None:
    mask(source, RECIPE.replace(keep_order=True), tmp_path / "masked.csv")
    path = manifest_path(tmp_path / "masked.csv")
    told = json.loads(path.read_text(encoding="utf-8"))
    told["input"]["sha256"] = "0" * 64
    path.write_text(json.dumps(told), encoding="utf-8")
    found = assess(source, tmp_path / "masked.csv", outliers=False).assessment
    assert "was not used: people.csv is not the original that it was written for" in found.remarks[0]


def test_an_improved_file_is_matched_by_the_manifest_of_the_masked_one(source: Path, tmp_path: Path) -> None:
    mask(source, Recipe(steps=[DROP, Mdav(columns=("income", "age"), k=5)]), tmp_path / "masked.csv")
    improve(source, tmp_path / "masked.csv", tmp_path / "better.csv", columns=["income", "age"], seed=1)
    found = assess(source, tmp_path / "better.csv", outliers=False).assessment
    assert "Records were matched by the key in masked.csv.manifest.json." in found.remarks
    assert verify(manifest_path(tmp_path / "better.csv")).passed


def test_a_protected_file_has_no_identifier_no_old_household_number_and_another_order(
    source: Path, tmp_path: Path
) -> None:
    protect(source, tmp_path / "protected.csv", seed=1)
    before, after = pl.read_csv(source), released(tmp_path, "protected.csv")
    assert "person_id" not in after.columns
    assert not set(after["household_id"]) & set(before["household_id"])
    rising = [a < b for a, b in pairwise(after["weight"]) if a != b]
    assert 0.3 < sum(rising) / len(rising) < 0.7
    assert verify(manifest_path(tmp_path / "protected.csv")).passed


def test_weights_that_only_one_record_has_are_counted(source: Path, tmp_path: Path) -> None:
    sentence = "weight: 40 of 40 households have a weight that no other has"
    assert any(sentence in notice for notice in describe(source).notices)
    assert any(sentence in notice for notice in mask(source, RECIPE, tmp_path / "masked.csv").notices)
    rounded = Recipe.from_yaml("steps: [drop_identifiers: {columns: [person_id]}, weight_rounding: {k: 10}]")
    assert not any("no other has" in notice for notice in mask(source, rounded, tmp_path / "rounded.csv").notices)


def test_a_weight_that_only_the_members_of_a_household_share_is_one_of_its_own(tmp_path: Path) -> None:
    frame = pl.DataFrame({"household_id": [1, 1, 2, 2, 3, 4], "weight": [2.5, 2.5, 3.5, 3.5, 4.5, 4.5]})
    frame.write_csv(tmp_path / "people.csv")
    by_household = describe(tmp_path / "people.csv", options=ReadOptions(household="household_id", weight="weight"))
    assert any("weight: 2 of 4 households have a weight that no other has" in each for each in by_household.notices)
    frame.drop("household_id").write_csv(tmp_path / "alone.csv")
    alone = describe(tmp_path / "alone.csv", options=ReadOptions(weight="weight"))
    assert not any("a weight that no other has" in each for each in alone.notices)
    assert any("weight: equal weights tell who lives together" in each for each in alone.notices)


def test_equal_weights_are_said_to_tell_who_lives_together_where_the_household_is_dropped(
    source: Path, tmp_path: Path
) -> None:
    sentence = "weight: 40 of 40 households have a weight that no other has, which tells who lives together"
    steps = "steps: [drop_identifiers: {columns: [person_id, household_id]}]"
    found = mask(source, Recipe.from_yaml(steps), tmp_path / "masked.csv").notices
    assert any(sentence in notice for notice in found)
    named = ReadOptions(identifier=("household_id", "person_id"))
    pl.read_csv(source).with_columns(pl.col("weight").shuffle(seed=1)).write_csv(source)  # they tell no age then
    assert any(sentence in notice for notice in protect(source, tmp_path / "safe.csv", options=named).notices)


def test_columns_that_tell_most_records_apart_and_are_released_as_they_were_are_named(
    source: Path, tmp_path: Path
) -> None:
    found = mask(source, RECIPE, tmp_path / "masked.csv").notices
    assert not any("different for most records" in notice for notice in found)
    frame = pl.read_csv(source).with_columns(rent=pl.col("income") / 3 + 0.25, born=pl.int_range(18_000, 18_120))
    frame.with_columns(born=pl.col("born").cast(pl.Date)).write_csv(source)
    sentence = "Released as they were, and different for most records: rent, born. Whoever knows one of them"
    assert any(sentence in notice for notice in mask(source, RECIPE, tmp_path / "masked.csv").notices)
    assert any(
        sentence in notice for notice in protect(source, tmp_path / "safe.csv", seed=1, keep=["rent", "born"]).notices
    )
    assert protect(source, tmp_path / "hidden.csv", seed=1).protected.unchanged == ("region",)


def test_how_many_values_stayed_as_they_were_is_told_by_column(source: Path, tmp_path: Path) -> None:
    done = mask(source, RECIPE, tmp_path / "masked.csv")
    before = pl.read_csv(source)["income"]
    percent = 100 * int((before < 4500).sum()) / 120
    assert done.manifest.unchanged_percent == {"income": pytest.approx(percent, abs=0.01)}
    assert f"Values that stayed as they were: income {percent:.2f} %." in done.notices


def test_values_of_records_that_went_do_not_count_as_changed(source: Path, tmp_path: Path) -> None:
    recipe = Recipe(steps=[DROP, TOP, Sampling(percent=50)], seed=3)
    kept = mask(source, recipe, tmp_path / "masked.csv").manifest.unchanged_percent["income"]
    income = released(tmp_path)["income"]
    assert kept == pytest.approx(100 * int((income < 4500).sum()) / len(income), abs=0.01)


def test_household_numbers_never_become_a_missing_code(tmp_path: Path) -> None:
    frame = pl.DataFrame({"household_id": [10, 20, 30, 2, None, 40], "income": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]})
    frame.write_csv(tmp_path / "people.csv")
    schema = Schema.from_yaml(
        "variables: {household_id: {kind: nominal, role: household, missing_codes: [2]}, income: {kind: continuous}}"
    )
    recipe = Recipe.from_yaml("seed: 1\nsteps: [top_coding: {columns: [income], at: 9}]")
    mask(tmp_path / "people.csv", recipe, tmp_path / "masked.csv", options=ReadOptions(schema=schema))
    numbers = dict(released(tmp_path).select("income", "household_id").iter_rows())
    assert numbers[4.0] == 2
    assert numbers[5.0] is None
    assert sorted(numbers[income] for income in (1.0, 2.0, 3.0, 6.0)) == [1, 3, 4, 5]
