"""Thirty ways to mask three files: by how much the likelihood falls short of the best other attack, at most."""

from collections.abc import Callable

import numpy as np

from benchmarks.case import QUICK, Case
from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.data import Microdata
from sfumato.datasets import demo
from sfumato.masking import (
    AdditiveNoise,
    CorrelatedNoise,
    Mdav,
    MixtureNoise,
    RankSwapping,
    RankSwappingBuckets,
    RankSwappingDistribution,
    Rounding,
    SequentialSynthesis,
)
from sfumato.papers.files import Files
from sfumato.recipe import Recipe
from sfumato.risk import WorstCaseLinkage

LIKELIHOOD, NO_ATTACKS = "likelihood, ", {"some attack", *WorstCaseLinkage.part_symbols}
SURVEY = ("age", "total_income", "expenditure", "savings")
CELLS: list[tuple[type[MaskingMethod], str, tuple[float, ...]]] = [
    (MixtureNoise, "variance_ratio", (0.05, 0.2, 0.5, 1.0)),
    (CorrelatedNoise, "variance_ratio", (0.05, 0.2, 0.5, 1.0)),
    (AdditiveNoise, "scale", (0.1, 0.3, 0.5, 1.0)),
    (RankSwapping, "window", (5, 10, 15, 20, 30)),
    (RankSwappingDistribution, "window", (5, 10, 20, 30)),
    (RankSwappingBuckets, "buckets", (20, 10, 5)),
    (Mdav, "k", (3, 5, 10)),
    (Rounding, "base", (100, 10_000)),
    (SequentialSynthesis, "min_leaf", (5,)),
]


def census() -> Microdata:
    """Return Census."""
    return Files().census


def eia() -> Microdata:
    """Return the amounts of the first thousand records of EIA."""
    return Files().eia.take_rows(np.arange(1000))


def survey() -> Microdata:
    """Return the demo survey, those without missing values, and no households."""
    data = demo(1000).take_columns(SURVEY)
    return data.take_rows(np.flatnonzero(~np.isnan(data.matrix(SURVEY)).any(axis=1)))


def largest_shortfall(file: Callable[[], Microdata]) -> float:
    """Return by how many standard errors the likelihood links less than the best other attack, in the worst cell."""
    data, cells = file(), CELLS
    if QUICK:
        data, cells = data.take_rows(np.arange(60)), [(method, name, some[:1]) for method, name, some in CELLS[:4]]
    return max(
        shortfall(data, method(columns=data.schema.names, **{name: parameter}))
        for method, name, parameters in cells
        for parameter in parameters
    )


def shortfall(data: Microdata, step: MaskingMethod) -> float:
    """Return the standard errors of one way to mask, seed 7; below 0 where the likelihood links more."""
    masked = Recipe(steps=[step], seed=7).run(data)
    attacks = WorstCaseLinkage(columns=data.schema.names).informed_by(Knowledge.of([step], data))
    parts = attacks.measure(data, masked).parts
    likely = max(part for name, part in parts.items() if name.startswith(LIKELIHOOD)) / 100
    other = max(p for name, p in parts.items() if not name.startswith(LIKELIHOOD) and name not in NO_ATTACKS) / 100
    return float((other - likely) / np.sqrt(max(likely * (1 - likely), 1 / data.n) / data.n))


CASES = [
    Case(
        f"shortfall of the likelihood in the worst of 30 cells, {name}",
        lambda file=file: largest_shortfall(file),  # type: ignore[misc]
        target=2.0,
        unit="standard errors",
        is_long=True,
    )
    for name, file in (("Census", census), ("EIA, 1000 records", eia), ("demo survey", survey))
]
