"""Files of categories, and a masked form in which some are exchanged, recoded, suppressed, sampled and shuffled."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from sfumato.data import Kind, Microdata, Schema, Variable

TOWNS = ("A", "B", "C", "D")
HEALTH = ("bad", "poor", "fair", "good", "best")  # no record is `best`
NAMES = ("town", "health", "sex")
SCHEMA = Schema(
    variables=(
        Variable(name="town", kind=Kind.NOMINAL),
        Variable(name="health", kind=Kind.ORDINAL, categories=HEALTH),
        Variable(name="sex", kind=Kind.NOMINAL),
    )
)
Pair = tuple[str | None, str | None]


def file(columns: Mapping[str, Sequence[str | None]], row_ids: list[int] | None = None) -> Microdata:
    """Return a file of some of the columns town, health and sex."""
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    return Microdata(frame, SCHEMA.subset(tuple(columns)), None if row_ids is None else np.array(row_ids))  # type: ignore[arg-type]


def column(data: Microdata, name: str) -> list[str | None]:
    """Return a column as a plain list."""
    values: list[str | None] = data.frame[name].to_list()
    return values


def pairs(original: Microdata, masked: Microdata, name: str) -> list[Pair]:
    """Return the original and the masked value of each masked record, told by its id."""
    before = dict(zip(original.row_ids.tolist(), column(original, name), strict=True))
    return [(before[row], after) for row, after in zip(masked.row_ids.tolist(), column(masked, name), strict=True)]


def example(
    seed: int, *, n: int = 40, kept: int = 40, missing: float = 0.1, joined: bool = True
) -> tuple[Microdata, ...]:
    """Return a random file and its masked form: `kept` of its records in another order."""
    rng = np.random.default_rng(seed)
    original = {
        "town": rng.choice(TOWNS, n, p=(0.6, 0.2, 0.1, 0.1)),
        "health": rng.choice(HEALTH[:4], n),
        "sex": rng.choice(("f", "m"), n),
    }
    masked = {name: np.where(rng.random(n) < 0.3, rng.permutation(values), values) for name, values in original.items()}
    if joined:
        masked["town"] = np.where(np.isin(masked["town"], ("C", "D")), "C or D", masked["town"])
    order = rng.permutation(n)[:kept]
    before = {name: _with_gaps(values, missing, rng) for name, values in original.items()}
    after = {name: _with_gaps(values[order], missing, rng) for name, values in masked.items()}
    return file(before, list(range(100, 100 + n))), file(after, (order + 100).tolist())


def _with_gaps(values: np.ndarray, missing: float, rng: np.random.Generator) -> list[str | None]:
    return [None if rng.random() < missing else str(value) for value in values]
