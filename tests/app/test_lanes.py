"""Tasks run in a process of their own, and one that is cancelled leaves nothing behind."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.app.lanes import wait_for_ended
from sfumato.app.project import Project
from sfumato.app.workbench import Workbench


@pytest.fixture
def project(tmp_path: Path) -> Project:
    file = tmp_path / "survey.csv"
    sf.write(sf.datasets.demo(60), file)
    return Project.create(tmp_path / "project", file, sf.read(file).schema)


def run(project: Project, walk: Callable[[Workbench], None], *, until: Callable[[Workbench], bool]) -> Workbench:
    """Let a workbench do something, and wait until what is wanted is there."""
    bench = Workbench(project)

    async def wait() -> None:
        walk(bench)
        async with asyncio.timeout(120):
            while not until(bench):
                await asyncio.sleep(0.05)
        bench.close()
        await wait_for_ended()

    asyncio.run(wait())
    return bench


def test_a_result_is_there_when_its_task_is_told_to_have_ended(project: Project) -> None:
    told: list[str | None] = []

    def look(bench: Workbench) -> None:
        bench.listen(told.append)
        bench.compute("look")
        bench.compute("look")  # the same is not computed twice

    bench = run(project, look, until=lambda bench: not bench.tasks)
    assert bench.project.result("look")["records"] == 60
    assert told == ["look", "look", "look"]


def test_a_task_that_is_refused_says_why_and_the_next_one_runs(project: Project) -> None:
    def ask(bench: Workbench) -> None:
        bench.compute("preview", {"recipe": "steps: [{top_coding: {columns: [nobody], at: 3}}]", "column": "age"})
        bench.compute("look")

    bench = run(project, ask, until=lambda bench: not bench.tasks)
    assert ["no column 'nobody'" in problem for problem in bench.failures.values()] == [True]
    assert bench.project.result("look") is not None


def test_cancelling_does_not_wait_for_processes_that_the_task_has_started(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = tmp_path / "worker"  # it starts another process, which keeps its answers open
    worker.write_text('#!/bin/sh\nread task\nsleep 600 &\necho $! > "$0.child"\necho \'{"words": "at work"}\'\nwait\n')
    worker.chmod(0o700)
    monkeypatch.setattr("sys.executable", str(worker))
    ended: list[bool] = []

    def ask(bench: Workbench) -> None:
        bench.compute("look")

        async def cancel() -> None:
            while bench.tasks[0].words != "at work":
                await asyncio.sleep(0.01)
            bench.cancel(bench.tasks[0])
            await asyncio.sleep(0.2)
            ended.append(not bench.tasks)
            os.kill(int(Path(f"{worker}.child").read_text()), signal.SIGKILL)

        bench.cancelling = asyncio.create_task(cancel())  # type: ignore[attr-defined]

    run(project, ask, until=lambda bench: bool(ended))
    assert ended == [True]


def answering(folder: Path, *answers: str) -> Path:
    """Return a program that gives some answers to each task, in which NUMBER stands for that of the task."""
    worker = folder / "worker"
    worker.write_text(
        f"#!{sys.executable}\nimport json, sys\nfor line in sys.stdin:\n    number = str(json.loads(line)['id'])\n"
        f"    for answer in {answers!r}:\n        print(answer.replace('NUMBER', number), flush=True)\n"
    )
    worker.chmod(0o700)
    return worker


def test_what_is_said_of_an_earlier_task_does_not_end_the_present_one(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = answering(tmp_path, '{"task": 0, "done": true}', '{"task": NUMBER, "error": "of this one"}')
    monkeypatch.setattr("sys.executable", str(worker))
    bench = run(project, lambda bench: bench.compute("look"), until=lambda bench: not bench.tasks)
    assert bench.failure("look") == "of this one"


def test_what_was_cancelled_while_its_process_was_started_is_not_carried_out_before_the_next(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = answering(tmp_path, '{"task": NUMBER, "error": "done with"}')
    worker.write_text(
        worker.read_text().replace("    number", '    open(__file__ + ".tasks", "a").write(line)\n    number', 1)
    )
    monkeypatch.setattr("sys.executable", str(worker))

    def ask_and_cancel(bench: Workbench) -> None:
        bench.compute("measure")

        async def cancel() -> None:
            await asyncio.sleep(0)
            bench.cancel(bench.tasks[0])
            bench.compute("risk")

        bench.cancelling = asyncio.create_task(cancel())  # type: ignore[attr-defined]

    bench = run(project, ask_and_cancel, until=lambda bench: bool(bench.failure("risk")))
    assert bench.failure("measure") == "cancelled; nothing was changed"
    assert [json.loads(line)["verb"] for line in Path(f"{worker}.tasks").read_text().splitlines()] == ["risk"]


def test_a_tab_that_cannot_be_shown_keeps_neither_another_tab_nor_the_next_task_waiting(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    worker = answering(tmp_path, '{"task": NUMBER, "error": "done with"}')
    monkeypatch.setattr("sys.executable", str(worker))
    told: list[str | None] = []

    def ask(bench: Workbench) -> None:
        bench.listen(lambda verb: [][0])
        bench.listen(told.append)
        for verb in ("look", "preview"):
            bench.compute(verb)

    bench = run(project, ask, until=lambda bench: not bench.tasks)
    assert [bench.failure(verb) for verb in ("look", "preview")] == ["done with"] * 2
    assert told == ["look", "preview"] * 2
    assert bench.changes == 4
    assert "a tab could not be brought up to date" in caplog.text


def test_a_cancelled_task_leaves_nothing_and_the_next_one_runs(project: Project) -> None:
    def ask_and_cancel(bench: Workbench) -> None:
        bench.compute("look")
        bench.compute("preview", {"recipe": "steps: [{top_coding: {columns: [age], at: 30}}]", "column": "age"})

        async def cancel() -> None:
            while bench.tasks[0].words == "getting ready":
                await asyncio.sleep(0.01)
            bench.cancel(bench.tasks[0])

        bench.cancelling = asyncio.create_task(cancel())  # type: ignore[attr-defined]

    bench = run(project, ask_and_cancel, until=lambda bench: not bench.tasks)
    assert bench.project.result("look") is None
    assert list(bench.failures.values()) == ["cancelled; nothing was changed"]
    assert len(list((project.folder / "results").iterdir())) == 1
