"""Likelihood linkage: an intruder with the recipe, on Census and on large files."""

from collections.abc import Callable
from functools import cache

import numpy as np
import polars as pl

from benchmarks.case import Case, cpu_seconds, peak_megabytes, records
from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.data import Microdata
from sfumato.datasets import reference
from sfumato.intruder import Runs, link_bound, model_by_runs, posterior_of
from sfumato.masking import CorrelatedNoise, MixtureNoise, RankSwapping
from sfumato.risk import LikelihoodLinkage

TEN_THOUSAND, HUNDRED_THOUSAND, MILLION = map(records, (10_000, 100_000, 1_000_000))
PREPARATION = """
import benchmarks.likelihood_linkage as linkage
linkage.attacking(linkage.noise, 1000)
linkage.masked(linkage.noise, linkage.MILLION)"""
WORK = "linkage.attacking(linkage.noise, linkage.MILLION, repeats=0)"


def noise(names: tuple[str, ...]) -> MaskingMethod:
    """Return correlated noise of a tenth of the variance."""
    return CorrelatedNoise(columns=names, variance_ratio=0.1)


def mixture(names: tuple[str, ...]) -> MaskingMethod:
    """Return mixture noise of a fifth of the variance."""
    return MixtureNoise(columns=names, variance_ratio=0.2)


def swapping(window: float) -> Callable[[tuple[str, ...]], MaskingMethod]:
    """Return rank swapping within a window, in percent."""
    return lambda names: RankSwapping(columns=names, window=window)


def census() -> Microdata:
    """Return Census."""
    return reference("census")


@cache
def incomes(n: int) -> Microdata:
    """Return correlated lognormal records in 7 columns, seed 0."""
    rng = np.random.default_rng(0)
    values = np.exp(rng.normal(size=(n, 7)) @ (np.eye(7) + 0.3 * rng.normal(size=(7, 7))) / 2)
    return Microdata(pl.DataFrame(values, schema=[f"x{i}" for i in range(7)]))


def masked(method: Callable[[tuple[str, ...]], MaskingMethod], n: int) -> tuple[Microdata, Microdata, MaskingMethod]:
    """Return a file, Census for 0 records, its masked form and the method."""
    original = incomes(n) if n else census()
    step = method(tuple(original.schema.names))
    return original, step.mask(original, np.random.default_rng(1)), step


def attacking(method: Callable[[tuple[str, ...]], MaskingMethod], n: int, repeats: int = 1) -> float:
    """Return the CPU time of one measurement; of the first one, and nothing, without repeats."""
    original, released, step = masked(method, n)
    measure = LikelihoodLinkage(columns=step.columns).informed_by(Knowledge.of([step], original))
    if not repeats:
        measure.measure(original, released)
        return 0.0
    return cpu_seconds(lambda: measure.measure(original, released), repeats)


def bounding(method: Callable[[tuple[str, ...]], MaskingMethod], n: int, repeats: int = 1) -> float:
    """Return the CPU time of the bound alone, after the attack is done."""
    original, released, step = masked(method, n)
    names = tuple(original.schema.names)
    runs = Runs.of(original, released, (step,), 0)
    model = model_by_runs(runs, released, names)
    posterior = posterior_of(model, 64)
    return cpu_seconds(lambda: link_bound(runs, released, names, model, posterior), repeats)


CASES = [
    Case("bound of mixture noise, Census", lambda: bounding(mixture, 0, repeats=3), target=1.0),
    Case("bound of noise, 10^4 x 7", lambda: bounding(noise, TEN_THOUSAND), target=6.0),
    Case("bound of noise, 10^5 x 7", lambda: bounding(noise, HUNDRED_THOUSAND), target=60.0, is_long=True),
    Case("likelihood linkage, mixture noise, Census", lambda: attacking(mixture, 0, repeats=3), target=3.0),
    Case("likelihood linkage, rank swapping 30, Census", lambda: attacking(swapping(30), 0, repeats=3), target=3.0),
    Case("likelihood linkage, noise, 10^5 x 7", lambda: attacking(noise, HUNDRED_THOUSAND), target=120.0, is_long=True),
    Case(
        "likelihood linkage, mixture noise, 10^5 x 7",
        lambda: attacking(mixture, HUNDRED_THOUSAND),
        target=120.0,
        is_long=True,
    ),
    Case(
        "likelihood linkage, rank swapping 10, 10^5 x 7",
        lambda: attacking(swapping(10), HUNDRED_THOUSAND),
        target=120.0,
        is_long=True,
    ),
    Case("likelihood linkage, noise, 10^6 x 7", lambda: attacking(noise, MILLION), target=1200.0, is_long=True),
    Case(
        "likelihood linkage, noise, 10^6 x 7: memory beyond the files",
        lambda: peak_megabytes(PREPARATION, WORK),
        target=4000.0,
        unit="MB",
        is_long=True,
    ),
]
