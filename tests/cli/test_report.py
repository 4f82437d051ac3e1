"""The command `report`: what it writes, and the exit codes of a check."""

from collections.abc import Callable
from pathlib import Path

import sfumato as sf
from tests.cli.commands import Ran
from tests.reports.release.drawing import WITHOUT_CHARTS
from tests.reports.release.surveys import RECIPE, survey


@WITHOUT_CHARTS
def test_a_report_is_written_and_checked_and_a_changed_file_fails(sfumato: Callable[..., Ran], tmp_path: Path) -> None:
    sf.write(survey(), tmp_path / "people.csv")
    RECIPE.replace(seed=None).save(tmp_path / "recipe.yaml")
    page, figures = tmp_path / "report.html", tmp_path / "report.json"
    made = sfumato(
        "mask", tmp_path / "people.csv", "-r", tmp_path / "recipe.yaml", "-o", tmp_path / "safe.csv", "--report", page
    )
    assert made.code == 0
    assert page.is_file()
    assert figures.is_file()
    assert sfumato("report", "--check", figures).code == 0
    asked = (tmp_path / "people.csv", tmp_path / "safe.csv", "-o", tmp_path / "other.html", "--limit", "DLD<=0.0001")
    assert sfumato("report", *asked, "--for", "hipaa", "--edition", "public").code == 3
    figures.write_text(figures.read_text().replace('"value": 240.0', '"value": 241.0', 1))
    failed = sfumato("report", "--check", figures)
    assert failed.code == 1
    assert "contents/records/before: value is 241.0 in the report and 240.0 by the files" in failed.out


def test_k_and_limits_are_asked_for_as_in_protect(sfumato: Callable[..., Ran]) -> None:
    for verb in ("protect", "report"):
        options = sfumato(verb, "--help").out
        assert "-k, --k" in options
        assert "-l, --limit" in options


def test_files_and_output_are_asked_for(sfumato: Callable[..., Ran], tmp_path: Path) -> None:
    assert sfumato("report", tmp_path / "people.csv").code == 2
