"""A field for text in which nothing that somebody types is replaced by what the server said before it heard of it."""

from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments


class TextField(ui.input, component="text_field.js"):
    """A field for text, as `ui.input`.

    When the server sets the text of the library's field, it sends two messages. What is typed between them is replaced
    by the earlier text, and the browser then sends that one as if it had been typed. Here the browser numbers the
    edits, and the server sends with a text the number of the last one that it has heard of: a text that is older than
    what stands in the field is dropped.

    Parameters
    ----------
    label
        What stands above the field.
    value
        The text at first.
    """

    def __init__(self, label: str | None = None, *, value: str = "") -> None:
        self._heard = 0
        super().__init__(label, value=value)
        self._give()

    def _event_args_to_value(self, e: GenericEventArguments) -> str:
        self._heard = e.args["edit"]
        text = e.args["text"]
        return "" if text is None else str(text)

    def _handle_value_change(self, value: Any) -> None:
        super(ui.input, self)._handle_value_change(value)
        self._give()

    def _give(self) -> None:
        with self._props.suspend_updates():
            self._props["given"] = {"text": self.value, "heard": self._heard}
