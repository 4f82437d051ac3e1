"""What people hand in for a tree of categories, turned into checked pairs of parent and child."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from sfumato.data.eager_tables import as_table
from sfumato.data.schema import Category
from sfumato.errors import SchemaError

Pair = tuple[Category, Category]


def add_root(pairs: Iterable[Sequence[Any]], root: Category | None) -> tuple[Category, tuple[Pair, ...]]:
    """Return the root and the pairs, each once, with `root` put above all codes without a parent."""
    given = tuple(dict.fromkeys(_as_pair(pair) for pair in pairs))
    if not given:
        raise SchemaError("a hierarchy needs at least one pair (parent, child); got none")
    tops = _tops(given)
    if root is None:
        return (tops or [given[0][0]])[0], given
    if _as_code(root) is None:
        raise SchemaError("a hierarchy must not have empty codes; its root is one")
    if root in {child for _, child in given}:
        raise SchemaError(f"root {root!r} already stands under another code; choose a new code for the root")
    return root, (*((root, top) for top in tops if top != root), *given)


def pairs_of_levels(rows: Iterable[Sequence[Any]], root: Category | None) -> tuple[Category, list[Pair]]:
    """Return the top of the first row and the pairs of all rows (leaf, parent, ..., top), in the order of the rows."""
    above: dict[Category, list[Category]] = {}
    for row in rows:
        leaf, *ancestors = _without_padding(row, root)
        if above.setdefault(leaf, ancestors) != ancestors:
            raise SchemaError(f"leaf {leaf!r} is repeated with different ancestors; give it one row")
    if not above:
        raise SchemaError("a hierarchy needs at least one row (leaf, parent, ..., top); got none")
    groups = {group for ancestors in above.values() for group in ancestors}
    for leaf, ancestors in above.items():
        if leaf in groups:
            raise SchemaError(f"code {leaf!r} is a leaf in one row and a group in another; give each its own code")
        if not ancestors and len(above) > 1:
            raise _several_roots([leaf, *(chain[-1] if chain else other for other, chain in above.items())])
    chains = [[leaf, *ancestors] for leaf, ancestors in above.items()]
    return chains[0][-1], [(parent, child) for chain in chains for child, parent in pairwise(chain)]


def rows_of_digits(codes: Iterable[str], digits: Sequence[int]) -> list[tuple[str, ...]]:
    """Return a row (leaf, parent, ..., top) for each code, by how many of its characters each level adds."""
    widths = list(digits)
    while widths and widths[-1] == 0:
        widths.pop()
    if not widths or min(widths) < 1:
        raise SchemaError(f"digits must be 1 or more for every level; got {list(digits)}")
    ends = np.cumsum(widths).tolist()
    rows = []
    for code in dict.fromkeys(codes):
        if not isinstance(code, str):
            raise SchemaError(f"codes with digits must be text, so that zeros at their start stay; got {code!r}")
        if len(code) != ends[-1]:
            raise SchemaError(f"code {code!r} must have {ends[-1]} characters, as digits {widths} say; got {len(code)}")
        rows.append(tuple(code[:end] for end in reversed(ends)))
    return rows


def columns_of(frame: Any) -> dict[str, list[Any]]:
    """Return the columns of a dataframe as lists."""
    table = as_table(frame)
    return {name: table[name].to_list() for name in table.columns}


def rows_of(columns: Mapping[str, list[Any]]) -> list[tuple[Any, ...]]:
    """Return the rows of a frame of levels, each up to its last value that is not missing."""
    return [_without_missing_end(row) for row in zip(*columns.values(), strict=True)]


def check_tree(root: Category, pairs: Sequence[Pair]) -> None:
    """Refuse pairs that are not one tree under `root`: two parents, several roots, a circle."""
    others = [top for top in _tops(pairs) if top != root]
    if others:
        raise _several_roots([root, *others])
    parent = {child: above for above, child in pairs}
    under_root = {root} - set(parent)
    for start in parent:
        path: dict[Category, None] = {}
        code = start
        while code not in under_root:
            if code in path:
                circle = list(path)[list(path).index(code) :]
                raise SchemaError(
                    f"code {code!r} is its own ancestor: {_list_codes([*circle, code], between=' under ')}"
                )
            path[code] = None
            code = parent[code]
        under_root.update(path)


def _tops(pairs: Sequence[Pair]) -> list[Category]:
    """Return the codes without a parent, in the order of the input, after checking that no code has two."""
    parents = Counter(child for _, child in pairs)
    twice = [child for child, count in parents.items() if count > 1]
    if twice:
        above = [parent for parent, child in pairs if child == twice[0]]
        raise SchemaError(f"code {twice[0]!r} has several parents: {_list_codes(above)}; a code may have one")
    return list(dict.fromkeys(parent for parent, _ in pairs if parent not in parents))


def _several_roots(roots: Sequence[Category]) -> SchemaError:
    return SchemaError(
        f"a hierarchy must have one root; got several: {_list_codes(list(dict.fromkeys(roots)))}; "
        f"say root='Total' to put one above them"
    )


def _as_pair(pair: Sequence[Any]) -> Pair:
    if isinstance(pair, str) or len(pair) != 2:
        raise SchemaError(f"expected pairs (parent, child); got {pair!r}")
    parent, child = (_as_code(code) for code in pair)
    if parent is None or child is None:
        place = f"under {parent!r}" if child is None else f"above {child!r}"
        raise SchemaError(f"a hierarchy must not have empty codes; there is one {place}")
    return parent, child


def _as_code(value: Any) -> Category | None:
    """Return a code as a plain value, or None for an empty one."""
    code = value.item() if isinstance(value, np.generic) else value
    if _is_missing(code) or (isinstance(code, str) and not code.strip()):
        return None
    if not isinstance(code, bool | int | float | str):
        raise SchemaError(f"codes must be text or numbers; got {code!r}, a {type(code).__name__}")
    return code


def _without_padding(row: Sequence[Any], root: Category | None) -> list[Category]:
    """Return the codes of a row up to the root, without those that directly follow themselves."""
    if isinstance(row, str):
        raise SchemaError(f"expected rows such as (leaf, parent, ..., top); got the text {row!r}")
    found = [_as_code(code) for code in (row if root is None else (*row, root))]
    codes = [code for code in found if code is not None]
    if not len(row) or len(codes) < len(found):
        raise SchemaError(f"a hierarchy must not have empty codes; there is one in the row {tuple(row)!r}")
    return codes[:1] + [after for before, after in pairwise(codes) if after != before]


def _without_missing_end(row: tuple[Any, ...]) -> tuple[Any, ...]:
    length = len(row)
    while length > 1 and _is_missing(row[length - 1]):
        length -= 1
    return row[:length]


def _is_missing(value: Any) -> bool:
    return value is None or value != value  # only NaN differs from itself


def _list_codes(codes: Sequence[Category], between: str = ", ", most: int = 8) -> str:
    shown = between.join(map(repr, codes[:most]))
    return f"{shown} and {len(codes) - most} more" if len(codes) > most else shown
