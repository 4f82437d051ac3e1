"""The hierarchies of a specification: from files, written out as a tree, or said by the codes themselves."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sfumato.data import Hierarchy
from sfumato.data.hierarchy_files import read_hrc
from sfumato.documents import kind_of
from sfumato.errors import FileError, ParameterError, SchemaError, did_you_mean
from sfumato.table_plan.codes import code_text, with_text_codes
from sfumato.table_plan.plan import Digits

KEYS = ("file", "tree", "digits", "root", "lead")
WAYS = "a file (.hrc, or .csv with columns parent and child or with levels), {tree: {A: [a1, a2]}} or {digits: [1, 1]}"


def read_groupings(entry: Any, folder: Path, total: str) -> tuple[Hierarchy | Digits, ...]:
    """Return the hierarchies that a specification gives for one dimension.

    Parameters
    ----------
    entry
        A hierarchy or a list of them. Each is the name of a file, or a mapping with one of the keys file, tree and
        digits; `root` names the total, `lead` the mark of levels in an .hrc file.
    folder
        Where paths begin.
    total
        The root of those that do not name one.
    """
    if isinstance(entry, list) and entry:
        return tuple(_grouping(item, folder, total) for item in entry)
    return (_grouping(entry, folder, total),)


def _grouping(entry: Any, folder: Path, total: str) -> Hierarchy | Digits:
    given = {"file": entry} if isinstance(entry, str) else entry
    if not isinstance(given, Mapping):
        raise ParameterError([f"a hierarchy is {WAYS}; got {kind_of(entry)}"])
    for key in given:
        if key not in KEYS:
            raise ParameterError([f"a hierarchy has no key '{key}'{did_you_mean(str(key), KEYS) or f'; it is {WAYS}'}"])
    kinds = [key for key in ("file", "tree", "digits") if given.get(key) is not None]
    if len(kinds) != 1:
        raise ParameterError([f"a hierarchy needs one of the keys file, tree and digits; got {len(kinds)} of them"])
    root = given.get("root")
    named = None if root is None else str(code_text(root))
    if kinds == ["digits"]:
        return _digits(given["digits"], named or total)
    if kinds == ["tree"]:
        return Hierarchy.from_pairs(_pairs(given["tree"], named or total))
    return _from_file(given["file"], folder, named, total, str(given.get("lead", "@")))


def _digits(given: Any, root: str) -> Digits:
    widths = [given] if isinstance(given, int) else given
    return Digits(digits=widths, root=root)


def _pairs(tree: Any, parent: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a tree that is written as mappings of groups and lists of leaves."""
    if isinstance(tree, Mapping):
        for group, under in tree.items():
            yield parent, str(code_text(group))
            if under is not None:
                yield from _pairs(under, str(code_text(group)))
        return
    leaves = tree if isinstance(tree, Sequence) and not isinstance(tree, str) else [tree]
    for leaf in leaves:
        if isinstance(leaf, Mapping):
            yield from _pairs(leaf, parent)
        elif isinstance(leaf, Sequence) and not isinstance(leaf, str):
            raise ParameterError(["a tree is written as {A: [a1, a2], B: [b1]}; got a list within a list"])
        else:
            yield parent, str(code_text(leaf))


def _from_file(given: Any, folder: Path, root: str | None, total: str, lead: str) -> Hierarchy:
    if not isinstance(given, str):
        raise ParameterError([f"the file of a hierarchy must be its name; got {kind_of(given)}"])
    path = folder / Path(given).expanduser()
    if not path.is_file():
        raise FileError(f"there is no file {path}; paths begin at the specification's folder")
    if path.suffix.lower() == ".hrc":
        return read_hrc(path, root=root or total, lead=lead)
    from sfumato.files import read
    from sfumato.files.frames import as_polars

    frame = as_polars(read(path))
    try:
        return Hierarchy.from_frame(with_text_codes(frame, tuple(set(frame.columns) - {"level"})), root=root)
    except SchemaError as error:
        raise SchemaError(f"{path.name}: {error}") from None
