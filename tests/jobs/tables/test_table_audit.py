"""Auditing a pattern from a file."""

from pathlib import Path

import polars as pl

from sfumato.jobs.result import JobEnding
from sfumato.jobs.tables.table_audit import table_audit
from sfumato.jobs.tables.table_protect import table_protect
from tests.table_specification.firms import firm_files


def test_what_protect_writes_is_safe_and_less_is_not(tmp_path: Path) -> None:
    spec = firm_files(tmp_path) / "spec.yaml"
    table_protect(spec, tmp_path / "out")
    safe = table_audit(spec, [tmp_path / "out" / "spec.csv"])
    assert (safe.ending, safe.audit.is_safe) == (JobEnding.DONE, True)
    statuses = pl.read_csv(tmp_path / "out" / "review" / "spec_statuses.csv")
    less = statuses.with_columns(status=pl.col("status").replace({"secondary": "published"}))
    less.write_csv(tmp_path / "less.csv")
    found = table_audit(spec, [tmp_path / "less.csv"], output=tmp_path / "audited")
    assert found.ending is JobEnding.NOT_MET
    assert found.to_dict()["violations"]
    assert (tmp_path / "audited" / "review" / "protection.html").exists()


def test_two_releases_are_audited_together(tmp_path: Path) -> None:
    spec = firm_files(tmp_path) / "spec.yaml"
    table_protect(spec, tmp_path / "out")
    pattern = tmp_path / "out" / "spec.csv"
    alike = table_audit(spec, [pattern], previous=[pattern])
    assert alike.ending is JobEnding.DONE
    assert any("either of them publishes" in notice for notice in alike.notices)
    statuses = pl.read_csv(tmp_path / "out" / "review" / "spec_statuses.csv")
    only_unsafe = statuses.with_columns(status=pl.col("status").replace({"secondary": "published"}))
    only_unsafe.write_csv(tmp_path / "earlier.csv")
    both = table_audit(spec, [pattern], previous=[tmp_path / "earlier.csv"])
    assert both.ending is JobEnding.NOT_MET
    assert "By itself the pattern is safe; together with the earlier release it is not." in both.notices
