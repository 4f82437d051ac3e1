"""Which cells give somebody away, by which rule, and how far an intruder must be kept from them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn


@dataclass(frozen=True, eq=False)
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

    def __or__(self, other: "Sensitivity") -> "Sensitivity":
        return Sensitivity(np.maximum(self.levels, other.levels), {**self.by_rule, **other.by_rule})

    def reasons(self, cell: int) -> tuple[str, ...]:
        """Return the rules that call a cell unsafe."""
        return tuple(rule for rule, unsafe in self.by_rule.items() if unsafe[cell])
