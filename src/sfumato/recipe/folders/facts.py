"""The figures by which the steps of a recipe masked one file, frozen so that later files are masked by the same."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.contracts import Layout, MaskingMethod
from sfumato.display import format_count
from sfumato.errors import DataError, FileError
from sfumato.files.folders import Folder
from sfumato.recipe.folders.frozen_summary import VALUES, FrozenSummary, frozen_summary, plain_facts
from sfumato.recipe.recipe import Recipe
from sfumato.storage.digests import text_sha256

StepFacts = dict[str, Any]
"""The number of records of the file, and the answers that the step was given: `n` and `facts`."""


@dataclass
class Facts:
    """What the steps of a recipe asked of a file, by the number of the step.

    Parameters
    ----------
    recipe_sha256
        The SHA-256 of the steps of the recipe, and of what it says of columns.
    steps
        The facts of each step that takes figures of the whole file.
    """

    recipe_sha256: str
    steps: dict[str, StepFacts] = field(default_factory=dict)

    @classmethod
    def begin(cls, recipe: Recipe) -> "Facts":
        """Return facts of no step yet."""
        return cls(_digest(recipe))

    @classmethod
    def from_plain(cls, plain: Any, recipe: Recipe, origin: str) -> "Facts":
        """Return the facts that were written for a recipe; those of another one are refused."""
        if not isinstance(plain, dict) or not {"recipe_sha256", "steps"} <= set(plain):
            raise FileError(f"{origin} holds no facts; name a file that the option write_facts made")
        if plain["recipe_sha256"] != _digest(recipe):
            raise DataError(f"{origin} holds the facts of another recipe; write them anew by this one")
        return cls(plain["recipe_sha256"], plain["steps"])

    @classmethod
    def load(cls, path: Path, recipe: Recipe) -> "Facts":
        """Read facts from their file."""
        try:
            plain = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise FileError(f"the facts {path} cannot be read: {error.strerror}") from None
        except ValueError:
            raise FileError(f"{path} holds no facts; name a file that the option write_facts made") from None
        return cls.from_plain(plain, recipe, str(path))

    def to_plain(self) -> dict[str, Any]:
        """Return the facts, and what they tell of single records, as JSON can hold them."""
        return {"recipe_sha256": self.recipe_sha256, "tells": self.tells(), "steps": self.steps}

    def tells(self) -> list[str]:
        """Return which columns the facts tell values of that single records have, or may."""
        found = [(question[0], question[1]) for step in self.steps.values() for question, _ in step["facts"]]
        return list(dict.fromkeys(f"{column}: {VALUES[kind]}" for kind, column in found if kind in VALUES))

    def summary(self, number: int, folder: Folder) -> FrozenSummary | None:
        """Return what a step is to know of the whole file; None where it depends on the file's own records."""
        step = self.steps.get(str(number))
        if step is None:
            return None
        for (kind, column, *_), counts in step["facts"]:
            if kind == "counts":
                known = {category for category, _ in counts}
                new = sum(category not in known for category in folder.summary.categories(column))
                if new:
                    raise DataError(
                        f"column '{column}' has {format_count(new, 'category')} that the facts do not know; recode "
                        f"them, or write the facts anew"
                    )
        return frozen_summary(step["n"], step["facts"])

    def add(self, number: int, folder: Folder, names: tuple[str, ...]) -> None:
        """Keep what a step asked of a folder in the columns that it reads."""
        self.steps[str(number)] = {"n": folder.summary.n, "facts": plain_facts(folder.summary, names)}


def has_facts(step: MaskingMethod) -> bool:
    """Tell whether what a step does to a record depends on the record and on figures of the whole file alone.

    Examples
    --------
    >>> from sfumato.masking import AdditiveNoise, RankSwapping
    >>> has_facts(AdditiveNoise(columns=("income",))), has_facts(RankSwapping(columns=("income",)))
    (True, False)
    """
    return step.layout is Layout.ROWS and step.keeps_shape and not step.strata


def steps_without_facts(recipe: Recipe) -> list[str]:
    """Return the steps that take from each file what they need, since they depend on its records."""
    return [step.name() for step in recipe.steps if step.keeps_shape and not has_facts(step)]


def _digest(recipe: Recipe) -> str:
    return text_sha256(Recipe(steps=recipe.steps, schema=recipe.schema).to_yaml())
