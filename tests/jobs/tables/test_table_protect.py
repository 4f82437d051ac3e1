"""Protecting tables from files to files: what comes back, and what is written."""

from dataclasses import replace
from pathlib import Path

import pytest

from sfumato.errors import ParameterError
from sfumato.files import ReadOptions, WriteOptions
from sfumato.jobs.progress import Stage
from sfumato.jobs.result import JobEnding
from sfumato.jobs.tables.table_protect import table_protect
from sfumato.table_specification import SpecifiedTables, TableSpecification, protect_tables
from sfumato.tables import OptimalSuppression, ProtectedTables
from tests.table_specification.firms import FIRMS, SPEC, firm_files


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    return firm_files(tmp_path) / "spec.yaml"


def test_what_was_done_comes_back_and_nothing_is_printed(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stages: list[Stage] = []
    result = table_protect(spec, tmp_path / "out", on_progress=stages.append)
    assert capsys.readouterr() == ("", "")
    assert result.ending is JobEnding.DONE
    assert result.audit is not None
    assert result.audit.is_safe
    assert result.to_dict()["secondaries"] == result.protected.secondaries > 0
    assert sorted(map(str, result.files)) == sorted(str(path) for path in (tmp_path / "out").rglob("*.*"))
    assert stages[0].description == "making the tables"
    assert {"protecting", "auditing", "writing"} <= {stage.description for stage in stages}


def test_nothing_is_written_without_a_folder(spec: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    assert table_protect(spec).files == ()
    assert sorted(tmp_path.iterdir()) == before


def test_another_protection_and_its_time_limit_can_be_asked_for(spec: Path) -> None:
    result = table_protect(spec, protection="optimal_suppression", time_limit=30)
    assert result.protected.pattern.ended.value == "optimal"
    rounded = table_protect(spec, protection="controlled_rounding")
    assert rounded.to_dict()["base"] == 50
    assert rounded.ending is JobEnding.NOT_MET, "a base of 50 leaves the unsafe cells too open"
    assert OptimalSuppression.name() not in rounded.to_text()


@pytest.mark.parametrize("protection", ["optimal_suppression", "controlled_rounding"])
def test_tables_that_are_not_safe_are_withheld_unless_asked_for_whatever_the_protection(
    protection: str, spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def suppress_too_little(
        specification: TableSpecification, specified: SpecifiedTables, *, on_progress: object, **_: object
    ) -> ProtectedTables:
        found = protect_tables(specification, specified)
        if specification.protection().suppresses:
            return replace(found, outcome=replace(found.pattern, suppressed=found.problem.must_suppress))
        return found

    monkeypatch.setattr("sfumato.jobs.tables.table_protect.protect_tables", suppress_too_little)
    withheld = table_protect(spec, tmp_path / "out", protection=protection)
    written = table_protect(spec, tmp_path / "all", protection=protection, write_unsafe=True)
    assert withheld.ending is written.ending is JobEnding.NOT_MET
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"review"}
    assert {path.name for path in (tmp_path / "all").iterdir()} == {"review", "spec.csv", "spec.html"}
    assert "nothing was written to be published" in withheld.notices[-1]
    assert "NOT SAFE" in written.notices[-1]
    assert not any("wanted [" in notice for notice in withheld.notices), "an interval that was wanted tells the value"


def test_a_protection_that_needs_no_rules_is_not_audited_without_them(spec: Path, tmp_path: Path) -> None:
    spec.write_text(SPEC.replace("rules:\n  - p_percent: 10\n", ""))
    result = table_protect(spec, tmp_path / "out", protection="controlled_rounding")
    assert (result.ending, result.audit, result.to_dict()["is_safe"]) == (JobEnding.DONE, None, None)
    assert "Not audited: no rule says what is unsafe." in result.sentences
    assert (tmp_path / "out" / "spec.csv").exists()


def test_the_data_are_read_as_the_options_say(spec: Path) -> None:
    same = table_protect(spec).to_dict()
    lines = [line.replace(",", "|") for line in FIRMS.write_csv().splitlines()]
    (spec.parent / "firms.csv").write_text("\n".join(lines) + "\n", encoding="utf-16")
    assert table_protect(spec, options=ReadOptions(separator="|", encoding="utf-16")).to_dict() == same


def release(folder: Path) -> dict[str, str]:
    """Return the files to be published in a folder."""
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def test_a_run_that_withholds_leaves_no_earlier_release_beside_its_review(spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    table_protect(spec, out)
    before = release(out)
    withheld = table_protect(spec, out, protection="controlled_rounding")
    assert withheld.ending is JobEnding.NOT_MET
    assert release(out) == {}
    assert release(out / "earlier-1") == before
    assert any(f"is now in {out / 'earlier-1'}: it is not this run's" in notice for notice in withheld.notices)


def test_the_same_release_again_takes_its_place_and_another_one_does_not_overwrite_it(
    spec: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    table_protect(spec, out)
    before = release(out)
    again = table_protect(spec, out)
    assert release(out) == before
    assert not list(out.glob("earlier-*"))
    assert not any("earlier run" in notice for notice in again.notices)
    spec.write_text(SPEC.replace("seed: 1", "seed: 1\ncost: unity"))
    table_protect(spec, out)
    assert release(out / "earlier-1") == before
    assert release(out) != before
    table_protect(spec, out, protection="controlled_rounding")
    assert (out / "earlier-2" / "spec.csv").exists()
    assert release(out / "earlier-1") == before


def test_files_that_another_run_left_are_named(spec: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old.csv").write_text("a\n1\n")
    result = table_protect(spec, tmp_path / "out")
    assert any("not of this run: old.csv" in notice for notice in result.notices)


def test_a_time_limit_is_warned_of_and_effort_is_not(spec: Path) -> None:
    timed = table_protect(spec, protection="optimal_suppression", time_limit=30)
    assert any("depends on how fast the machine is" in notice for notice in timed.notices)
    assert not any("how fast the machine is" in notice for notice in table_protect(spec).notices)


def test_tables_are_protected_together_with_an_earlier_release(spec: Path, tmp_path: Path) -> None:
    table_protect(spec, tmp_path / "first")
    earlier = [tmp_path / "first" / "spec.csv"]
    spec.write_text(SPEC.replace("seed: 1", "seed: 1\ncost: unity"))
    both = table_protect(spec, tmp_path / "both", previous=earlier)
    assert both.ending is JobEnding.DONE
    assert any(sentence.startswith("Audited together with the earlier release") for sentence in both.sentences)
    careless = (tmp_path / "first" / "spec.csv").read_text().replace(",suppressed", ",published")
    (tmp_path / "careless.csv").write_text(careless)
    withheld = table_protect(spec, tmp_path / "withheld", previous=[tmp_path / "careless.csv"])
    assert withheld.ending is JobEnding.NOT_MET
    assert release(tmp_path / "withheld") == {}
    assert any("Who has the earlier release as well comes too near" in notice for notice in withheld.notices)


def test_tables_are_written_as_asked_and_serve_as_an_earlier_release(spec: Path, tmp_path: Path) -> None:
    german = WriteOptions(separator=";", decimal=",", encoding="cp1252")
    usual = table_protect(spec, tmp_path / "usual").files[0]
    written = table_protect(spec, tmp_path / "out", write_options=german).files[0]
    assert written.read_text("cp1252").replace(";", ",") == usual.read_text("utf-8")
    again = table_protect(spec, tmp_path / "out", write_options=german, previous=[written])
    assert again.ending is JobEnding.DONE
    assert not list((tmp_path / "out").glob("earlier-*"))
    with pytest.raises(ParameterError, match=r"write\.format: tables are written as csv; leave it out"):
        table_protect(spec, write_options=WriteOptions(format="sav"))
