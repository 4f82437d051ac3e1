"""The hierarchies of a specification: from files, written out as a tree, or said by the codes themselves."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sfumato.data import Hierarchy
from sfumato.data.hierarchy_files import read_hrc
from sfumato.documents import KeyPath, Record, kind_of, resolve_path
from sfumato.errors import FileError, ParameterError, SchemaError, SfumatoError, did_you_mean
from sfumato.parameters.hierarchies import tree_pairs
from sfumato.table_specification.codes import CodeText, code_text, convert_codes

if TYPE_CHECKING:
    import polars as pl

KEYS = ("file", "tree", "digits", "root", "lead")
WAYS = "a file (.hrc, or .csv with columns parent and child or with levels), {tree: {A: [a1, a2]}} or {digits: [1, 1]}"


class Digits(Record):
    """A hierarchy that the codes themselves say by their first characters.

    Parameters
    ----------
    digits
        How many characters each level adds.
    root
        The code of the total.
    """

    digits: tuple[int, ...]
    root: CodeText = "Total"


def read_hierarchies(entries: Any, total: str) -> dict[str, tuple[Hierarchy | Digits, ...]]:
    """Return the hierarchies of each dimension; what is wrong with some is raised together.

    Parameters
    ----------
    entries
        For each dimension a hierarchy or a list of them. Each is the name of a file, or a mapping with one of the keys
        file, tree and digits; `root` names the total, `lead` the mark of levels in an .hrc file.
    total
        The root of those that do not name one.
    """
    if not isinstance(entries, Mapping):
        sentence = f"must say one for each dimension, as in '{{region: region.hrc}}'; got {kind_of(entries)}"
        raise ParameterError([sentence])
    found: dict[str, tuple[Hierarchy | Digits, ...]] = {}
    problems: dict[str, KeyPath] = {}
    for name, entry in entries.items():
        listed = entry if isinstance(entry, list | tuple) and entry else [entry]
        try:
            found[str(name)] = tuple(_grouping(item, total) for item in listed)
        except ParameterError as error:
            problems |= {sentence: (str(name), *place) for sentence, place in error.items()}
        except SfumatoError as error:
            problems[f"hierarchy of '{name}': {error}"] = (str(name),)
    if problems:
        raise ParameterError(list(problems), list(problems.values()))
    return found


def groupings_of_data(
    name: str,
    given: Sequence[Hierarchy | Digits] | None,
    frame: "pl.DataFrame",
    *,
    missing: str | None,
    only_longest: bool = False,
) -> list[Hierarchy] | None:
    """Return the hierarchies of a dimension; those by digits take their leaves from the data.

    Parameters
    ----------
    name
        The dimension.
    given
        What the specification says of it; None where it says nothing.
    frame
        The data, with codes as text.
    missing
        The code for records that have none, which is in no hierarchy.
    only_longest
        Whether only codes of full length are leaves, as where the totals are given too.
    """
    if given is None:
        return None
    trees = []
    for grouping in given:
        if isinstance(grouping, Hierarchy):
            trees.append(grouping)
            continue
        longest = sum(grouping.digits)
        codes = [] if name not in frame.columns else frame[name].drop_nulls().unique(maintain_order=True).to_list()
        leaves = [code for code in codes if code not in (grouping.root, missing)]
        whole = [code for code in leaves if len(code) == longest] if only_longest else leaves
        try:
            trees.append(Hierarchy.from_digits(whole, grouping.digits, root=grouping.root))
        except SchemaError as error:
            raise SchemaError(f"dimension '{name}': {error}") from None
    return trees


def _grouping(entry: Any, total: str) -> Hierarchy | Digits:
    if isinstance(entry, Hierarchy | Digits):
        return entry
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
        return _from_tree(given["tree"], named or total)
    return _from_file(given["file"], named, total, str(given.get("lead", "@")))


def _digits(given: Any, root: str) -> Digits:
    widths = [given] if isinstance(given, int) else given
    return Digits(digits=widths, root=root)


def _from_tree(tree: Any, root: str) -> Hierarchy:
    """Return the hierarchy that is written as mappings of groups and lists of leaves, its codes as text."""
    pairs = tree_pairs({root: tree})
    return Hierarchy.from_pairs([(str(code_text(parent)), str(code_text(child))) for parent, child in pairs])


def _from_file(given: Any, root: str | None, total: str, lead: str) -> Hierarchy:
    if not isinstance(given, str):
        raise ParameterError([f"the file of a hierarchy must be its name; got {kind_of(given)}"])
    path = resolve_path(given)
    if not path.is_file():
        raise FileError(f"there is no file {path}; paths begin at the specification's folder")
    if path.suffix.lower() == ".hrc":
        return read_hrc(path, root=root or total, lead=lead)
    from sfumato.files import read
    from sfumato.files.frames import as_polars

    frame = as_polars(read(path))
    try:
        return Hierarchy.from_frame(convert_codes(frame, tuple(set(frame.columns) - {"level"})), root=root)
    except SchemaError as error:
        raise SchemaError(f"{path.name}: {error}") from None
