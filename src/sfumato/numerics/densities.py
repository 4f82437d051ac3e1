"""Densities of a masked coordinate given an original one, and their logarithms."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Floats

IMPOSSIBLE = -1e6
"""The logarithm that stands for a density of 0; sums with it stay far below those of all that is possible."""
REACH = 40.0  # standard deviations of a component that a grid covers: the density is then below 1e-300
MAX_ROUNDING = 0.1  # of a step that a difference may be off a whole number of them
STEPS = 20  # of a grid in one standard deviation of a component


class Grid(NamedTuple):
    """A log density on a grid, for searches: `table[level, step]` at a step of (after - before) * scale + origin.

    Parameters
    ----------
    table
        The log density by level of the original value and step, shape (levels, steps).
    scale
        How many steps lie in a unit.
    origin
        The step of no difference at all.
    """

    table: FloatMatrix
    scale: float
    origin: float


class Density(ABC):
    """The density of where a masked record stands, given where its original does; a missing place tells nothing."""

    @abstractmethod
    def log_density(self, before: Floats, after: Floats) -> Floats:
        """Return the log density of each pair of places; 0 where one of them is missing (NaN)."""

    @abstractmethod
    def grid(self) -> Grid:
        """Return the density on a grid, exact enough to find the likely records."""

    @abstractmethod
    def levels(self, before: FloatColumn) -> CodeColumn:
        """Return the level of the grid that serves each original place."""

    @abstractmethod
    def scaled(self, power: float) -> "Density":
        """Return the density whose logarithms are multiplied by `power`, up to a constant."""

    def positions(self, before: FloatColumn) -> FloatColumn:
        """Return what is subtracted from a masked place before it is looked up in the grid."""
        return before


@dataclass(frozen=True, eq=False)
class NormalMixture(Density):
    """The difference after - before is a draw from a mixture of normal distributions of one variance.

    Examples
    --------
    >>> standard = NormalMixture(np.array([1.0]), np.array([0.0]), 1.0)
    >>> standard.log_density(np.array([0.0, 0.0]), np.array([0.0, 2.0])).round(3)
    array([-0.919, -2.919])
    """

    weights: FloatColumn
    centres: FloatColumn
    variance: float

    def log_density(self, before: Floats, after: Floats) -> Floats:
        """Return the log density of the differences."""
        difference = after - before
        if len(self.weights) == 1:
            exponent = 0.5 * (difference - self.centres[0]) ** 2 / self.variance
            logarithm = -0.5 * np.log(2 * np.pi * self.variance) - exponent
            return np.where(np.isnan(difference), 0.0, np.maximum(logarithm, IMPOSSIBLE))
        exponents = [
            np.log(weight) - 0.5 * (difference - centre) ** 2 / self.variance
            for weight, centre in zip(self.weights, self.centres, strict=True)
        ]
        largest = np.maximum.reduce(exponents)
        total = np.add.reduce([np.exp(exponent - largest) for exponent in exponents])
        logarithm = largest + np.log(total) - 0.5 * np.log(2 * np.pi * self.variance)
        return np.where(np.isnan(difference), 0.0, np.maximum(logarithm, IMPOSSIBLE))

    def grid(self) -> Grid:
        """Return the density around all components."""
        deviation = float(np.sqrt(self.variance))
        half = int(np.ceil(STEPS * (np.abs(self.centres).max() / deviation + REACH)))
        differences = np.arange(-half, half + 1) * deviation / STEPS
        return Grid(self.log_density(np.zeros(1), differences)[None, :], STEPS / deviation, float(half))

    def levels(self, before: FloatColumn) -> CodeColumn:
        """Return 0: the density is the same everywhere."""
        return np.zeros(len(before), dtype=np.int64)

    def scaled(self, power: float) -> "NormalMixture":
        """Return the mixture with other variances; exact for a single component."""
        return NormalMixture(self.weights, self.centres, self.variance / power)


STANDARD_NORMAL = NormalMixture(np.ones(1), np.zeros(1), 1.0)


@dataclass(frozen=True, eq=False)
class Transitions(Density):
    """A category, as a code, turns into another with the probabilities in its row of a matrix.

    Examples
    --------
    >>> Transitions(np.array([[0.5, 0.5], [0.0, 1.0]])).log_density(np.array([0.0, 1.0]), np.array([1.0, 0.0])).round(3)
    array([-6.93e-01, -1.00e+06])
    """

    matrix: FloatMatrix

    def log_density(self, before: Floats, after: Floats) -> Floats:
        """Return the log probability of each change."""
        before, after = np.broadcast_arrays(before, after)
        codes = [np.where(np.isnan(place), 0, place).astype(np.int64) for place in (before, after)]
        return np.where(np.isnan(before) | np.isnan(after), 0.0, self.grid().table[codes[0], codes[1]])

    def grid(self) -> Grid:
        """Return the logarithms of the matrix."""
        with np.errstate(divide="ignore"):
            return Grid(np.maximum(np.log(self.matrix), IMPOSSIBLE), 1.0, 0.0)

    def levels(self, before: FloatColumn) -> CodeColumn:
        """Return the code."""
        return np.where(np.isnan(before), 0, before).astype(np.int64)

    def scaled(self, power: float) -> "Transitions":
        """Return the probabilities to that power."""
        return Transitions(self.matrix**power)

    def positions(self, before: FloatColumn) -> FloatColumn:
        """Return 0: a masked code is looked up as it is."""
        return np.where(np.isnan(before), np.nan, 0.0)


@dataclass(frozen=True, eq=False)
class Displacements(Density):
    """Where a value between 0 and 1, such as a relative rank, is moved to, by where it comes from.

    Parameters
    ----------
    table
        The log density of a displacement by the bin of the original place: shape (bins, 2 d + 1), where the columns are
        displacements from -1 to 1 in steps of 1 / d.
    """

    table: FloatMatrix

    def log_density(self, before: Floats, after: Floats) -> Floats:
        """Return the log density of each displacement."""
        half, moved = self.table.shape[1] // 2, np.asarray(after - before)
        is_missing = np.isnan(moved)
        moved[is_missing] = 0.0
        moved *= half  # in place from here on: this is what learning a recipe spends its time on
        steps = np.clip(np.rint(moved, out=moved), -half, half, out=moved).astype(np.int64)
        steps += self.levels(before) * self.table.shape[1] + half  # the bin of each place is found once
        found = self.table.ravel().take(steps)
        return np.where(is_missing, 0.0, found) if is_missing.any() else found

    def grid(self) -> Grid:
        """Return the table itself."""
        half = self.table.shape[1] // 2
        return Grid(self.table, float(half), float(half))

    def levels(self, before: FloatColumn) -> CodeColumn:
        """Return the bin of each original place."""
        bins = len(self.table)
        return np.asarray(np.clip(np.where(np.isnan(before), 0.0, before) * bins, 0, bins - 1), dtype=np.int64)

    def scaled(self, power: float) -> "Displacements":
        """Return the table with its logarithms multiplied."""
        return Displacements(power * self.table)


@dataclass(frozen=True, eq=False)
class UniformSteps(Density):
    """The difference after - before is a whole number of steps, each up to `reach` in both directions equally likely.

    Parameters
    ----------
    reach
        The largest number of steps; 0 where a place stays as it was.
    step
        The length of a step.

    Examples
    --------
    >>> UniformSteps(1, 7.0).log_density(np.zeros(3), np.array([7.0, 14.0, 3.0])).round(3)
    array([-1.099e+00, -1.000e+06, -1.000e+06])
    """

    reach: int
    step: float

    def log_density(self, before: Floats, after: Floats) -> Floats:
        """Return the log probability of each difference."""
        steps = (after - before) / self.step
        whole = np.rint(steps)
        is_possible = (np.abs(whole) <= self.reach) & (np.abs(steps - whole) < MAX_ROUNDING)
        return np.where(np.isnan(steps), 0.0, np.where(is_possible, -np.log(2.0 * self.reach + 1.0), IMPOSSIBLE))

    def grid(self) -> Grid:
        """Return the probability of each number of steps, with one more at each end."""
        table = np.full((1, 2 * self.reach + 3), -np.log(2.0 * self.reach + 1.0))
        table[0, [0, -1]] = IMPOSSIBLE
        return Grid(table, 1.0 / self.step, self.reach + 1.0)

    def levels(self, before: FloatColumn) -> CodeColumn:
        """Return 0: the density is the same everywhere."""
        return np.zeros(len(before), dtype=np.int64)

    def scaled(self, power: float) -> "UniformSteps":
        """Return the same: all that is possible is equally likely."""
        return self


@dataclass(frozen=True, eq=False)
class Untold(Density):
    """A place that tells nothing by itself: it serves a joint density alone, and no search."""

    def log_density(self, before: Floats, after: Floats) -> Floats:
        """Return 0."""
        return np.zeros(np.broadcast_shapes(before.shape, after.shape))

    def grid(self) -> Grid:
        """Return a single step of no likelihood."""
        return Grid(np.zeros((1, 1)), 0.0, 0.0)

    def levels(self, before: FloatColumn) -> CodeColumn:
        """Return 0: the density is the same everywhere."""
        return np.zeros(len(before), dtype=np.int64)

    def scaled(self, power: float) -> "Untold":
        """Return the same."""
        return self
