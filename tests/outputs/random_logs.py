"""Made logs: small files, and tables of them that overlap and have filters."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
import polars as pl

from sfumato.outputs import Output, OutputLog, OutputRules
from tests.outputs.reader import Reader

COLUMNS = {"a": 3, "b": 4, "c": 2, "d": 3}
ALL = "All"


@dataclass
class MadeLog:
    """A log whose tables were asked for, and what a reader has of it."""

    counts: Reader
    sums: Reader
    values: list[float]
    hidden: int = 0
    cells: int = 0
    small: int = 0
    not_multiples_of_five: int = 0


def make_log(seed: int, *, max_tables: int = 6, max_records: int = 160, min_units: int = 5) -> MadeLog:
    """Ask for two to six tables of a small file, one after the other, as a researcher would."""
    rng = np.random.default_rng(seed)
    records = int(rng.integers(40, max_records))
    frame = pl.DataFrame(
        {
            **{name: [f"{name}{code}" for code in _codes(rng, size, records)] for name, size in COLUMNS.items()},
            "v": rng.lognormal(3, 1, records).round(1),
        }
    )
    log = OutputLog(frame, rules=OutputRules(min_units=min_units, full_cells="ignore"))
    made = MadeLog(Reader(records, min_units), Reader(records, min_units), frame["v"].to_list())
    for _ in range(int(rng.integers(2, max_tables + 1))):
        _ask(rng, log, frame, made)
    return made


def _codes(rng: np.random.Generator, size: int, records: int) -> np.ndarray:
    shares = 0.55 ** np.arange(size)
    return rng.choice(size, records, p=shares / shares.sum())


def _ask(rng: np.random.Generator, log: OutputLog, frame: pl.DataFrame, made: MadeLog) -> None:
    names = rng.permutation(list(COLUMNS))[: rng.integers(1, 4)].tolist()
    index, columns = names[:1], names[1:]
    condition, keeps = _filter(rng, frame)
    margins = bool(rng.random() < 0.5)
    if rng.random() < 0.75:
        output = log.crosstab(index, columns, where=condition, margins=margins)
        readers = [made.counts]
    else:
        output = log.pivot_table("v", index, columns, aggfunc="sum", where=condition, margins=margins)
        readers = [made.sums]
    _read(output, readers, frame, index, columns, keeps, made)


def _filter(rng: np.random.Generator, frame: pl.DataFrame) -> tuple[str | None, Callable[[dict[str, str]], bool]]:
    if rng.random() < 0.4:
        return None, lambda record: True
    column = str(rng.choice(list(COLUMNS)))
    left_out = str(frame[column].max())
    return f"{column} != '{left_out}'", lambda record: record[column] != left_out


def _read(
    output: Output,
    readers: list[Reader],
    frame: pl.DataFrame,
    index: list[str],
    columns: list[str],
    keeps: Callable[[dict[str, str]], bool],
    made: MadeLog,
) -> None:
    """Let readers see the table as it is shown: its labels and its figures."""
    for reader in readers:
        reader.begin()
    people = frame.to_dicts()
    kept = [place for place, record in enumerate(people) if keeps(record)]
    shown = {(row[index[0]], name): row[name] for row in output.frame.to_dicts() for name in output.frame.columns[1:]}
    choices = [[*sorted(set(frame[name])), ALL] for name in (*index, *columns)]
    for labels in product(*choices):
        rows = frozenset(
            place
            for place in kept
            if all(label in (ALL, people[place][name]) for name, label in zip((*index, *columns), labels, strict=True))
        )
        across = labels[1:]
        is_mixed = ALL in across and set(across) != {ALL}
        label = ALL if set(across) == {ALL} else " ".join(dict.fromkeys(across))
        head = label if columns else output.frame.columns[1]
        figure = None if is_mixed else shown.get((labels[0], head))
        for reader in readers:
            reader.read(rows, figure)
        if rows and not is_mixed and (labels[0], head) in shown:
            made.cells += 1
            made.hidden += figure is None
            made.small += len(rows) < readers[0].min_units
            made.not_multiples_of_five += len(rows) < readers[0].min_units or len(rows) % 5 != 0
