"""Households as records: what the members have, one beside the other, coded alike in all files."""

from collections.abc import Sequence

import numpy as np

from sfumato.keys.households import Households, group_households
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, Rows
from sfumato.risk.synthetic._coded_files import CodedColumn, CodedFiles

MAX_MEMBERS = 4  # whose columns a record has; of larger households all are in the hashes
NOBODY = -1_000_000_000  # stands for no member: missing values have other numbers below 0


def household_files(files: CodedFiles, households: Sequence[Households]) -> CodedFiles:
    """Return files whose records are households: their size, what all members are together, and each one's columns.

    The members stand in the order of their values, so that in no file the order of records matters. Columns of which
    all members of each household have the same stand there once.

    Parameters
    ----------
    files
        The files of persons.
    households
        The households of each file.
    """
    sizes = [np.diff(np.append(each.starts, each.number.size)) for each in households]
    rows = [_members(files.codes(number), each) for number, each in enumerate(households)]
    places = min(max(int(size.max()) for size in sizes), MAX_MEMBERS)
    columns = [_size_column(sizes), _composition_column(files, households)]
    for column in files.columns:
        shared = all(not each.count_mixed(codes) for each, codes in zip(households, column.codes, strict=True))
        for place in range(1 if shared else places):
            codes = tuple(
                np.where(size > place, each[members[:, place]], NOBODY)
                for each, members, size in zip(column.codes, rows, sizes, strict=True)
            )
            columns.append(CodedColumn(f"{column.name} {place + 1}", column.is_number, column.different, codes))
    return CodedFiles(tuple(columns), tuple(each.count for each in households))


def _members(codes: CodeMatrix, households: Households) -> Rows:
    """Return the rows of the first members of each household by their codes, the first column first; filled up."""
    order = np.lexsort((*codes.T[::-1], households.number))
    places = households.starts[:, None] + np.arange(MAX_MEMBERS)
    return np.asarray(order[np.minimum(places, order.size - 1)], dtype=np.int64)


def _size_column(sizes: Sequence[Rows]) -> CodedColumn:
    different = np.unique(np.concatenate(sizes))
    codes = tuple(np.searchsorted(different, size) for size in sizes)
    return CodedColumn("members", True, different.astype(np.float64), codes)


def _composition_column(files: CodedFiles, households: Sequence[Households]) -> CodedColumn:
    """Return a column that is equal where all members are, in whatever order and however many."""
    hashes = np.concatenate([files.hashes(number) for number in range(len(files.sizes))])
    cells: CodeColumn = np.unique(hashes, return_inverse=True)[1]
    starts = np.cumsum([0, *(each.count for each in households)])
    labels = [each.number + start for each, start in zip(households, starts, strict=False)]
    together = group_households(np.concatenate(labels))
    numbers = together.compositions(cells)
    split = np.split(numbers, starts[1:-1])
    return CodedColumn("composition", False, np.unique(numbers).astype(np.float64), tuple(split))
