"""What somebody types, chooses or presses is taken, also where the page was being shown anew at that moment."""

from typing import TYPE_CHECKING

from tests.app.browser import choose, needs_chromium, turn_to

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium
# each message of the server waits before it reaches the page, behind the one before it
HOLD_BACK = """milliseconds => {
  let last = Promise.resolve();
  for (const kind of ["update", "run_javascript"]) {
    const [handle] = socket.listeners(kind);
    socket.off(kind, handle);
    socket.on(kind, message => {
      last = last.then(() => new Promise(go => setTimeout(go, milliseconds))).then(() => handle(message));
    });
  }
}"""
MILLISECONDS = 400


def test_what_is_typed_just_after_an_undo_is_taken(page: "Page") -> None:
    codes = page.get_by_label("Codes of age for no answer")
    for text in ("90", "91"):
        codes.fill(text)
        codes.press("Enter")
        page.get_by_text(f"{text} of age means").wait_for()
    page.evaluate(HOLD_BACK, MILLISECONDS)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("document.querySelector('[aria-label^=\"Codes of age\"]').value === '90'")
    codes.fill("92")
    page.wait_for_timeout(5 * MILLISECONDS)
    assert codes.input_value() == "92"
    codes.press("Enter")
    page.get_by_text("92 of age means").wait_for()


def test_a_text_that_the_server_sets_replaces_what_it_has_heard_of(page: "Page") -> None:
    codes = page.get_by_label("Codes of age for no answer")
    before = codes.input_value()
    codes.fill("93")
    codes.press("Enter")
    page.get_by_text("93 of age means").wait_for()
    turn_to(page, "Risk")
    page.get_by_text("Who stands out in the original file?").wait_for()
    turn_to(page, "Data")  # the field is another then
    assert codes.input_value() == "93"
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function(f"document.querySelector('[aria-label^=\"Codes of age\"]')?.value === '{before}'")


def test_a_role_is_chosen_from_what_holds_when_the_list_opens(page: "Page") -> None:
    role = page.get_by_role("combobox", name="Role of region")
    before = role.input_value()
    other = next(one for one in ("stratum", "confidential") if not before.startswith(one))
    choose(page, "Role of region", other)
    page.get_by_text("Last action: region is").wait_for()
    page.evaluate(HOLD_BACK, MILLISECONDS)
    page.get_by_role("button", name="Undo").click()
    choose(page, "Role of region", other)  # which it still seems to be
    page.wait_for_timeout(5 * MILLISECONDS)
    assert role.input_value().startswith(other)


def test_a_button_that_moves_away_while_it_is_pressed_is_taken(page: "Page") -> None:
    turn_to(page, "Compare")
    button = page.get_by_role("button", name="Add the usual ones")
    button.hover()
    page.mouse.down()
    button.evaluate("one => { one.style.position = 'relative'; one.style.top = '150px'; }")
    page.mouse.up()
    page.get_by_text("Last action: added").wait_for()


def test_a_click_on_what_is_gone_is_told_and_nothing_else_is_done(page: "Page") -> None:
    turn_to(page, "Compare")
    page.get_by_role("button", name="Add the usual ones").click()
    page.get_by_role("button", name="Remove entry 2 of the grid").evaluate(
        "one => { window.stays = one; window.event_of = mounted_app.elements[one.id.slice(1)].events[0]; }"
    )
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("!stays.isConnected")
    page.evaluate(
        "() => socket.emit('event', {id: +stays.id.slice(1), client_id: clientId, listener_id: event_of.listener_id, "
        "args: []})"
    )
    page.get_by_text("so it was not taken").wait_for()
    after = page.get_by_text("Last action:").inner_text()
    page.wait_for_timeout(MILLISECONDS)
    assert page.get_by_text("Last action:").inner_text() == after


def test_a_button_that_is_shown_anew_while_it_is_pressed_is_told_of(page: "Page") -> None:
    turn_to(page, "Compare")
    page.get_by_role("button", name="Add the usual ones").click()
    page.get_by_text("Last action: added").wait_for()
    button = page.get_by_role("button", name="Remove entry 2 of the grid")
    button.hover()
    button.evaluate("one => { window.pressed = one; }")
    page.mouse.down()
    page.get_by_role("button", name="Undo").evaluate("one => one.click()")
    page.wait_for_function("!pressed.isConnected")
    page.mouse.up()
    page.get_by_text("so it was not taken").wait_for()
