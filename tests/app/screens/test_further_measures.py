"""Other measures of the original file are chosen, taken, left out and undone, as `sfumato risk` prints them."""

from typing import TYPE_CHECKING

from tests.app.browser import barriers, needs_chromium, search, turn_to

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium


def test_a_measure_is_taken_left_out_and_comes_back_by_undo(page: "Page") -> None:
    turn_to(page, "Risk")
    search(page, "Measure: type to search", "SUDA")
    page.get_by_label("max size").fill("2")
    page.get_by_role("button", name="Measure it").click()
    page.get_by_role("heading", name="SUDA: ").wait_for()
    page.get_by_text("MSUN, records that few keys single out").wait_for()
    assert barriers(page, "SUDA") == []
    page.get_by_role("button", name="Leave out SUDA").click()
    page.get_by_text("Last action: left out suda").wait_for()
    page.get_by_role("heading", name="SUDA: ").wait_for(state="hidden")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("heading", name="SUDA: ").wait_for()
