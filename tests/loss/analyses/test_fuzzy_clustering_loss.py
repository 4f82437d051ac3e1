"""Fuzzy clustering loss: against the conditions of an optimum, and the objectives printed for Census."""

import numpy as np
import pytest

from sfumato.data import Microdata
from sfumato.datasets import reference
from sfumato.errors import DataError
from sfumato.loss import FuzzyClusteringLoss
from sfumato.loss.analyses._fuzzy_c_means import best_fuzzy_clusters, fuzzy_clusters
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.standardisation import z_scores
from tests.matrices import microdata, names_of


def clouds(n: int = 60) -> FloatMatrix:
    rng = np.random.default_rng(1)
    return np.asarray(rng.normal(size=(n, 2)) + 8 * rng.integers(0, 3, size=(n, 1)), dtype=np.float64)


def test_the_clusters_meet_the_conditions_of_an_optimum() -> None:
    records = clouds()
    found = best_fuzzy_clusters(records, 3, 1.7, 4, np.random.default_rng(2))
    squares = ((records[:, None] - found.centres) ** 2).sum(axis=2)
    plain = np.array([[1 / sum((d / e) ** (1 / 0.7) for e in row) for d in row] for row in squares.tolist()])
    assert found.memberships == pytest.approx(plain)
    weights = plain**1.7
    assert found.objective == pytest.approx((weights * squares).sum())
    centres = (weights[:, :, None] * records[:, None]).sum(axis=0) / weights.sum(axis=0)[:, None]
    assert found.centres == pytest.approx(centres, abs=1e-3)


@pytest.mark.reference
def test_finds_the_optima_that_are_printed_for_census() -> None:
    census = reference("census")
    records = z_scores(census.matrix(census.schema.names))
    drawn = (np.random.default_rng(seed).choice(1080, 10, replace=False) for seed in (0, 3, 12))
    found = {int(fuzzy_clusters(records, records[rows], 1.5).objective) for rows in drawn}
    assert found == {2826, 2851, 2867}  # all three are printed


def test_nothing_is_lost_where_nothing_changed() -> None:
    data = microdata(clouds())
    found = FuzzyClusteringLoss(columns=data.schema.names, clusters=3).measure(data, data)
    assert found.value == pytest.approx(0, abs=1e-3)
    assert found.parts["FCobjective"] == pytest.approx(100, abs=1e-3)


def test_more_noise_loses_more_and_files_in_another_order_are_the_same() -> None:
    matrix = clouds()
    data, noise = microdata(matrix), np.random.default_rng(3).normal(size=matrix.shape)
    measure = FuzzyClusteringLoss(columns=names_of(matrix), clusters=3)

    def loss(scale: float, order: list[int] | None = None) -> float:
        rows = order or list(range(60))
        return measure.measure(data, microdata((matrix + scale * noise)[rows], rows)).value

    assert loss(0.3) < loss(1.0) < loss(4.0)
    assert loss(1.0, list(range(59, -1, -1))) == pytest.approx(loss(1.0))


def test_a_record_without_masked_values_has_lost_its_clusters() -> None:
    matrix = clouds()
    gaps = matrix.copy()
    gaps[:6, 0] = np.nan
    found = FuzzyClusteringLoss(columns=names_of(matrix), clusters=3).measure(microdata(matrix), microdata(gaps))
    assert found.per_record is not None
    assert (found.per_record[:6] == 100).all()


def test_refuses_more_clusters_than_different_records() -> None:
    data: Microdata = microdata(np.repeat([[1.0], [2.0]], 5, axis=0))
    with pytest.raises(DataError, match="3 clusters need as many different records"):
        FuzzyClusteringLoss(columns=("v0",), clusters=3).measure(data, data)
