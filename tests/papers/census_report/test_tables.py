from sfumato.papers.census_report import printed_tables as printed
from sfumato.papers.census_report.runs import MASKED
from sfumato.papers.census_report.tables import NOISY_LOSSES, OTHER_WEIGHTS, UNJUDGED_SCORES, why_no_loss


def test_every_printed_row_has_its_method() -> None:
    rows = [
        list(printed.cells(text, columns))
        for text, columns in (
            (printed.TABLE_1, printed.TABLE_1_COLUMNS),
            (printed.TABLE_2, printed.TABLE_2_COLUMNS),
            (printed.TABLE_3, printed.TABLE_3_COLUMNS),
        )
    ]
    assert rows == [list(MASKED)] * 3


def test_cells_that_are_not_judged_exist() -> None:
    assert set(NOISY_LOSSES) <= set(printed.TABLE_1_COLUMNS)
    assert set(OTHER_WEIGHTS) == set(printed.TABLE_2_COLUMNS)
    named = [*NOISY_LOSSES.values(), *OTHER_WEIGHTS.values()]
    assert all(set(rows) <= set(MASKED) for rows in named)
    for cells in UNJUDGED_SCORES.values():
        assert set(cells) <= set(MASKED)
        assert all(set(columns) <= set(printed.TABLE_3_COLUMNS) for columns in cells.values())


def test_no_score_is_left_out_for_two_reasons() -> None:
    named = [
        (row, column) for cells in UNJUDGED_SCORES.values() for row, columns in cells.items() for column in columns
    ]
    assert len(named) == len(set(named))


def test_the_losses_that_the_report_is_about_are_judged_in_every_row() -> None:
    assert [why_no_loss(row, column) for row in MASKED for column in ("IL1", "IL1s", "s2")] == [""] * 39
