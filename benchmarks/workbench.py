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


def click_seconds() -> float:
    """Return the CPU seconds that the server needs for a click in the browser, while a recipe is looked for."""
    from playwright.sync_api import sync_playwright
    from tests.app.browser import CHROMIUM, MILLISECONDS, Server

    with TemporaryDirectory() as scratch, sync_playwright() as driver:
        server = Server(Path(scratch), str(_write_survey(Path(scratch))))
        try:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_page()
            page.set_default_timeout(MILLISECONDS)
            page.goto(server.address)
            page.get_by_role("tab", name="Protect").click()
            page.get_by_role("button", name="Propose a recipe").click()
            before = server.cpu_seconds()
            for number in range(CLICKS):
                screen = ("Compare", "Data", "Tables", "Risk")[number % 4]
                page.get_by_role("tab", name=screen).click()
                page.get_by_role("tabpanel").get_by_role("heading").first.wait_for()
            taken = server.cpu_seconds() - before
            browser.close()
        finally:
            server.stop()
        return taken / CLICKS


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
        Case("workbench, a click while a recipe is looked for (server)", click_seconds, target=0.3),
        Case(
            "workbench, 10 paths in the browser: other bytes than by the command line",
            different_paths,
            target=0,
            unit="paths",
            is_long=True,
            is_quick=False,
        ),
    ]
