from sfumato.papers.census_report import printed_tables as printed
from sfumato.papers.census_report.runs import MASKED
from sfumato.papers.census_report.tables import (
    MISPRINTED_S1,
    MISPRINTED_SCORES,
    OUTSIDE_RATES,
    OUTSIDE_SCORES,
    why_misprinted,
)


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


def test_cells_that_do_not_come_out_exist() -> None:
    assert set(OUTSIDE_RATES) == set(printed.TABLE_2_COLUMNS)
    assert set(OUTSIDE_SCORES) <= set(printed.TABLE_3_COLUMNS)
    assert all(set(rows) <= set(MASKED) for rows in (*OUTSIDE_RATES.values(), *OUTSIDE_SCORES.values()))
    assert set(MISPRINTED_S1) <= set(MASKED)
    assert all(row in MASKED and column in printed.TABLE_3_COLUMNS for row, column in MISPRINTED_SCORES)


def test_a_score_is_a_misprint_where_it_or_the_loss_that_it_is_made_from_is_one() -> None:
    found = [(row, column) for row in MASKED for column in printed.TABLE_3_COLUMNS if why_misprinted(row, column)]
    assert found == [
        ("rnkswp05", "Sscore d"),
        ("rnkswp15", "Sscore l"),
        *((row, f"Dscore {metric}") for row in ("add01", "add10", "mixadd20") for metric in ("d", "l")),
    ]
