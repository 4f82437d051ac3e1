"""A tree is made from the codes of a column by two clicks, and a step of it is a line of the recipe."""

from typing import TYPE_CHECKING

from tests.app.browser import barriers, choose, needs_chromium, search, turn_to

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium


def test_classes_of_whole_numbers_become_a_step_of_the_recipe(page: "Page") -> None:
    if not page.get_by_role("combobox", name="Kind of age").input_value().startswith("ordinal"):
        choose(page, "Kind of age", "ordinal")
        page.get_by_text("Last action: age is ordinal").wait_for()
    turn_to(page, "Protect")
    search(page, "Column", "age")
    page.get_by_text("Make a tree from the codes").click()
    page.get_by_label("Widths of classes").fill("5, five")
    page.get_by_role("button", name="Put into classes").click()
    page.get_by_text("whole numbers are expected").wait_for()
    page.get_by_role("button", name="Close").click()
    page.get_by_text("whole numbers are expected").wait_for(state="hidden")
    page.get_by_label("Widths of classes").fill("5, 20")
    page.get_by_role("button", name="Put into classes").click()
    page.get_by_role("button", name="Take this tree").click()
    page.get_by_text("Last action: took a tree for age").wait_for()
    assert barriers(page, "Protect") == []
    page.get_by_role("button", name="Add a step that joins them at depth 1").click()
    page.get_by_text("Last action: added generalisation").wait_for()
    page.wait_for_function("document.querySelector('[aria-label=\"The recipe as YAML\"]').value.includes('20 to 39')")
