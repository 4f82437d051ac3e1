"""Hierarchies in files: those of tau-Argus, with a mark for every level, and those of ARX, with a column for each."""

from collections.abc import Iterable
from csv import reader
from io import StringIO
from pathlib import Path

from sfumato.data.hierarchy import Hierarchy
from sfumato.data.schema import Category
from sfumato.errors import FileError, SchemaError


def read_hrc(path: Path | str, *, root: Category = "Total", lead: str = "@") -> Hierarchy:
    """Read a hierarchy file (.hrc).

    Parameters
    ----------
    path
        The file: each code on a line of its own, directly after the code that it belongs to or its other parts.
    root
        The code of the total, which such files leave out.
    lead
        What stands before a code, once for every level below the first.
    """
    text = text_of_file(path)
    try:
        return hierarchy_of_lines(text, root=root, lead=lead)
    except SchemaError as error:
        raise SchemaError(f"{path}: {error}") from None


def read_levels(path: Path | str, leaves: Iterable[Category]) -> Hierarchy:
    """Read a hierarchy file with one row for every leaf: the leaf, what it belongs to, and so on to the top (ARX).

    Columns are separated by semicolons, commas or tabs. A file whose first row says `parent` and `child` has pairs.

    Parameters
    ----------
    path
        The file. Its first row is a heading where it names no category of the data while other rows do, and nothing in
        it occurs again below.
    leaves
        The categories as the data have them: a leaf that is written like a number becomes one where they are numbers.
    """
    text = text_of_file(path)
    separator = max(";,\t", key=text.partition("\n")[0].count)
    known = {str(leaf): leaf for leaf in leaves}
    rows = [
        [known.get(code.strip(), code.strip()) for code in row] for row in reader(StringIO(text), delimiter=separator)
    ]
    rows = [row for row in rows if any(row)]
    try:
        if rows and rows[0][:2] == ["parent", "child"]:
            return Hierarchy.from_pairs([row[:2] for row in rows[1:]])
        if _has_heading(rows, set(known.values())):
            rows = rows[1:]
        tops = {row[-1] for row in rows}
        return Hierarchy.from_levels(rows, root=None if len(tops) == 1 else "*")
    except SchemaError as error:
        raise SchemaError(f"{path}: {error}") from None


def _has_heading(rows: list[list[Category]], leaves: set[Category]) -> bool:
    """Tell whether the first row names the levels."""
    if len(rows) < 2 or rows[0][0] in leaves or not any(row[0] in leaves for row in rows[1:]):
        return False
    return not any(title in column for title, *column in zip(*rows, strict=False))


def text_of_file(path: Path | str) -> str:
    """Return the text of a file in Unicode, or in the encoding that Windows has where it does not write Unicode."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def hierarchy_of_lines(text: str, *, root: Category = "Total", lead: str = "@") -> Hierarchy:
    r"""Return the hierarchy that the lines of a hierarchy file describe.

    Examples
    --------
    >>> hierarchy_of_lines("North\n@N1\n@N2\nSouth").codes
    ('Total', 'North', 'N1', 'N2', 'South')
    """
    if not lead:
        raise SchemaError("a hierarchy file needs a mark for its levels, such as '@'; got none")
    above: list[Category] = [root]
    pairs: dict[str, Category] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        code, level = line.strip(), 0
        while code.startswith(lead):
            code, level = code[len(lead) :].strip(), level + 1
        if not code and not level:
            continue
        if not code:
            raise SchemaError(f"line {number} has marks but no code; write one after them")
        if level >= len(above):
            raise SchemaError(
                f"line {number}: code {code!r} has {level} marks; it may have one more than the line before, and the "
                f"first code none"
            )
        if code in pairs or code == root:
            raise SchemaError(f"line {number}: code {code!r} is there already; a code may have one place")
        pairs[code] = above[level]
        above = [*above[: level + 1], code]
    return Hierarchy.from_pairs([(parent, child) for child, parent in pairs.items()])


def lines_of_hierarchy(hierarchy: Hierarchy, *, lead: str = "@") -> str:
    r"""Return the text of a hierarchy file; its root is left out, as the format wants.

    Examples
    --------
    >>> lines_of_hierarchy(Hierarchy.from_pairs([("Total", "North"), ("North", "N1"), ("Total", "South")]))
    'North\n@N1\nSouth\n'
    """
    codes = hierarchy.codes[1:]
    strange = [code for code in codes if str(code).startswith(lead) or str(code) != str(code).strip()]
    if strange:
        raise SchemaError(
            f"code {strange[0]!r} begins with the mark {lead!r} or a space; choose another mark: lead=..."
        )
    return "".join(f"{lead * (hierarchy.depth_of(code) - 1)}{code}\n" for code in codes)
