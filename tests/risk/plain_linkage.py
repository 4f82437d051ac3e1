"""Linkage by weights in plain double loops, to hold the measures against."""

from math import inf, isnan, log, log1p

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from sfumato.contracts import Measurement
from sfumato.data import Kind, Microdata, Variable
from sfumato.numerics.arrays import FloatMatrix
from sfumato.risk import ExpectationMaximisationLinkage, ProbabilisticLinkage, SelfTrainedLinkage
from sfumato.risk.linkage._assignment import Links
from sfumato.risk.linkage._discrepancies import Metric
from tests.matrices import microdata, names_of

NAN = float("nan")
TOLERANCES = {"relative": 0.2, "logarithmic": 0.15, "rank": 0.5, "standardised": 2.0}

every_metric = pytest.mark.parametrize("metric", list(Metric))
Linkage = type[ProbabilisticLinkage | ExpectationMaximisationLinkage | SelfTrainedLinkage]
LINKAGES: list[Linkage] = [ProbabilisticLinkage, ExpectationMaximisationLinkage, SelfTrainedLinkage]
every_linkage = pytest.mark.parametrize("linkage", LINKAGES, ids=lambda linkage: linkage.name())


def measured(
    original: FloatMatrix, masked: FloatMatrix, linkage: Linkage = ProbabilisticLinkage, **parameters: object
) -> Measurement:
    measure = linkage(columns=names_of(original), **parameters)
    return measure.measure(microdata(original), microdata(masked))


def linked(
    original: FloatMatrix, masked: FloatMatrix, linkage: Linkage = ProbabilisticLinkage, **parameters: object
) -> Links:
    measure = linkage(columns=names_of(original), **parameters)
    return measure.links(microdata(original), microdata(masked))


def example(n: int = 60, d: int = 3, noise: float = 0.3, seed: int = 6) -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(seed)
    original = np.exp(rng.normal(3, 1, size=(n, d)))
    return original, original + noise * original.std(axis=0) * rng.normal(size=(n, d))


def middle_rank(value: float, column: list[float]) -> float:
    known = [x for x in column if not isnan(x)]
    return (sum(x < value for x in known) + sum(x <= value for x in known)) / 2 / len(known)


def plain_logarithm(value: float, column: list[float]) -> float:
    if min(x for x in column if not isnan(x)) > 0:
        return log(value) if value > 0 else -inf
    return log1p(value) if value >= 0 else -log1p(-value)


def plain_discrepancy(a: float, b: float, before: list[float], after: list[float], metric: str) -> float:
    """Return how far a value of an original column is from a value of the masked one."""
    if metric == "rank":
        return abs(middle_rank(a, before) - middle_rank(b, after))
    if metric == "standardised":
        return abs(a - b) / float(np.nanstd(before, ddof=1))
    if metric == "logarithmic":
        a, b = plain_logarithm(a, before), plain_logarithm(b, before)
    return abs(a - b) / max(abs(a), 0.1)


def plain_weights(original: FloatMatrix, masked: FloatMatrix, metric: str, agreement: list[float]) -> FloatMatrix:
    """Return the weight of each masked record with each original one, in plain loops."""
    before, after, tolerance = original.T.tolist(), masked.T.tolist(), TOLERANCES[metric]
    table = np.zeros((len(masked), len(original)))
    for k, record in enumerate(masked.tolist()):
        for i, candidate in enumerate(original.tolist()):
            for j, (a, b) in enumerate(zip(candidate, record, strict=True)):
                if not isnan(a) and not isnan(b):
                    away = plain_discrepancy(a, b, before[j], after[j], metric)
                    table[k, i] += agreement[j] * max(1 - away / tolerance, 0)
    return table


def assert_are_the_best_links(links: Links, table: FloatMatrix) -> None:
    """Look that links are one to one, have the weights of a table, fall, and reach its largest total."""
    for rows in (links.masked_rows, links.original_rows):
        assert len(set(rows.tolist())) == len(rows)
    assert links.weights.tolist() == pytest.approx(table[links.masked_rows, links.original_rows].tolist())
    assert (np.diff(links.weights) <= 0).all()
    best = linear_sum_assignment(table, maximize=True)
    assert links.weights.sum() == pytest.approx(table[best].sum())


def with_areas(matrix: FloatMatrix, areas: list[str]) -> Microdata:
    area = Variable(name="area", kind=Kind.NOMINAL)
    return microdata(matrix).with_column(area, areas)
