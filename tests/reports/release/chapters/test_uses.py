"""What users can still do: judged by how far statistics moved, in both editions and without a value of a record."""

import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata
from sfumato.reports.release.chapters.uses import (
    AS_BEFORE,
    CLOSE,
    FAR,
    NOT_RELIABLE,
    TITLE,
    WITH_CARE,
    Change,
    _judge,
    category_changes,
)
from sfumato.reports.release.sections import WordTable
from tests.reports.release.surveys import made, released, survey


def rows(edition: str) -> dict[str, str]:
    parts = next(section for section in made(edition).sections if section.key == "utility").parts
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
    assert rows("internal")["Means"] == f"{AS_BEFORE}, all {len(moved)}"


def test_many_that_hardly_moved_are_counted_and_those_that_moved_are_named() -> None:
    changes = [Change("far", 30.0), Change("near", 7.0), *(Change(f"same{place}", 0.1) for place in range(6))]
    assert _judge(changes, CLOSE, FAR) == f"{NOT_RELIABLE}: far; {WITH_CARE}: near; {AS_BEFORE}: the other 6"


def test_totals_of_synthetic_records_are_not_compared() -> None:
    drawn = sf.Recipe(steps=[sf.SequentialSynthesis(columns=survey().schema.names)], seed=2)
    found = sf.report(survey(), drawn.run(survey()), recipe=drawn)
    assert not [figure.path for figure in found.figures if "/total/" in figure.path]
    utility = str(next(section for section in found.sections if section.key == "utility"))
    assert "Totals are not compared" in utility
    assert "('Totals', 'Totals are not compared" in utility


def test_both_editions_say_the_same_but_that_everybody_is_not_told_what_is_kept_back() -> None:
    assert rows("internal") == rows("public")  # nothing was kept back
    dropped = sf.Recipe(steps=[sf.DropIdentifiers(columns=("rent", "ill"))], seed=2)
    inside, outside = (
        sf.report(survey(), dropped.run(survey()), recipe=dropped, edition=one) for one in ("internal", "public")
    )
    assert "Not possible: not released" in str(inside.sections)
    assert "Not possible: not released" not in str(outside.sections)
    assert "rent" not in outside.to_json()
