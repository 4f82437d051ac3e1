"""Time the risks of categorical keys."""

from functools import cache

import numpy as np
import polars as pl

from benchmarks.case import Case, cpu_seconds, records
from sfumato.contracts import FileRisk
from sfumato.data import Microdata, Schema
from sfumato.risk import IndividualRisk, KAnonymity, LDiversity, LogLinearRisk, Suda, TCloseness, Uniqueness

HUNDRED_THOUSAND, MILLION = records(100_000), records(1_000_000)
FIVE_KEYS, EIGHT_KEYS = (2, 10, 50, 8, 100), (2, 74, 5, 7, 16, 41, 8, 14)  # categories of each key
SUDA_SIZES = (20, 50, 8, 40, 100, 30, 15, 10)  # categories of each key, small ones much more frequent
FOUR = ("key0", "key1", "key2", "key3")


@cache
def skewed(n: int, keys: int) -> Microdata:
    """Return n records with keys whose first categories are the most frequent, seed 0."""
    rng = np.random.default_rng(0)
    drawn = [np.minimum((2 * rng.pareto(1.0, n)).astype(np.int64), size - 1) for size in SUDA_SIZES[:keys]]
    frame = pl.DataFrame({f"key{place}": column for place, column in enumerate(drawn)})
    return Microdata(frame, Schema.infer(frame).with_kinds(nominal=frame.columns).with_roles(key=frame.columns))


@cache
def survey(n: int, sizes: tuple[int, ...], missing: float = 0.0) -> Microdata:
    """Return n records with evenly drawn keys, a share of them missing, and an illness of ten, seed 0."""
    rng = np.random.default_rng(0)
    columns = {f"key{place}": rng.integers(0, size, n) for place, size in enumerate(sizes)}
    gaps = {name: pl.Series(rng.random(n) < missing) for name in columns}
    frame = pl.DataFrame({**columns, "illness": rng.integers(0, 10, n)})
    frame = frame.with_columns(
        pl.when(gap).then(None).otherwise(pl.col(name)).alias(name) for name, gap in gaps.items()
    )
    schema = Schema.infer(frame).with_kinds(nominal=frame.columns)
    return Microdata(frame, schema.with_roles(key=list(columns), confidential=["illness"]))


@cache
def weighted(n: int) -> Microdata:
    """Return the records of `skewed` with five keys and weights of 1 to 200, seed 1."""
    frame = skewed(n, 5).frame.with_columns(persons=np.random.default_rng(1).uniform(1, 200, n))
    keys = frame.columns[:-1]
    schema = Schema.infer(frame).with_kinds(nominal=keys, continuous=["persons"])
    return Microdata(frame, schema.with_roles(key=keys, weight=["persons"]))


def measuring(measure: FileRisk, n: int, sizes: tuple[int, ...], missing: float = 0.0) -> float:
    """Return the CPU time of the risk of a made survey, codes and counts included."""
    data = survey(n, sizes, missing)
    return cpu_seconds(lambda: measure.of(Microdata(data.frame, data.schema)))


CASES: list[Case] = [
    Case("k-anonymity, 10^6 x 5 keys", lambda: measuring(KAnonymity(), MILLION, FIVE_KEYS), target=0.3),
    Case(
        "k-anonymity, 10^5 x 5 keys, 2 % missing as wildcards",
        lambda: measuring(KAnonymity(), HUNDRED_THOUSAND, FIVE_KEYS, missing=0.02),
        target=1.0,
    ),
    Case("k-anonymity, 30 000 x 8 keys", lambda: measuring(KAnonymity(), records(30_000), EIGHT_KEYS), target=0.2),
    Case("l-diversity, 10^5 x 5 keys", lambda: measuring(LDiversity(), HUNDRED_THOUSAND, FIVE_KEYS), target=0.036),
    Case("l-diversity, 30 000 x 8 keys", lambda: measuring(LDiversity(), records(30_000), EIGHT_KEYS), target=0.2),
    Case(
        "t-closeness, 30 000 x 8 keys",
        lambda: measuring(TCloseness(), records(30_000), EIGHT_KEYS),
        target=0.2,
        peer=("pycanon 1.3.6", 87.4),
    ),
    Case(
        "suda, 10^5 x 6 keys, sets of any size",
        lambda: cpu_seconds(lambda: Suda().of(skewed(HUNDRED_THOUSAND, 6))),
        target=0.3,
    ),
    Case(
        "suda, 10^6 x 8 keys, sets of up to 3",
        lambda: cpu_seconds(lambda: Suda(max_size=3).of(skewed(MILLION, 8))),
        target=2.0,
    ),
    Case(
        "individual risk, 10^6 x 5 keys",
        lambda: cpu_seconds(lambda: IndividualRisk().of(weighted(MILLION))),
        target=1.0,
    ),
    Case("uniqueness, 10^6 x 5 keys", lambda: cpu_seconds(lambda: Uniqueness().of(weighted(MILLION))), target=1.0),
    Case(
        "log-linear risk, 10^6 x 4 keys, all two-way tables",
        lambda: cpu_seconds(lambda: LogLinearRisk(columns=FOUR).of(weighted(MILLION))),
        target=5.0,
    ),
]
