"""Random paths of clicks in a real browser, walked by the benchmarks: the button writes what the command line makes."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

from typer.testing import CliRunner

from sfumato.app.project import Project
from sfumato.cli.commands import app
from sfumato.data import Schema
from sfumato.errors import SfumatoError
from tests.app.browser import MILLISECONDS, Server, choose, chromium, opened, search, turn_to
from tests.app.test_paths import TOWNS, keeping_order, masked_by_command

if TYPE_CHECKING:
    from playwright.sync_api import Page

CLICKS = 6
STEPS = [
    "top_coding: {columns: [age], at: 60}",
    "additive_noise: {columns: [income], scale: 0.3}",
    "pram: {columns: [town], stay: 80}",
    "mdav: {columns: [age, income], k: 3}",
]
ACCEPTED = "keep_order: true\nsteps:\n- top_coding: {columns: [age], at: 71}\n"


def write_people(folder: Path, paths: int) -> None:
    """Write the file of each path."""
    for seed in range(paths):
        draw = random.Random(seed)  # noqa: S311
        rows = [
            f"{draw.randint(18, 90)},{draw.randint(500, 9000)},{draw.choice('fm')},{draw.choice(TOWNS)}"
            for _ in range(40)
        ]
        (folder / f"people{seed}.csv").write_text("\n".join(["age,income,sex,town", *rows, ""]))


class Walker:
    """Somebody who clicks, and waits until each action is on disk."""

    def __init__(self, page: "Page", folder: Path, draw: random.Random) -> None:
        self._page, self._journal, self._draw = page, folder / "journal.jsonl", draw

    def click(self) -> None:
        """Take an action by a control that can take one now."""
        undo, redo = (self._page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
        actions: list[Callable[[], None]] = [self._give_role, self._give_codes, self._add_step]
        actions += [self.write_recipe] * 2
        position, states = self._replay()
        actions += [undo.click] if position > 0 else []
        actions += [redo.click] * 2 if position + 1 < len(states) else []
        self.act(self._draw.choice(actions))

    def _replay(self) -> tuple[int, list[str]]:
        """Return which state the project is in, and the actions of all."""
        position = 0
        actions: list[str] = []
        whole, _, _ = self._journal.read_text().rpartition("\n")  # a line that is being written is not read yet
        for entry in map(json.loads, whole.splitlines()):
            position = entry["position"] if "position" in entry else entry["at"]
            actions = actions if "position" in entry else [*actions[:position], entry["action"]]
        return position, actions

    def act(self, action: Callable[[], None]) -> None:
        before = self._journal.read_bytes().count(b"\n")
        action()
        end = monotonic() + MILLISECONDS / 1000
        while self._journal.read_bytes().count(b"\n") == before:
            assert monotonic() < end, "the action is not on disk"
            sleep(0.02)
        position, actions = self._replay()
        self._page.get_by_text(
            f"Last action: {actions[position]}", exact=True
        ).wait_for()  # next, what is shown is read

    def write_recipe(self, change: Callable[[str], str] | None = None) -> None:
        field = self._page.get_by_label("The recipe as YAML")
        held = field.input_value()
        base = self._draw.randint(100, 900) / 100  # another each time, so that no action leaves all as it was
        rounding = f"rounding: {{columns: [income], base: {base}}}"
        added = f"{held or 'steps:'}\n- {self._draw.choice(STEPS)}\n- {rounding}\n"
        field.fill(change(held) if change else added)
        self._page.get_by_role("button", name="Take it as edited").click()

    def _schema(self) -> Schema:
        """Return what the columns are, also where the page does not show it yet."""
        return Schema.from_yaml(self._journal.with_name("schema.yaml").read_text())

    def _give_role(self) -> None:
        turn_to(self._page, "Data")
        column = self._draw.choice(["sex", "town", "income"])
        field = f"Role of {column}"
        others = [one for one in ("key", "confidential", "stratum") if one != self._schema()[column].role]
        choose(self._page, field, self._draw.choice(others))

    def _give_codes(self) -> None:
        turn_to(self._page, "Data")
        field = self._page.get_by_label("Codes of age for no answer")
        field.fill("89, 90" if self._schema()["age"].missing_codes == (90,) else "90")
        field.press("Enter")

    def _add_step(self) -> None:
        turn_to(self._page, "Protect")
        search(self._page, "For", "income")
        self._page.get_by_text("Advised, as it is").or_(self._page.get_by_text("nothing needs to be done")).wait_for()
        search(self._page, "Method: type to search", "Rank swapping (")
        self._page.get_by_role("button", name="Add this step").click()


def write_release(page: "Page") -> str:
    """Write the release by its button; return why it was refused, or nothing."""
    turn_to(page, "Release")
    page.get_by_role("button", name="Write the release").click()
    written = page.get_by_text("Keep it with the original data")
    refusal = page.get_by_role("tabpanel").locator(".text-negative:not(i)")
    written.or_(refusal).first.wait_for()
    return "" if written.count() else refusal.inner_text()


def refused_too(folder: Path, refusal: str) -> None:
    """See that the command line refuses what the page has refused, for the same reason."""
    saved = [str(folder / name) for name in ("recipe.yaml", "schema.yaml")]
    file, output = str(folder).removesuffix(".sfumato"), str(folder / "refused.csv")
    ran = CliRunner().invoke(app, ["mask", file, "--recipe", saved[0], "--schema", saved[1], "-o", output])
    assert isinstance(ran.exception, SfumatoError)
    assert " ".join(str(ran.exception).split()) == " ".join(refusal.split())


def same_bytes(folder: Path, paths: int) -> list[bool]:
    """Walk paths in the browser; return of each whether the command line makes the same bytes."""
    write_people(folder, paths)
    server = Server(folder)
    try:
        with chromium() as browser, opened(browser, server.address) as page:
            return [_walk(page, folder, seed) for seed in range(paths)]
    finally:
        server.stop()


def _walk(page: "Page", home: Path, seed: int) -> bool:
    page.get_by_role("button", name=f"Open people{seed}.csv").click()
    page.get_by_text(f"Last action: opened people{seed}.csv").wait_for()
    folder = home / f"people{seed}.csv.sfumato"
    walker = Walker(page, folder, random.Random(100 + seed))  # noqa: S311
    for _ in range(CLICKS):
        walker.click()
    walker.act(walker.write_recipe)
    walker.act(lambda: walker.write_recipe(keeping_order))
    if refusal := write_release(page):
        refused_too(folder, refusal)
        walker.act(lambda: walker.write_recipe(lambda held: ACCEPTED))
        assert write_release(page) == ""
    page.get_by_role("link", name="Other files").click()
    page.get_by_role("button", name=f"Close people{seed}.csv").click()
    page.get_by_role("button", name=f"Close people{seed}.csv").wait_for(state="hidden")
    project = Project.open(folder)
    project.close()
    made = (folder / "release" / "masked.csv").read_bytes()
    return made == masked_by_command(project, home / f"again{seed}.csv")
