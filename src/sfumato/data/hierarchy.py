"""A tree of categories: what a code may be recoded to, and which codes add up to which."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from sfumato.data.hierarchy_parsing import (
    Pair,
    add_root,
    check_tree,
    columns_of,
    pairs_of_levels,
    rows_of,
    rows_of_digits,
)
from sfumato.data.schema import Category
from sfumato.display import format_count
from sfumato.errors import ParameterError, SchemaError, did_you_mean

MAX_COMPARED = 10_000  # codes that are searched for the nearest one to a mistyped code: more would take seconds


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy:
    """A tree of categories, from one root down to the leaves that the records hold.

    Made by `from_pairs`, `from_levels`, `from_frame` or `from_digits`; never changed. Leaves may lie at different
    depths. Two hierarchies are equal when they are the same tree, in whatever order its codes were given.

    Parameters
    ----------
    root
        The code above all others, at depth 0.
    pairs
        (parent, child) for every code but the root, in the order of the input.

    Examples
    --------
    >>> places = Hierarchy.from_levels([("Pisa", "Tuscany", "Italy"), ("Lucca", "Tuscany", "Italy"), ("Rome", "Italy")])
    >>> places
    Hierarchy(root='Italy', 5 codes, depth 2)
    >>> places.recoding(depth=1)
    {'Pisa': 'Tuscany', 'Lucca': 'Tuscany', 'Rome': 'Rome'}
    """

    root: Category
    pairs: tuple[Pair, ...]

    def __post_init__(self) -> None:
        check_tree(self.root, self.pairs)

    @classmethod
    def from_pairs(cls, pairs: Iterable[Sequence[Category]], *, root: Category | None = None) -> Self:
        """Read a hierarchy from pairs (parent, child); a pair that is repeated counts once.

        Parameters
        ----------
        pairs
            One pair for every code that has a parent.
        root
            A code to put above all codes without a parent; needed when there are several of them.
        """
        return cls(*add_root(pairs, root))

    @classmethod
    def from_levels(cls, rows: Iterable[Sequence[Category]], *, root: Category | None = None) -> Self:
        """Read a hierarchy from rows, each a leaf, its parent, and so on to the top.

        Rows may differ in length. A code that directly follows itself in a row, as padding does, counts once.

        Parameters
        ----------
        rows
            One row for every leaf.
        root
            A code to put above the tops of all rows; needed when they differ.
        """
        top, pairs = pairs_of_levels(rows, root)
        return cls(top, ()) if not pairs else cls.from_pairs(pairs, root=root)

    @classmethod
    def from_frame(cls, frame: Any, *, root: Category | None = None) -> Self:
        """Read a hierarchy from a dataframe with columns parent, child and perhaps level, or with one column per level.

        A level, where given, is checked: 0 for the root. With one column per level (leaf first), cells at the end of a
        row may be missing.
        """
        content = columns_of(frame)
        if not {"parent", "child"} <= set(content) <= {"parent", "child", "level"}:
            return cls.from_levels(rows_of(content), root=root)
        hierarchy = cls.from_pairs(zip(content["parent"], content["child"], strict=True), root=root)
        added = 0 if hierarchy.root in content["parent"] else 1
        for code, level in zip(content["child"], content.get("level", ()), strict=False):
            expected = hierarchy.depth_of(code) - added
            if level != expected:
                raise SchemaError(f"code {code!r} must be at level {expected}; got {level}")
        return hierarchy

    @classmethod
    def from_digits(cls, codes: Iterable[str], digits: Sequence[int], *, root: Category = "Total") -> Self:
        """Read a hierarchy from the codes themselves, whose first characters say the groups.

        Parameters
        ----------
        codes
            The leaves, as text.
        digits
            How many characters each level adds: with [1, 1, 2], the code 3812 belongs to 38, which belongs to 3.
        root
            The code to put above the first level.

        Examples
        --------
        >>> Hierarchy.from_digits(["01", "02", "11"], [1, 1]).codes
        ('Total', '0', '01', '02', '1', '11')
        """
        return cls.from_levels(rows_of_digits(codes, digits), root=root)

    @cached_property
    def codes(self) -> tuple[Category, ...]:
        """All codes, depth first: each group directly before what is under it."""
        found, waiting = [], [self.root]
        while waiting:
            code = waiting.pop()
            found.append(code)
            waiting.extend(reversed(self._children.get(code, ())))
        return tuple(found)

    @cached_property
    def leaves(self) -> tuple[Category, ...]:
        """The codes with nothing under them, in the order of the input."""
        return tuple(child for _, child in self.pairs if child not in self._children) or (self.root,)

    @property
    def depth(self) -> int:
        """How deep the deepest leaf lies."""
        return max(self._depth.values())

    @property
    def is_balanced(self) -> bool:
        """Whether all leaves lie at the same depth."""
        return len({self._depth[leaf] for leaf in self.leaves}) == 1

    def parent(self, code: Category) -> Category | None:
        """Return the code directly above; None for the root."""
        return self._parent.get(self._check_code(code))

    def children(self, code: Category) -> tuple[Category, ...]:
        """Return the codes directly under a code, in the order of the input."""
        return self._children.get(self._check_code(code), ())

    def ancestors(self, code: Category) -> tuple[Category, ...]:
        """Return the codes above a code, its parent first and the root last."""
        found = [self._check_code(code)]
        while found[-1] != self.root:
            found.append(self._parent[found[-1]])
        return tuple(found[1:])

    def depth_of(self, code: Category) -> int:
        """Return how many codes are above a code: 0 for the root."""
        return self._depth[self._check_code(code)]

    def leaves_under(self, code: Category) -> tuple[Category, ...]:
        """Return the leaves under a code, in the order of the input; a leaf has itself."""
        start = self._place[self._check_code(code)]
        branch = self.codes[start : start + self._size[code]]
        return tuple(sorted((leaf for leaf in branch if leaf in self._leaf_place), key=self._leaf_place.__getitem__))

    def at_depth(self, code: Category, depth: int) -> Category:
        """Return the ancestor of a code at a depth; a code that lies there or above stays itself."""
        self._check_depth(depth)
        for _ in range(self.depth_of(code) - depth):
            code = self._parent[code]
        return code

    def recoding(self, depth: int) -> dict[Category, Category]:
        """Return for each leaf its ancestor at a depth; a leaf that lies above it stays itself."""
        self._check_depth(depth)
        becomes: dict[Category, Category] = {}
        for code in self.codes:
            becomes[code] = code if self._depth[code] <= depth else becomes[self._parent[code]]
        return {leaf: becomes[leaf] for leaf in self.leaves}

    def __contains__(self, code: object) -> bool:
        return code in self._depth

    def __len__(self) -> int:
        return len(self.codes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hierarchy):
            return NotImplemented
        return self.root == other.root and self._parent == other._parent

    def __hash__(self) -> int:
        return hash((self.root, frozenset(self.pairs)))

    def __repr__(self) -> str:
        return f"Hierarchy(root={self.root!r}, {format_count(len(self), 'code')}, depth {self.depth})"

    def __reduce__(self) -> tuple[type["Hierarchy"], tuple[object, ...]]:
        return type(self), (self.root, self.pairs)

    @cached_property
    def _parent(self) -> dict[Category, Category]:
        return {child: parent for parent, child in self.pairs}

    @cached_property
    def _children(self) -> dict[Category, tuple[Category, ...]]:
        under: dict[Category, list[Category]] = {}
        for parent, child in self.pairs:
            under.setdefault(parent, []).append(child)
        return {parent: tuple(children) for parent, children in under.items()}

    @cached_property
    def _depth(self) -> dict[Category, int]:
        depth: dict[Category, int] = {}
        for code in self.codes:
            depth[code] = 0 if code == self.root else depth[self._parent[code]] + 1
        return depth

    @cached_property
    def _place(self) -> dict[Category, int]:
        return {code: place for place, code in enumerate(self.codes)}

    @cached_property
    def _leaf_place(self) -> dict[Category, int]:
        return {leaf: place for place, leaf in enumerate(self.leaves)}

    @cached_property
    def _size(self) -> dict[Category, int]:
        """How many codes each branch has, its top included."""
        size = dict.fromkeys(self.codes, 1)
        for code in reversed(self.codes[1:]):
            size[self._parent[code]] += size[code]
        return size

    def _check_code(self, code: Category) -> Category:
        if code not in self._depth:
            near = did_you_mean(str(code), map(str, self.codes[:MAX_COMPARED]))
            raise SchemaError(f"the hierarchy has no code {code!r}{near}")
        return code

    def _check_depth(self, depth: int) -> None:
        if not 0 <= depth <= self.depth:
            raise ParameterError([f"Hierarchy: depth must be in [0, {self.depth}]; got {depth}"])
