"""The likely originals by branch and bound, held against a look at every pair."""

import numpy as np
import pytest
from scipy.special import logsumexp

from sfumato.kernels.linkage.likelihood_tables import Tables, join_grids
from sfumato.kernels.linkage.likely_records import FAR_BELOW, MISSING, Likely, likely_records
from sfumato.kernels.linkage.unlikely_records import record_by_lot
from sfumato.kernels.neighbours.kd_tree import grow_tree
from sfumato.numerics.arrays import Floats, Integers
from sfumato.numerics.densities import STANDARD_NORMAL, Density, Displacements, NormalMixture, Transitions

MIXTURE = NormalMixture(np.array([0.3, 0.7]), np.array([-1.5, 0.6]), 0.05)


def transitions(rng: np.random.Generator) -> Transitions:
    matrix = rng.random((4, 4)) * (rng.random((4, 4)) < 0.8) + np.eye(4)
    return Transitions(matrix / matrix.sum(axis=1, keepdims=True))


def displacements(rng: np.random.Generator) -> Displacements:
    return Displacements(np.log(rng.random((5, 41)) ** 8))


class Files:
    """Originals and masked records with places in several coordinates, on their grids."""

    def __init__(self, densities: list[Density], n: int, m: int, missing: float, rng: np.random.Generator) -> None:
        columns = [self.column(density, n + m, rng) for density in densities]
        matrix = np.column_stack(columns)
        matrix[rng.random(matrix.shape) < missing] = np.nan
        self.before, self.after = matrix[:n], matrix[n:]
        self.densities = densities
        self.weights = np.log(rng.integers(1, 4, size=n).astype(np.float64))

    @staticmethod
    def column(density: Density, size: int, rng: np.random.Generator) -> Floats:
        if isinstance(density, Transitions):
            return rng.integers(4, size=size).astype(np.float64)
        if isinstance(density, Displacements):
            return np.asarray(rng.integers(30, size=size) / 30)
        return np.asarray(np.round(3 * rng.normal(size=size), 1))  # with ties

    @property
    def arrays(self) -> tuple[Floats, Integers, Floats, Tables]:
        grids = [density.grid() for density in self.densities]
        is_missing = np.isnan(self.before)
        positions, levels = np.zeros(self.before.shape), np.full(self.before.shape, MISSING, dtype=np.int64)
        places = np.empty(self.after.shape)
        for c, (density, grid) in enumerate(zip(self.densities, grids, strict=True)):
            some, column = ~is_missing[:, c], self.before[:, c]
            positions[some, c] = density.positions(column[some]) * grid.scale
            levels[some, c] = density.levels(column[some])
            places[:, c] = self.after[:, c] * grid.scale + grid.origin
        return (
            positions,
            levels,
            places,
            join_grids(grids, with_missing=[bool(column.any()) for column in is_missing.T]),
        )

    def search(self, count: int) -> Likely:
        positions, levels, places, tables = self.arrays
        return likely_records(positions, levels, places, tables, self.weights, count)

    def scores(self) -> Floats:
        """Return the score of every pair on the grids, masked x original."""
        positions, levels, places, _ = self.arrays
        total = np.tile(self.weights, (len(places), 1))
        for c, density in enumerate(self.densities):
            table = density.grid().table
            steps = np.floor(np.nan_to_num(places[:, c])[:, None] - positions[:, c] + 0.5).astype(np.int64)
            found = table[np.maximum(levels[:, c], 0), np.clip(steps, 0, table.shape[1] - 1)]
            total += np.where((levels[:, c] < 0) | np.isnan(places[:, c])[:, None], 0.0, found)
        return total


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("count", [1, 6, 40, 400])
def test_finds_what_a_look_at_every_pair_finds(count: int, missing: float) -> None:
    rng = np.random.default_rng(count)
    mixed: list[list[Density]] = [
        [STANDARD_NORMAL] * 3,
        [MIXTURE, MIXTURE],
        [transitions(rng) for _ in range(4)],
        [displacements(rng), displacements(rng)],
        [STANDARD_NORMAL, transitions(rng), displacements(rng), MIXTURE],
    ]
    for densities in mixed:
        files = Files(densities, n=300, m=40, missing=missing, rng=rng)
        found, scores = files.search(count), files.scores()
        for row, score in enumerate(scores):
            kept = found.rows[row][found.rows[row] >= 0]
            best = -np.sort(-score)[:count]
            is_near = best > best[0] - FAR_BELOW
            assert len(set(kept)) == len(kept) >= is_near.sum()
            assert score[kept][: is_near.sum()] == pytest.approx(best[is_near], abs=1e-9)  # most likely first
            rest = np.delete(score, kept)
            lost = np.exp(np.logaddexp.reduce(rest) - best[0])
            assert np.exp(found.cut[row] - best[0]) == pytest.approx(min(lost, 1.0), rel=0.05, abs=0.05) or lost > 1.0


def test_nothing_is_cut_off_where_all_are_asked_for() -> None:
    files = Files([STANDARD_NORMAL, MIXTURE], n=200, m=5, missing=0.0, rng=np.random.default_rng(1))
    files.before /= 50
    found = files.search(200)
    assert np.sort(found.rows, axis=1).tolist() == [list(range(200))] * 5
    assert found.cut.tolist() == [-np.inf] * 5


def test_what_is_cut_off_is_summed_nearly_and_right_on_average() -> None:
    files = Files([STANDARD_NORMAL] * 2, n=4000, m=200, missing=0.0, rng=np.random.default_rng(2))
    found, scores = files.search(5), files.scores()
    rest = np.array([logsumexp(np.delete(score, kept)) for score, kept in zip(scores, found.rows, strict=True)])
    assert found.cut == pytest.approx(rest, abs=2.0)  # by lot where they outweigh the likeliest
    assert np.exp(found.cut - rest).mean() == pytest.approx(1.0, abs=0.1)


def test_a_record_by_lot_is_any_of_those_in_a_box() -> None:
    tree = grow_tree(np.random.default_rng(3).normal(size=(5000, 2)))
    lots = [record_by_lot(tree, 0, number) for number in range(20_000)]
    counts = np.bincount([tree.starts[leaf] + place for leaf, place in lots], minlength=5000)
    assert counts.min() > 0
    assert counts.max() < 9
    leaf = len(tree.children) + 7
    assert {record_by_lot(tree, leaf, number)[0] for number in range(50)} == {7}
