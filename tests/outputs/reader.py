"""A reader of outputs who works out what they can, written apart from the audit: the judge of the tests.

Every shown figure is an equation over atoms, which are made here from the records by their membership in cells.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np
from scipy.optimize import LinearConstraint, linprog, milp

Rows = frozenset[int]


@dataclass
class Reader:
    """What somebody has read about so many records."""

    records: int
    min_units: int
    cells: set[Rows] = field(default_factory=set)
    shown: dict[Rows, float] = field(default_factory=dict)
    shown_before: dict[Rows, int] = field(default_factory=dict)
    _outputs_end: int = 0

    def begin(self) -> None:
        """Begin with another output."""
        self._outputs_end = len(self.shown)

    def read(self, rows: Rows, figure: float | None) -> None:
        """Take note of a cell, and of its figure if it is shown."""
        if rows:
            self.cells.add(rows)
            self.shown_before.setdefault(rows, self._outputs_end)
        if rows and figure is not None:
            self.shown[rows] = float(figure)

    def atoms(self) -> list[Rows]:
        """Return the records that no cell tells apart."""
        every = sorted(self.cells, key=sorted)
        found: dict[tuple[bool, ...], set[int]] = {}
        for record in range(self.records):
            found.setdefault(tuple(record in cell for cell in every), set()).add(record)
        return [frozenset(rows) for rows in found.values()]

    def differences(self) -> set[Rows]:
        """Return what is common to two shown cells, and what is left of one without another."""
        pairs = permutations(self.shown, 2)
        return {rows for one, other in pairs for rows in (one & other, one - other) if rows}

    def small(self, groups: Iterable[Rows]) -> list[Rows]:
        return [rows for rows in groups if 0 < len(rows) < self.min_units]


def disclosed_counts(reader: Reader) -> list[str]:
    """Return the small groups of which the reader learns too much, by programmes in whole numbers."""
    atoms = reader.atoms()
    place = {record: number for number, atom in enumerate(atoms) for record in atom}
    equations = [*reader.shown.items(), (frozenset(range(reader.records)), float(reader.records))]
    matrix = np.array([_indicator(rows, place, len(atoms)) for rows, _ in equations])
    known = LinearConstraint(matrix, *(2 * [np.array([figure for _, figure in equations])]))
    worlds = [np.array([float(len(atom)) for atom in atoms])]

    def reaches(rows: Rows, wanted: float, sign: float) -> bool:
        of_rows = _indicator(rows, place, len(atoms))
        if any(sign * (of_rows @ world) >= sign * wanted for world in worlds):
            return True
        solved = milp(
            -sign * of_rows, constraints=[known], integrality=np.ones(len(atoms)), bounds=_bounds(reader.records)
        )
        assert solved.status == 0
        worlds.append(np.rint(solved.x))
        return bool(sign * (of_rows @ worlds[-1]) >= sign * wanted)

    found = []
    for rows in reader.small(reader.cells):
        lowest = len(rows) - min(reader.min_units - len(rows), len(rows))
        if not reaches(rows, reader.min_units, 1.0) or not (
            reaches(rows, lowest, -1.0) or _was_closed_before(reader, rows, lowest)
        ):
            found.append(f"cell of {len(rows)}")
    for rows in reader.small({*reader.differences(), *atoms}):
        if not reaches(rows, reader.min_units, 1.0):
            found.append(f"group of {len(rows)}")
    return found


def _was_closed_before(reader: Reader, rows: Rows, lowest: float) -> bool:
    """Tell whether the outputs before the one that has a cell ruled out already that few records are in it."""
    earlier = Reader(reader.records, reader.min_units, reader.cells)
    earlier.shown = dict(list(reader.shown.items())[: reader.shown_before[rows]])
    atoms = earlier.atoms()
    place = {record: number for number, atom in enumerate(atoms) for record in atom}
    matrix = np.array(
        [_indicator(one, place, len(atoms)) for one in [*earlier.shown, frozenset(range(reader.records))]]
    )
    figures = np.array([*earlier.shown.values(), reader.records])
    of_rows = _indicator(rows, place, len(atoms))
    known = LinearConstraint(matrix, figures, figures)
    solved = milp(of_rows, constraints=[known], integrality=np.ones(len(atoms)), bounds=_bounds(reader.records))
    return bool(np.rint(solved.fun) > lowest)


def disclosed_sums(reader: Reader, values: Sequence[float], p: float, n: int, k: float) -> list[str]:
    """Return the groups whose sum the reader can narrow down to an interval that is not as wide as its levels."""
    atoms = reader.atoms()
    place = {record: number for number, atom in enumerate(atoms) for record in atom}
    largest = 1.5 * sum(values) + 1
    matrix = np.array([_indicator(rows, place, len(atoms)) for rows in reader.shown])
    figures = np.array(list(reader.shown.values()))
    equal = {"A_eq": matrix, "b_eq": figures} if len(figures) else {}
    found = []
    for rows in {*reader.cells, *reader.differences(), *atoms}:
        level = sum_level([values[record] for record in rows], reader.min_units, p, n, k)
        if level <= 0:
            continue
        total, of_rows = sum(values[record] for record in rows), _indicator(rows, place, len(atoms))
        ends = [linprog(sign * of_rows, bounds=(0, largest), **equal) for sign in (-1.0, 1.0)]
        assert all(end.status == 0 for end in ends)
        if -ends[0].fun - ends[1].fun < level + min(level, total) - 1e-6 * largest:
            found.append(f"sum of {len(rows)}")
    return found


def sum_level(contributions: Sequence[float], min_units: int, p: float, n: int, k: float) -> float:
    """Return how far from a sum a reader must be kept; 0 or less where it is safe."""
    ordered, total = sorted(contributions, reverse=True), sum(contributions)
    few = (0.3 * total or 1.0) if len(ordered) < min_units else 0.0
    dominated = 100 / k * sum(ordered[:n]) - total
    near = p / 100 * ordered[0] - (total - sum(ordered[:2]))
    slack = 1e-9 * total
    return max(few, dominated if dominated > slack else 0.0, near if near > slack else 0.0)


def _indicator(rows: Rows, place: dict[int, int], atoms: int) -> np.ndarray:
    ones = np.zeros(atoms)
    ones[list({place[record] for record in rows})] = 1.0
    return ones


def _bounds(records: int) -> object:
    from scipy.optimize import Bounds

    return Bounds(0, records)
