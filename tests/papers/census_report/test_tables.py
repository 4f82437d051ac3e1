from collections import Counter

import pytest

from sfumato.papers import FigureKind, Files, Verdict
from sfumato.papers.census_report.printed_tables import TABLE_1, TABLE_1_COLUMNS, TABLE_2, TABLE_2_COLUMNS, cells
from sfumato.papers.census_report.tables import MASKED, table_3


def test_67_of_78_scores_follow_from_the_printed_losses_and_rates() -> None:
    figures = list(table_3(Files(), seed=0))
    assert Counter((figure.kind, figure.verdict) for figure in figures) == {
        (FigureKind.EXACT, Verdict.EXACT): 67,
        (FigureKind.REPORT, Verdict.DEVIATES): 11,
    }


def test_a_misprinted_score_stands_beside_the_right_one() -> None:
    ours = {figure.figure: figure.ours for figure in table_3(Files(), seed=0)}
    assert ours["Census report, Table 3, rnkswp05: Sscore d metric"] == pytest.approx(45.66, abs=0.0051)
    assert ours["Census report, Table 3, rnkswp15: Sscore l metric"] == 20.67


def test_the_scores_of_three_rows_come_out_with_one_other_rate_each() -> None:
    losses = cells(TABLE_1, TABLE_1_COLUMNS)
    noted: dict[str, int] = {}
    for figure in table_3(Files(), seed=0):
        if "with the rate" in figure.note:
            row = figure.figure.split(", ")[2].split(":")[0]
            rate = float(figure.note.split()[-2])
            loss = {"A": "s0", "D": "s1", "S": "s2"}[figure.figure.split(": ")[1][0]]
            assert (
                abs(100 * (float(losses[row][loss]) + rate) / 2 - float(figure.printed)) <= 0.055
            )  # three digits each
            noted[row] = noted.get(row, 0) + 1
    assert noted == {"scalmixadd01": 3, "scalmixadd05": 3, "scalmixadd10": 3}


def test_every_printed_row_has_its_method() -> None:
    assert list(cells(TABLE_1, TABLE_1_COLUMNS)) == list(cells(TABLE_2, TABLE_2_COLUMNS)) == list(MASKED)
