"""The walk of a steward: nothing from outside is asked for, all can use it, and a killed server loses nothing."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from sfumato.app.screens import SCREENS
from sfumato.jobs.verify import verify
from tests.app.browser import Server, barriers, choose, needs_chromium, opened, turn_to

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTILE = "<img src=x onerror=document.title='caught'>"
RIGHT_TO_LEFT = "\u202egnilleps"
LONG = "x" * 10_000

pytestmark = needs_chromium


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    table = sf.datasets.demo(80).table.rename({"tax": HOSTILE, "savings": RIGHT_TO_LEFT, "expenditure": LONG})
    sf.write(sf.Microdata(table.to_native()), tmp_path / "survey.csv")
    server = Server(tmp_path, "survey.csv")
    yield server
    server.stop()


def test_a_steward_walks_from_a_file_to_its_release(browser: "Browser", own_server: Server, tmp_path: Path) -> None:
    with opened(browser, own_server.address) as page:
        page.get_by_text("different values").first.wait_for()
        for name in (HOSTILE, RIGHT_TO_LEFT, LONG):
            assert page.get_by_text(name, exact=True).count() == 1
        found = []
        for screen in SCREENS:
            turn_to(page, screen)
            page.get_by_role("heading").first.wait_for()
            found += barriers(page, f"{screen}, empty")
        turn_to(page, "Tables")
        choose(page, "Rows", "region")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Protect the table").click()
        page.locator("td.cell-primary").first.focus()
        page.get_by_text("unsafe by min_units(3)").wait_for()
        found += barriers(page, "Tables")
        turn_to(page, "Protect")
        choose(page, "Column", "region")
        page.get_by_role("checkbox").nth(1).click()
        page.get_by_role("checkbox").nth(2).click()
        page.get_by_label("Name of the new group").fill("both")
        page.get_by_role("button", name="Join the chosen").click()
        page.get_by_role("button", name="Split both").wait_for()
        page.get_by_role("button", name="Propose a recipe").click()
        page.get_by_role("button", name="Take this recipe").click()
        page.get_by_role("listitem").filter(has_text="Drop identifiers").first.wait_for()
        found += barriers(page, "Protect")
        own_server.stop(signal.SIGKILL)  # nothing that was shown is lost
        page.goto(own_server.start())
        page.get_by_text("Last action: took what protect proposed").wait_for()
        turn_to(page, "Release")
        page.get_by_text("Done: no identifier is released").wait_for()
        page.get_by_role("button", name="Write the release").click()
        page.get_by_text("Keep it with the original data").wait_for()
        found += barriers(page, "Release")
        assert found == []
        assert page.title() == "Sfumato"
    assert verify(tmp_path / "survey.csv.sfumato" / "release" / "masked.csv.manifest.json").ending == "done"
