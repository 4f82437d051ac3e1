"""Files drawn from a linear model whose coefficients are known, and pooled estimates from synthetic copies of them."""

import numpy as np
import polars as pl

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.masking import SequentialSynthesis
from sfumato.regression import Fit, LargeSampleRule, LinearRegression, PooledFit

TRUTH = np.array([1.0, 0.5, 0.8])
REGRESSION = LinearRegression("y ~ x + group")
SCHEMA = Schema(
    variables=(
        Variable(name="x", kind=Kind.CONTINUOUS),
        Variable(name="group", kind=Kind.NOMINAL),
        Variable(name="y", kind=Kind.CONTINUOUS),
    )
)
RIGHT_MODELS = {"x": "normal", "group": "logistic", "y": "normal"}


def simulated_file(n: int, seed: int) -> Microdata:
    """Return persons in two groups, which are related to x; both predict y."""
    rng = np.random.default_rng([5, seed])
    x = rng.normal(size=n)
    in_group = rng.random(n) < 1 / (1 + np.exp(-x))
    y = TRUTH[0] + TRUTH[1] * x + TRUTH[2] * in_group + rng.normal(size=n)
    return Microdata(pl.DataFrame({"x": x, "group": np.where(in_group, "b", "a"), "y": y}), SCHEMA)


def pooled_fit(
    n: int, seed: int, copies: int, models: dict[str, str] | None, *, bootstrap: bool = False
) -> tuple[Fit, PooledFit]:
    """Return the fit to a simulated file, and what the copies that our synthesiser makes of it say together."""
    data = simulated_file(n, seed)
    method = SequentialSynthesis(columns=SCHEMA.names, size=n, releases=copies, models=models, bootstrap=bootstrap)
    made = method.mask(data, np.random.default_rng([9, seed]))
    fits = [REGRESSION.fit(made.take_rows(rows)) for rows in made.strata(("release",))]
    return REGRESSION.fit(data), LargeSampleRule(draws_parameters=bootstrap).pool(fits, n)


def coverage(n: int, files: int, models: dict[str, str] | None, *, bootstrap: bool = False) -> float:
    """Return in how many percent of simulated files an interval at 95 % holds the truth, over all coefficients."""
    held = []
    for seed in range(files):
        low, high = pooled_fit(n, seed, 5, models, bootstrap=bootstrap)[1].intervals().T
        held.append((low <= TRUTH) & (high >= TRUTH))
    return 100 * float(np.mean(held))
