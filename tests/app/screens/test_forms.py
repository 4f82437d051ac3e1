"""What somebody types or chooses stays there until it is taken, whatever happens elsewhere; so does the keyboard."""

import re
from typing import TYPE_CHECKING

from sfumato.app.screens import SCREENS
from tests.app.browser import barriers, choose, needs_chromium, search, turn_to

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium
ROUNDING = 4  # pixels
OPENING = 500  # milliseconds, in which what is closed would have closed


def act_elsewhere(page: "Page", other: "Page", kind: str) -> None:
    """Change the schema in another tab, upon which every form must be looked at again, and see that this tab knows."""
    other.bring_to_front()
    choose(other, "Kind of age", kind)
    page.bring_to_front()
    page.get_by_text(f"Last action: age is {kind}").wait_for()


def test_forms_keep_what_is_typed_when_another_tab_acts(page: "Page") -> None:
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_text("different values").first.wait_for()
    page.bring_to_front()
    turn_to(page, "Protect")
    search(page, "For", "wage_income")
    page.get_by_text("Advised, as it is").wait_for()
    search(page, "Method: type to search", "Additive noise")
    scale = page.get_by_label(re.compile("^scale"))
    scale.fill("0.37")
    search(page, "Column", "region")
    page.get_by_role("checkbox").nth(1).click()
    page.get_by_label("Name of the new group").fill("half a na")
    page.get_by_text("Import a tree from a CSV file").click()
    page.get_by_label("Rows of the CSV file").fill("Lowmere,Nor")
    page.get_by_label("l: different values in each group").fill("4")
    act_elsewhere(page, other, "ordinal")
    assert scale.input_value() == "0.37"
    assert page.get_by_label("Name of the new group").input_value() == "half a na"
    assert page.get_by_role("checkbox").nth(1).is_checked()
    assert page.get_by_label("Rows of the CSV file").input_value() == "Lowmere,Nor"
    assert page.get_by_label("l: different values in each group").input_value() == "4"
    turn_to(page, "Compare")
    page.get_by_text("Add a method with several values").click()
    search(page, "Method", "Rank swapping")
    page.get_by_label("over, as in").fill("3, 5, 1")
    act_elsewhere(page, other, "continuous")
    page.get_by_role("button", name="Add the usual ones").click()
    page.get_by_text("Last action: added").wait_for()
    assert page.get_by_label("over, as in").input_value() == "3, 5, 1"
    turn_to(page, "Tables")
    choose(page, "Rows", "region")
    page.keyboard.press("Escape")
    page.get_by_label(re.compile("^units")).fill("7")
    act_elsewhere(page, other, "ordinal")
    assert page.get_by_label(re.compile("^units")).input_value() == "7"
    assert page.get_by_role("combobox", name="Rows").locator("xpath=ancestor::label").get_by_text("region").count()


def test_whoever_moves_by_keys_stays_where_they_are(page: "Page") -> None:
    page.get_by_text("different values").first.wait_for()
    page.get_by_role("combobox", name="Role of sex").focus()
    page.keyboard.press("Space")
    page.get_by_role("option", name="confidential").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_text("Last action: sex is").wait_for()
    focused = page.evaluate("document.activeElement.closest('[aria-label]').getAttribute('aria-label')")
    assert focused == "Role of sex"
    turn_to(page, "Compare")
    page.get_by_role("button", name="Add the usual ones").click()
    removing = page.get_by_role("button", name="Remove entry 2 of the grid")
    removing.focus()
    page.keyboard.press("Enter")
    page.get_by_text("Last action: removed entry 2 of the grid").wait_for()
    page.wait_for_function("document.activeElement.getAttribute('aria-label') === 'Remove entry 2 of the grid'")


def test_at_twice_the_size_nothing_covers_the_screens_or_leaves_the_page(page: "Page") -> None:
    page.set_viewport_size({"width": 640, "height": 360})  # what 1280 x 720 leaves at 200 %
    for screen in SCREENS:
        turn_to(page, screen)
        page.get_by_role("tabpanel").get_by_role("heading").first.wait_for()
        # a screen slides in, so its width is that of the page a moment later
        page.wait_for_function(f"document.documentElement.scrollWidth <= {640 + ROUNDING}")
        assert barriers(page, screen) == []
    page.get_by_label("The recipe as YAML").fill("steps: []")


def test_whoever_has_chosen_a_column_can_open_the_list_of_methods_at_once(page: "Page") -> None:
    turn_to(page, "Protect")
    search(page, "For", "total_income")
    page.get_by_text("Advised, as it is continuous").wait_for()
    page.get_by_label("Method: type to search", exact=True).fill("Local suppression")  # there is none for it
    search(page, "For", "region")
    page.get_by_label("Method: type to search", exact=True).click()
    page.get_by_role("option", name="Local suppression").first.wait_for()
    page.get_by_text("Advised, as it is nominal").wait_for()
    assert page.get_by_role("option", name="Local suppression").count()  # the list stays
    assert not page.get_by_role("option", name="Additive noise").count()  # and is that of the second column
    search(page, "Method: type to search", "Local suppression")
    page.get_by_role("button", name="Add this step").wait_for()
    assert page.get_by_role("tabpanel").locator(".q-chip").count() > 1  # all keys, which it looks at together
    choose(page, "Family", "swapping")
    page.get_by_role("button", name="Add this step").wait_for(state="hidden")
    assert page.get_by_label("Method: type to search", exact=True).input_value() == ""


def test_what_was_opened_stays_open_when_a_key_is_moved_up_twice(page: "Page") -> None:
    turn_to(page, "Protect")
    page.get_by_text("Further limits").click()
    page.get_by_label("mean risk at most").fill("2")
    page.get_by_text("Which keys matter most").click()
    last = page.get_by_role("button", name="matters more").last
    name = last.get_attribute("aria-label")
    assert name
    last.click()
    page.get_by_text(f"Last action: {name} than").wait_for()
    before = page.get_by_text("Last action:").inner_text()
    page.get_by_role("button", name=name).click()
    page.get_by_text(f"Last action: {name} than").filter(has_not_text=before).wait_for()
    page.wait_for_timeout(OPENING)
    assert page.get_by_role("button", name=name).is_visible()
    assert page.get_by_label("mean risk at most").is_visible()
    assert page.get_by_label("mean risk at most").input_value() == "2"
