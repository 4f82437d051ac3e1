"""The contract of sensitivity rules: a frozen record that tells which cells are unsafe, and what it returns."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

import numpy as np

from sfumato.contracts import Named
from sfumato.display import format_compact
from sfumato.documents.record import Record
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.cells.table import Table

NO_RULE = "given"  # what stands in place of a rule where there is none


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity:
    """The verdict of a rule, or of several, on the cells of a table.

    Parameters
    ----------
    levels
        For each unsafe cell how far above its value an intruder must be unable to rule values out; 0 for safe cells.
    by_rule
        For each rule, as it is written, the cells that it calls unsafe.
    """

    levels: FloatColumn
    by_rule: Mapping[str, Booleans]

    @property
    def unsafe(self) -> Booleans:
        """The cells that some rule calls unsafe."""
        return np.asarray(np.any(list(self.by_rule.values()), axis=0), dtype=np.bool_)

    def __repr__(self) -> str:
        return f"<Sensitivity: {int(self.unsafe.sum())} of {self.levels.size} cells unsafe>"

    def __or__(self, other: "Sensitivity") -> "Sensitivity":
        return Sensitivity(np.maximum(self.levels, other.levels), {**self.by_rule, **other.by_rule})

    def reasons(self, cell: int) -> tuple[str, ...]:
        """Return the rules that call a cell unsafe."""
        return tuple(rule for rule, unsafe in self.by_rule.items() if unsafe[cell])


class Rule(Named, ABC):
    """A sensitivity rule. Rules combine: `PPercent(p=10) | MinUnits(units=3)` calls unsafe what either of them does."""

    family: ClassVar[str] = "sensitivity"

    @property
    def contributions(self) -> int:
        """How many of the largest contributions of each cell it needs."""
        return 0

    @abstractmethod
    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return which cells are unsafe and, for those, the upper protection level."""

    def find(self, table: Table) -> Sensitivity:
        """Return the unsafe cells of a table with their protection levels."""
        unsafe, levels = self.levels(table)
        return Sensitivity(np.where(unsafe, levels, 0.0), {str(self): unsafe})

    def __or__(self, other: "Rule | AnyOf") -> "AnyOf":
        return AnyOf(rules=(self,)) | other

    def __str__(self) -> str:
        given = ", ".join(f"{name}={format_compact(value)}" for name, value in self if isinstance(value, int | float))
        return f"{self.name()}({given})"


class AnyOf(Record):
    """Several rules at once: a cell is unsafe when one of them says so, and the largest level holds."""

    rules: tuple[Rule, ...]

    def find(self, table: Table) -> Sensitivity:
        """Return the unsafe cells of a table with their protection levels; without a rule there is none."""
        safe = Sensitivity(np.zeros(table.size), {NO_RULE: np.zeros(table.size, dtype=np.bool_)})
        return reduce(Sensitivity.__or__, (rule.find(table) for rule in self.rules)) if self.rules else safe

    def __or__(self, other: "Rule | AnyOf") -> "AnyOf":
        return AnyOf(rules=(*self.rules, *(other.rules if isinstance(other, AnyOf) else (other,))))

    def __str__(self) -> str:
        return " | ".join(map(str, self.rules))
