"""A tree of categories: what a code may be recoded to, and which codes add up to which."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np

from sfumato.data.microdata import as_table
from sfumato.data.schema import Code
from sfumato.errors import ParameterError, SchemaError, did_you_mean

Pair = tuple[Code, Code]


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy:
    """A tree of categories, from one root down to the leaves that the records hold.

    Made by `from_pairs`, `from_levels` or `from_frame`; never changed. Leaves may lie at different depths. Two
    hierarchies are equal when they are the same tree, in whatever order its codes were given.

    Parameters
    ----------
    root
        The code above all others, at level 0.
    pairs
        (parent, child) for every code but the root, in the order of the input.

    Examples
    --------
    >>> places = Hierarchy.from_levels([("Pisa", "Tuscany", "Italy"), ("Lucca", "Tuscany", "Italy"), ("Rome", "Italy")])
    >>> places
    Hierarchy(root='Italy', 5 codes, depth 2)
    >>> places.recoding(level=1)
    {'Pisa': 'Tuscany', 'Lucca': 'Tuscany', 'Rome': 'Rome'}
    """

    root: Code
    pairs: tuple[Pair, ...]

    def __post_init__(self) -> None:
        strangers = [code for code in _tops(self.pairs) if code != self.root]
        if strangers:
            raise SchemaError(
                f"a hierarchy must have one root; got several: {_listed([self.root, *strangers])}; "
                f"say root='Total' to put one above them"
            )
        if len(self.codes) < len(self.pairs) + 1:
            raise _cycle_error(self._parent, reached=set(self.codes))

    @classmethod
    def from_pairs(cls, pairs: Iterable[Sequence[Code]], *, root: Code | None = None) -> Self:
        """Read a hierarchy from pairs (parent, child); a pair that is repeated counts once.

        Parameters
        ----------
        pairs
            One pair for every code that has a parent.
        root
            A code to put above all codes without a parent; needed when there are several of them.
        """
        given = tuple(dict.fromkeys(_as_pair(pair) for pair in pairs))
        if not given:
            raise SchemaError("a hierarchy needs at least one pair (parent, child); got none")
        tops = _tops(given)
        if root is not None:
            given = tuple((root, top) for top in tops if top != root) + given
        return cls(root if root is not None else next(iter(tops), given[0][0]), given)

    @classmethod
    def from_levels(cls, rows: Iterable[Sequence[Code]], *, root: Code | None = None) -> Self:
        """Read a hierarchy from rows, each a leaf, its parent, and so on to the top.

        Rows may differ in length. A code that directly follows itself in a row, as padding does, counts once.

        Parameters
        ----------
        rows
            One row for every leaf.
        root
            A code to put above the tops of all rows; needed when they differ.
        """
        above: dict[Code, tuple[Code, ...]] = {}
        for row in rows:
            leaf, *ancestors = _without_padding(row if root is None else (*row, root))
            if above.setdefault(leaf, tuple(ancestors)) != tuple(ancestors):
                raise SchemaError(f"leaf {leaf!r} is repeated with different ancestors; give it one row")
        groups = {group for ancestors in above.values() for group in ancestors}
        both = [leaf for leaf in above if leaf in groups]
        if both:
            raise SchemaError(f"code {both[0]!r} is a leaf in one row and a group in another; give each its own code")
        if len(above) == 1 and not groups:
            return cls(next(iter(above)), ())
        return cls.from_pairs(
            [(parent, child) for leaf, ancestors in above.items() for child, parent in pairwise((leaf, *ancestors))]
            + [(root, leaf) for leaf, ancestors in above.items() if root is not None and not ancestors],
            root=root,
        )

    @classmethod
    def from_frame(cls, frame: Any, *, root: Code | None = None) -> Self:
        """Read a hierarchy from a dataframe with columns parent, child and perhaps level, or with one column per level.

        A level, where given, is checked: 0 for the root. With one column per level (leaf first), cells at the end of a
        row may be missing.
        """
        table = as_table(frame)
        columns = {name: table[name].to_list() for name in table.columns}
        if not {"parent", "child"} <= set(columns) <= {"parent", "child", "level"}:
            rows = zip(*columns.values(), strict=True)
            return cls.from_levels([_without_missing_end(row) for row in rows], root=root)
        hierarchy = cls.from_pairs(zip(columns["parent"], columns["child"], strict=True), root=root)
        added = 0 if hierarchy.root in columns["parent"] else 1
        for code, level in zip(columns["child"], columns.get("level", ()), strict=False):
            if level is None or hierarchy.level(code) != level + added:
                raise SchemaError(f"code {code!r} must be at level {hierarchy.level(code) - added}; got {level}")
        return hierarchy

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """All codes, depth first: each group directly before what is under it."""
        found, waiting = [], [self.root]
        while waiting:
            code = waiting.pop()
            found.append(code)
            waiting.extend(reversed(self._children.get(code, ())))
        return tuple(found)

    @cached_property
    def leaves(self) -> tuple[Code, ...]:
        """The codes with nothing under them, in the order of the input."""
        return tuple(child for _, child in self.pairs if child not in self._children) or (self.root,)

    @property
    def depth(self) -> int:
        """The level of the deepest leaf."""
        return max(self._level.values())

    @property
    def is_balanced(self) -> bool:
        """Whether all leaves lie at the same level."""
        return len({self._level[leaf] for leaf in self.leaves}) == 1

    def parent(self, code: Code) -> Code | None:
        """Return the code directly above; None for the root."""
        return self._parent.get(self._known(code))

    def children(self, code: Code) -> tuple[Code, ...]:
        """Return the codes directly under a code, in the order of the input."""
        return self._children.get(self._known(code), ())

    def ancestors(self, code: Code) -> tuple[Code, ...]:
        """Return the codes above a code, its parent first and the root last."""
        found = [self._known(code)]
        while found[-1] != self.root:
            found.append(self._parent[found[-1]])
        return tuple(found[1:])

    def level(self, code: Code) -> int:
        """Return how many codes are above a code."""
        return self._level[self._known(code)]

    def leaves_under(self, code: Code) -> tuple[Code, ...]:
        """Return the leaves under a code, in the order of the input; a leaf has itself."""
        start = self._place[self._known(code)]
        below = set(self.codes[start : start + self._size[code]])
        return tuple(leaf for leaf in self.leaves if leaf in below)

    def at_level(self, code: Code, level: int) -> Code:
        """Return what a code becomes when everything is coded at a level: its ancestor there, or itself if it is above."""
        self._check_level(level)
        for _ in range(self.level(code) - level):
            code = self._parent[code]
        return code

    def recoding(self, level: int) -> dict[Code, Code]:
        """Return for each leaf its ancestor at a level; a leaf that lies above the level stays itself."""
        self._check_level(level)
        becomes: dict[Code, Code] = {}
        for code in self.codes:
            becomes[code] = code if self._level[code] <= level else becomes[self._parent[code]]
        return {leaf: becomes[leaf] for leaf in self.leaves}

    def __contains__(self, code: object) -> bool:
        return code in self._level

    def __len__(self) -> int:
        return len(self.codes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hierarchy):
            return NotImplemented
        return self.root == other.root and self._parent == other._parent

    def __hash__(self) -> int:
        return hash((self.root, frozenset(self.pairs)))

    def __repr__(self) -> str:
        return f"Hierarchy(root={self.root!r}, {len(self)} codes, depth {self.depth})"

    def __reduce__(self) -> tuple[type["Hierarchy"], tuple[object, ...]]:
        return type(self), (self.root, self.pairs)

    @cached_property
    def _parent(self) -> dict[Code, Code]:
        return {child: parent for parent, child in self.pairs}

    @cached_property
    def _children(self) -> dict[Code, tuple[Code, ...]]:
        under: dict[Code, list[Code]] = {}
        for parent, child in self.pairs:
            under.setdefault(parent, []).append(child)
        return {parent: tuple(children) for parent, children in under.items()}

    @cached_property
    def _level(self) -> dict[Code, int]:
        level: dict[Code, int] = {}
        for code in self.codes:
            level[code] = 0 if code == self.root else level[self._parent[code]] + 1
        return level

    @cached_property
    def _place(self) -> dict[Code, int]:
        return {code: place for place, code in enumerate(self.codes)}

    @cached_property
    def _size(self) -> dict[Code, int]:
        """How many codes each branch has, its top included."""
        size = dict.fromkeys(self.codes, 1)
        for code in reversed(self.codes[1:]):
            size[self._parent[code]] += size[code]
        return size

    def _known(self, code: Code) -> Code:
        if code not in self._level:
            raise SchemaError(f"the hierarchy has no code {code!r}{did_you_mean(str(code), map(str, self.codes))}")
        return code

    def _check_level(self, level: int) -> None:
        if not 0 <= level <= self.depth:
            raise ParameterError([f"Hierarchy: level must be in [0, {self.depth}]; got {level}"])


def _as_pair(pair: Sequence[Code]) -> Pair:
    if isinstance(pair, str) or len(pair) != 2:
        raise SchemaError(f"expected pairs (parent, child); got {pair!r}")
    parent, child = (_as_code(code) for code in pair)
    if parent is None or child is None:
        place = f"above {child!r}" if child is not None else f"under {parent!r}"
        raise SchemaError(f"a hierarchy must not have empty codes; there is one {place}")
    return parent, child


def _as_code(value: Any) -> Code | None:
    """Return a code as a plain value, or None for an empty one."""
    code = value.item() if isinstance(value, np.generic) else value
    if code is None or code != code or (isinstance(code, str) and not code.strip()):  # only NaN differs from itself
        return None
    if not isinstance(code, bool | int | float | str):
        raise SchemaError(f"codes must be text or numbers; got {code!r}, a {type(code).__name__}")
    return code


def _without_padding(row: Sequence[Code]) -> list[Code]:
    """Return a row of levels with codes that directly follow themselves left out."""
    if isinstance(row, str):
        raise SchemaError(f"expected rows such as (leaf, parent, ..., top); got the text {row!r}")
    codes = [_as_code(code) for code in row]
    if not codes or None in codes:
        raise SchemaError(f"a hierarchy must not have empty codes; there is one in the row {tuple(row)!r}")
    return [code for before, code in pairwise([None, *codes]) if code is not None and code != before]


def _without_missing_end(row: Sequence[Any]) -> Sequence[Any]:
    """Return a row up to its last value that is not missing, but at least its leaf."""
    missing = [value is None or value != value for value in row]
    return row[: max([place + 1 for place, absent in enumerate(missing) if not absent], default=1)]


def _tops(pairs: Sequence[Pair]) -> dict[Code, None]:
    """Return the codes without a parent, in the order of the input, after checking that no code has two."""
    parents = Counter(child for _, child in pairs)
    twice = [child for child, count in parents.items() if count > 1]
    if twice:
        above = [parent for parent, child in pairs if child == twice[0]]
        raise SchemaError(f"code {twice[0]!r} has several parents: {_listed(above)}; a code may have one")
    return dict.fromkeys(parent for parent, _ in pairs if parent not in parents)


def _cycle_error(parent: Mapping[Code, Code], reached: set[Code]) -> SchemaError:
    """Return the error for codes that the root does not reach: following their parents leads round in a circle."""
    code = next(child for child in parent if child not in reached)
    seen: dict[Code, None] = {}
    while code not in seen:
        seen[code] = None
        code = parent[code]
    circle = list(seen)[list(seen).index(code) :]
    return SchemaError(f"code {code!r} is its own ancestor: {_listed([*circle, code], between=' under ')}")


def _listed(codes: Sequence[Code], between: str = ", ", most: int = 8) -> str:
    shown = between.join(map(repr, codes[:most]))
    return f"{shown} and {len(codes) - most} more" if len(codes) > most else shown
