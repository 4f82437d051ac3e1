"""The recipe beside the screens: shown as it is now, and edited by hand without losing what is typed."""

import json
from typing import TYPE_CHECKING

from nicegui import events, ui

from sfumato.app import changes
from sfumato.app.screens._parts import UNCHANGED, heading

if TYPE_CHECKING:
    from sfumato.app.page import Frame

EMPTY = "No step yet. Let one be proposed, or add one, in the screen Protect."
EDITED = "This text is not taken yet."
OVERTAKEN = "This text is not taken yet, and the recipe has changed since you began. If you take it, it replaces that."


# the browser decides, as only it knows what was typed a moment ago: a text is replaced where it is one that we know;
# what was marked stays marked, since whoever has marked all of it is about to type over it; so is whoever is in a field
# that is empty
SHOW = """const field = getHtmlElement(%d), known = [field.shown ?? "", ...%s], next = %s;
if (known.includes(field.value) && field.value !== next) {
  const {selectionStart: from, selectionEnd: to} = field, isMarked = to > from || document.activeElement === field;
  const isAll = isMarked && from === 0 && to === field.value.length;
  field.value = next;
  field.setSelectionRange(isAll ? 0 : from, isAll ? next.length : to);
}
field.shown = next;"""


class RecipePanel:
    """The recipe of one tab.

    Its text field follows the recipe until somebody types, and then keeps what was typed until that is taken or put
    back: an action elsewhere, or a recipe that is refused, must not wipe it out. What is taken is what the field shows
    when the button is pressed. The library's own field is not used: where an action came just before, it gave texts
    back that it had shown long ago.
    """

    def __init__(self, frame: "Frame") -> None:
        self._frame = frame
        self._typed: str | None = None
        self._followed = ""  # the recipe when somebody began to type
        heading("Recipe")
        self._empty = ui.label(EMPTY)
        with ui.row().classes("gap-2"):
            take = ui.button("Take it as edited").props("no-caps outline dense")
            back = ui.button("Put it back").props("no-caps outline dense")
        self._back = back
        self._note = ui.label().classes("text-sm").props('role="status"')
        self._field = ui.element("textarea").props('rows=12 spellcheck=false aria-label="The recipe as YAML"')
        # there from the beginning: a text that came a moment later would stand behind what was typed in between
        self._field.props["defaultValue"] = self._recipe
        self._field.classes("w-full font-mono text-xs p-2 bg-white border border-gray-500 rounded")
        self._field.style("field-sizing: content; min-height: 8rem")
        send = f"() => emit(getHtmlElement({self._field.id}).value)"
        self._field.on("input", self._note_typed, js_handler=send)
        take.on("click", self._take, js_handler=send)
        back.on("click", self._put_back, js_handler=send)
        folder = frame.workbench.project.folder.name
        ui.label(f"Every action is saved in {folder}, with the seed, which is never shown.").classes(
            "text-xs text-grey-8"
        )
        self.refresh()

    def refresh(self) -> None:
        """Show the recipe as it is now, unless somebody has typed."""
        self._show()

    @property
    def _recipe(self) -> str:
        return self._frame.workbench.project.state.recipe_yaml

    def _note_typed(self, event: events.GenericEventArguments) -> None:
        if self._typed is None:
            self._followed = self._recipe
        self._typed = None if event.args == self._recipe else event.args
        self._mark()

    def _take(self, event: events.GenericEventArguments) -> None:
        before = self._recipe
        if self._frame.act(changes.edit_recipe, event.args):
            self._put_back(event)
            if self._recipe == before:
                ui.notify(UNCHANGED, position="top")

    def _put_back(self, event: events.GenericEventArguments) -> None:
        self._typed = None
        self._show(event.args)

    def _show(self, *replaced: str) -> None:
        ui.run_javascript(SHOW % (self._field.id, json.dumps(replaced), json.dumps(self._recipe)))
        self._mark()

    def _mark(self) -> None:
        is_edited = self._typed is not None
        self._empty.set_visibility(not self._recipe)
        self._back.set_visibility(is_edited)
        self._note.set_visibility(is_edited)
        self._note.text = "" if not is_edited else EDITED if self._followed == self._recipe else OVERTAKEN
