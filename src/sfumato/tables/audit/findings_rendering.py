"""Show what an audit found: as text, as plain dicts and lists, and as a dataframe."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.display import Column, Table, format_compact, header_column, paragraph, render_notebook
from sfumato.numerics.arrays import Rows
from sfumato.tables.audit.components import PRECISION
from sfumato.tables.audit.findings import Audit, Reason, Violation
from sfumato.tables.problem.problem import OUTSIDER

if TYPE_CHECKING:
    import polars

FORMAT = 1  # of the plain form; goes up when a field changes its meaning or goes away
MAX_LINES = 20  # lines of one kind in the text
MIN_VISIBLE = 1e-6  # of a bound: what is lacking is not seen in the figures shown
MAX_KNOWN = 3  # cells that an insider is introduced with


def render_text(found: Audit) -> str:
    """Return an audit as a readable text."""
    lines = [_title(found), _verdict(found), *_cut(violation_lines(found, found.violations))]
    for cells, heading in (
        (np.setdiff1d(found.wrongly_published, found.problem.primaries), "must be suppressed and is published"),
        (found.wrongly_suppressed, "must be published and is suppressed"),
        (found.disclosed, "is suppressed, but anybody can compute it from what is published"),
    ):
        lines += _cut([f"  {found.problem.cell_name(int(cell))}: {heading}" for cell in cells])
    lines += ["", *_remarks(found)]
    return "\n".join(lines)


def render_cell(found: Audit) -> str:
    """Return what a notebook shows: the verdict, and which cells are too well known; no interval, and no value."""
    problem = found.problem
    rows = tuple(
        (problem.cell_name(cell), sum(each.cell == cell for each in found.violations))
        for cell in found.unprotected.tolist()
    )
    columns = (header_column("cell"), Column("intruders who come too near"))
    shown = Table(columns, rows, title=_title(found)).first(MAX_LINES).to_html() if rows else paragraph(_title(found))
    rest = paragraph("print(audit) tells the intervals, which are as confidential as the table.")
    return render_notebook([paragraph(f"{_verdict(found)}."), shown, rest])


def to_plain(found: Audit) -> dict[str, Any]:
    """Return an audit as plain dicts and lists; a bound that is infinite is None."""
    problem = found.problem
    return {
        "format": FORMAT,
        "is_safe": found.is_safe,
        "cells": problem.size,
        "suppressed": int(np.count_nonzero(found.suppressed)),
        "primaries": int(problem.primaries.size),
        "intruders": len(problem.intruders),
        "precision": PRECISION,
        "violations": [
            {
                "cell": each.cell,
                "name": problem.cell_name(each.cell),
                "intruder": each.intruder,
                "reason": each.reason.value,
                "interval": [finite_bound(each.lower), finite_bound(each.upper)],
                "wanted": [each.wanted_lower, each.wanted_upper],
                "wanted_width": each.wanted_width,
            }
            for each in found.violations
        ],
        "wrongly_published": found.wrongly_published.tolist(),
        "wrongly_suppressed": found.wrongly_suppressed.tolist(),
        "disclosed": found.disclosed.tolist(),
        "intervals": [
            {
                "cell": cell,
                "intruder": intruder,
                "interval": [finite_bound(lower), finite_bound(upper)],
                "is_whole": is_whole,
            }
            for intruder, cell, lower, upper, is_whole in zip(
                found.intruders.tolist(),
                found.cells.tolist(),
                found.lower.tolist(),
                found.upper.tolist(),
                found.is_whole.tolist(),
                strict=True,
            )
        ],
    }


def to_frame(found: Audit) -> "polars.DataFrame":
    """Return the intervals as a polars dataframe: cell, name, status, intruder, value, lower, upper, whole, protected.

    `is_protected` is null for cells that are not primary, and where an intruder need not be kept from a primary; a
    primary that is published has the interval of its value.
    """
    import polars

    problem = found.problem
    is_primary = np.zeros(problem.size, dtype=np.bool_)
    is_primary[problem.primaries] = True
    published = problem.primaries[~found.suppressed[problem.primaries]]
    cells = np.concatenate([found.cells, published])
    intruders = np.concatenate([found.intruders, np.full(published.size, OUTSIDER)])
    asked = is_primary[cells] & ~np.concatenate([found.is_spared, np.zeros(published.size, dtype=np.bool_)])
    bad = {(each.intruder, each.cell) for each in found.violations}
    pairs = list(zip(intruders.tolist(), cells.tolist(), strict=True))
    frame = polars.DataFrame(
        {
            "cell": cells,
            "name": [problem.cell_name(cell) for _, cell in pairs],
            "is_primary": is_primary[cells],
            "intruder": intruders,
            "value": problem.values[cells],
            "lower": np.concatenate([found.lower, problem.values[published]]),
            "upper": np.concatenate([found.upper, problem.values[published]]),
            "is_whole": np.concatenate([found.is_whole, np.ones(published.size, dtype=np.bool_)]),
            "is_protected": [
                pair not in bad if is_asked else None for pair, is_asked in zip(pairs, asked, strict=True)
            ],
        },
        schema_overrides={"name": polars.String, "is_protected": polars.Boolean},
    )
    return frame.sort("intruder", "cell")


def intruder_name(found: Audit, intruder: int) -> str:
    """Return what to call an intruder: the outsider, or an insider by what they know."""
    if intruder == OUTSIDER:
        return "the outsider"
    known: Rows = found.problem.intruders[intruder]
    return f"insider {intruder}, who knows {found.problem.name_cells(known, MAX_KNOWN)},"


def between(lower: float, upper: float) -> str:
    """Return an interval as shown: figures of at most ten digits, without zeros at the end."""
    return f"[{format_compact(lower, 10)}, {format_compact(upper, 10)}]"


def _title(found: Audit) -> str:
    problem = found.problem
    uncertain = np.count_nonzero(found.suppressed)
    primaries = f"{problem.primaries.size} primar{'y' if problem.primaries.size == 1 else 'ies'}"
    insiders = len(problem.intruders) - 1
    return (
        f"Audit of {problem.size} cells, {uncertain} of them not published exactly, with {primaries}, "
        f"against the outsider" + (f" and {_insiders(insiders)}" if insiders else "")
    )


def _insiders(count: int) -> str:
    return f"{count} insider{'s' * (count > 1)}"


def _verdict(found: Audit) -> str:
    if found.is_safe:
        is_spared = any(cells.size for cells in found.problem.spared)
        whom = "every intruder who must be kept from it" if is_spared else "every intruder"
        return f"Safe: every primary is protected from {whom}"
    exposed, others = found.unprotected.size, found.wrongly_published.size
    if not exposed:
        return f"Not safe: {others} of the cells that must be suppressed are published"
    return f"Not safe: {exposed} of {found.problem.primaries.size} primaries are not protected"


def violation_lines(found: Audit, violations: Sequence[Violation]) -> list[str]:
    """Return a line for each primary: what the outsider finds, or else the insider who finds most, and how many do."""
    lines = []
    for cell in dict.fromkeys(each.cell for each in violations):
        mine = [each for each in violations if each.cell == cell]
        worst = min(mine, key=lambda each: (each.intruder != OUTSIDER, each.upper - each.lower))
        others = len(mine) - 1
        too = f"; {others} more intruder{'s come' if others > 1 else ' comes'} too near" if others else ""
        lines.append(f"  {found.problem.cell_name(cell)}: {_violation(found, worst)}{too}")
    return lines


def _violation(found: Audit, each: Violation) -> str:
    if each.reason is Reason.PUBLISHED:
        return "is published"
    width = f", a width of {format_compact(each.wanted_width, 10)}" if each.wanted_width > 0.0 else ""
    text = (
        f"{intruder_name(found, each.intruder)} finds {between(each.lower, each.upper)}; "
        f"wanted {between(each.wanted_lower, each.wanted_upper)}{width}"
    )
    if each.reason is Reason.UNDECIDED:
        return f"{text}; the levels are too small to be told from rounding"
    short = max(each.wanted_upper - each.upper, each.lower - each.wanted_lower, 0.0)
    is_close = 0.0 < short <= MIN_VISIBLE * max(abs(each.wanted_upper), abs(each.wanted_lower))
    return f"{text}; short by {format_compact(short, 2)}" if is_close else text


def _remarks(found: Audit) -> Iterator[str]:
    largest = float(found.tolerances.max(initial=0.0))
    yield (
        f"Two figures count as equal when they differ by at most {format_compact(PRECISION)} of the largest "
        "suppressed value that "
        f"they are tied to by relations: here by at most {format_compact(largest, 3)}."
    )
    problem = found.problem
    only_exact = problem.only_exact or (False,) * len(problem.intruders)
    exact = [number for number, is_exact in enumerate(only_exact) if is_exact]
    if exact:
        kept = sum(int((~np.isin(problem.primaries, problem.open_to(number))).sum()) for number in exact)
        yield (
            f"{_insiders(len(exact))} must only be kept from the exact values of primaries that share a sum with their "
            f"own cells, {kept} in all."
        )
    spared = sum(cells.size for cells, is_exact in zip(problem.spared, only_exact, strict=False) if not is_exact)
    if spared:
        yield (
            f"In {spared} case{'s' * (spared > 1)} an insider may come nearer to a primary, because the problem does "
            f"not ask to keep them from it."
        )
    yield "The intervals are those of the true table: keep them as confidential as the table."


def _cut(lines: list[str]) -> list[str]:
    if len(lines) <= MAX_LINES:
        return lines
    return [*lines[:MAX_LINES], f"  and {len(lines) - MAX_LINES} more like these"]


def finite_bound(bound: float) -> float | None:
    """Return a bound as JSON has it: nothing in place of one that is infinite."""
    return bound if np.isfinite(bound) else None
