"""Reports on files: written with what made them, and checked against the files."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.errors import FileError, VerificationError
from sfumato.jobs.mask import mask
from sfumato.jobs.reports.check_report import _digest_check, _file_check, _load, check_report
from sfumato.jobs.reports.report import report
from sfumato.jobs.result import JobEnding
from sfumato.jobs.synthesise import synthesise
from sfumato.jobs.tables.table_protect import table_protect
from sfumato.reports.release.chapters.provenance import RECIPE_WAS_RUN
from sfumato.reports.release.release_report import content_sha256
from sfumato.reports.release.sections import WordTable
from tests.reports.release.drawing import WITHOUT_CHARTS
from tests.reports.release.surveys import RECIPE, survey

DRAWS = 100


@pytest.fixture(autouse=True, scope="module")
def _without_charts() -> Iterator[None]:
    with WITHOUT_CHARTS:
        yield


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a survey, its release, and the report on it."""
    folder = tmp_path_factory.mktemp("release")
    sf.write(survey(), folder / "people.csv")
    RECIPE.replace(seed=None).save(folder / "recipe.yaml")
    mask(folder / "people.csv", folder / "recipe.yaml", folder / "safe.csv")
    report(
        folder / "people.csv",
        folder / "safe.csv",
        folder / "report.html",
        recipe=folder / "recipe.yaml",
        limits=["k>=2"],
        author="A. Steward",
    )
    return folder


@pytest.fixture
def copy(release: Path, tmp_path: Path) -> Path:
    shutil.copytree(release, tmp_path / "copy")
    return tmp_path / "copy"


def flip(path: Path, place: int) -> None:
    """Change one bit of a file."""
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(bytes(content))


def finds_tampering(folder: Path) -> bool:
    """Tell whether the checksums of a report and its files tell that something was changed."""
    try:
        stored = _load(folder / "report.json")
    except VerificationError:
        return True
    checks = [_digest_check(folder / "report.json", stored)]
    checks += [_file_check(one, folder, {}) for one in stored["files"]]
    return not all(check.passed for check in checks)


def test_a_report_that_nobody_touched_passes(release: Path) -> None:
    found = check_report(release / "report.json")
    assert found.passed, str(found)
    assert found.ending is JobEnding.DONE
    assert RECIPE_WAS_RUN in (release / "report.json").read_text()
    assert not finds_tampering(release)


@pytest.mark.parametrize("name", ["people.csv", "safe.csv", "recipe.yaml", "report.json", "report.html"])
def test_one_changed_bit_is_found_wherever_it_is(copy: Path, name: str) -> None:
    rng = np.random.default_rng(7)
    path = copy / name
    content = path.read_bytes()
    found = 0
    for place in rng.choice(len(content), DRAWS, replace=False).tolist():
        flip(path, place)
        found += finds_tampering(copy)
        path.write_bytes(content)
    assert found == DRAWS


def test_a_digit_that_does_not_change_its_number_is_found(copy: Path) -> None:
    path = copy / "report.json"
    text = path.read_text()
    number = next(one for one in re.findall(r"\d\.\d{15,}", text) if float(one) == float(f"{one}0001"))
    path.write_text(text.replace(number, f"{number}0001", 1))
    assert json.loads(path.read_text()) == json.loads(text)
    assert finds_tampering(copy)


def test_a_changed_file_is_named_and_fails_the_check(copy: Path) -> None:
    flip(copy / "people.csv", 500)
    found = check_report(copy / "report.json")
    assert found.ending is JobEnding.FAILED
    assert "original file people.csv does not have its recorded SHA-256" in str(found)


def test_a_figure_that_was_changed_with_its_checksum_is_found_by_computing_it_anew(copy: Path) -> None:
    content = json.loads((copy / "report.json").read_text())
    figure = next(one for one in content["figures"] if one["path"] == "risk/keys/k/after")
    figure["value"] += 1
    content["sha256"] = content_sha256(content)
    (copy / "report.json").write_text(json.dumps(content))
    found = check_report(copy / "report.json")
    assert found.ending is JobEnding.FAILED
    assert "risk/keys/k/after: value is" in str(found)


def test_the_public_edition_is_checked_with_the_files_given_and_names_none_but_the_release(copy: Path) -> None:
    report(copy / "people.csv", copy / "safe.csv", copy / "public.html", edition="public")
    content = (copy / "public.json").read_text()
    assert "people.csv" not in content
    assert "give both files" in str(check_report(copy / "public.json"))
    found = check_report(copy / "public.json", original=copy / "people.csv", released=copy / "safe.csv")
    assert found.passed, str(found)


def test_a_public_report_says_which_files_it_was_made_with_and_is_checked_when_they_are_given(tmp_path: Path) -> None:
    people, half = tmp_path / "people.csv", np.arange(survey().n) % 2 == 0
    sf.write(survey().take_rows(np.flatnonzero(half)), people)
    sf.write(survey().take_rows(np.flatnonzero(~half)), tmp_path / "others.csv")
    synthesise(people, tmp_path / "made.csv", seed=1)
    others = tmp_path / "others.csv"
    report(people, tmp_path / "made.csv", tmp_path / "public.html", control=others, edition="public")
    assert "others.csv" not in (tmp_path / "public.json").read_text()
    without = check_report(tmp_path / "public.json", original=people)
    assert "made with a control, which it does not name" in str(without)
    assert "give the control too" in str(without)
    found = check_report(tmp_path / "public.json", original=people, control=others)
    assert found.passed, str(found)
    sf.write(survey().take_rows(np.flatnonzero(~half)[:-3]), others)
    assert not check_report(tmp_path / "public.json", original=people, control=others).passed


def test_what_is_no_report_is_refused(copy: Path) -> None:
    with pytest.raises(VerificationError, match="no report of this version"):
        check_report(copy / "safe.csv.manifest.json")
    with pytest.raises(VerificationError, match="cannot be read"):
        check_report(copy / "nothing.json")
    with pytest.raises(FileError, match="HTML"):
        report(copy / "people.csv", copy / "safe.csv", copy / "report.pdf")
    with pytest.raises(FileError):
        report(copy / "people.csv", copy / "safe.csv", copy / "nowhere" / "report.html")


def test_masking_and_synthesising_write_reports_that_pass(copy: Path) -> None:
    made = mask(copy / "people.csv", copy / "recipe.yaml", copy / "again.csv", report=copy / "masked.html")
    assert any("masked.html" in notice for notice in made.notices)
    assert check_report(copy / "masked.json").passed
    drawn = synthesise(copy / "people.csv", copy / "drawn.csv", holdout=30, seed=5, report=copy / "drawn.html")
    assert drawn.control is not None
    content = json.loads((copy / "drawn.json").read_text())
    assert "synthetic" in content["sections"][1]["parts"][0]["text"]
    assert check_report(copy / "drawn.json").passed


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_means_of_a_synthetic_file_stand_beside_those_of_the_whole_survey_and_not_only_of_the_records_drawn_on(
    copy: Path, edition: str
) -> None:
    drawn = synthesise(copy / "people.csv", copy / "drawn.csv", holdout=30, seed=5)
    assert drawn.control is not None
    found = report(copy / "people.csv", copy / "drawn.csv", copy / "on.html", control=drawn.control, edition=edition)
    kept = pl.read_csv(drawn.control).height
    tables = [part for part in found.report.sections[0].parts if isinstance(part, WordTable)]
    lost = {row[0]: row[1] for part in tables for row in part.rows}
    assert "Beside the whole original, of which records were kept back as a control, means moved" in lost["Lost"]
    if edition == "public":
        assert f"{kept:,} others of the" not in str(found.report)
        return
    assert f"{survey().n - kept:,} records that the models were made from; {kept:,} others" in found.page.read_text()
    assert RECIPE_WAS_RUN not in found.page.read_text()  # attacks on synthetic records do not run it
    whole, made = survey().frame["income"].mean(), pl.read_csv(copy / "drawn.csv")["income"].mean()
    assert found.report["utility/means/income/whole"].value == pytest.approx(whole)
    assert found.report["utility/means/income/whole/change"].value == pytest.approx(100 * (made / whole - 1))
    assert found.report["utility/means/income/mean/before"].value != pytest.approx(whole)


def test_the_map_of_a_study_shows_its_alternatives_and_this_release_with_their_units(copy: Path) -> None:
    measures = [sf.InformationLoss(columns=("income", "rent")), sf.DistanceLinkage(columns=("income", "rent"))]
    candidates = [sf.RankSwapping(columns=("income", "rent"), window=window) for window in (5.0, 25.0)]
    study = sf.compare(survey(), candidates, measures=measures, seed=3)
    (copy / "study").mkdir()
    (copy / "study" / "study.json").write_text(json.dumps(study.to_dict()))
    report(copy / "people.csv", copy / "safe.csv", copy / "mapped.html", study=copy / "study")
    content = json.loads((copy / "mapped.json").read_text())
    section = next(one for one in content["sections"] if one["key"] == "trade_off")
    chart = section["parts"][0]
    rows = study.to_frame().select("DLD", "IL").rows()
    shown = [(one["risk"], one["loss"]) for one in chart["data"]["alternatives"]]
    np.testing.assert_allclose(shown, rows)
    found = {figure["path"]: figure["value"] for figure in content["figures"]}
    assert chart["data"]["chosen"]["risk"] == pytest.approx(found["risk/measures/DLD"])
    assert "The star is this release" in chart["sentence"]
    assert "%" in chart["unit"]
    assert check_report(copy / "mapped.json").passed


def test_protected_tables_have_a_report_that_passes(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    lines = ["region,sector,sales"]
    lines += [f"R{rng.integers(4)},S{rng.integers(3)},{rng.integers(1, 900)}" for _ in range(60)]
    (tmp_path / "firms.csv").write_text("\n".join(lines))
    specification = "data: firms.csv\nby: [region, sector]\nvalue: sales\nrules:\n  - p_percent: {p: 10}\n"
    (tmp_path / "spec.yaml").write_text(specification)
    found = table_protect(tmp_path / "spec.yaml", tmp_path / "out", report=tmp_path / "report.html")
    assert found.ending is JobEnding.DONE
    content = json.loads((tmp_path / "report.json").read_text())
    figures = {figure["path"]: figure["value"] for figure in content["figures"]}
    assert figures["risk/unsafe/before"] == found.protected.problem.primaries.size
    assert figures["risk/unsafe/after"] == 0
    assert check_report(tmp_path / "report.json").passed
    flip(tmp_path / "firms.csv", 40)
    assert not check_report(tmp_path / "report.json").passed
