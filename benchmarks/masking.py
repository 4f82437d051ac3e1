"""Masking a large file, through the scheduler that recipes use."""

from functools import cache

import numpy as np
import polars as pl

from benchmarks.case import Case, cpu_seconds
from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata, Schema, Variable, numeric
from sfumato.execution import run_step
from sfumato.masking import AdditiveNoise, CorrelatedNoise, Mdav, RankSwapping, TopCoding


@cache
def gauss(n: int, d: int) -> pl.DataFrame:
    """Return correlated normal records, seed 0."""
    rng = np.random.default_rng(0)
    return pl.DataFrame(rng.normal(size=(n, d)) @ rng.normal(size=(d, d)), schema=[f"x{i}" for i in range(d)])


def masking(method: MaskingMethod, n: int, d: int = 10, repeats: int = 3) -> float:
    """Return the CPU time of masking normal records with two threads, the summary of the file included."""
    frame = gauss(n, d)
    schema = Schema(variables=tuple(Variable(name=name, kind=Kind.CONTINUOUS) for name in frame.columns))
    return cpu_seconds(lambda: run_step(method, Microdata(frame, schema), seed=1, step=0, threads=2), repeats)


CASES = [
    Case(
        "rank swapping 10 %, 10^6 x 10",
        lambda: masking(RankSwapping(columns=numeric, window=10), 1_000_000),
        target=3.0,
        peer=("sdcMicro 5.8, not finished", 336.0),
    ),
    Case(
        "correlated noise, 10^6 x 10",
        lambda: masking(CorrelatedNoise(columns=numeric), 1_000_000),
        target=1.5,
        peer=("sdcMicro 5.8", 2.5),
    ),
    Case("additive noise, 10^6 x 10", lambda: masking(AdditiveNoise(columns=numeric), 1_000_000), target=1.5),
    Case("top coding, 10^6 x 1", lambda: masking(TopCoding(columns=numeric, percent=5), 1_000_000, 1), target=0.2),
    Case(
        "mdav k = 3, 2 x 10^4 x 10",
        lambda: masking(Mdav(columns=numeric, group_size=3), 20_000, repeats=1),
        target=3.7,
        peer=("sdcMicro 5.8", 3.7),
    ),
]
