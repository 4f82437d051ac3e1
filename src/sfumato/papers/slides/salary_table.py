"""Torra (2013), Masking methods, slides: the table of salaries by town and profession, and its suppressed cells."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files

if TYPE_CHECKING:
    from sfumato.numerics.arrays import Booleans
    from sfumato.tables import Audit, Rule, Table, UnsafeTables

SALARIES = ((360, 450, 720, 400, 360), (1440, 540, 22, 570, 320), (722, 1178, 375, 800, 363))  # by town, profession

Cell = tuple[int, int]

SINGLE, DOMINATED = (1, 2), (2, 4)  # (M2, P3) has one contributor, (M3, P5) a dominating one
PRINTED_PATTERN: tuple[Cell, ...] = ((0, 2), (0, 4), SINGLE, (1, 4))
CONTRIBUTIONS = {SINGLE: (22.0,), DOMINATED: (350.0, 4.0, 3.0, 3.0, 3.0)}
EQUAL_PARTS = 10  # of the other cells, of which no contributions are printed
ANY_LEVEL = 1e-3  # that a sensitive cell cannot be computed is all that is asked
PRINTED_COST = 1400


def slides_tables(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the verdicts, the intruder's intervals and the cost of suppression; none needs a file or a seed."""
    from sfumato.tables import Dominance, PPercent

    yield _figure("cell M3 P5 by the rule (1, 50)", "sensitive", _verdict(Dominance(n=1, max_percent=50)))
    yield _figure("cell M3 P5 by the p % rule, p = 50", "sensitive", _verdict(PPercent(p=50)))
    found = audit_of(PRINTED_PATTERN)
    low, high = found.interval(place_of(DOMINATED))
    yield _figure(
        "the printed pattern suppresses M3 P5",
        "no",
        "yes" if high > low else "no",
        "the slides find this cell sensitive by both rules and print it all the same",
    )
    suppressed = np.isin(np.arange(salary_table().values.size), [place_of(cell) for cell in PRINTED_PATTERN])
    yield _figure("what the printed pattern suppresses beside M2 P3", PRINTED_COST, cost(suppressed))


@cache
def salary_table() -> "Table":
    """Return the table with its totals, made from contributions: those printed, and equal parts of the other cells."""
    import polars

    from sfumato.tables import Table

    records = [
        (f"M{town + 1}", f"P{work + 1}", part)
        for town, line in enumerate(SALARIES)
        for work, total in enumerate(line)
        for part in CONTRIBUTIONS.get((town, work), (total / EQUAL_PARTS,) * EQUAL_PARTS)
    ]
    frame = polars.DataFrame(records, schema=["town", "profession", "salary"], orient="row")
    return Table.from_records(frame, ["town", "profession"], "salary")


def place_of(cell: Cell) -> int:
    """Return the place of a cell in the table."""
    return int(salary_table().cell(town=f"M{cell[0] + 1}", profession=f"P{cell[1] + 1}"))


def audit_of(pattern: tuple[Cell, ...]) -> "Audit":
    """Return what an intruder finds who knows the published cells, all totals, and that no value is below 0.

    Examples
    --------
    >>> audit_of(PRINTED_PATTERN).interval(place_of((0, 2)))
    (400.0, 742.0)
    """
    from sfumato.tables import audit

    problem = _unsafe().problem
    return audit(problem, np.isin(np.arange(problem.size), [place_of(cell) for cell in pattern]), intervals="every")


def cost(suppressed: "Booleans") -> float:
    """Return the total of the suppressed cells beside M2 P3, which is suppressed in any case."""
    values = salary_table().values
    return round(float(values[suppressed].sum() - values[place_of(SINGLE)]), 6)


def _unsafe() -> "UnsafeTables":
    """Return the table with both sensitive cells, each to be kept from being computed."""
    from sfumato.tables import GivenCell, Status, find_unsafe

    given = [
        GivenCell(
            where={"town": f"M{town + 1}", "profession": f"P{work + 1}"},
            status=Status.PROTECT,
            protection_level=ANY_LEVEL,
        )
        for town, work in (SINGLE, DOMINATED)
    ]
    return find_unsafe(salary_table(), None, given_cells=given, insiders="none")


def _figure(what: str, printed: float | str, ours: float | str, note: str = "") -> Figure:
    return Figure(f"slides, table: {what}", FigureKind.EXACT, printed, ours, note=note)


def _verdict(rule: "Rule") -> str:
    return "sensitive" if rule.find(salary_table()).unsafe[place_of(DOMINATED)] else "safe"
