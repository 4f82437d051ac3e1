"""Files for the tests of the IPSO methods: collinear or not, of any scale, with categories."""

import numpy as np
import polars as pl

from sfumato.data import Microdata

Y, X = ("wages", "profits", "income"), ("age", "rent", "region")


def people(seed: int, n: int = 60, scale: float = 1.0) -> Microdata:
    """Return a file in which income is the sum of wages and profits, and rent and age are collinear with costs."""
    rng = np.random.default_rng(seed)
    age, region = rng.uniform(18, 80, n), rng.integers(0, 3, n)
    region[:9] = np.arange(9) % 3  # no region has a single record
    rent = rng.gamma(2.0, 300.0, n)
    wages = 30 * age + 400 * region + rng.gamma(2.0, 400.0, n)
    profits = 0.5 * rent - 200 * (region == 1) + rng.normal(0, 300, n)
    columns = {"wages": wages, "profits": profits, "income": wages + profits, "age": age, "rent": rent}
    frame = pl.DataFrame({name: scale * values for name, values in columns.items()})
    frame = frame.with_columns(costs=pl.col("rent") + 12 * pl.col("age"))
    return Microdata(frame.with_columns(region=pl.Series(np.array(["north", "south", "west"])[region])))


def design(data: Microdata, *, with_costs: bool = False) -> np.ndarray:
    """Return intercept, age, rent and two dummies, written down anew."""
    region = data.frame["region"].to_numpy()
    parts = [np.ones(data.n), data.values("age"), data.values("rent"), region == "south", region == "west"]
    return np.column_stack([*parts, data.values("costs")] if with_costs else parts).astype(np.float64)


def fit(data: Microdata) -> tuple[np.ndarray, np.ndarray]:
    """Return the coefficients and the residual covariance of the regression of Y on X, by numpy's least squares."""
    x, y = design(data), data.matrix(Y)
    coefficients = np.linalg.lstsq(x, y, rcond=None)[0]
    residuals = y - x @ coefficients
    return coefficients, residuals.T @ residuals / len(x)


def close(found: np.ndarray, wanted: np.ndarray) -> bool:
    """Tell whether two arrays agree to 1e-6 of the largest entry."""
    return bool(np.abs(found - wanted).max() <= 1e-6 * np.abs(wanted).max())
