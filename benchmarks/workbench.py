"""The workbench: how soon the first risk is there, how large its server grows, and how soon it answers meanwhile."""

import json
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

import sfumato as sf
from benchmarks.case import QUICK, Case, records

CLICKS = 8 if QUICK else 48
PATHS = 10
# what the server does, without a browser: a file is opened, looked at, and its risk measured
SERVING = """
import asyncio, json, re, sys, time
from pathlib import Path

def size():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) * 1024 / 1e6

async def walk():
    begun = time.monotonic()
    from sfumato.app.desk import Desk
    from sfumato.app.lanes import wait_for_ended
    from sfumato.app.opening import find_project
    desk = Desk()
    opened = desk.projects[await desk.open(find_project(Path(sys.argv[1])))]
    import sfumato.app.pages
    empty = size()
    while opened.workbench is None:
        await asyncio.sleep(0.005)
    bench = opened.workbench
    bench.compute("look")
    bench.compute("risk")
    while bench.project.result("risk") is None:
        await asyncio.sleep(0.005)
    first = time.monotonic() - begun
    while bench.tasks:
        await asyncio.sleep(0.005)
    print(json.dumps({"first risk": first, "growth": size() - empty}))
    desk.close()
    await wait_for_ended()

asyncio.run(walk())
"""
COLUMNS = 20
HEADINGS = {
    "Data": "What is each column",
    "Protect": "Let a recipe be proposed",
    "Tables": "A table of this file",
    "Risk": "Who stands out",
    "Compare": "Which recipe loses least",
}
# from the click to the first frame in which the heading of the screen is there, in milliseconds
WATCH = """title => {
  window.answered = null;
  addEventListener("click", () => {
    const begun = performance.now(), panels = "[role=tabpanel] h2";
    const look = () => {
      const isThere = [...document.querySelectorAll(panels)].some(one => one.innerText.startsWith(title));
      if (isThere) window.answered = performance.now() - begun; else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, {capture: true, once: true});
}"""


def _write_survey(folder: Path) -> Path:
    table = sf.datasets.demo(records(100_000)).table.to_native()
    rng = np.random.default_rng(0)
    more = [pl.Series(f"more_{n}", rng.lognormal(8, 1, len(table)).round(2)) for n in range(COLUMNS - table.width)]
    file = folder / "survey.csv"
    table.with_columns(*more).write_csv(file)
    return file


@cache
def served() -> dict[str, float]:
    """Return how soon the first risk is there, in seconds, and how much larger the server is than with nothing open."""
    with TemporaryDirectory() as scratch:
        file = _write_survey(Path(scratch))
        command = [sys.executable, "-c", SERVING, str(file)]
        ran = subprocess.run(command, check=True, capture_output=True, text=True)
        return {**json.loads(ran.stdout), "file": file.stat().st_size / 1e6}


@cache
def clicked() -> dict[str, float]:
    """Return what a click in the browser takes while recipes are compared.

    CPU seconds of the server for one, and seconds by the clock, as the page sees them, until the slowest is answered.
    """
    from playwright.sync_api import sync_playwright
    from tests.app.browser import CHROMIUM, MILLISECONDS, Server

    with TemporaryDirectory() as scratch, sync_playwright() as driver:
        server = Server(Path(scratch), str(_write_survey(Path(scratch))))
        try:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_page()
            page.set_default_timeout(MILLISECONDS)
            page.goto(server.address)
            page.get_by_role("tab", name="Compare").click()
            page.get_by_role("button", name="Add the usual ones").click()
            page.get_by_role("button", name="Compare", exact=True).click()
            page.get_by_text("Being computed; see below").wait_for()
            before, slowest = server.cpu_seconds(), 0.0
            for number in range(CLICKS):
                screen, title = list(HEADINGS.items())[number % len(HEADINGS)]
                page.evaluate(WATCH, title)
                page.get_by_role("tab", name=screen).click()
                slowest = max(slowest, page.wait_for_function("() => window.answered").json_value() / 1000)
            taken = server.cpu_seconds() - before
            browser.close()
        finally:
            server.stop()
        return {"cpu": taken / CLICKS, "slowest": slowest}


def different_paths() -> float:
    """Return how many of ten random paths in the browser give other bytes than the command line."""
    from tests.app.browser_paths import same_bytes

    with TemporaryDirectory() as scratch:
        return float(same_bytes(Path(scratch), PATHS).count(False))


CASES = [
    Case(
        "workbench, first risk of 10^5 x 20 from the start",
        lambda: served()["first risk"],
        target=5,
        unit="s",
        note="by the clock, so only a quiet machine tells",
    ),
    Case(
        "workbench, server with 10^5 x 20 above one with nothing open, per size of the file",
        lambda: served()["growth"] / served()["file"],
        target=2,
        unit="ratio",
    ),
]
if shutil.which("chromium"):
    CASES += [
        Case("workbench, a click while recipes are compared (server)", lambda: clicked()["cpu"], target=0.3),
        Case(
            "workbench, the slowest click while recipes are compared",
            lambda: clicked()["slowest"],
            target=0.3,
            unit="s",
            note="by the clock, so only a quiet machine tells",
        ),
        Case(
            "workbench, 10 paths in the browser: other bytes than by the command line",
            different_paths,
            target=0,
            unit="paths",
            is_long=True,
            is_quick=False,
        ),
    ]
