"""Row-capacity cuts: in every relation of a primary, other cells must be able to move as far as it should."""

from collections.abc import Iterator

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._cut_search.cuts import Cut, cut_of
from sfumato.tables.suppression._reach import SIGNS, is_open, known_cells


def row_capacity_cuts(problem: Problem) -> list[Cut]:
    """Return one cut per relation, primary in it, direction and intruder kept from it, where one says anything."""
    known, kept = known_cells(problem), ~is_open(problem)
    levels = problem.levels_for(problem.everybody)
    place_of = {cell: place for place, cell in enumerate(problem.primaries.tolist())}
    found: dict[tuple[bytes, bytes], Cut] = {}
    relations, nobody = problem.relations.tocsr(), len(problem.intruders) == 1
    for start, end in zip(relations.indptr[:-1].tolist(), relations.indptr[1:].tolist(), strict=True):
        cells, signs = relations.indices[start:end].astype(np.int64), relations.data[start:end]
        if not any(cell in place_of for cell in cells.tolist()):
            continue
        knows = np.zeros((1, cells.size), np.bool_) if nobody else np.asarray(known[:, cells].todense()) > 0
        for made in _cuts_of_line(problem, cells, signs, knows, kept, levels, place_of):
            found.setdefault(made.key, made)
    return list(found.values())


def _cuts_of_line(
    problem: Problem,
    cells: Rows,
    signs: FloatColumn,
    knows: Booleans,
    kept: Booleans,
    levels: FloatMatrix,
    place_of: dict[int, int],
) -> Iterator[Cut]:
    ways, way_of = np.unique(knows, axis=0, return_inverse=True)  # the different ways in which intruders know the cells
    for within, cell in enumerate(cells.tolist()):
        if cell not in place_of:
            continue
        asking = np.flatnonzero(kept[:, place_of[cell]])
        for direction, sign in enumerate(SIGNS):
            wanted = levels[direction, asking, place_of[cell]].tolist()
            pull = -sign / signs[within] * signs
            moves = np.where(pull > 0, pull * problem.room_above[cells], -pull * problem.room_below[cells])
            moves[within] = 0.0
            for way, level in sorted(set(zip(way_of[asking].tolist(), wanted, strict=True))):
                made = cut_of(problem, cells, np.where(ways[way], 0.0, moves), level) if level > 0 else None
                if made is not None:
                    yield made
