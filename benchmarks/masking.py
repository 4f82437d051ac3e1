"""Masking a large file, through the scheduler that recipes use."""

from functools import cache

import numpy as np
import polars as pl

from benchmarks.case import Case, cpu_seconds, records
from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata, Schema, Variable, numeric
from sfumato.datasets import demo
from sfumato.execution import run_step
from sfumato.masking import (
    AdditiveNoise,
    CorrelatedNoise,
    InvariantPram,
    IpsoC,
    LossyCompression,
    Mdav,
    RankSwapping,
    Recoding,
    Resampling,
    Rounding,
    SequentialSynthesis,
    Shuffling,
    TopCoding,
    UnivariateMicroaggregation,
)

MILLION = records(1_000_000)
LEVELS = [f"level {number}" for number in range(9)]


@cache
def gauss(n: int, d: int) -> Microdata:
    """Return correlated normal records, seed 0."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(rng.normal(size=(n, d)) @ rng.normal(size=(d, d)), schema=[f"x{i}" for i in range(d)])
    return Microdata(
        frame, Schema(variables=tuple(Variable(name=name, kind=Kind.CONTINUOUS) for name in frame.columns))
    )


@cache
def levels(n: int) -> Microdata:
    """Return one nominal column of nine unequal levels, seed 0."""
    shares = np.arange(1, 10) / 45
    codes = np.random.default_rng(0).choice(9, size=n, p=shares)
    frame = pl.DataFrame({"level": pl.Series(LEVELS).gather(codes)})
    return Microdata(frame, Schema(variables=(Variable(name="level", kind=Kind.NOMINAL),)))


def masking(method: MaskingMethod, data: Microdata, repeats: int = 3) -> float:
    """Return the CPU time of masking with two threads, the summary of the file included."""
    return cpu_seconds(lambda: run_step(method, Microdata(data.frame, data.schema), seed=1, step=0, threads=2), repeats)


def synthesis() -> float:
    """Return the CPU time of synthesising ten mixed columns of the demo survey."""
    columns = (
        *("region", "age", "sex", "marital_status", "education"),
        *("occupation", "wage_income", "tax", "expenditure", "savings"),
    )
    return masking(SequentialSynthesis(columns=columns), demo(records(10_000)), repeats=1)


def large_synthesis() -> float:
    """Return the CPU time of synthesising fifteen columns of a large survey."""
    data = demo(records(100_000))
    left_out = ("household_id", "person_id", "total_income", "sampling_weight")
    columns = tuple(name for name in data.schema.names if name not in left_out)
    return masking(SequentialSynthesis(columns=columns), data, repeats=1)


CASES = [
    Case(
        "rank swapping 10 %, 10^6 x 10",
        lambda: masking(RankSwapping(columns=numeric, window=10), gauss(MILLION, 10)),
        target=3.0,
        peer=("sdcMicro 5.8, not finished", 336.0),
    ),
    Case(
        "rank swapping 1 %, 3 of 10 columns, 10^7",
        lambda: masking(RankSwapping(columns=("x0", "x1", "x2"), window=1), gauss(records(10_000_000), 10), repeats=1),
        target=30.0,
        is_long=True,
    ),
    Case(
        "correlated noise, 10^6 x 10",
        lambda: masking(CorrelatedNoise(columns=numeric), gauss(MILLION, 10)),
        target=1.5,
        peer=("sdcMicro 5.8", 2.5),
    ),
    Case("additive noise, 10^6 x 10", lambda: masking(AdditiveNoise(columns=numeric), gauss(MILLION, 10)), target=1.5),
    Case(
        "mdav k = 3, 2 x 10^4 x 10",
        lambda: masking(Mdav(columns=numeric, k=3), gauss(records(20_000), 10), repeats=1),
        target=3.7,
        peer=("sdcMicro 5.8", 3.7),
    ),
    Case(
        "invariant pram, 9 levels, 10^6",
        lambda: masking(InvariantPram(columns=("level",)), levels(MILLION)),
        target=1.0,
        peer=("sdcMicro 5.8", 6.5),
    ),
    Case(
        "resampling t = 3, 10^6", lambda: masking(Resampling(columns=numeric, samples=3), gauss(MILLION, 1)), target=5.0
    ),
    Case(
        "lossy compression, 10^6 x 10",
        lambda: masking(LossyCompression(columns=numeric), gauss(MILLION, 10)),
        target=3.0,
    ),
    Case(
        "univariate microaggregation k = 5, 10^6",
        lambda: masking(UnivariateMicroaggregation(columns=numeric, k=5), gauss(MILLION, 1)),
        target=1.0,
    ),
    Case(
        "recoding, 10^6",
        lambda: masking(Recoding(columns=("level",), map={level: level[-1] for level in LEVELS}), levels(MILLION)),
        target=0.2,
        note="Text is coded and written back by the dataframe library; that is nearly all of it.",
    ),
    Case("top coding, 10^6", lambda: masking(TopCoding(columns=numeric, percent=5), gauss(MILLION, 1)), target=0.2),
    Case("rounding, 10^6", lambda: masking(Rounding(columns=numeric, base=0.5), gauss(MILLION, 1)), target=0.2),
    Case(
        "ipso-c, 5 columns given 5, 10^6",
        lambda: masking(
            IpsoC(columns=tuple(f"x{i}" for i in range(5)), given=tuple(f"x{i}" for i in range(5, 10))),
            gauss(MILLION, 10),
        ),
        target=5.0,
    ),
    Case("shuffling, 10^5 x 3", lambda: masking(Shuffling(columns=numeric), gauss(records(100_000), 3)), target=2.0),
    Case("sequential synthesis, 10^4 x 10 mixed", synthesis, target=3.6, peer=("synthpop's CART", 3.6)),
    Case("sequential synthesis, 10^5 x 15 mixed", large_synthesis, target=60.0),
]
