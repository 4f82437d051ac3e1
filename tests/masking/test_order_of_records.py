"""The order of the records tells nothing where a method says so: equal records come out in any order."""

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.masking import METHODS, AdditiveNoise, CorrelatedNoise

NAMED = sorted(name for name, method in METHODS.items() if method.ignores_order)
PAIRS = 600


def doubled() -> Microdata:
    """Return a file in which each record stands twice, once in each half, and which has other ties too."""
    values = np.random.default_rng(3).gamma(2, 20, (PAIRS, 2)).round(-1) + 5.5
    return Microdata(pl.DataFrame(np.vstack([values, values]), schema=["x", "y"]))


@pytest.mark.parametrize("method", [*(METHODS[name] for name in NAMED), AdditiveNoise, CorrelatedNoise])
def test_of_equal_records_neither_half_comes_first(method: type[MaskingMethod]) -> None:
    masked = method(columns=("x", "y")).mask(doubled(), np.random.default_rng(4))
    for name in ("x", "y"):
        first, second = np.split(masked.values(name), 2)
        differing = first != second
        assert differing.sum() > PAIRS / 8
        share = (first > second)[differing].mean()
        assert abs(share - 0.5) < 4.5 * 0.5 / np.sqrt(differing.sum())


def test_the_methods_that_rank_values_say_so() -> None:
    ranking = {"rank_swapping", "rank_swapping_buckets", "rank_swapping_distribution", "resampling"}
    assert ranking | {"distribution_distortion", "shuffling"} == set(NAMED)
