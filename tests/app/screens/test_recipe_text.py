"""What is typed into the recipe stays there until it is taken, or put back, and what was taken is found again."""

from typing import TYPE_CHECKING, Any

from tests.app.browser import needs_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Page

STEP = "steps: [{top_coding: {columns: [wage_income], at: %d}}]"

pytestmark = needs_chromium


def fields(tab: "Page") -> tuple[Any, Any]:
    return tab.get_by_label("The recipe as YAML"), tab.get_by_role("button", name="Take it as edited")


def wait_for(tab: "Page", number: int) -> None:
    """Wait until a recipe that was taken is shown: whoever types leaves the zero out."""
    tab.wait_for_function(
        "want => document.querySelector('[aria-label=\"The recipe as YAML\"]')?.value.includes(want)",
        arg=f"at: {number}.0",
    )


def test_what_is_typed_into_the_recipe_stays_until_it_is_taken(page: "Page") -> None:
    other = page.context.new_page()
    other.goto(page.url)
    text, take = fields(page)
    before = page.get_by_text("Last action:").inner_text()
    text.fill("steps: [{no_such_method: {}}]")
    take.click()
    page.get_by_role("button", name="Close").click()
    assert "no_such_method" in text.input_value()  # a recipe that is refused can be mended
    text.fill(STEP % 60)
    take.click()
    text.fill(STEP % 61)  # at once, while the page still shows what the action before it did
    take.click()
    page.get_by_text("Last action: edited the recipe").wait_for()
    wait_for(page, 61)
    page.get_by_role("button", name="Undo").dblclick()
    page.get_by_text(before, exact=True).wait_for()
    page.get_by_role("button", name="Redo").click()
    wait_for(page, 60)
    text.fill(STEP % 62)
    page.get_by_text("This text is not taken yet.").wait_for()
    others_text, others_take = fields(other)
    others_text.fill(STEP % 63)
    others_take.click()
    page.get_by_text("the recipe has changed since you began").wait_for()
    assert "62" in text.input_value()
    page.get_by_role("button", name="Put it back").click()
    wait_for(page, 63)
    assert "63" in others_text.input_value()


def test_a_closed_tab_loses_no_action_that_was_shown(page: "Page") -> None:
    for number in (70, 71):
        text, take = fields(page)
        text.fill(STEP % number)
        take.click()
        wait_for(page, number)
        another = page.context.new_page()
        another.goto(page.url)
        page.close()
        page = another
        wait_for(page, number)


def test_what_was_marked_is_typed_over_also_if_the_recipe_changes_in_between(page: "Page") -> None:
    text, take = fields(page)
    text.fill(STEP % 80)
    take.click()
    wait_for(page, 80)
    other = page.context.new_page()
    other.goto(page.url)
    others_text, others_take = fields(other)
    wait_for(other, 80)
    text.select_text()
    others_text.fill(STEP % 81)
    others_take.click()
    wait_for(page, 81)
    page.keyboard.insert_text("steps: []")
    assert text.input_value() == "steps: []"


def test_the_recipe_is_in_its_field_from_the_beginning_so_that_typing_replaces_it(page: "Page") -> None:
    text, take = fields(page)
    text.fill(STEP % 90)
    take.click()
    wait_for(page, 90)
    other = page.context.new_page()
    other.goto(page.url)
    others_text, _ = fields(other)
    assert "at: 90.0" in others_text.evaluate("field => field.defaultValue")


def test_whoever_is_in_an_empty_recipe_types_over_what_comes_meanwhile(page: "Page") -> None:
    text, take = fields(page)
    text.fill(STEP % 91)
    take.click()
    wait_for(page, 91)
    text.evaluate("field => { field.value = field.shown = ''; field.focus(); }")
    other = page.context.new_page()
    other.goto(page.url)
    others_text, others_take = fields(other)
    others_text.fill(STEP % 92)
    others_take.click()
    wait_for(page, 92)
    page.keyboard.insert_text("steps: []")
    assert text.input_value() == "steps: []"
