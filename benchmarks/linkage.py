"""Distance linkage of a large file with its noisy form."""

from functools import cache

import numpy as np
import polars as pl

from benchmarks.case import Case, cpu_seconds, growth, peak_megabytes, records
from sfumato.data import Kind, Microdata, Schema, Variable, numeric
from sfumato.risk import DistanceLinkage

TEN_THOUSAND, HUNDRED_THOUSAND, MILLION = map(records, (10_000, 100_000, 1_000_000))
PREPARATION = """
import benchmarks.linkage as linkage
linkage.linking(1000, 7, 0.1)
linkage.noisy(linkage.MILLION, 7, 0.1)"""
WORK = "linkage.linking(linkage.MILLION, 7, 0.1, repeats=0)"


@cache
def noisy(n: int, d: int, noise: float) -> tuple[Microdata, Microdata]:
    """Return independent normal records, seed 0, and their form with noise of so many deviations."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n, d))
    names = [f"x{i}" for i in range(d)]
    schema = Schema(variables=tuple(Variable(name=name, kind=Kind.CONTINUOUS) for name in names))
    original, masked = (
        Microdata(pl.DataFrame(matrix, schema=names), schema)
        for matrix in (values, values + noise * rng.normal(size=(n, d)))
    )
    return original, masked


def linking(n: int, d: int, noise: float, repeats: int = 1, **parameters: object) -> float:
    """Return the CPU time of linking by all columns at once, or as the parameters say."""
    files = noisy(n, d, noise)
    stated = {"scenarios": (tuple(files[0].schema.names),), **parameters}
    measure = DistanceLinkage.model_validate({"columns": numeric, **stated})
    if not repeats:
        measure.measure(*files)
        return 0.0
    return cpu_seconds(lambda: measure.measure(*files), repeats)


CASES = [
    Case("distance linkage, noise 0.1, 10^5 x 7", lambda: linking(HUNDRED_THOUSAND, 7, 0.1, repeats=3), target=2.0),
    Case(
        "distance linkage, noise 0.1, 10^5 x 7, seven scenarios",
        lambda: linking(HUNDRED_THOUSAND, 7, 0.1, scenarios=()),
        target=14.0,
    ),
    Case("distance linkage, noise 1, 10^5 x 13", lambda: linking(HUNDRED_THOUSAND, 13, 1.0), target=40.0),
    Case(
        "distance linkage, noise 0.1, Manhattan, 10^5 x 7",
        lambda: linking(HUNDRED_THOUSAND, 7, 0.1, distance="manhattan"),
        target=4.0,
    ),
    Case("distance linkage, noise 0.1, 10^6 x 7", lambda: linking(MILLION, 7, 0.1), target=60.0, is_long=True),
    Case(
        "distance linkage, noise 0.1, 10^6 x 7: memory beyond the files",
        lambda: peak_megabytes(PREPARATION, WORK),
        target=1000.0,
        unit="MB",
        is_long=True,
    ),
    Case(
        "distance linkage, noise 0.1, n x 7: growth with n, 10^3 to 10^5",
        lambda: growth(lambda n: linking(n, 7, 0.1, repeats=0), (1000, TEN_THOUSAND, HUNDRED_THOUSAND)),
        target=1.4,
        unit="exponent",
    ),
]
