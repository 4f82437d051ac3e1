"""What the tests of commands share: a file, a recipe, what came of a command, and a masked file."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

RECIPE = """\
seed: 7
keep_identifiers: true
steps:
  - rank_swapping: {columns: [income, tax], window: 10}
  - top_coding: {columns: [age], at: 80}
"""


@dataclass
class Ran:
    code: int
    out: str
    err: str


def masked(sfumato: Callable[..., Ran], folder: Path, name: str = "masked.csv", *more: str) -> Ran:
    return sfumato("mask", folder / "people.csv", "-r", folder / "recipe.yaml", "-o", folder / name, *more)


def write_people(path: Path, n: int) -> None:
    """Write a file of so many people."""
    rng = np.random.default_rng(1)
    income = rng.lognormal(8, 1, n).round(2)
    frame = pl.DataFrame(
        {
            "person_id": np.arange(n),
            "age": rng.integers(18, 96, n),
            "region": rng.choice(["north", "south"], n),
            "income": income,
            "tax": (income * 0.2).round(2),
        }
    )
    frame.write_csv(path)
