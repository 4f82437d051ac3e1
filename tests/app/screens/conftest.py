"""One server and one Chromium for all walks that need none of their own: each takes seconds to start."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from tests.app.browser import Server, chromium, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="package")
def browser() -> Iterator["Browser"]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that was started in a folder with a survey, and takes files of at most 1 MB."""
    folder = tmp_path_factory.mktemp("chosen")
    (folder / "below").mkdir()
    sf.write(sf.datasets.demo(60), folder / "survey.csv")
    server = Server(folder, "--max-upload", "1")
    yield server
    server.stop()


@pytest.fixture
def page(browser: "Browser", server: Server) -> Iterator["Page"]:
    """The survey, as whoever was there before has left it."""
    with opened(browser, server.address) as page:
        page.get_by_role("button", name=re.compile("^(Open|Go on with) survey.csv$")).first.click()
        page.get_by_text("Last action:").wait_for()
        yield page
