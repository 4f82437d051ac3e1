"""A small survey that the tests of this room mask."""

import numpy as np
import polars as pl

from sfumato.masking import AdditiveNoise, Mdav, RankSwapping
from sfumato.recipe import Recipe


def survey(n: int = 60) -> pl.DataFrame:
    rng = np.random.default_rng(11)
    income = np.round(rng.lognormal(8, 1, n), 2)
    return pl.DataFrame(
        {
            "region": np.array(["north", "south", "west"])[np.arange(n) % 3],
            "income": pl.Series([None if i % 20 == 3 else float(x) for i, x in enumerate(income)]),
            "tax": np.round(income / 4 + rng.normal(0, 20, n), 2),
            "age": rng.integers(18, 95, n),
        }
    )


NOISE = AdditiveNoise(columns=("income",), scale=0.5)
SWAPPING = RankSwapping(columns=("tax",), window=10)
RECIPE = Recipe(steps=[NOISE, SWAPPING, Mdav(columns=("income", "age"))], seed=7)
