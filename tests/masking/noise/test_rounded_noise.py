"""Noise whose values are rounded: the density is called exact only where rounding is small beside the noise."""

from decimal import Decimal

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, Schema
from sfumato.masking import AdditiveNoise, LogarithmicNoise, MultiplicativeNoise


def amounts(median: float, dtype: pl.DataType, n: int = 300) -> Microdata:
    """Return two columns of amounts of a type, in cents where it has decimals."""
    values = np.round(np.random.default_rng(3).lognormal(np.log(median), 0.7, size=(n, 2)), 2) + 0.01
    cells = [[Decimal(f"{value:.2f}") for value in column] for column in values.T]
    frame = pl.DataFrame({f"x{number}": pl.Series(column) for number, column in enumerate(cells)})
    return Microdata(frame.cast(dtype))


def is_exact(method: MaskingMethod, data: Microdata) -> bool:
    masked = method.mask(data, np.random.default_rng(1))
    stated = method.bound_to(data).likelihood(data, masked, ("x0", "x1"))
    return all(one.is_exact for one in stated or ())


@pytest.mark.parametrize(
    "method",
    [
        LogarithmicNoise(columns=("x0", "x1"), variance_ratio=0.4),
        MultiplicativeNoise(columns=("x0", "x1"), spread=60),
        AdditiveNoise(columns=("x0", "x1"), scale=0.1),
    ],
    ids=lambda method: method.name(),
)
def test_noise_on_cents_is_exact_for_large_amounts_only(method: MaskingMethod) -> None:
    assert is_exact(method, amounts(5000.0, pl.Decimal(12, 2)))
    assert not is_exact(method, amounts(0.03, pl.Decimal(12, 2)))


def test_noise_on_whole_numbers_that_rounding_drowns_is_not_exact() -> None:
    schema = Schema.from_yaml("variables: {x0: {kind: continuous}, x1: {kind: continuous}}")
    ages = Microdata(pl.DataFrame({"x0": np.arange(300) % 7, "x1": np.arange(300) % 11}), schema)
    assert not is_exact(AdditiveNoise(columns=("x0", "x1"), scale=0.1), ages)
    assert is_exact(AdditiveNoise(columns=("x0", "x1"), scale=0.9), ages)


def test_an_amount_that_was_rounded_to_nothing_still_tells_of_the_others() -> None:
    data = amounts(0.01, pl.Decimal(12, 2))
    method = LogarithmicNoise(columns=("x0", "x1"), variance_ratio=2.0)
    masked = method.mask(data, np.random.default_rng(1))
    assert (masked.values("x0") == 0).any()
    stated = method.bound_to(data).likelihood(data, masked, ("x0", "x1"))
    assert all(not np.isnan(one.after).any() for one in stated)
