"""What users can still do: judged by how far statistics moved, in both editions and without a value of a record."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata
from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.chapters.utility.category_shares import category_changes
from sfumato.reports.release.chapters.utility.compared_regression import ComparedCoefficient
from sfumato.reports.release.chapters.utility.judged_means import AS_BEFORE, CLOSE, FAR, NOT_RELIABLE, WITH_CARE
from sfumato.reports.release.chapters.utility.uses import TITLE, Change, _fitted, _judge
from sfumato.reports.release.sections import WordTable
from tests.reports.release.surveys import made, released, survey


def rows(edition: str) -> dict[str, str]:
    return table_of(made(edition))


def table_of(report: ReleaseReport) -> dict[str, str]:
    parts = next(section for section in report.sections if section.key == "utility").parts
    table = next(part for part in parts if isinstance(part, WordTable) and part.title == TITLE)
    return {row[0]: row[1] for row in table.rows}


def test_the_share_of_a_category_that_moved_is_half_the_sum_of_the_differences() -> None:
    before = Microdata(pl.DataFrame({"sex": ["f"] * 6 + ["m"] * 4}))
    after = Microdata(pl.DataFrame({"sex": ["f"] * 3 + ["m"] * 7}))
    (found,) = category_changes(before, after)
    assert found.size == pytest.approx(30)


def test_an_unchanged_variable_is_as_before_and_a_recoded_one_in_other_classes() -> None:
    found = rows("internal")
    assert found["Shares of categories"] == f"{AS_BEFORE}, all 2"  # sex and ill, as town was recoded
    assert found["In other classes than before"] == "town"
    assert found["Single records"].startswith("never")


def test_means_are_judged_by_how_far_they_moved() -> None:
    moved = {
        name: abs(made()[f"utility/means/{name}/change"].value or 0.0)
        for name in ("age", "income", "rent")
        if name in released().schema
    }
    assert all(change < 5 for change in moved.values())
    assert rows("internal")["Means of the whole file"] == f"{AS_BEFORE}, all {len(moved)}"


def test_many_that_hardly_moved_are_counted_and_those_that_moved_are_named() -> None:
    changes = [Change("far", 30.0), Change("near", 7.0), *(Change(f"same{place}", 0.1) for place in range(6))]
    assert _judge(changes, CLOSE, FAR) == f"{NOT_RELIABLE}: far; {WITH_CARE}: near; {AS_BEFORE}: the other 6"


def test_errors_of_a_number_whose_spread_moved_too_far_are_not_reliable() -> None:
    data = survey()
    shrunk = data.frame.with_columns((pl.col("rent") - pl.col("rent").mean()) * 0.6 + pl.col("rent").mean())
    found = table_of(sf.report(data, Microdata(shrunk, data.schema), same_order=True))
    assert found["Standard errors"].startswith(f"{NOT_RELIABLE}: rent; {AS_BEFORE}: ")


def test_totals_of_synthetic_records_are_not_compared() -> None:
    drawn = sf.Recipe(steps=[sf.SequentialSynthesis(columns=survey().schema.names)], seed=2)
    found = sf.report(survey(), drawn.run(survey()), recipe=drawn)
    assert not [figure.path for figure in found.figures if "/total/" in figure.path]
    utility = str(next(section for section in found.sections if section.key == "utility"))
    assert "Totals are not compared" in utility
    assert "('Totals of amounts', 'Totals are not compared" in utility


def test_both_editions_say_the_same_but_that_everybody_is_not_told_what_is_kept_back() -> None:
    assert rows("internal") == rows("public")  # nothing was kept back
    dropped = sf.Recipe(steps=[sf.DropIdentifiers(columns=("rent", "ill"))], seed=2)
    inside, outside = (
        sf.report(survey(), dropped.run(survey()), recipe=dropped, edition=one) for one in ("internal", "public")
    )
    assert "Not possible: not released" in str(inside.sections)
    assert "Not possible: not released" not in str(outside.sections)
    assert "rent" not in outside.to_json()


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_a_category_that_lost_most_of_its_persons_makes_its_variable_not_reliable(edition: str) -> None:
    data = survey()
    town = pl.when(pl.col("town") == "Dell").then(pl.lit("Aston")).otherwise(pl.col("town")).alias("town")
    masked = Microdata(data.frame.with_columns(town), data.schema)
    assert 10 <= (data.frame["town"] == "Dell").sum() < 0.2 * data.n  # as a whole the variable moved little
    (found,) = [one for one in category_changes(data, masked) if one.name == "town"]
    assert found.size < FAR
    assert found.halved == ("Dell",)
    report = sf.report(data, masked, same_order=True, edition=edition)
    told = table_of(report)["Shares of categories"]
    assert told.startswith(f"{NOT_RELIABLE}: town")
    assert "Of categories that at least 10 persons had, 1 lost or gained more than half of its own share" in told
    assert ("Dell" in told) is (edition == "internal")  # everybody reads that it is a rare one
    assert ("a rare one" in told) is (edition == "public")


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_means_within_categories_are_graded_though_those_of_the_whole_file_stay(edition: str) -> None:
    data = survey()
    rent = pl.when(pl.Series(data.frame["sex"] == "f")).then(data.frame["rent"] * 1.5).otherwise(data.frame["rent"])
    before = Microdata(data.frame.with_columns(rent.alias("rent")), data.schema)
    # the same rents, of other persons
    after = Microdata(before.frame.with_columns(before.frame["rent"].reverse().alias("rent")), data.schema)
    report = sf.report(before, after, same_order=True, edition=edition)
    told = table_of(report)
    assert "rent" not in told["Means of the whole file"].partition(AS_BEFORE)[0]
    frames = [
        one.frame.group_by("sex").agg(pl.col("rent").mean()).sort("sex")["rent"].to_list() for one in (before, after)
    ]
    assert any(abs(new / old - 1) > 0.1 for old, new in zip(*frames, strict=True))
    assert told["Means within categories"].startswith(f"{NOT_RELIABLE}: rent with")
    assert "sex" in told["Means within categories"].partition(";")[0]


def test_means_within_categories_are_counted_where_at_least_twenty_persons_are() -> None:
    data = survey()
    groups = sum(int((data.frame[name].value_counts()["count"] >= 20).sum()) for name in ("sex", "town", "ill"))
    found = table_of(sf.report(data, data, same_order=True))
    assert (
        f"Of {3 * groups} means (3 numbers within the categories of 3 variables; at least 20 persons in each have the "
        "number) 0 are not reliable" in found["Means within categories"]
    )


def test_pictures_of_variables_say_that_they_are_not_weighted() -> None:
    assert "Percent of the released records in classes of each variable, not weighted." in str(made("public").sections)


def test_synthetic_records_stand_for_nobody_and_are_not_said_to_differ_from_all_persons() -> None:
    drawn = sf.Recipe(steps=[sf.SequentialSynthesis(columns=survey().schema.names)], seed=2)
    halves = survey().take_rows(np.arange(0, 240, 2)), survey().take_rows(np.arange(1, 240, 2))
    found = sf.report(halves[0], drawn.run(halves[0]), recipe=drawn, control=halves[1])
    told = str(found.sections)
    assert "is that of a person" not in told
    assert "no released record as a whole was taken over from the original" in told.lower()
    assert "The checksum under provenance is of the original file as it was given." in told


def test_an_effect_outside_its_original_interval_is_not_reliable_however_wide_its_own_is() -> None:
    """From 187, give or take 4,311, to 10,095, give or take 12,061: the intervals meet, and the effect is another."""
    inside = ComparedCoefficient("x", 187.0, 4000.0, 60.0, 4311.0, 12061.0)
    outside = inside._replace(after=10095.0, overlap=31.0)
    assert _judge([_fitted(inside)], 20, 100) == WITH_CARE
    assert _judge([_fitted(outside)], 20, 100) == NOT_RELIABLE
