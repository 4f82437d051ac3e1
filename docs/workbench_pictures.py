"""Walk through the workbench in Chromium, and write the pictures of docs/workbench-walk.md; `make pictures` runs it."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, expect, sync_playwright

import sfumato as sf

FOLDER = Path(__file__).parent / "workbench"
PERSONS = 600
MILLISECONDS = 600_000
PAUSE = 700  # milliseconds, until what is shown stands still
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SIZE = {"width": 1280, "height": 720}


def main(folder: Path = FOLDER, zoom: float = 1.0) -> None:
    """Write every picture; a zoom of 2 shows the pages as at 200 %."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch, served(Path(scratch) / "surveys") as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        size = {name: int(pixels / zoom) for name, pixels in SIZE.items()}
        page = browser.new_page(viewport=size, device_scale_factor=zoom)
        page.set_default_timeout(MILLISECONDS)
        expect.set_options(timeout=MILLISECONDS)
        page.goto(address)
        found: list[str] = []

        def photograph(name: str) -> None:
            page.screenshot(path=folder / f"{name}.png")
            found.extend(barriers(page, name))

        open_file(page, photograph)
        walk(page, photograph)
        browser.close()
    if found:
        sys.exit("\n".join(["axe-core finds barriers:", *found]))


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Start the workbench beside a survey of made-up persons, and give its address."""
    folder.mkdir()
    sf.write(sf.datasets.demo(PERSONS), folder / "survey.csv")
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", "app", "--no-browser"]
    server = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)  # noqa: S603
    try:
        yield re.findall(r"http://\S+", server.stderr.readline())[0]
    finally:
        server.terminate()
        server.wait(30)
        server.stderr.close()


def barriers(page: Page, where: str) -> list[str]:
    """Return what axe-core finds, of levels A and AA of WCAG 2.2, that keeps people from using what is shown."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate("levels => axe.run(document, {runOnly: levels})", LEVELS)["violations"]
    return [f"{where}: {one['id']} {node['html'][:120]}" for one in found for node in one["nodes"]]


def open_file(page: Page, photograph: Callable[[str], object]) -> None:
    """Choose the file on the page: one that is not there first."""
    page.get_by_role("button", name="Open survey.csv").wait_for()
    photograph("start")
    page.get_by_label("Path of a file, or of the folder of a project").fill("/etc/people.csv")
    page.get_by_role("button", name="Open", exact=True).first.click()
    page.get_by_role("button", name="Close").wait_for()
    page.wait_for_timeout(PAUSE)
    photograph("start-error")
    page.get_by_role("button", name="Close").first.click()
    page.get_by_role("button", name="Open survey.csv").click()
    page.get_by_role("heading", name="Opening survey.csv").wait_for()
    photograph("opening")


def walk(page: Page, photograph: Callable[[str], object]) -> None:
    """Go through the screens in a steward's order: empty, running, filled, and where something is refused."""

    def turn_to(screen: str) -> None:
        page.get_by_role("tab", name=screen).click()
        page.wait_for_timeout(PAUSE)

    def take(name: str) -> None:
        page.wait_for_timeout(PAUSE)
        photograph(name)

    def choose(label: str, option: str) -> None:
        page.get_by_label(label, exact=True).click()
        page.get_by_role("option", name=option).first.click()

    def search(label: str, option: str) -> None:
        page.get_by_label(label, exact=True).click()
        page.get_by_role("option").first.wait_for()
        page.get_by_label(label, exact=True).fill(option)
        page.get_by_role("option", name=option).first.click()

    page.get_by_text("different values").first.wait_for()
    take("data")
    for screen in ("Risk", "Protect", "Compare", "Result", "Synthetic", "Tables", "Release"):
        turn_to(screen)
        take(f"{screen.lower()}-empty")
    turn_to("Risk")
    page.get_by_role("button", name="Measure the risk").click()
    take("risk-running")
    page.get_by_text("Which keys the risk").wait_for()
    take("risk")
    search("Measure: type to search", "SUDA")
    page.get_by_label("max size").fill("3")
    take("risk-form")
    page.get_by_role("button", name="Measure it").click()
    page.get_by_text("Share of the scores, %").wait_for()
    page.get_by_role("heading", name="SUDA: ").scroll_into_view_if_needed()
    page.mouse.move(400, 500)
    page.mouse.wheel(0, 800)
    take("risk-suda")
    turn_to("Protect")
    page.get_by_text("Further limits").click()
    page.wait_for_timeout(PAUSE)
    page.get_by_text("leave confidential numbers").scroll_into_view_if_needed()
    page.mouse.wheel(0, 100)
    take("protect-limits")
    page.get_by_role("button", name="Propose a recipe").click()
    take("protect-running")
    page.get_by_role("button", name="Take this recipe").wait_for()
    page.get_by_role("button", name="Take this recipe").scroll_into_view_if_needed()
    take("protect-proposed")
    page.get_by_role("button", name="Take this recipe").click()
    page.get_by_role("listitem").filter(has_text="Drop identifiers").first.wait_for()
    search("For", "wage_income")
    page.get_by_text("Advised, as it is").wait_for()
    search("Method: type to search", "Additive noise")
    page.get_by_label(re.compile("^scale")).fill("-1")
    page.get_by_role("button", name="Add this step").click()
    page.get_by_role("button", name="Close").wait_for()
    take("protect-error")
    page.get_by_role("button", name="Close").first.click()
    page.get_by_label(re.compile("^scale")).fill("0.5")
    page.get_by_role("button", name="Try it on a sample").click()
    page.get_by_text(f"on {PERSONS} of {PERSONS}").wait_for()
    page.get_by_text(f"on {PERSONS} of {PERSONS}").scroll_into_view_if_needed()
    page.mouse.wheel(0, 300)
    take("protect-preview")
    search("Column", "region")
    for number in (0, 4):
        page.get_by_role("checkbox").nth(number).click()
    page.get_by_label("Name of the new group").fill("West")
    page.get_by_role("button", name="Join the chosen").click()
    page.get_by_role("button", name="Split West").wait_for()
    page.get_by_role("button", name="Add a step that joins them").scroll_into_view_if_needed()
    take("protect-tree")
    turn_to("Compare")
    page.get_by_role("button", name="Add the usual ones").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_text("Comparing recipes").wait_for()
    take("compare-running")
    first = page.get_by_role("button", name=re.compile("^Take (?!it)")).first
    first.wait_for()
    page.get_by_label("Risk, upwards").scroll_into_view_if_needed()
    page.mouse.move(400, 500)
    page.mouse.wheel(0, 300)
    take("compare")
    choose("Risk, upwards", "Linked by who knows the keys, %")
    expect(page.get_by_role("columnheader").nth(2)).to_have_text("Linked by who knows the keys, %")
    page.get_by_role("row").nth(1).scroll_into_view_if_needed()
    page.mouse.wheel(0, 200)
    take("compare-keys")
    turn_to("Tables")
    page.get_by_role("button", name="Protect the table").click()
    page.get_by_role("button", name="Close").wait_for()
    take("tables-error")
    page.get_by_role("button", name="Close").first.click()
    choose("Rows", "region")
    page.keyboard.press("Escape")
    choose("Columns", "marital_status")
    page.get_by_role("button", name="Protect the table").click()
    page.locator("td.cell-primary").first.focus()
    page.mouse.wheel(0, 200)
    take("tables")
    turn_to("Result")
    page.get_by_role("button", name="Measure the risk by the keys").click()
    page.get_by_text("What it is").wait_for()
    take("result-keys")
    page.get_by_role("button", name="Mask and measure").click()
    take("result-running")
    page.locator("[data-part=worst-case]").wait_for()
    page.locator("[data-part=worst-case]").scroll_into_view_if_needed()
    page.mouse.move(400, 500)
    page.mouse.wheel(0, 500)
    take("result")
    turn_to("Synthetic")
    page.get_by_role("button", name="Make synthetic records").click()
    take("synthetic-running")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("cancelled; nothing was changed").wait_for()
    take("synthetic-cancelled")
    page.get_by_role("button", name="Make them anew").click()
    page.get_by_text(re.compile("^(No attack found|LEAK)")).first.wait_for()
    take("synthetic")
    turn_to("Release")
    page.get_by_role("button", name="Write the release").click()
    page.get_by_text("Keep it with the original data").wait_for()
    take("release")
    page.get_by_role("button", name="Verify the release").click()
    page.get_by_text("The release can be made again").wait_for()
    page.get_by_role("button", name="Write the report").click()
    page.get_by_text("the report, not for publication").wait_for()
    page.get_by_text("The release can be made again").scroll_into_view_if_needed()
    take("release-verified")


if __name__ == "__main__":
    main(*([Path(sys.argv[1]), float(sys.argv[2])] if len(sys.argv) > 2 else []))
