"""The survey that the common promises of methods are tested on, in every dataframe type, and how methods run on it."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.execution import run_step

HEALTH = ("bad", "fair", "good")
SCHEMA = Schema(
    variables=(
        Variable(name="person_id", kind=Kind.CONTINUOUS, role="identifier"),
        Variable(name="region", kind=Kind.NOMINAL),
        Variable(name="health", kind=Kind.ORDINAL, categories=HEALTH),
        Variable(name="income", kind=Kind.CONTINUOUS),
        Variable(name="tax", kind=Kind.CONTINUOUS, missing_codes=(-9,)),
        Variable(name="note", kind=Kind.NOMINAL),
        Variable(name="born", kind=Kind.DATE),
        Variable(name="admitted", kind=Kind.DATE, date_format="dd/mm/yyyy"),
    )
)


def survey(n: int = 120) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    income = np.round(rng.lognormal(7, 1, n), 2)
    tax = np.where(np.arange(n) % 30 == 7, -9, np.rint(income / 4)).astype(np.int64)
    return pl.DataFrame(
        {
            "person_id": np.arange(n),
            "region": np.array(["north", "south", "west"])[np.arange(n) % 3],
            "health": pl.Series(np.array(HEALTH)[rng.integers(0, 3, n)]),
            "income": pl.Series([None if i % 20 == 3 else float(x) for i, x in enumerate(income)]),
            "tax": tax,
            "note": pl.Series([None if i % 5 == 0 else "ä" for i in range(n)]),
            "born": pl.Series([date(1950, 1, 31) + timedelta(days=211 * i % 20_000) for i in range(n)]),
            "admitted": pl.Series(
                [None if i % 7 == 2 else f"{1 + i % 28:02d}/{1 + i % 12:02d}/2020" for i in range(n)]
            ),
        }
    )


def as_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    converted = pd.DataFrame({name: frame[name].to_list() for name in frame.columns})
    converted["region"] = converted["region"].astype("category")
    converted["health"] = pd.Categorical(converted["health"], HEALTH, ordered=True)
    converted["tax"] = converted["tax"].astype("Int64")
    return converted.set_index(pd.Index(range(1000, 1000 + len(converted)), name="row"))


BACKENDS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda frame: frame,
    "pandas": as_pandas,
    "pyarrow": lambda frame: frame.to_arrow(),
}


def surveyed(backend: str) -> Microdata:
    return Microdata(BACKENDS[backend](survey()), SCHEMA)


def run(method: MaskingMethod, data: Microdata, seed: int = 3, threads: int = 1) -> Microdata:
    return run_step(method, data, seed=seed, step=0, threads=threads)


def keeps_missing(method: MaskingMethod) -> bool:
    """Tell whether missing values stay in their rows, as they do unless a method says that it draws them anew."""
    return getattr(method, "keeps_missing", True)


def has_the_same_gaps(masked: Microdata, data: Microdata) -> bool:
    return all(np.array_equal(masked.observed(name), data.observed(name)) for name in ("income", "tax"))
