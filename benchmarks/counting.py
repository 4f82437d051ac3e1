"""Counting equal records: equivalence classes over several keys."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case, cpu_seconds, growth, peak_megabytes, records
from sfumato.kernels.keys.counting import classes_of, matching_totals

TEN_MILLION, MILLION, HUNDRED_THOUSAND = map(records, (10_000_000, 1_000_000, 100_000))
SIZES = (2, 5, 8, 4, 10, 3)  # categories of each key: 9600 combinations
PREPARATION = """
import benchmarks.counting as counting
counting.counted(1000)
counting.keys(counting.TEN_MILLION)"""
WORK = "counting.counted(counting.TEN_MILLION)"


@cache
def keys(n: int) -> NDArray[np.int64]:
    """Return six keys of n records, seed 0."""
    rng = np.random.default_rng(0)
    return np.stack([rng.integers(0, size, n) for size in SIZES])


@cache
def with_gaps(n: int) -> NDArray[np.int64]:
    """Return five keys of n records with 2 % of the codes missing, seed 0."""
    codes = keys(n)[:5].copy()
    codes[np.random.default_rng(1).random(codes.shape) < 0.02] = -1
    return codes


def counted(n: int) -> NDArray[np.int64]:
    """Return how many records are equal to each one."""
    classes = classes_of(keys(n))
    return classes.sizes()[classes.numbers]


CASES = [
    Case("counts, 10^7 x 6 keys", lambda: cpu_seconds(lambda: counted(TEN_MILLION)), target=1.0),
    Case(
        "counts, 10^7 x 6 keys: memory beyond the keys",
        lambda: peak_megabytes(PREPARATION, WORK),
        target=1000.0,
        unit="MB",
        is_long=True,
    ),
    Case(
        "counts, 10^5 x 5 keys, 2 % missing as wildcards",
        lambda: cpu_seconds(lambda: matching_totals(with_gaps(HUNDRED_THOUSAND), np.ones(HUNDRED_THOUSAND))),
        target=1.0,
        peer=("sdcMicro 5.8", 11.0),
    ),
    Case(
        "counts, n x 6 keys: growth with n, 10^5 to 10^7",
        lambda: growth(counted, (HUNDRED_THOUSAND, MILLION, TEN_MILLION)),
        target=1.3,
        unit="exponent",
    ),
]
