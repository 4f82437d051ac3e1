"""A steward's walk in a real browser: nothing from outside is asked for, and what the page writes can be made again."""

import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from sfumato.jobs.verify import verify

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MILLISECONDS = 120_000
HOSTILE = "<img src=x onerror=document.title='caught'>"

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="NO BROWSER: the workbench was not tried in one; apt-get install chromium"
)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Start the workbench as a user does, and give the address that it prints."""
    data = sf.datasets.demo(80)
    sf.write(sf.Microdata(data.table.rename({"tax": HOSTILE}).to_native()), tmp_path / "survey.csv")
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", "app", "survey.csv", "--no-browser"]
    server = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        yield re.findall(r"http://\S+", server.stderr.readline())[0]
    finally:
        server.terminate()
        server.wait(20)
        server.stderr.close()  # type: ignore[union-attr]


@pytest.fixture
def page(address: str) -> Iterator["Page"]:
    """Open the address in Chromium, and look afterwards that nothing was asked of others and no script failed."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver, warnings.catch_warnings():
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_default_timeout(MILLISECONDS)
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda request: problems.append(request.url) if is_outside(request.url) else None)
        page.goto(address)
        yield page
        browser.close()
    assert problems == []


def is_outside(url: str) -> bool:
    return not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:"))


def test_a_steward_walks_from_a_file_to_its_release(page: "Page", tmp_path: Path) -> None:
    page.get_by_text("different values").first.wait_for()
    assert page.get_by_text(HOSTILE, exact=True).count() == 1
    page.get_by_role("tab", name="Protect").click()
    page.get_by_role("button", name="Propose a recipe").click()
    page.get_by_role("button", name="Take this recipe").click()
    page.get_by_role("listitem").filter(has_text="Drop identifiers").first.wait_for()
    page.get_by_role("tab", name="Release").click()
    page.get_by_text("Done: no identifier is released").wait_for()
    page.get_by_role("button", name="Write the release").click()
    page.get_by_text("Keep it with the original data").wait_for()
    assert page.title() == "Sfumato"
    release = tmp_path / "survey.csv.sfumato" / "release"
    assert verify(release / "masked.csv.manifest.json").ending == "done"
