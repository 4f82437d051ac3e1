"""A tab is brought up to date whatever becomes of the element that was clicked."""

import asyncio
import gc
from dataclasses import replace
from pathlib import Path

import pytest
from nicegui import Client, core, ui

import sfumato as sf
from sfumato.app import changes
from sfumato.app.page import Frame
from sfumato.app.project import Project
from sfumato.app.workbench import Workbench


def test_a_click_is_shown_also_when_its_button_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "people.csv"
    file.write_text("age,income\n31,2000\n44,3100\n59,1800\n")
    bench = Workbench(Project.create(tmp_path / "project", file, sf.read(file).schema))
    monkeypatch.setattr(bench, "compute", lambda verb: None)

    async def click() -> None:
        monkeypatch.setattr(core, "loop", asyncio.get_running_loop())
        with Client(ui.page("/tab")) as client:
            frame = Frame(bench, {})
            frame.show()
            place = ui.column()
            with place:
                slot = ui.column().default_slot
            with slot:  # where the handler of a click is run
                place.clear()
                gc.collect()
                frame.choose_method("income", None, None)
                assert not frame.show_problem("no column 'rent'")
            await asyncio.sleep(0)  # scripts are sent a moment later
            sent = [kind for _, kind, _ in client.outbox.messages]
        assert "notify" in sent
        assert "run_javascript" in sent  # the text of the recipe

    asyncio.run(click())
    bench.close()


def test_a_page_that_has_missed_a_change_shows_it_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "people.csv"
    file.write_text("age,income\n31,2000\n44,3100\n59,1800\n")
    bench = Workbench(Project.create(tmp_path / "project", file, sf.read(file).schema))
    monkeypatch.setattr(bench, "compute", lambda verb: None)

    async def miss() -> None:
        monkeypatch.setattr(core, "loop", asyncio.get_running_loop())
        with Client(ui.page("/tab")):
            frame = Frame(bench, {})
            frame.show()
            bench.act(changes.give_role, "income", "confidential")  # nobody tells the tab
            shown: list[object] = []
            frame._parts[-1] = replace(frame._parts[-1], refresh=lambda: shown.append(bench.project.state), screen=None)
            frame.catch_up()
            frame.catch_up()
        assert [state.action for state in shown] == ["income is confidential"]  # type: ignore[attr-defined]

    asyncio.run(miss())
    bench.close()
