"""How many records groups have in the worlds that were seen: what a reader cannot rule out of each."""

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.outputs.audit.small_groups import Groups


class SeenCounts:
    """The worlds seen so far, by the lowest and highest count of each group in them."""

    def __init__(self, groups: Groups, low: FloatColumn, min_units: int) -> None:
        self._low, self.min_units = low, min_units
        self.lowest, self.highest = groups.sizes.copy(), groups.sizes.copy()

    @property
    def is_open(self) -> Booleans:
        """The groups that no world seen so far makes safe."""
        return np.asarray((self.lowest > self._low) | (self.highest < self.min_units), dtype=np.bool_)

    @property
    def open_groups(self) -> Rows:
        """Their numbers."""
        return np.flatnonzero(self.is_open)

    def see_world(self, groups: Rows, highest: FloatColumn, lowest: FloatColumn) -> None:
        """Take a world into account by the most and the fewest records that groups can have in it."""
        self.highest[groups] = np.maximum(self.highest[groups], highest)
        self.lowest[groups] = np.minimum(self.lowest[groups], lowest)

    def goal(self, group: int, *, is_up: bool) -> float:
        """Return how many records a world must give a group: as a cost, which is negative for a number from below."""
        return float(-self.min_units if is_up else self._low[group])

    def wants(self, group: int, *, is_up: bool) -> bool:
        """Tell whether a group has to be open further up, or down."""
        return bool(self.highest[group] < self.min_units if is_up else self.lowest[group] > self._low[group])
