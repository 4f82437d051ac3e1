"""Walks in a real browser: nothing from outside is asked for, all can use it, and what it writes can be made again."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.app.screens import SCREENS
from sfumato.jobs.verify import verify
from tests.app.browser import MILLISECONDS, Server, barriers, choose, needs_chromium, opened, turn_to

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "<img src=x onerror=document.title='caught'>"
RIGHT_TO_LEFT = "\u202egnilleps"
LONG = "x" * 10_000
STEP = "steps: [{top_coding: {columns: [age], at: %d}}]"

pytestmark = needs_chromium


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    table = sf.datasets.demo(80).table.rename({"tax": HOSTILE, "savings": RIGHT_TO_LEFT, "expenditure": LONG})
    sf.write(sf.Microdata(table.to_native()), tmp_path / "survey.csv")
    server = Server(tmp_path, "survey.csv")
    yield server
    server.stop()


@pytest.fixture
def page(server: Server) -> Iterator["Page"]:
    with opened(server) as page:
        yield page


def test_a_steward_walks_from_a_file_to_its_release(page: "Page", server: Server, tmp_path: Path) -> None:
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
    server.stop(signal.SIGKILL)  # nothing that was shown is lost
    page.goto(server.start())
    page.get_by_text("Last action: took what protect proposed").wait_for()
    turn_to(page, "Release")
    page.get_by_text("Done: no identifier is released").wait_for()
    page.get_by_role("button", name="Write the release").click()
    page.get_by_text("Keep it with the original data").wait_for()
    found += barriers(page, "Release")
    assert found == []
    assert page.title() == "Sfumato"
    assert verify(tmp_path / "survey.csv.sfumato" / "release" / "masked.csv.manifest.json").ending == "done"


def test_what_is_typed_into_the_recipe_stays_until_it_is_taken(page: "Page", server: Server) -> None:
    def fields(tab: "Page") -> tuple[Any, Any]:
        return tab.get_by_label("The recipe as YAML"), tab.get_by_role("button", name="Take it as edited")

    def wait_for(recipe: str) -> None:
        page.wait_for_function(
            "want => document.querySelector('[aria-label=\"The recipe as YAML\"]').value.includes(want)", arg=recipe
        )

    other = page.context.new_page()
    other.set_default_timeout(MILLISECONDS)
    other.goto(server.address)
    text, take = fields(page)
    text.fill("steps: [{no_such_method: {}}]")
    take.click()
    page.get_by_role("button", name="Close").click()
    assert "no_such_method" in text.input_value()  # a recipe that is refused can be mended
    text.fill(STEP % 60)
    take.click()
    text.fill(STEP % 61)  # at once, while the page still shows what the action before it did
    take.click()
    page.get_by_text("Last action: edited the recipe").wait_for()
    wait_for("61")
    undo = page.get_by_role("button", name="Undo")
    undo.dblclick()
    page.get_by_text("Last action: opened").wait_for()
    page.get_by_role("button", name="Redo").click()
    wait_for("60")
    text.fill(STEP % 62)
    page.get_by_text("This text is not taken yet.").wait_for()
    others_text, others_take = fields(other)
    others_text.fill(STEP % 63)
    others_take.click()
    page.get_by_text("the recipe has changed since you began").wait_for()
    assert "62" in text.input_value()
    page.get_by_role("button", name="Put it back").click()
    wait_for("63")
    assert "63" in others_text.input_value()
    other.close()
