"""Torra (2013), Masking methods, slides: the table of salaries by town and profession, and its suppressed cells."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from sfumato.numerics.arrays import FloatMatrix
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files

TABLE = np.array([[360.0, 450, 720, 400, 360], [1440, 540, 22, 570, 320], [722, 1178, 375, 800, 363]])
TOWNS, PROFESSIONS = TABLE.shape

Cell = tuple[int, int]
Pattern = frozenset[Cell]

SINGLE, DOMINATED = (1, 2), (2, 4)  # (M2, P3) has one contributor, (M3, P5) a dominating one
PRINTED_PATTERN = frozenset({(0, 2), (0, 4), SINGLE, (1, 4)})
PRINTED_INTERVALS = {(0, 2): (400, 742), (0, 4): (338, 680), (1, 2): (0, 342), (1, 4): (0, 342)}
CONTRIBUTIONS = (350.0, 4.0, 3.0, 3.0, 3.0)  # to (M3, P5)
PRINTED_COST, CHEAPEST_COST = 1400, 1058
FOLLOWS = "not printed, but follows from the printed pattern and all totals"


def slides_tables(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the verdicts, the intruder's intervals and the cost of suppression; none needs a file or a seed."""
    yield _figure("cell M3 P5 by the rule (1, 50)", "sensitive", _verdict(is_dominated(CONTRIBUTIONS, 1, 50)))
    yield _figure("cell M3 P5 by the p % rule, p = 50", "sensitive", _verdict(is_close(CONTRIBUTIONS, 50)))
    for cell, (low, high) in PRINTED_INTERVALS.items():
        found = intruder_interval(PRINTED_PATTERN, cell)
        yield Figure(
            f"slides, table: what the printed pattern leaves possible in {_name(cell)}",
            FigureKind.EXACT,
            f"{low} to {high}",
            "{:.0f} to {:.0f}".format(*found),
            note=FOLLOWS,
        )
    yield Figure(
        "slides, table: the printed pattern suppresses M3 P5",
        FigureKind.EXACT,
        "no",
        "yes" if _suppresses(PRINTED_PATTERN, DOMINATED) else "no",
        note="the slides find this cell sensitive by both rules and print it all the same",
    )
    yield _figure("what the printed pattern suppresses beside M2 P3", PRINTED_COST, cost(PRINTED_PATTERN))
    best = cheapest_pattern()
    yield Figure(
        "slides, table: the least that suppresses M2 P3 and M3 P5, beside M2 P3",
        FigureKind.EXACT,
        CHEAPEST_COST,
        cost(best),
        note=f"not printed: no sensitive cell can be computed from the totals when {_cell_names(best)} are suppressed, "
        f"and no cheaper pattern does that; the printed one costs {PRINTED_COST}",
    )


def is_dominated(contributions: tuple[float, ...], largest: int, percent: float) -> bool:
    """Tell whether so many of the largest contributions make up more than so many percent of their total."""
    ranked = sorted(contributions, reverse=True)
    return sum(ranked[:largest]) > percent / 100 * sum(ranked)


def is_close(contributions: tuple[float, ...], percent: float) -> bool:
    """Tell whether the second largest contributor knows the largest contribution to within so many percent."""
    ranked = sorted(contributions, reverse=True)
    return sum(ranked[2:]) < percent / 100 * ranked[0]


def intruder_interval(pattern: Pattern, cell: Cell) -> tuple[float, float]:
    """Return the least and the most that a cell can hold, given the published cells, all totals, and no value below 0.

    Examples
    --------
    >>> intruder_interval(PRINTED_PATTERN, (0, 2))
    (400.0, 742.0)
    """
    if cell not in pattern:
        return float(TABLE[cell]), float(TABLE[cell])
    from scipy.optimize import linprog

    suppressed = sorted(pattern)
    sums, totals = _totals(suppressed)
    objective = np.array([float(other == cell) for other in suppressed])
    ends = [linprog(sign * objective, A_eq=sums, b_eq=totals, bounds=(0, None)) for sign in (1, -1)]
    return round(float(ends[0].fun), 6), round(float(-ends[1].fun), 6)


def cost(pattern: Pattern) -> float:
    """Return the total of the suppressed cells beside M2 P3, which is suppressed in any case."""
    return float(sum(TABLE[cell] for cell in pattern if cell != SINGLE))


def cheapest_pattern() -> Pattern:
    """Return the cheapest pattern from whose totals neither sensitive cell can be computed: all are tried in order."""
    others = [(town, work) for town in range(TOWNS) for work in range(PROFESSIONS)]
    others = [cell for cell in others if cell not in (SINGLE, DOMINATED)]
    sets = (chosen for size in range(len(others) + 1) for chosen in combinations(others, size))
    patterns = sorted((frozenset({SINGLE, DOMINATED, *chosen}) for chosen in sets), key=cost)
    return next(pattern for pattern in patterns if _suppresses(pattern, SINGLE) and _suppresses(pattern, DOMINATED))


def _suppresses(pattern: Pattern, cell: Cell) -> bool:
    low, high = intruder_interval(pattern, cell)
    return high - low > 1e-6


def _totals(suppressed: list[Cell]) -> tuple[FloatMatrix, FloatMatrix]:
    """Return which suppressed cells each row and column total adds up, and what is left of it for them."""
    lines = [[cell[0] == town for cell in suppressed] for town in range(TOWNS)]
    lines += [[cell[1] == work for cell in suppressed] for work in range(PROFESSIONS)]
    sums = np.array(lines, dtype=np.float64)
    return sums, sums @ np.array([TABLE[cell] for cell in suppressed])


def _figure(what: str, printed: float | str, ours: float | str) -> Figure:
    return Figure(f"slides, table: {what}", FigureKind.EXACT, printed, ours)


def _verdict(is_sensitive: bool) -> str:
    return "sensitive" if is_sensitive else "safe"


def _name(cell: Cell) -> str:
    return f"M{cell[0] + 1} P{cell[1] + 1}"


def _cell_names(pattern: Pattern) -> str:
    return ", ".join(_name(cell) for cell in sorted(pattern))
