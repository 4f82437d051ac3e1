"""Compare a report with the same made again: which figure differs, and which part."""

from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from typing import Any

RELATIVE, ABSOLUTE = 1e-9, 1e-12  # what another processor may make of the same sum
MAX_TOLD = 12  # differences


def report_differences(stored: Mapping[str, Any], again: Mapping[str, Any]) -> list[str]:
    """Return in sentences how a report differs from the same made again; none where it does not.

    Examples
    --------
    >>> old = {"figures": [{"path": "risk/k", "value": 3.0}], "sections": []}
    >>> report_differences(old, {"figures": [{"path": "risk/k", "value": 2.0}], "sections": []})
    ['risk/k: value is 3.0 in the report and 2.0 by the files']
    """
    found = [*_figure_differences(stored, again), *_part_differences(stored, again)]
    left = len(found) - MAX_TOLD
    return [*found[:MAX_TOLD], f"and {left} more differences"] if left > 0 else found


def _figure_differences(stored: Mapping[str, Any], again: Mapping[str, Any]) -> Iterator[str]:
    before, after = ({figure["path"]: figure for figure in one["figures"]} for one in (stored, again))
    for path, figure in before.items():
        if path not in after:
            yield f"{path}: the report has this figure, and the files do not give it"
            continue
        for name in figure:
            if not _is_same(figure[name], after[path].get(name)):
                now = _short(after[path].get(name))
                yield f"{path}: {name} is {_short(figure[name])} in the report and {now} by the files"
    yield from (
        f"{path}: the files give this figure, and the report does not have it" for path in after if path not in before
    )
    if len(stored["figures"]) != len(before):
        yield "some figures stand in the report twice"


def _part_differences(stored: Mapping[str, Any], again: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted({*stored, *again} - {"figures", "sections", "sha256", "versions", "files"}):
        if not _is_same(stored.get(name), again.get(name)):
            yield f"{name}: is {_short(stored.get(name))} in the report and {_short(again.get(name))} by the files"
    sections = {section["key"]: section for section in again["sections"]}
    for section in stored["sections"]:
        if not _is_same(section, sections.get(section["key"])):
            yield f"the section '{section['key']}' says something else than the files give"
    if [section["key"] for section in stored["sections"]] != list(sections):
        yield "the sections are others than the files give, or in another order"


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_is_same(value, other[name]) for name, value in one.items())
    if isinstance(one, Sequence) and isinstance(other, Sequence) and not isinstance(one, str):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return bool(one == other)


def _short(value: Any, longest: int = 60) -> str:
    text = str(value)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
