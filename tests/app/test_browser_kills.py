"""Whoever kills the server, or closes the browser, right after an action was shown finds it again."""

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import sfumato as sf
from tests.app.browser import MILLISECONDS, Server, needs_chromium, opened

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium
TYPED = "steps: [{top_coding: {columns: [age], at: %d}}]"
KILLS = 6  # half of them of the server, half of the tab; fifty of a process that acts are in test_kills.py


def recipe_holds(page: "Page", number: int) -> None:
    page.wait_for_function(
        "want => document.querySelector('[aria-label=\"The recipe as YAML\"]')?.value.includes(want)",
        arg=f"at: {number}.0",  # as it is shown once it was taken; the one who types leaves the zero out
    )


def test_kills_of_the_server_and_of_the_tab_lose_no_action_that_was_shown(tmp_path: Path) -> None:
    sf.write(sf.datasets.demo(40), tmp_path / "survey.csv")
    server = Server(tmp_path, "survey.csv")
    try:
        with opened(server) as first:
            page = first
            for kill in range(KILLS):
                number = 50 + kill
                page.get_by_label("The recipe as YAML").fill(TYPED % number)
                page.get_by_role("button", name="Take it as edited").click()
                recipe_holds(page, number)
                if kill % 2:
                    another = page.context.new_page()
                    another.set_default_timeout(MILLISECONDS)
                    page.close()
                    page = another
                    page.goto(server.address)
                else:
                    server.stop(signal.SIGKILL)
                    page.goto(server.start())
                recipe_holds(page, number)
    finally:
        server.stop()
