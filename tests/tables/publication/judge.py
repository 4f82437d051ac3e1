"""An independent judge of publications: cells by plain loops over records, and the intruder's programmes by scipy."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from scipy.optimize import linprog

from sfumato.data import Hierarchy
from sfumato.tables import TableDefinition

Cell = tuple[str, frozenset[tuple[str, str]]]
TOLERANCE = 1e-6


class Judge:
    """All cells that a reader can think of, what ties them, and how near a reader comes to each."""

    def __init__(
        self,
        records: pl.DataFrame,
        definitions: Mapping[str, TableDefinition],
        trees: Mapping[str, Hierarchy],
        equation: Sequence[str] = (),
    ) -> None:
        self._rows = list(records.iter_rows(named=True))
        self._trees = trees
        self.members: dict[Cell, list[int]] = {}
        self.sums: list[tuple[list[Cell], Cell]] = []
        for definition in definitions.values():
            shown = {
                other.value
                for other in definitions.values()
                if (other.dimensions, other.where) == (definition.dimensions, definition.where)
            }
            follows = equation if len(shown & set(equation)) > 1 else ()
            for variable in dict.fromkeys([str(definition.value), *follows]):
                self._add_table(definition, variable)
        for whole, part in product(definitions.values(), repeat=2):
            if not whole.where and part.where and whole.value == part.value:
                self._add_rest(whole, part)
        if equation:
            for variable, codes in list(self.members):
                parts = [(part, codes) for part in equation[1:]]
                if variable == equation[0] and all(part in self.members for part in parts):
                    self.sums.append((parts, (variable, codes)))

    def value(self, cell: Cell) -> float:
        return float(sum(self._rows[row][cell[0]] for row in self.members[cell]))

    def level(self, cell: Cell, p: float) -> float:
        """Return the p % level of a cell, 0 where it is safe."""
        given = sorted((float(self._rows[row][cell[0]]) for row in self.members[cell]), reverse=True)
        first, second = (*given, 0.0, 0.0)[:2]
        return max(p / 100 * first - (sum(given) - first - second), 0.0) if first > 0 else 0.0

    def unprotected(self, published: Mapping[Cell, bool], p: float) -> list[Cell]:
        """Return unsafe cells that a reader of the published ones comes too near to."""
        cells = list(self.members)
        place = {cell: number for number, cell in enumerate(cells)}
        true = np.array([self.value(cell) for cell in cells])
        rows = np.zeros((len(self.sums), len(cells)))
        for number, (parts, total) in enumerate(self.sums):
            for cell in parts:
                rows[number, place[cell]] += 1.0
            rows[number, place[total]] -= 1.0
        most = 1.5 * true.max()
        bounds = [
            (value, value) if published.get(cell) else (0.0, most) for cell, value in zip(cells, true, strict=True)
        ]
        return [cell for cell in cells if self._is_near(place[cell], self.level(cell, p), true, rows, bounds)]

    @staticmethod
    def _is_near(cell: int, level: float, true: Any, rows: Any, bounds: Any) -> bool:
        if level <= TOLERANCE:
            return False
        aim = np.zeros(true.size)
        aim[cell] = 1.0
        least, most = (
            sign * linprog(sign * aim, A_eq=rows, b_eq=np.zeros(len(rows)), bounds=bounds).fun for sign in (1.0, -1.0)
        )
        allowed = TOLERANCE * true.max()
        return bool(most < true[cell] + level - allowed or least > max(true[cell] - level, 0.0) + allowed)

    def cells(
        self, definition: TableDefinition, variable: str | None = None
    ) -> Iterator[tuple[Cell, list[int], tuple[str, ...]]]:
        """Yield the cells of a table, their records and their codes."""
        fixed = {(name, " or ".join(sorted(map(str, codes)))) for name, codes in definition.where.items()}
        chosen = [
            row
            for row, record in enumerate(self._rows)
            if all(record[name] in self._leaves(name, codes) for name, codes in definition.where.items())
        ]
        found: dict[tuple[str, ...], list[int]] = {}
        for row in chosen:
            for codes in product(*(self._above(name, self._rows[row][name]) for name in definition.dimensions)):
                found.setdefault(codes, []).append(row)
        for codes, rows in found.items():
            named = {(name, code) for name, code in zip(definition.dimensions, codes, strict=True) if code != "Total"}
            yield (variable or str(definition.value), frozenset(named | fixed)), rows, codes

    def _add_table(self, definition: TableDefinition, variable: str) -> None:
        at = {}
        for cell, rows, codes in self.cells(definition, variable):
            self.members[cell], at[codes] = rows, cell
        for codes, total in at.items():
            for place, name in enumerate(definition.dimensions):
                parts = [
                    at[below]
                    for child in self._below(name, codes[place])
                    if (below := (*codes[:place], child, *codes[place + 1 :])) in at
                ]
                if parts:
                    self.sums.append((parts, total))

    def _add_rest(self, whole: TableDefinition, part: TableDefinition) -> None:
        wholes = {cell: rows for cell, rows, _ in self.cells(whole)}
        fixed = frozenset((name, " or ".join(sorted(map(str, codes)))) for name, codes in part.where.items())
        for cell, rows, _ in self.cells(part):
            larger = (cell[0], cell[1] - fixed)
            if larger in wholes:
                rest = (cell[0], cell[1] | {("rest", str(sorted(fixed)))})
                self.members[rest] = [row for row in wholes[larger] if row not in rows]
                self.sums.append(([cell, rest], larger))

    def _above(self, name: str, leaf: str) -> list[Any]:
        return [leaf, *self._trees[name].ancestors(leaf)] if name in self._trees else [leaf, "Total"]

    def _below(self, name: str, code: str) -> Sequence[Any]:
        if name in self._trees:
            return self._trees[name].children(code) if code in self._trees[name] else ()
        return sorted({row[name] for row in self._rows}) if code == "Total" else ()

    def _leaves(self, name: str, codes: Sequence[Any]) -> set[Any]:
        tree = self._trees.get(name)
        return {leaf for code in codes for leaf in (tree.leaves_under(code) if tree and code in tree else [code])}
