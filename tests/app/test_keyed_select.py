"""A click on a list that was replaced meanwhile never chooses something else."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from nicegui import Client, core, ui

from sfumato.app.fields.keyed_select import KeyedSelect

EARLIER = {"pram": "Pram", "mdav": "MDAV"}
LATER = {"additive_noise": "Additive noise", "rounding": "Rounding", "mdav": "MDAV (advised)"}


def on_page(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    async def show() -> None:
        monkeypatch.setattr(core, "loop", asyncio.get_running_loop())
        with Client(ui.page("/tab")):
            act()

    asyncio.run(show())


def click(select: ui.select, option: Any) -> None:
    """Send what the browser sends when an option is clicked."""
    (listener,) = (each for each in select._event_listeners.values() if each.type.startswith("update:model"))
    select._handle_event({"listener_id": listener.id, "args": option})


@pytest.mark.parametrize(("clicked", "chosen"), [("MDAV", "mdav"), ("Pram", None)])
def test_a_late_click_chooses_what_was_clicked_or_nothing(
    clicked: str, chosen: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def act() -> None:
        select = KeyedSelect(EARLIER)
        (option,) = (one for one in select.props["options"] if one["label"] == clicked)
        select.set_options(LATER)
        click(select, option)
        assert select.value == chosen

    on_page(monkeypatch, act)


def test_what_is_chosen_is_shown_and_can_be_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def act() -> None:
        select = KeyedSelect(EARLIER, value="mdav", clearable=True)
        assert select.props["model-value"]["label"] == "MDAV"
        click(select, None)
        assert select.value is None
        assert select.props["model-value"] is None

    on_page(monkeypatch, act)
