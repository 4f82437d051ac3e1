"""Time the recoding of categorical keys: optimal levels of eight hierarchies, and local recoding of a million records.

The optima of the file with hierarchies are known, and ARX's times; rows that need it are left out where it is not at
hand.
"""

from functools import cache

import numpy as np
import polars as pl

from benchmarks.case import QUICK, Case, cpu_seconds, records
from benchmarks.census import is_at_hand
from sfumato.data import Hierarchy, Kind, Microdata, Schema, Variable
from sfumato.datasets import reference_folder
from sfumato.masking import FullDomainRecoding, LocalRecoding, search_lattice

MILLION = records(1_000_000)
KEYS = ("sex", "age", "race", "marital", "education", "country", "workclass", "occupation")
MODELS = (  # the least class, how many different sensitive values, percent that may be suppressed, ARX's CPU seconds
    (3, None, 0, 0.29),
    (3, None, 5, 1.26),
    (3, None, 100, 5.08),
    (5, None, 0, 0.31),
    (5, None, 5, 1.59),
    (5, None, 100, 6.33),
    (5, 2, 5, 2.23),
    (5, 2, 100, 10.1),
)


@cache
def census_like() -> tuple[Microdata, dict[str, Hierarchy]]:
    """Return the file, 30 000 records, and the hierarchies of its keys."""
    folder = reference_folder() / "lattice"
    frame = pl.read_csv(folder / "census_like.csv", infer_schema=False)
    lines = {key: (folder / f"hierarchy_{key}.csv").read_text().splitlines() for key in KEYS}
    hierarchies = {key: Hierarchy.from_levels([line.split(";") for line in rows]) for key, rows in lines.items()}
    schema = Schema(variables=tuple(Variable(name=name, kind=Kind.NOMINAL) for name in frame.columns))
    return Microdata(frame, schema), hierarchies


def searching(k: int, l: int | None, limit: float) -> float:
    """Return the CPU time of finding the optimal levels."""
    data, hierarchies = census_like()
    recoding = FullDomainRecoding(
        columns=KEYS,
        hierarchies=hierarchies,
        k=k,
        max_suppressed=limit,
        sensitive=None if l is None else "disease",
        l=l,
    )
    return cpu_seconds(lambda: search_lattice(data, recoding))


def optimal(k: int, l: int | None, limit: float, seconds: float) -> Case:
    """Return the case of one model, which should take no longer than in ARX."""
    diverse = "" if l is None else f", l = {l}"
    return Case(
        f"optimal recoding, 30 000 x 8 keys, k = {k}{diverse}, {limit} % suppressed",
        lambda: searching(k, l, limit),
        target=seconds,
        peer=("ARX 3.9", seconds),
    )


@cache
def mixed_keys(n: int) -> Microdata:
    """Return n records with two numbers, an ordinal and two nominal keys, seed 0."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "age": rng.integers(0, 95, n),
            "income": np.round(rng.lognormal(10, 1, n), 2),
            "education": rng.integers(0, 8, n),
            "town": rng.integers(0, 40, n),
            "sex": rng.integers(0, 2, n),
        }
    )
    schema = Schema.infer(frame).with_kinds(
        continuous=["age", "income"], ordinal=["education"], nominal=["town", "sex"]
    )
    return Microdata(frame, schema)


def local(numbers: str) -> float:
    """Return the CPU time of local recoding, with numbers released in one of the ways."""
    data = mixed_keys(MILLION)
    method = LocalRecoding(columns=data.schema.names, k=5).replace(numbers=numbers)
    return cpu_seconds(lambda: method.mask(data, np.random.default_rng()), repeats=1)


RECODING_CASES = [
    *([optimal(*model) for model in (MODELS[:2] if QUICK else MODELS)] if is_at_hand("lattice") else []),
    Case("local recoding, 10^6 x 5 keys, means", lambda: local("mean"), target=5.0),
    Case("local recoding, 10^6 x 5 keys, ranges", lambda: local("range"), target=5.0, is_long=True),
]
