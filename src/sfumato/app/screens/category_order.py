"""The part of the trees in which the categories of a column are put into an order, as text has none by itself."""

from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app import changes
from sfumato.app.fields.text_field import TextField

if TYPE_CHECKING:
    from sfumato.app.page import Frame

FORM = "order"


def show_order(frame: "Frame", column: str, found: list[dict[str, Any]]) -> None:
    """Show the categories in their present order, to be changed by editing the lines."""
    codes = [one["code"] for one in found]
    lines = "\n".join(map(str, codes))
    with ui.expansion("Put the categories into an order").classes("w-full"):
        ui.label(
            "One category a line, lowest first. The column is ordinal then: neighbours are joined first, and t counts "
            "how far values are apart."
        )
        text = TextField("Categories, lowest first", value=lines).props("type=textarea outlined")
        text.classes("w-full font-mono")
        frame.drafts.keep(FORM, (column, lines), {"text": text})
        ui.button("Take this order", on_click=lambda: frame.act(changes.give_order, column, codes, text.value)).props(
            "no-caps outline"
        )
