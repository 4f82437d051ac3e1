"""Run a method over its blocks with threads of this machine."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.execution.blocks import Block, block_generator, cut


def run_step(
    method: MaskingMethod,
    data: Microdata,
    *,
    seed: int,
    step: int,
    threads: int = 1,
    on_block: Callable[[int, int], None] | None = None,
) -> Microdata:
    """Return `data` masked by `method` as step number `step` of a recipe.

    Parameters
    ----------
    method, data
        What to do, and to what.
    seed, step
        Block b of the step draws from `SeedSequence(seed, spawn_key=(step, b))`, whatever runs beside it.
    threads
        How many blocks are masked at the same time; the result does not depend on it.
    on_block
        Called with the number of blocks done and their total after each block.
    """
    blocks = cut(method.bound_to(data), data)
    done = count(1)

    def mask_one(number: int) -> Microdata:
        part = blocks[number].mask(block_generator(seed, step, number))
        if on_block is not None:
            on_block(next(done), len(blocks))
        return part

    if min(threads, len(blocks)) <= 1:
        return assemble(data, blocks, [mask_one(number) for number in range(len(blocks))])
    with ThreadPoolExecutor(max_workers=min(threads, len(blocks))) as pool:
        parts = list(pool.map(mask_one, range(len(blocks))))
    return assemble(data, blocks, parts)


def assemble(data: Microdata, blocks: Sequence[Block], parts: Sequence[Microdata]) -> Microdata:
    """Return the file with the masked columns of all blocks in place."""
    if len(parts) == 1:
        return parts[0]
    if not blocks[0].method.keeps_shape:
        return Microdata.concatenate(list(parts), order=data.row_ids)
    by_columns: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, part in enumerate(parts):
        by_columns[part.select(blocks[number].method.columns)].append(number)
    masked = data
    for names, numbers in by_columns.items():
        pieces = [parts[number].take_columns(names) for number in numbers]
        masked = masked.with_columns_of(_put_together(data, [blocks[number] for number in numbers], pieces))
    return masked


def _put_together(data: Microdata, blocks: Sequence[Block], pieces: list[Microdata]) -> Microdata:
    """Return the records of the pieces in the order of the file."""
    if any(block.whole is not data for block in blocks):  # strata number their rows by themselves
        return Microdata.concatenate(pieces, order=data.row_ids)
    if len(pieces) == 1:
        return pieces[0]
    joined = Microdata.concatenate(pieces, order=np.concatenate([piece.row_ids for piece in pieces]))
    rows = np.arange(data.n)
    places = np.empty_like(rows)
    places[np.concatenate([rows[block.rows] for block in blocks])] = rows  # no sorting: the blocks know their rows
    return joined if np.array_equal(places, rows) else joined.take_rows(places)
