"""A chooser whose options can be replaced at any time: nobody ever gets another than the one they clicked."""

from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments


class KeyedSelect(ui.select, component="keyed_select.js"):
    """A chooser of one among several, as `ui.select`, with keys that are text; one types to search, unless told not to.

    The chooser of the library shows new options in a list that is open, where another then lies under the pointer, and
    it sends the place of what was clicked, not its name. Here the list opens when the server has answered, with the
    options of that moment, and stays so until it is closed. The key is sent; one that is no longer offered is refused.
    """

    def __init__(self, options: list[str] | dict[str, str], *, with_input: bool = True, **others: Any) -> None:
        super().__init__(options, with_input=with_input, **others)
        self.on("asks", self._answer)

    def _answer(self, event: GenericEventArguments) -> None:
        """Say that all that was done before the list was asked for is in the options."""
        self._props["answered"] = event.args

    def _update_options(self) -> None:
        super()._update_options()
        self._props["options"] = [
            {"value": key, "label": label} for key, label in zip(self._values, self._labels, strict=True)
        ]

    def _value_to_model_value(self, value: Any) -> Any:
        if value not in self._values:
            return None
        return {"value": value, "label": self._labels[self._values.index(value)]}

    def _event_args_to_value(self, e: GenericEventArguments) -> Any:
        if e.args is None:
            return None
        return e.args["value"] if e.args["value"] in self._values else self.value
