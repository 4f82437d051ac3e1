"""Fixtures of the commands' tests: a way to run one, and a folder with a file and a recipe."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.cli import main
from tests.cli.commands import RECIPE, Ran


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
    rng = np.random.default_rng(1)
    income = rng.lognormal(8, 1, 400).round(2)
    frame = pl.DataFrame(
        {
            "person_id": np.arange(400),
            "age": rng.integers(18, 96, 400),
            "region": rng.choice(["north", "south"], 400),
            "income": income,
            "tax": (income * 0.2).round(2),
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    return tmp_path
