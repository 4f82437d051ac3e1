"""What users can still do: judged by how far statistics moved, in both editions and without a value of a record."""

import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.reports.release.chapters.uses import AS_BEFORE, NOT_RELIABLE, TITLE, WITH_CARE, category_changes
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


def test_both_editions_say_the_same_and_judge_in_words() -> None:
    assert rows("internal") == rows("public")
    assert survey().n == released().n
    assert {AS_BEFORE, WITH_CARE, NOT_RELIABLE} == {"about as with the original", "with care", "not reliable"}
