"""A project remembers what was finalised in any of its logs."""

import json
import os
import stat
import threading
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.errors import DataError, FileError, UnknownColumnError
from sfumato.outputs import OutputLog, OutputRules, Project, Status
from tests.outputs.test_log import PEOPLE, towns

TOWN = towns(12, 3)


def test_another_log_of_the_project_does_not_tell_the_difference(tmp_path: Path) -> None:
    anna = OutputLog(TOWN, tmp_path / "p", name="anna")
    anna.crosstab("town")
    anna.finalise()
    ben = OutputLog(TOWN.to_pandas(), tmp_path / "p", name="ben")
    assert ben.crosstab("town", where="age < 90").hidden == 1
    assert OutputLog(TOWN, name="elsewhere").crosstab("town", where="age < 90").hidden == 0


def test_what_was_finalised_meanwhile_stops_an_output_that_was_safe(tmp_path: Path) -> None:
    anna, ben = (OutputLog(TOWN, tmp_path / "p", name=name) for name in ("anna", "ben"))
    assert anna.crosstab("town").status is Status.SAFE
    assert ben.crosstab("town", where="age < 90").status is Status.SAFE
    anna.finalise()
    with pytest.raises(DataError, match=r"no longer safe .* Nothing was written"):
        ben.finalise()
    assert Project(tmp_path / "p").names == ("anna-crosstab-1",)


def test_the_memory_finds_what_two_accepted_outputs_give_away(tmp_path: Path) -> None:
    anna = OutputLog(TOWN, tmp_path / "p", name="anna")
    anna.crosstab("town")
    anna.finalise()
    ben = OutputLog(TOWN, tmp_path / "p", name="ben")
    second = ben.crosstab("town", where="age < 90", hide=False)
    assert second.status is Status.UNSAFE
    project = Project(tmp_path / "p")
    assert project.check() == ()


def test_sums_of_two_logs_are_audited_together(tmp_path: Path) -> None:
    pay = pl.DataFrame({"age": [*range(20, 50), 99], "pay": [10.0 + place for place in range(31)]})
    frame = pay.with_columns(town=pl.lit("A"))
    anna = OutputLog(frame, tmp_path / "p", name="anna")
    assert anna.pivot_table("pay", "town", aggfunc="sum").hidden == 0
    anna.finalise()
    ben = OutputLog(frame, tmp_path / "p", name="ben")
    assert ben.pivot_table("pay", "town", aggfunc="sum", where="age < 60").hidden == 1


def test_a_rejected_output_was_never_shown(tmp_path: Path) -> None:
    anna = OutputLog(TOWN, tmp_path / "p", name="anna")
    anna.crosstab("town")
    (name,) = anna.finalise()
    Project(tmp_path / "p").decide(name, "rejected", by="checker", reason="not needed")
    assert OutputLog(TOWN, tmp_path / "p", name="ben").crosstab("town", where="age < 90").hidden == 0
    with pytest.raises(DataError, match="a rejection needs a reason"):
        Project(tmp_path / "p").decide(name, "rejected", by="checker")


def test_an_exception_without_a_reason_is_not_handed_on(tmp_path: Path) -> None:
    frame = pl.DataFrame({"ward": ["A"] * 20 + ["B"] * 40, "ill": ["yes"] * 20 + ["yes", "no"] * 20})
    log = OutputLog(frame, tmp_path / "p", name="anna")
    output = log.crosstab("ward", "ill")
    with pytest.raises(DataError, match=r"anna-crosstab-1: .* exception with a reason"):
        log.finalise()
    log.add_exception(output.name, "the ward treats only this illness")
    log.finalise()
    (entry,) = Project(tmp_path / "p").entries
    assert entry.needs_eyes
    assert entry.plain["exception"] == "the ward treats only this illness"
    assert not Project(tmp_path / "p").decide(entry.name, "accepted", by="checker").needs_eyes


def test_the_record_says_rules_versions_and_decision_and_no_hidden_figure(tmp_path: Path) -> None:
    log = OutputLog(towns(37, 4), tmp_path / "p", name="anna", rules=OutputRules(min_units=6))
    log.crosstab("town", "age", margins=True)
    (name,) = log.finalise()
    text = (tmp_path / "p/outputs" / name / "record.json").read_text()
    record = json.loads(text)
    assert record["rules"]["min_units"] == 6
    assert record["sfumato"]
    assert record["decision"]["is"] == "waiting"
    assert record["shown"]["figures"] == [[None, None, 41], [None, None, 35], [57, 19, 76]]
    assert "37" not in text
    assert "37" not in (tmp_path / "p/review.html").read_text()


def test_the_page_warns_only_where_an_output_needs_a_look(tmp_path: Path) -> None:
    log = OutputLog(towns(37, 4), tmp_path / "p", name="anna", rules=OutputRules(min_units=6))
    log.crosstab("town")
    log.finalise()
    page = tmp_path / "p/review.html"
    assert "No output needs a closer look." in page.read_text()
    assert 'class="notice"' not in page.read_text()
    unsafe = log.crosstab("town", "age", hide=False)
    log.add_exception(unsafe.name, "the checker knows both persons")
    log.finalise()
    assert '<p class="notice">1 output to look at</p>' in page.read_text()


def test_rows_in_another_order_are_noticed(tmp_path: Path) -> None:
    OutputLog(PEOPLE, tmp_path / "p")
    with pytest.raises(DataError, match="rows are in another order"):
        OutputLog(PEOPLE.sort("age"), tmp_path / "p")
    with pytest.raises(DataError, match="this file has 299"):
        OutputLog(PEOPLE.head(299), tmp_path / "p")
    OutputLog(PEOPLE.with_columns(old=pl.col("age") > 70), tmp_path / "p")


def test_records_with_an_id_may_come_in_any_order_and_in_part(tmp_path: Path) -> None:
    frame = TOWN.with_row_index("person")
    anna = OutputLog(frame, tmp_path / "p", name="anna", record_id="person")
    anna.crosstab("town")
    anna.finalise()
    part = frame.filter(pl.col("age") < 90).reverse()
    assert OutputLog(part, tmp_path / "p", name="ben", record_id="person").crosstab("town").hidden == 1
    with pytest.raises(DataError, match="tells records apart by column 'person'"):
        OutputLog(frame, tmp_path / "p")
    with pytest.raises(DataError, match="must tell every record from the others"):
        OutputLog(frame.with_columns(person=1), tmp_path / "p", record_id="person")


def test_logs_that_finalise_at_once_lose_nothing(tmp_path: Path) -> None:
    logs = [OutputLog(PEOPLE, tmp_path / "p", name=f"log{number}") for number in range(4)]
    for log in logs:
        log.crosstab("sex")
    threads = [threading.Thread(target=log.finalise) for log in logs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = Project(tmp_path / "p").entries
    assert [entry.plain["number"] for entry in entries] == [1, 2, 3, 4]
    assert len(Project(tmp_path / "p").facts()) == 4


def test_the_memory_is_for_its_owner_only(tmp_path: Path) -> None:
    OutputLog(PEOPLE, tmp_path / "p")
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "p/memory").stat().st_mode) == 0o700


def test_a_project_keeps_its_rules_and_its_folder(tmp_path: Path) -> None:
    OutputLog(PEOPLE, tmp_path / "p", rules=OutputRules(min_units=7))
    assert OutputLog(PEOPLE, tmp_path / "p").rules.min_units == 7
    with pytest.raises(DataError, match="rules of its own"):
        OutputLog(PEOPLE, tmp_path / "p", rules=OutputRules(min_units=3))
    with pytest.raises(UnknownColumnError, match="prson"):
        OutputLog(PEOPLE, tmp_path / "by_column", record_id="prson")
    with pytest.raises(DataError, match=r"OutputLog\.name"):
        OutputLog(PEOPLE, tmp_path / "p", name="../elsewhere")
    (tmp_path / "other").mkdir()
    (tmp_path / "other/notes.txt").write_text("mine")
    with pytest.raises(FileError, match="holds other files and no project"):
        OutputLog(PEOPLE, tmp_path / "other")
    with pytest.raises(FileError, match="name the project's folder"):
        Project(tmp_path)


def test_the_same_variable_is_known_again_and_a_changed_one_is_another(tmp_path: Path) -> None:
    anna = OutputLog(PEOPLE, tmp_path / "p", name="anna")
    anna.pivot_table("income", "sex")
    anna.finalise()
    scaled = PEOPLE.with_columns(new_income=pl.col("income") * 2)
    ben = OutputLog(scaled, tmp_path / "p", name="ben")
    ben.pivot_table("income", "sex")
    ben.pivot_table("new_income", "sex")
    ben.finalise()
    assert len(Project(tmp_path / "p").values()) == 2
    assert all(np.isfinite(values).all() for values in Project(tmp_path / "p").values().values())
