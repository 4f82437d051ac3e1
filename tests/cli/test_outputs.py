"""What `sfumato outputs` shows, and the exit codes of its commands."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.outputs import OutputLog, Project
from sfumato.outputs.memory_files import read_facts, write_facts
from tests.cli.commands import Ran

Command = Callable[..., Ran]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    frame = pl.DataFrame({"town": ["A"] * 15 + ["B"] * 35, "age": [40] * 12 + [95] * 3 + [40] * 20 + [95] * 15})
    log = OutputLog(frame, tmp_path / "p", name="anna")
    log.crosstab("town")
    log.crosstab("town", where="age < 90")
    log.finalise()
    return tmp_path / "p"


def test_check_finds_a_project_safe(sfumato: Command, project: Path) -> None:
    ran = sfumato("outputs", "check", project)
    assert ran.code == 0, ran.err
    assert "2 outputs audited together" in ran.out
    assert "Safe" in ran.out
    assert "review.html" in ran.err


def test_check_ends_with_three_where_something_is_given_away(sfumato: Command, project: Path) -> None:
    path = project / "memory/anna-crosstab-2.npz"
    write_facts(path, read_facts(path, 50).show_all())
    ran = sfumato("outputs", "check", project, "--json")
    assert ran.code == 3
    found = json.loads(ran.out)
    assert not found["is_safe"]
    assert any("not in anna-crosstab-2" in one["group"] for one in found["disclosures"])
    assert "can be worked out" in sfumato("outputs", "check", project).out


def test_show_lists_outputs_and_shows_one(sfumato: Command, project: Path) -> None:
    listed = sfumato("outputs", "show", project)
    assert "anna-crosstab-2" in listed.out
    assert "protected" in listed.out
    one = sfumato("outputs", "show", project, "anna-crosstab-1")
    assert "35" in one.out
    wrong = sfumato("outputs", "show", project, "anna-crostab-1")
    assert wrong.code == 1
    assert "did you mean 'anna-crosstab-" in wrong.err


def test_decisions_are_written_down(sfumato: Command, project: Path) -> None:
    assert sfumato("outputs", "accept", project, "anna-crosstab-1", "--by", "Eve").code == 0
    rejected = sfumato("outputs", "reject", project, "anna-crosstab-2", "--by", "Eve", "--reason", "not needed")
    assert rejected.code == 0
    assert [entry.decision for entry in Project(project).entries] == ["accepted", "rejected"]
    assert len(Project(project).facts()) == 1
    assert sfumato("outputs", "reject", project, "anna-crosstab-1", "--by", "Eve", "--reason", " ").code == 1


def test_a_folder_that_is_no_project_is_refused(sfumato: Command, tmp_path: Path) -> None:
    ran = sfumato("outputs", "check", tmp_path)
    assert ran.code == 1
    assert "name the project's folder" in ran.err


def test_rejecting_frees_what_was_kept(sfumato: Command, project: Path) -> None:
    sfumato("outputs", "reject", project, "anna-crosstab-1", "--by", "Eve", "--reason", "not needed")
    frame = pl.DataFrame({"town": ["A"] * 15 + ["B"] * 35, "age": [40] * 12 + [95] * 3 + [40] * 20 + [95] * 15})
    again = OutputLog(frame, project, name="ben").crosstab("town", where="age < 90")
    assert np.array_equal(again.frame["count"].to_numpy(), [12, 20])
