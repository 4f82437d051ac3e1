"""Recodings of tau-Argus: codes of records made coarser, by a level of their hierarchy or as a file (.grc) says."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from sfumato.data import Category, Hierarchy
from sfumato.data.hierarchy_files import text_of_file
from sfumato.errors import FileError, did_you_mean
from sfumato.tables.tau_argus.batch import Recoding
from sfumato.tables.tau_argus.microdata import ArgusRecords

TREE = "<TREERECODE>"


def recode_records(records: ArgusRecords, recoding: Recoding) -> ArgusRecords:
    """Return records with coarser codes of one variable.

    Parameters
    ----------
    records
        The records of a batch.
    recoding
        The variable, and below which level, or by which file.
    """
    import polars as pl

    name, hierarchy = recoding.name, records.hierarchies.get(recoding.name)
    codes = records.frame[name].drop_nulls().unique(maintain_order=True).to_list()
    is_tree = hierarchy is not None and hierarchy.depth > 1
    if recoding.depth is not None or (is_tree and recoding.path is not None and _is_tree_file(recoding.path)):
        if hierarchy is None or not is_tree:
            raise FileError(
                f"<RECODE> of {name}: a level is for variables with a hierarchy, and {name} has none; name a file that "
                "says which codes become which"
            )
        closed = _closed_codes(hierarchy, recoding)
        coarser = _coarser_codes(hierarchy, closed)
        trees = {**records.hierarchies, name: _pruned(hierarchy, closed)}
    elif is_tree or recoding.path is None or _is_tree_file(recoding.path):
        raise FileError(
            f"{recoding.path}: {TREE} is for variables with a hierarchy, and other files for those without; the file "
            f"does not fit {name}"
        )
    else:
        coarser = _recoded(codes, recoding.path)
        trees = dict(records.hierarchies)
        if hierarchy is not None:
            flat = sorted({str(coarser.get(code, code)) for code in codes})
            trees[name] = Hierarchy(hierarchy.root, tuple((hierarchy.root, code) for code in flat))
    frame = records.frame.with_columns(pl.col(name).replace({str(old): str(new) for old, new in coarser.items()}))
    return replace(records, frame=frame, hierarchies=trees)


def _is_tree_file(path: Path) -> bool:
    return text_of_file(path).lstrip().upper().startswith(TREE)


def _closed_codes(hierarchy: Hierarchy, recoding: Recoding) -> set[Category]:
    """Return the codes below which nothing is told any more."""
    if recoding.path is None:
        return {code for code in hierarchy.codes if hierarchy.depth_of(code) == recoding.depth}
    closed = [line.strip() for line in text_of_file(recoding.path).splitlines()[1:] if line.strip()]
    strange = [code for code in closed if code not in hierarchy]
    if strange:
        hint = did_you_mean(strange[0], map(str, hierarchy.codes))
        raise FileError(f"{recoding.path}: {recoding.name} has no code {strange[0]!r}{hint}")
    return set(closed)


def _coarser_codes(hierarchy: Hierarchy, closed: set[Category]) -> dict[Category, Category]:
    """Return for each code below a closed one the highest closed one above it."""
    above = {code: [one for one in hierarchy.ancestors(code) if one in closed] for code in hierarchy.codes}
    return {code: min(found, key=hierarchy.depth_of) for code, found in above.items() if found}


def _pruned(hierarchy: Hierarchy, closed: set[Category]) -> Hierarchy:
    gone = set(_coarser_codes(hierarchy, closed))
    return Hierarchy(hierarchy.root, tuple(pair for pair in hierarchy.pairs if pair[1] not in gone))


def _recoded(codes: Iterable[Category], path: Path) -> dict[Category, Category]:
    """Return what codes become by lines as `1: 1-4,7` or `2: 8-`; codes are compared as those of one width are."""
    lines = [
        (number, line)
        for number, line in enumerate(text_of_file(path).splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("<")
    ]
    wrong = next((number for number, line in lines if ":" not in line), None)
    if wrong is not None:
        raise FileError(f"{path}, line {wrong}: expected a new code and the old ones, as in '1: 1-4,7'")
    texts = [str(code) for code in codes]
    width = max(map(len, texts), default=0)
    becomes: dict[Category, Category] = {}
    for number, line in lines:
        new, old = (part.strip() for part in line.split(":", 1))
        for code in (code for span in old.split(",") for code in texts if _is_within(code, span, width)):
            if becomes.setdefault(code, new) != new:
                raise FileError(f"{path}, line {number}: code {code!r} has a new code already; give it one")
    return becomes


def _is_within(code: str, span: str, width: int) -> bool:
    """Tell whether a code is the one of a span, or between its two ends, of which one may be left out."""
    first, last = (part.strip() for part in (span.split("-", 1) if "-" in span else (span, span)))
    return first.rjust(width) <= code.rjust(width) and (not last or code.rjust(width) <= last.rjust(width))
