"""Give released records a random order and their households new numbers, so that neither tells who is who."""

from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import Microdata, Variable
from sfumato.data.category_merging import labels_of_missing
from sfumato.data.column_recoding import missing_codes_after, recode_column
from sfumato.keys.households import free_numbers
from sfumato.numerics.arrays import Rows
from sfumato.recipe.seeds import release_generator

ROWS_AT_ONCE = 1_048_576


def shuffle_records(data: Microdata, release_key: int) -> Microdata:
    """Return the records in random order; they keep their row ids, and an index that numbers them goes."""
    shuffled = data.take_rows(random_order(data.n, release_key))
    frame = nw.maybe_reset_index(shuffled.table).to_native()
    return Microdata(frame, shuffled.schema, shuffled.row_ids, lineage=shuffled.lineage)


def random_order(records: int, release_key: int) -> Rows:
    """Return for each released record the row that it had before: the key to undo the shuffle."""
    return np.asarray(release_generator(release_key, "order").permutation(records), dtype=np.int64)


def write_order(file: Path, records: int, release_key: int) -> Rows:
    """Write what `random_order` returns as an array of numpy that need not fit into memory; return it from there."""
    order = np.lib.format.open_memmap(file, mode="w+", dtype=np.int64, shape=(records,))
    for start in range(0, records, ROWS_AT_ONCE):
        order[start : start + ROWS_AT_ONCE] = np.arange(start, min(start + ROWS_AT_ONCE, records))
    release_generator(release_key, "order").shuffle(np.asarray(order))  # as `permutation` does with what it makes
    order.flush()
    return order


def write_places(file: Path, records: int, release_key: int) -> None:
    """Write for each row its place among the released records, as an array of numpy that need not fit into memory."""
    order = write_order(file, records, release_key)
    unfinished = file.with_name(f"{file.name}.inverse")
    places = np.lib.format.open_memmap(unfinished, mode="w+", dtype=np.int64, shape=(records,))
    for start in range(0, records, ROWS_AT_ONCE):
        rows = order[start : start + ROWS_AT_ONCE]
        places[rows] = np.arange(start, start + rows.size)
    places.flush()
    unfinished.replace(file)


def renumber_households(data: Microdata, names: tuple[str, ...], release_key: int) -> Microdata:
    """Return the file with random numbers from 1 for the values of the columns; missing values and codes stay."""
    rng, renumbered = release_generator(release_key, "households"), data
    for name in names:
        codes, households = data.codes(name)
        numbers = free_numbers(len(households), data.schema[name])
        is_text = any(isinstance(value, str) for value in households)
        values = [str(number) if is_text else int(number) for number in numbers]
        places = np.append(rng.permutation(len(households)), -1)[codes]
        renumbered = renumbered.with_column(*_numbered_column(data, name, values, places)) if values else renumbered
    return renumbered


def _numbered_column(
    data: Microdata, name: str, values: list[int | str], places: Rows
) -> tuple[Variable, nw.Series[Any]]:
    """Return the description and the values of a column of household numbers."""
    variable, series = data.schema[name], data.table[name]
    missing = missing_codes_after(series, values, data.summary.missing_codes(name))
    described = variable.replace(categories=(), value_labels=labels_of_missing(variable, missing))
    return described, recode_column(series, values, places, missing)
