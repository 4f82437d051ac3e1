"""The contract of an improver: parameters, and one verb."""

from abc import ABC, abstractmethod

import numpy as np

from sfumato.contracts.columns import columns_of_both
from sfumato.contracts.improvement import Improvement
from sfumato.contracts.named import ColumnRecord
from sfumato.data import Microdata


class Improver(ColumnRecord, ABC):
    """A way to change a masked file so that it serves its users better at about the same risk.

    It sees the original file and a masked one, whatever made that, and needs no row ids: a synthetic file will do.
    """

    @abstractmethod
    def improve(self, original: Microdata, masked: Microdata, rng: np.random.Generator) -> Improvement:
        """Return an improved copy of `masked`, and how it came about."""

    def common_columns(self, original: Microdata, masked: Microdata) -> tuple[str, ...]:
        """Return the names of the columns to change, after checking that both files have them in a fitting kind."""
        return columns_of_both(self, original, masked)
