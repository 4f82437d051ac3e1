"""The workbench as a user starts it, and Chromium in front of it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryFile
from time import sleep
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MILLISECONDS = 120_000
MAX_WORDS = 2**20  # bytes
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="NO BROWSER: the workbench was not tried in one; apt-get install chromium"
)


class Server:
    """The workbench in a folder; it can be killed and started again."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder, self._arguments = folder, arguments
        self.address = self.start()

    def start(self) -> str:
        command = [sys.executable, "-c", "from sfumato.cli import main; main()", "app", *self._arguments]
        # not a pipe, which would fill if nobody reads it, and hold the server up
        self._words = TemporaryFile("w+")  # noqa: SIM115  it is read until the server is stopped
        self._process = subprocess.Popen([*command, "--no-browser"], cwd=self.folder, stderr=self._words)
        while not (found := re.findall(r"(http://\S+)\n", self.words())):
            assert self._process.poll() is None, self.words()
            sleep(0.05)
        self.address = found[0]
        return self.address

    def words(self) -> str:
        """Return what the server has written so far: its address, how to stop it, and nothing else if all is well."""
        return os.pread(self._words.fileno(), MAX_WORDS, 0).decode()

    def cpu_seconds(self) -> float:
        """Return how long the server itself has been at work, without the processes that compute for it."""
        facts = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(facts[11]) + int(facts[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, how: int = signal.SIGTERM) -> None:
        self._process.send_signal(how)
        self._process.wait(20)
        words = self.words().splitlines()
        self._words.close()
        assert words[2:] == []  # an action that failed on its way to the page


@contextmanager
def chromium() -> Iterator["Browser"]:
    """Start a Chromium; several pages can be opened in it, one after the other."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver, warnings.catch_warnings():
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: "Browser", address: str) -> Iterator["Page"]:
    """Open an address, and look afterwards that nothing was asked of others and no script failed."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.set_default_timeout(MILLISECONDS)
    problems: list[str] = []
    context.on("console", lambda message: problems.append(message.text) if is_problem(message) else None)
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.on("request", lambda request: problems.append(request.url) if is_outside(request.url) else None)
    page = context.new_page()
    page.goto(address)
    yield page
    context.close()
    assert problems == []


def is_problem(message: Any) -> bool:
    return message.type == "error" and "ERR_CONNECTION_REFUSED" not in message.text  # while the server is killed


def is_outside(url: str) -> bool:
    return not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:"))


def turn_to(page: "Page", screen: str) -> None:
    page.get_by_role("tab", name=screen).click()


def choose(page: "Page", label: str, option: str) -> None:
    page.get_by_label(label, exact=True).click()
    page.get_by_role("option", name=option).first.click()


def search(page: "Page", label: str, option: str) -> None:
    """Choose an option of a field in which one can type, as its list shows only some."""
    page.get_by_label(label, exact=True).click()
    page.get_by_role("option").first.wait_for()
    page.get_by_label(label, exact=True).fill(option)
    page.get_by_role("option", name=option).first.click()


def barriers(page: "Page", where: str) -> list[str]:
    """Return what axe-core finds, of levels A and AA, that keeps people from using what is shown."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate("levels => axe.run(document, {runOnly: levels})", LEVELS)["violations"]
    return [f"{where}: {one['id']} {node['html'][:120]}" for one in found for node in one["nodes"]]
