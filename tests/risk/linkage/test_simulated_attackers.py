"""Attackers of all kinds link no more than is proven: by random weights, any metric, classifiers that were trained."""

from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.data import Microdata
from sfumato.masking import AdditiveNoise, CorrelatedNoise, MixtureNoise
from sfumato.numerics.arrays import FloatMatrix
from sfumato.risk import LikelihoodLinkage

NAMES = ("x0", "x1", "x2")
N = 250
METRICS = ("euclidean", "cityblock", "chebyshev", "cosine", "canberra", "braycurtis", "mahalanobis")


def people() -> Microdata:
    rng = np.random.default_rng(2)
    matrix = np.exp(rng.normal(size=(N, 3)) @ (np.eye(3) + 0.4 * rng.normal(size=(3, 3))) / 2)
    return Microdata(pl.DataFrame(matrix, schema=list(NAMES)))


def features(before: FloatMatrix, after: FloatMatrix) -> FloatMatrix:
    """Return what a classifier sees of each pair (masked x originals x features): how far apart its values are."""
    return np.asarray(np.abs(after[:, None] - before) / before.std(axis=0), dtype=np.float64)


def distances(data: Microdata, masked: Microdata, method: MaskingMethod) -> Iterator[FloatMatrix]:
    """Yield how far each attacker holds each masked record from each original one (masked x originals)."""
    rng = np.random.default_rng(3)
    before, after = data.matrix(NAMES), masked.matrix(NAMES)
    apart = features(before, after)
    for _ in range(20):
        yield (apart ** rng.uniform(0.5, 3) * rng.exponential(size=3)).sum(axis=2)
    for metric in METRICS:
        yield cdist(after, before, metric)
    own = features(before, method.mask(data, np.random.default_rng(4)).matrix(NAMES))  # a run of the attacker's own
    rows, columns = np.concatenate([[np.arange(N)] * 2, rng.integers(0, N, (2, 4 * N))], axis=1)
    for classifier in (LogisticRegression(), RandomForestClassifier(60, min_samples_leaf=5, random_state=0, n_jobs=1)):
        classifier.fit(own[rows, columns], rows == columns)
        yield -classifier.predict_proba(apart.reshape(-1, 3))[:, 1].reshape(N, N)


@pytest.mark.parametrize(
    "method",
    [
        AdditiveNoise(columns=NAMES, scale=0.4),
        CorrelatedNoise(columns=NAMES, variance_ratio=0.2),
        MixtureNoise(columns=NAMES, variance_ratio=0.3),
    ],
    ids=lambda method: method.name(),
)
def test_no_attacker_beats_what_is_proven(method: MaskingMethod) -> None:
    data = people()
    masked = method.mask(data, np.random.default_rng(1))
    found = LikelihoodLinkage(columns=NAMES, max_candidates=N).informed_by(Knowledge.of((method,), data))
    told = found.measure(data, masked)
    assert "which is proven" in told.remark
    assert told.bound is not None
    by_row = told.parts["row by row"]
    truth = np.arange(N)
    for attack in distances(data, masked, method):
        alone = 100 * np.mean(attack.argmin(axis=1) == truth)
        together = 100 * np.mean(linear_sum_assignment(attack)[1] == truth)
        assert alone <= by_row + 3 * np.sqrt(by_row * (100 - by_row) / N)
        assert together <= told.bound + 3 * np.sqrt(told.bound * (100 - told.bound) / N)
