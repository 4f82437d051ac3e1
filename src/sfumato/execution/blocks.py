"""Cut a file into the blocks that a method sees one at a time.

Blocks are set by the method and the data, never by the machine, so that any number of threads gives the same bytes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Microdata
from sfumato.kernels.neighbours.kd_cuts import KdCuts, block_numbers, find_cuts
from sfumato.numerics.arrays import CodeColumn, FloatMatrix, Rows
from sfumato.numerics.hashing import is_drawn, mix_bits
from sfumato.numerics.ranking import stable_order

ROWS_PER_BLOCK = 65_536
RANKS_PER_BLOCK = 1_048_576
REACHES_PER_BLOCK = 20  # a run of ranks is so much longer than the reach that its ends hardly matter
NEIGHBOURS_PER_BLOCK = 65_536
NEIGHBOURS_SAMPLED, MIN_SAMPLED = 65_536, 1 / 64  # of all records, that decide where near ones are cut
EVERYTHING = slice(None)


@dataclass(frozen=True)
class Block:
    """One piece of work: a method and the rows it is to mask.

    Parameters
    ----------
    method
        The method, narrowed to one column where columns are masked one by one.
    whole
        The file, or the stratum, that the rows belong to; its summary is what the method may know beyond the block.
    rows
        The rows of `whole` in the block.
    """

    method: MaskingMethod
    whole: Microdata
    rows: Rows | slice

    def mask(self, rng: np.random.Generator) -> Microdata:
        """Return the masked columns of the block, with or without others."""
        if isinstance(self.rows, slice) and self.rows == EVERYTHING:
            return self.method.mask_block(self.whole, rng)
        by_itself = self.method.layout is Layout.RANKS  # then other columns need not be gathered, which takes longest
        used = self.whole.take_columns(self.whole.select(self.method.columns)) if by_itself else self.whole
        return self.method.mask_block(used.take_rows(self.rows).as_block_of(self.whole), rng)


def cut(method: MaskingMethod, data: Microdata) -> list[Block]:
    """Return the blocks of a file for a method whose columns are named; each stratum is cut like a file of its own."""
    return [block for stratum in method.split_strata(data) for block in cut_stratum(method, stratum)]


def cut_stratum(method: MaskingMethod, stratum: Microdata) -> list[Block]:
    """Return the blocks of one stratum, or of a file without strata."""
    return list(_CUTTERS[method.layout](method, stratum))


def ends_of_runs(method: MaskingMethod, observed: int) -> list[int]:
    """Return the ranks at which a column of so many values is cut into runs; none where it is one run."""
    runs = observed // max(RANKS_PER_BLOCK, REACHES_PER_BLOCK * method.reach(observed))
    return [observed * run // runs for run in range(1, runs)]


def block_generator(seed: int, step: int, number: int) -> np.random.Generator:
    """Return what block `number` of a step draws from, whatever runs beside it."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(step, number)))


def find_neighbour_cuts(method: MaskingMethod, data: Microdata) -> KdCuts | int:
    """Return where a file is cut into sets of near records, by a sample of it; the rows are numbered from 0."""
    share = neighbour_share(data.n)
    rows = np.flatnonzero(is_drawn(np.arange(data.n), share))
    names = data.select(method.columns)
    sample = data.take_columns(names).take_rows(rows).as_block_of(data) if share < 1 else data
    return find_cuts(standard_points(method, sample), NEIGHBOURS_PER_BLOCK * share)


def neighbour_share(n: int) -> float:
    """Return the share (0..1) of so many records by which they are cut into sets of near ones."""
    return min(max(NEIGHBOURS_SAMPLED / n, MIN_SAMPLED), 1.0)


def neighbour_numbers(method: MaskingMethod, block: Microdata, cuts: KdCuts | int, start: int = 0) -> CodeColumn:
    """Return the number of each record's set of near ones, for records whose rows are numbered from `start`."""
    rows = np.arange(start, start + block.n, dtype=np.uint64)
    return block_numbers(cuts, standard_points(method, block), mix_bits(rows, 1))


def standard_points(method: MaskingMethod, block: Microdata) -> FloatMatrix:
    """Return the records in the method's columns, standardised by the whole file; the mean where a value is missing."""
    names = block.select(method.columns)
    deviations = block.summary.deviations(names)
    scaled = (block.matrix(names) - block.summary.means(names)) / np.where(deviations > 0, deviations, 1.0)
    return np.nan_to_num(scaled)


def _whole(method: MaskingMethod, data: Microdata) -> Iterator[Block]:
    yield Block(method, data, EVERYTHING)


def _by_rows(method: MaskingMethod, data: Microdata) -> Iterator[Block]:
    if data.n <= ROWS_PER_BLOCK:
        yield from _whole(method, data)
        return
    for start in range(0, data.n, ROWS_PER_BLOCK):
        yield Block(method, data, slice(start, start + ROWS_PER_BLOCK))


def _by_ranks(method: MaskingMethod, data: Microdata) -> Iterator[Block]:
    """Cut each column into runs of consecutive ranks; the rows without a value follow in the last run."""
    for name in data.select(method.columns):
        narrowed = method.replace(columns=(name,))
        ends = ends_of_runs(method, data.summary.observed(name))
        if not ends:
            yield Block(narrowed, data, EVERYTHING)
            continue
        by_rank = stable_order(data.values(name))
        for rows in np.split(by_rank, ends):
            yield Block(narrowed, data, rows)


def _by_neighbours(method: MaskingMethod, data: Microdata) -> Iterator[Block]:
    if data.n <= NEIGHBOURS_PER_BLOCK:
        yield from _whole(method, data)
        return
    numbers = neighbour_numbers(method, data, find_neighbour_cuts(method, data))
    order = np.argsort(numbers, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1):
        yield Block(method, data, rows)


def _by_groups(method: MaskingMethod, data: Microdata) -> Iterator[Block]:
    """Fill blocks with whole groups of records equal in the method's columns."""
    batch: list[Rows] = []
    for rows in data.strata(data.select(method.columns)):
        batch.append(rows)
        if sum(map(len, batch)) >= ROWS_PER_BLOCK:
            yield Block(method, data, np.sort(np.concatenate(batch)))
            batch = []
    if batch:
        yield Block(method, data, np.sort(np.concatenate(batch)))


_CUTTERS: dict[Layout, Callable[[MaskingMethod, Microdata], Iterator[Block]]] = {
    Layout.ROWS: _by_rows,
    Layout.RANKS: _by_ranks,
    Layout.NEIGHBOURS: _by_neighbours,
    Layout.GROUPS: _by_groups,
    Layout.WHOLE: _whole,
}
