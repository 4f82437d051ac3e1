"""Probabilistic linkage of an original file with its rank-swapped form."""

from functools import cache

import numpy as np
import polars as pl

from benchmarks.case import Case, cpu_seconds, records
from sfumato.contracts import RiskMeasure
from sfumato.data import Kind, Microdata, Schema, Variable, numeric
from sfumato.execution import run_step
from sfumato.masking import RankSwapping
from sfumato.risk import ExpectationMaximisationLinkage, ProbabilisticLinkage


@cache
def swapped(n: int, d: int, window: float, blocks: int) -> tuple[Microdata, Microdata]:
    """Return correlated lognormal records, seed 0, with a column of `blocks` areas, and their rank-swapped form."""
    rng = np.random.default_rng(0)
    values = np.exp(rng.normal(size=(n, d)) @ (np.eye(d) + 0.3 * rng.normal(size=(d, d))))
    frame = pl.DataFrame(values, schema=[f"x{i}" for i in range(d)]).with_columns(area=rng.integers(blocks, size=n))
    kinds = {name: Kind.NOMINAL if name == "area" else Kind.CONTINUOUS for name in frame.columns}
    schema = Schema(variables=tuple(Variable(name=name, kind=kind) for name, kind in kinds.items()))
    data = Microdata(frame, schema)
    return data, run_step(RankSwapping(columns=numeric, window=window), data, seed=1, step=0)


def linking(measure: RiskMeasure, n: int, d: int, window: float, repeats: int = 1, blocks: int = 1) -> float:
    """Return the CPU time of one measurement."""
    files = swapped(n, d, window, blocks)
    return cpu_seconds(lambda: measure.measure(*files), repeats)


CASES = [
    Case(
        "probabilistic linkage, equal weights, 1080 x 13",
        lambda: linking(ProbabilisticLinkage(columns=numeric), records(1080), 13, 10, repeats=3),
        target=2.0,
        peer=("an R package of record linkage, on Census", 9.0),
    ),
    Case(
        "probabilistic linkage, estimated weights, 1080 x 13",
        lambda: linking(ExpectationMaximisationLinkage(columns=numeric), records(1080), 13, 10, repeats=3),
        target=5.0,
    ),
    Case(
        "probabilistic linkage, 10^5 x 7 in 100 blocks",
        lambda: linking(ProbabilisticLinkage(columns=numeric, blocking=("area",)), records(100_000), 7, 2, blocks=100),
        target=60.0,
    ),
    Case(
        "probabilistic linkage, estimated weights by rank, 10^5 x 7",
        lambda: linking(ExpectationMaximisationLinkage(columns=numeric, metric="rank"), records(100_000), 7, 2),
        target=60.0,
    ),
]
