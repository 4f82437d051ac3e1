"""The contract of an improver: parameters, and one verb."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from pydantic import InstanceOf

from sfumato.contracts.columns import columns_of_both
from sfumato.contracts.improvement import Improvement
from sfumato.contracts.methods import Layout, MaskingMethod
from sfumato.contracts.named import ColumnRecord
from sfumato.data import Kind, Microdata


class Improver(ColumnRecord, ABC):
    """A way to change a masked file so that it serves its users better at about the same risk.

    It sees the original file and a masked one, whatever made that, and needs no row ids: a synthetic file will do.
    """

    is_search: ClassVar[bool] = True
    """Whether a run takes long, as a search does: who learns by running the improver runs it seldom."""

    @property
    def uses_pairs(self) -> bool:
        """Whether it looks at which masked record comes from which original, so that its file may tell more of that."""
        return True

    @abstractmethod
    def improve(self, original: Microdata, masked: Microdata, rng: np.random.Generator) -> Improvement:
        """Return an improved copy of `masked`, and how it came about."""

    def common_columns(self, original: Microdata, masked: Microdata) -> tuple[str, ...]:
        """Return the names of the columns to change, after checking that both files have them in a fitting kind."""
        return columns_of_both(self, original, masked)

    def as_step(self, original: Microdata) -> "ImprovingStep":
        """Return the improving as an intruder who has the original file repeats it: one more step of the recipe."""
        kind = ImprovingSearch if self.is_search else ImprovingStep
        return kind(columns=self.columns, improver=self, original=original)


class ImprovingStep(MaskingMethod):
    """Improve a masked file, with the original at hand.

    Parameters
    ----------
    columns
        The columns that may change.
    improver
        What improves the file.
    original
        The original file.
    """

    family: ClassVar[str] = "improving"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)
    layout: ClassVar[Layout] = Layout.WHOLE

    improver: InstanceOf[Improver]
    original: InstanceOf[Microdata]

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return the improved file."""
        return self.improver.improve(self.original, block, rng).data


class ImprovingSearch(ImprovingStep):
    """Improve a masked file by what takes long."""

    is_search: ClassVar[bool] = True


Part = MaskingMethod | Improver
"""A step of a recipe, or what improves the masked data after the last one."""
