"""What the tests of commands share: a recipe, what came of a command, and a masked file."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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
