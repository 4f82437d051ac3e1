"""One dimension of a table: the codes that its cells may have, and which codes add up to which."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from sfumato.data import Category, Hierarchy
from sfumato.errors import SchemaError, did_you_mean
from sfumato.numerics.arrays import CodeMatrix, Rows

if TYPE_CHECKING:
    import polars as pl

Sum = tuple[int, tuple[int, ...]]  # the place of a total and the places of its parts


@dataclass(frozen=True, eq=False, repr=False)
class Dimension:
    """The codes of one dimension and the sums between them.

    Made by `from_hierarchies` or `flat`; never changed. Several groupings of the same leaves, nested or not, stand side
    by side: each gives sums of its own.

    Parameters
    ----------
    name
        The variable.
    codes
        Every code that cells may have: total, groups and leaves, each group before what is under it.
    sums
        The place of a total among the codes, and the places of its parts; one sum for each grouping of a total.

    Examples
    --------
    >>> region = Dimension.flat("region", ["North", "South"])
    >>> region.codes
    ('Total', 'North', 'South')
    >>> region.sums
    ((0, (1, 2)),)
    """

    name: str
    codes: tuple[Category, ...]
    sums: tuple[Sum, ...]

    def __post_init__(self) -> None:
        if len(self.place) < len(self.codes):
            twice = next(code for place, code in enumerate(self.codes) if self.place[code] != place)
            raise SchemaError(f"dimension '{self.name}' must list each code once; {twice!r} is repeated")
        for total, parts in reversed(self.sums):  # from the finest up, so that the cause is named
            self._check_sum(total, parts)

    @classmethod
    def from_hierarchies(cls, name: str, hierarchies: Sequence[Hierarchy]) -> Self:
        """Put one or several groupings of the same leaves under the same root side by side.

        Parameters
        ----------
        name
            The variable.
        hierarchies
            The groupings. A group that two of them have must stand for the same leaves in both.
        """
        if not hierarchies:
            raise SchemaError(f"dimension '{name}' needs at least one hierarchy; got none")
        for other in hierarchies[1:]:
            _check_same_leaves(name, hierarchies[0], other)
        codes = tuple(dict.fromkeys(code for tree in hierarchies for code in tree.codes))
        place = {code: position for position, code in enumerate(codes)}
        sums = [
            (place[code], tuple(place[child] for child in tree.children(code)))
            for tree in hierarchies
            for code in tree.codes
            if tree.children(code)
        ]
        return cls(name, codes, tuple(dict.fromkeys(sums)))

    @classmethod
    def flat(cls, name: str, leaves: Iterable[Category], total: Category = "Total") -> Self:
        """Put one total over the leaves."""
        listed = tuple(leaves)
        if total in listed:
            raise SchemaError(
                f"dimension '{name}' has {total!r} among its own codes; choose another code for the total as `total`"
            )
        if not listed:
            raise SchemaError(f"dimension '{name}' needs at least one code under its total; got none")
        return cls(name, (total, *listed), ((0, tuple(range(1, len(listed) + 1))),))

    @cached_property
    def place(self) -> dict[Category, int]:
        """Where each code stands among the codes."""
        return {code: position for position, code in enumerate(self.codes)}

    @cached_property
    def leaves(self) -> Rows:
        """The places of the codes that are the total of nothing."""
        totals = {total for total, _ in self.sums}
        return np.array([place for place in range(len(self.codes)) if place not in totals], dtype=np.int64)

    @cached_property
    def covered(self) -> tuple[Rows, ...]:
        """For each code the places of the leaves that it stands for, ascending; a leaf stands for itself."""
        parts = dict(reversed(self.sums))  # the first sum of a total decides
        found: dict[int, Rows] = {int(leaf): np.array([leaf]) for leaf in self.leaves}
        for start in parts:
            waiting = [start]
            while waiting:
                missing = [part for part in parts.get(waiting[-1], ()) if part not in found]
                if len(waiting) > len(self.codes):
                    raise SchemaError(f"dimension '{self.name}': code {self.codes[start]!r} is a part of itself")
                if missing:
                    waiting.extend(missing)
                    continue
                total = waiting.pop()
                if total not in found:
                    found[total] = np.sort(np.concatenate([found[part] for part in parts[total]]))
        return tuple(found[place] for place in range(len(self.codes)))

    @cached_property
    def layers(self) -> CodeMatrix:
        """Ways to read the leaves, (layers, codes): in each a leaf has one code at most (else -1), itself in the first.

        Every code is in exactly one layer, so that adding up layer by layer gives each total once.
        """
        layers = [np.full(len(self.codes), -1, dtype=np.int64)]
        layers[0][self.leaves] = self.leaves
        totals = dict.fromkeys(sorted(total for total, _ in self.sums))
        for total in totals:
            leaves = self.covered[total]
            free = [layer for layer in layers[1:] if (layer[leaves] < 0).all()]
            if not free:
                free = [np.full(len(self.codes), -1, dtype=np.int64)]
                layers.append(free[0])
            free[0][leaves] = total
        return np.array(layers)

    @cached_property
    def levels(self) -> Rows:
        """How many totals stand above each code, in the first grouping that has it; for display."""
        levels = np.full(len(self.codes), -1, dtype=np.int64)
        parts = {part for _, under in self.sums for part in under}
        levels[[place for place in range(len(self.codes)) if place not in parts]] = 0
        while (levels < 0).any():
            for total, under in self.sums:
                unset = [part for part in under if levels[part] < 0]
                if levels[total] >= 0:
                    levels[unset] = levels[total] + 1
        return levels

    def known(self, code: Category) -> int:
        """Return the place of a code, or refuse it with the nearest one."""
        if code not in self.place:
            near = did_you_mean(str(code), map(str, self.codes))
            raise SchemaError(f"dimension '{self.name}' has no code {code!r}{near}")
        return self.place[code]

    def __repr__(self) -> str:
        return f"Dimension({self.name!r}, {len(self.codes)} codes, {self.leaves.size} of them leaves)"

    @cached_property
    def code_column(self) -> "pl.Series":
        """The codes as a column: text, unless they are all of one other type."""
        import polars as pl

        types = {type(code) for code in self.codes}
        return pl.Series(self.codes if len(types) == 1 else [str(code) for code in self.codes])

    def _check_sum(self, total: int, parts: Sequence[int]) -> None:
        """Refuse a sum whose parts overlap, or whose total stands for other leaves in another sum."""
        leaves = np.sort(np.concatenate([self.covered[part] for part in parts]))
        if not np.array_equal(leaves, self.covered[total]) or (leaves[1:] == leaves[:-1]).any():
            raise SchemaError(
                f"dimension '{self.name}': the parts of {self.codes[total]!r} must be the same leaves in every "
                f"grouping, each once; make the groupings agree or give one of the groups another code"
            )


def _check_same_leaves(name: str, first: Hierarchy, other: Hierarchy) -> None:
    if other.root != first.root:
        raise SchemaError(
            f"dimension '{name}': all groupings must have one root; got {first.root!r} and {other.root!r}; "
            f"say root={first.root!r} where they are read"
        )
    lone = [*(leaf for leaf in first.leaves if leaf not in set(other.leaves))]
    lone += [leaf for leaf in other.leaves if leaf not in set(first.leaves)]
    if lone:
        raise SchemaError(
            f"dimension '{name}': all groupings must have the same leaves; {lone[0]!r} is a leaf of one only; "
            f"add it to the other or take it out"
        )
