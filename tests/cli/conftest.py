"""Fixtures of the commands' tests: a way to run one, and a folder with a file and a recipe."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sfumato.cli import main
from tests.cli.commands import RECIPE, Ran, write_people


@pytest.fixture
def sfumato(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def run(*arguments: str | Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["sfumato", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def one_format(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pictures be written in one format only, as the others take long."""
    monkeypatch.setattr("sfumato.jobs.search.MAP_FORMATS", ("svg",))  # first: it takes its own from the other
    monkeypatch.setattr("sfumato.jobs._study_folder.MAP_FORMATS", ("svg",))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_people(tmp_path / "people.csv", 200)
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    return tmp_path
