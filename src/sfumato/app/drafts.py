"""What was typed into forms and not taken yet: a form that must be shown anew shows it again."""

from collections.abc import Mapping
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement


class Drafts:
    """The forms of one tab, as they were shown last."""

    def __init__(self) -> None:
        self._forms: dict[str, tuple[Any, Mapping[str, ValueElement[Any]]]] = {}

    def keep(self, form: str, basis: Any, fields: Mapping[str, ValueElement[Any]]) -> None:
        """Let the fields of a form show what stood in them before, unless what the form began with is another now.

        Parameters
        ----------
        form
            The name of the form.
        basis
            What was chosen or taken of it, or which thing it is about: after undo, or for another thing, the form
            begins anew.
        fields
            Its fields, by name.
        """
        earlier_basis, earlier = self._forms.get(form, (None, {}))
        if earlier_basis == basis:
            for name, field in fields.items():
                if name in earlier:
                    _show_again(field, earlier[name].value)
        self._forms[form] = (basis, fields)

    def drop(self, form: str) -> None:
        """Forget what stands in a form, as it was taken."""
        self._forms.pop(form, None)


def _show_again(field: ValueElement[Any], value: Any) -> None:
    """Give a field an earlier value; of a chooser, only what it still offers."""
    if not isinstance(field, ui.select):
        field.set_value(value)
        return
    offered = list(field.options)
    if isinstance(value, list):
        field.set_value([one for one in value if one in offered])
    elif value in offered:
        field.set_value(value)
