import pytest

from sfumato.papers import Files
from sfumato.papers.census_report import findings
from sfumato.papers.census_report import printed_tables as printed

TABLES = {
    "losses": (printed.TABLE_1, printed.TABLE_1_COLUMNS),
    "rates": (printed.TABLE_2, printed.TABLE_2_COLUMNS),
    "scores": (printed.TABLE_3, printed.TABLE_3_COLUMNS),
}


def test_what_the_report_says_holds_in_its_own_tables_but_for_the_conclusion(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, (text, columns) in TABLES.items():
        table = printed.cells(text, columns)

        def as_printed(row: str, *_: object, table: dict[str, dict[str, str]] = table) -> dict[str, list[float]]:
            return {column: [float(cell)] for column, cell in table[row].items()}

        monkeypatch.setattr(findings, name, as_printed)
    found = list(findings.census_findings(Files(), 0))
    assert len(found) == 12
    failed = [figure.figure.split(", findings, ")[1] for figure in found if figure.ours != "holds"]
    assert failed == ["conclusions: rank swapping is better than all mixtures"]
    assert [figure.is_judged for figure in found].count(False) == 6
