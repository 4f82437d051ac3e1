"""What lies beside a report: other releases of the same original, and editions that answer other questions."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.jobs.mask import mask
from sfumato.jobs.reports.check_report import check_report
from sfumato.jobs.reports.report import ReportResult, report
from sfumato.reports.release.sections import Form, Prose
from tests.reports.release.drawing import WITHOUT_CHARTS
from tests.reports.release.surveys import RECIPE, survey


@pytest.fixture(autouse=True)
def _without_charts() -> Iterator[None]:
    with WITHOUT_CHARTS:
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a survey and two releases of it."""
    sf.write(survey(), tmp_path / "people.csv")
    RECIPE.replace(seed=None).save(tmp_path / "recipe.yaml")
    for name in ("one", "two"):
        mask(tmp_path / "people.csv", tmp_path / "recipe.yaml", tmp_path / f"{name}.csv")
    return tmp_path


def written(folder: Path, page: str = "report.html", edition: str = "internal", *standards: str) -> ReportResult:
    return report(folder / "people.csv", folder / "one.csv", folder / page, edition=edition, standards=standards)


def test_another_release_of_the_same_original_is_named_to_the_house_only(folder: Path) -> None:
    inside, outside = written(folder), written(folder, "public.html", "public")
    assert "Other releases of the same original" in str(inside.report)
    assert "two.csv (" in inside.page.read_text()
    assert "two.csv" not in outside.page.read_text() + outside.figures.read_text()


def test_another_release_stands_in_the_verdict_and_in_what_the_board_signs(folder: Path) -> None:
    verdict = written(folder).report.sections[0].parts
    (told,) = [part.text for part in verdict if isinstance(part, Prose) and "Other releases" in part.text]
    assert "two.csv (" in told
    assert "in no figure of this report" in told
    (form,) = [part for part in verdict if isinstance(part, Form)]
    assert "two.csv (" in form.fields[0]
    public = str(written(folder, "public.html", "public").report.sections[0])
    assert "such as other releases of the same original" in public  # that some may exist, and not which


def test_the_check_passes_also_after_another_release_was_made(folder: Path) -> None:
    written(folder)
    mask(folder / "people.csv", folder / "recipe.yaml", folder / "three.csv")
    assert check_report(folder / "report.json").passed


def test_releases_of_other_originals_and_broken_manifests_are_none(folder: Path) -> None:
    sf.write(survey(200, seed=8), folder / "others.csv")
    mask(folder / "others.csv", folder / "recipe.yaml", folder / "two.csv", overwrite=True)
    (folder / "broken.csv.manifest.json").write_text("{")
    (folder / "list.csv.manifest.json").write_text("[1]")
    assert "No manifest beside the released file" in written(folder).page.read_text()


def test_a_report_from_memory_says_that_nobody_looked() -> None:
    assert "were not looked for" in sf.report(survey(), RECIPE.run(survey())).to_html()


def test_an_edition_that_answers_other_questions_of_the_law_is_told_both_ways(folder: Path) -> None:
    assert not [notice for notice in written(folder).notices if notice.startswith("Warning")]
    notices = written(folder, "public.html", "public", "wp216", "hipaa").notices
    (warned,) = [notice for notice in notices if notice.startswith("Warning")]
    assert warned == (
        "Warning: this report answers the questions of wp216, hipaa, and report.json, the internal edition on the same "
        "release, was not asked them."
    )
    notices = written(folder, "report.html", "internal", "wp216").notices
    (warned,) = [notice for notice in notices if notice.startswith("Warning")]
    assert warned.startswith(
        "Warning: public.json, the public edition on the same release, answers the questions of hipaa"
    )


def test_editions_that_answer_the_same_and_reports_on_other_files_are_no_warning(folder: Path) -> None:
    written(folder, "report.html", "internal", "wp216")
    stored = json.loads((folder / "report.json").read_text())
    stored["files"] = [{**one, "sha256": "0" * 64} for one in stored["files"]]
    stored["request"]["standards"] = ["hipaa"]
    (folder / "elsewhere.json").write_text(json.dumps(stored))
    shutil.copy(folder / "people.csv", folder / "people.json")
    notices = written(folder, "public.html", "public", "wp216").notices
    assert not [notice for notice in notices if notice.startswith("Warning")]
