"""Tables laid out for the eye."""

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Hierarchy
from sfumato.tables import CellStatus, Table
from sfumato.tables.rendering.crosstab import CellView, crosstab, format_values, publication_views, review_views

PEOPLE = pl.DataFrame({"town": [*"AABBBC"], "ill": [*"ynyynn"], "sex": [*"fmfmfm"]})


def table(*by: str) -> Table:
    return Table.from_records(PEOPLE, by)


def test_the_last_dimension_goes_across() -> None:
    counts = table("town", "ill")
    laid = crosstab(counts, [CellView(text) for text in format_values(counts.values)])
    assert [label.text for label in laid.columns] == ["Total", "n", "y"]
    assert [row[0].text for row in laid.rows] == ["Total", "A", "B", "C"]
    assert [[cell.text if cell else "" for cell in row] for row in laid.cells] == [
        ["6", "3", "3"],
        ["2", "1", "1"],
        ["3", "1", "2"],
        ["1", "1", ""],
    ]


def test_one_dimension_has_one_column_and_three_have_two_down() -> None:
    one = crosstab(table("town"), [CellView("x")] * 4)
    assert (one.down, one.across, len(one.columns)) == (("town",), "", 1)
    counts = table("town", "sex", "ill")
    three = crosstab(counts, [CellView("x")] * counts.size)
    assert (three.down, three.across) == (("town", "sex"), "ill")
    assert sum(cell is not None for row in three.cells for cell in row) == counts.size


@given(st.lists(st.tuples(st.integers(-(10**9), 10**9), st.booleans()), min_size=1, max_size=20))
def test_the_decimals_of_suppressed_values_are_not_told(pairs: list[tuple[int, bool]]) -> None:
    suppressed = np.array([is_suppressed for _, is_suppressed in pairs])
    values = np.array([value + 0.123 * is_suppressed for value, is_suppressed in pairs])
    shown = format_values(values, suppressed)
    assert [text == "" for text in shown] == suppressed.tolist()
    assert all(float(text.replace(",", "")) == value for text, value in zip(shown, values, strict=True) if text)


def test_in_public_all_suppressed_cells_look_alike() -> None:
    shown = publication_views(np.array([5.0, 6.0, 7.0]), np.array([True, False, True]))
    assert shown[0] == shown[2] == CellView("x", is_suppressed=True)
    assert shown[1] == CellView("6")


def test_reviewers_see_statuses_and_reasons() -> None:
    statuses = [CellStatus.PRIMARY, CellStatus.PUBLISHED, CellStatus.SECONDARY]
    shown = review_views(np.array([np.nan, 6.0, np.nan]), statuses, ["few", "", "protects"])
    assert [(cell.text, cell.hint, cell.is_suppressed) for cell in shown] == [
        ("[p]", "few", True),
        ("6", "", False),
        ("[s]", "protects", True),
    ]


def test_the_text_indents_parts_and_sets_figures_below_each_other() -> None:
    towns = Hierarchy.from_pairs([("Total", "North"), ("North", "A"), ("North", "B"), ("Total", "C")])
    counts = Table.from_records(PEOPLE, {"town": towns, "ill": None})
    text = crosstab(counts, [CellView(figure) for figure in format_values(counts.values)]).to_text()
    assert text.splitlines() == [
        "         ill",
        "town     Total    n    y",
        "Total        6    3    3",
        "  North      5    2    3",
        "    A        2    1    1",
        "    B        3    1    2",
        "  C          1    1",
    ]


def test_wide_tables_are_cut_into_blocks_and_long_ones_end() -> None:
    counts = table("town", "ill")
    laid = crosstab(counts, [CellView(text) for text in format_values(counts.values)])
    narrow = laid.to_text(width=20)
    assert narrow.count("town") == 2
    assert max(map(len, narrow.splitlines())) <= 20
    assert laid.to_text(max_rows=2).endswith("\n\nand 2 more rows")


def test_a_column_without_figures_in_the_rows_shown_is_no_hindrance() -> None:
    counts = table("town", "ill")
    laid = crosstab(counts, [CellView(text) for text in format_values(counts.values)])
    last = type(laid)(laid.title, laid.down, laid.across, laid.rows[3:], laid.columns, laid.cells[3:])
    assert last.to_text().splitlines()[-1].split() == ["C", "1", "1"]


def test_an_unsafe_cell_that_is_published_with_another_value_has_its_mark_beside_it() -> None:
    shown = review_views(np.array([50.0, 60.0]), [CellStatus.PRIMARY, CellStatus.PUBLISHED], ["few", ""])
    assert [(cell.text, cell.is_suppressed, cell.is_marked) for cell in shown] == [
        ("50 [p]", False, True),
        ("60", False, False),
    ]
