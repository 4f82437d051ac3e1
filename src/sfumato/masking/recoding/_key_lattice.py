"""The lattice of full-domain recodings: each key at each level of its hierarchy, and what each choice loses."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from sfumato.data import Category, Hierarchy, Microdata
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.counted_records import copies_of
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, SmallIntegers
from sfumato.parameters.hierarchies import EVERYTHING

Levels = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class KeyLevels:
    """One key at each level, from what the file holds (0) to the root of its hierarchy.

    Parameters
    ----------
    becomes
        For each level what each category of the file becomes; nothing for one that is not in the hierarchy.
    codes, shares
        The same as codes from 1 up, and the share of all leaves that lie under it (levels x categories). Missing is
        the first category, with code 0 and, as it says nothing, share 1.
    losses
        The information loss at each level where nothing is suppressed: 0 for single leaves, 1 for the root.
    unit
        By how much the shares of all records add up to more at loss 1 than at loss 0.
    """

    becomes: tuple[Mapping[Category, Category], ...]
    codes: CodeMatrix
    shares: FloatMatrix
    losses: FloatColumn
    unit: float

    @property
    def height(self) -> int:
        """The number of levels above the first."""
        return len(self.losses) - 1


@dataclass(frozen=True, eq=False)
class Parts:
    """Classes of records, kept as one part for each sensitive value in them; parts of one class are neighbours.

    Parameters
    ----------
    starts
        Where each class starts, and at the end where the last one ends.
    rows
        A row of the lattice that stands for the class.
    values
        The sensitive value of each part: 0 where missing, else from 1 up; 1 where nothing is sensitive.
    sizes
        How many records each part has.
    """

    starts: CodeColumn
    rows: CodeColumn
    values: CodeColumn
    sizes: CodeColumn


@dataclass(frozen=True, eq=False)
class KeyLattice:
    """All ways to choose a level for each key, over the different records of a file.

    Parameters
    ----------
    key_levels
        The levels of each key.
    importance
        The weight of each key in the loss; they add up to 1.
    keys
        The different combinations of categories (combinations x keys), from 1 up; 0 where missing.
    parts
        The records of the file, as the parts of these combinations.
    combinations
        The combination of each record of the file.
    """

    key_levels: tuple[KeyLevels, ...]
    importance: FloatColumn
    keys: SmallIntegers
    parts: Parts
    combinations: CodeColumn

    @property
    def shape(self) -> Levels:
        """The number of levels of each key."""
        return tuple(key.height + 1 for key in self.key_levels)

    @property
    def nodes(self) -> int:
        """How many ways there are to choose the levels."""
        return prod(self.shape)

    @property
    def top(self) -> Levels:
        """The levels at which every value is the root of its hierarchy."""
        return tuple(key.height for key in self.key_levels)

    @cached_property
    def units(self) -> FloatColumn:
        """What turns the lost shares of each key into its loss."""
        return np.array([key.unit for key in self.key_levels])

    @cached_property
    def widths(self) -> CodeMatrix:
        """How many codes each key has at each level, missing included (keys x levels)."""
        return np.asarray(self.codes.max(axis=2) + 1, dtype=np.int64)

    @cached_property
    def codes(self) -> CodeMatrix:
        """The codes of all key_levels side by side (keys x levels x categories)."""
        return _stack([key.codes for key in self.key_levels]).astype(np.int64)

    @cached_property
    def shares(self) -> FloatMatrix:
        """The shares of all key_levels side by side (keys x levels x categories)."""
        return _stack([key.shares for key in self.key_levels])

    def logarithms(self, lost: FloatColumn) -> list[FloatColumn]:
        """Return what each level of each key adds to the logarithm of 1 + loss, when some shares are suppressed."""
        return [
            weight * np.log1p(key.losses + share / key.unit)
            for weight, key, share in zip(self.importance, self.key_levels, lost, strict=True)
        ]

    def logarithm(self, levels: Levels, lost: FloatColumn) -> float:
        """Return the logarithm of 1 + loss at a node where some shares are suppressed."""
        losses = [key.losses[level] for key, level in zip(self.key_levels, levels, strict=True)]
        return float(self.importance @ np.log1p(losses + lost / self.units))


def lattice_of(
    data: Microdata,
    names: tuple[str, ...],
    hierarchies: Mapping[str, Hierarchy],
    importance: Mapping[str, float],
    sensitive: CodeColumn,
) -> KeyLattice:
    """Return the lattice of some keys of a file.

    Parameters
    ----------
    data, names
        The file and its keys.
    hierarchies
        The hierarchy of each key that has one; every category that records have is in it.
    importance
        What the loss of each key counts for; 1 for those not named.
    sensitive
        The sensitive value of each record from 1 up, 0 where missing.
    """
    codes = np.stack([data.codes(name)[0] for name in names])
    classes = classes_of(codes)
    keys = np.ascontiguousarray(codes[:, classes.first_rows()].T + 1, dtype=np.int32)
    parts = classes_of(np.stack([classes.numbers, sensitive]))
    first = parts.first_rows()
    order = np.argsort(classes.numbers[first], kind="stable")
    rows = classes.numbers[first][order]
    starts = np.searchsorted(rows, np.arange(classes.count + 1))
    weights = np.array([importance.get(name, 1.0) for name in names])
    return KeyLattice(
        key_levels=tuple(levels_of_key(data, name, hierarchies.get(name)) for name in names),
        importance=weights / weights.sum(),
        keys=keys,
        parts=Parts(starts, rows, sensitive[first][order], parts.sizes(copies_of(data))[order]),
        combinations=classes.numbers,
    )


def levels_of_key(data: Microdata, name: str, hierarchy: Hierarchy | None) -> KeyLevels:
    """Return the levels of a key; one without a hierarchy is either as it is or one category for all."""
    counts = data.summary.counts(name)
    tree = hierarchy or Hierarchy.from_levels([[category, EVERYTHING] for category in counts])
    depth = tree.depth
    paths = {category: (category, *tree.ancestors(category)) for category in counts if category in tree}
    becomes = [  # a category that lies above a level stays itself
        {code: path[max(0, len(path) - 1 - depth + level)] for code, path in paths.items()}
        for level in range(depth + 1)
    ]
    found = {code for step in becomes for code in step.values()}
    leaves = {code: len(tree.leaves_under(code)) / len(tree.leaves) for code in found}
    codes = np.zeros((len(becomes), len(counts) + 1), dtype=np.int64)
    shares = np.ones((len(becomes), len(counts) + 1))
    for level, step in enumerate(becomes):
        place = {code: number for number, code in enumerate(dict.fromkeys(step.values()), start=1)}
        for position, category in enumerate(counts, start=1):
            if category in step:
                codes[level, position] = place[step[category]]
                shares[level, position] = leaves[step[category]]
    having = np.array(list(counts.values()), dtype=np.float64)
    least = having.sum() / len(tree.leaves)
    unit = having.sum() - least if len(tree.leaves) > 1 else np.inf  # a single leaf has nothing to lose
    return KeyLevels(tuple(becomes), codes, shares, (shares[:, 1:] @ having - least) / unit, unit)


def _stack(tables: list[FloatMatrix] | list[CodeMatrix]) -> FloatMatrix:
    stacked = np.zeros((len(tables), *np.max([table.shape for table in tables], axis=0)))
    for place, table in enumerate(tables):
        stacked[place, : table.shape[0], : table.shape[1]] = table
    return stacked
