from sfumato.papers import Files
from sfumato.papers.census_report import printed_tables as printed
from sfumato.papers.census_report.from_print import figures_from_print
from sfumato.papers.census_report.runs import MASKED
from sfumato.papers.census_report.tables import (
    MISPRINTED_S1,
    MISPRINTED_SCORES,
    parts_in_print,
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


def test_misprinted_cells_exist() -> None:
    assert set(MISPRINTED_S1) <= set(MASKED)
    assert all(row in MASKED and column in printed.TABLE_3_COLUMNS for row, column in MISPRINTED_SCORES)


def test_a_loss_is_said_to_follow_from_others_where_it_does_in_print() -> None:
    begin = "Census report, from print, Table 1, "
    shown = {figure.figure.removeprefix(begin) for figure in figures_from_print(Files(), 0) if begin in figure.figure}
    said = {f"{row}: {column}" for row in MASKED for column in printed.TABLE_1_COLUMNS if parts_in_print(row, column)}
    assert said == shown


def test_a_score_is_a_misprint_where_it_or_the_loss_that_it_is_made_from_is_one() -> None:
    found = [(row, column) for row in MASKED for column in printed.TABLE_3_COLUMNS if why_misprinted(row, column)]
    assert found == [
        ("rnkswp05", "Sscore d"),
        ("rnkswp15", "Sscore l"),
        *((row, f"Dscore {metric}") for row in ("add01", "add10", "mixadd20") for metric in ("d", "l")),
    ]
