"""How many figures are off in another sample, checked against samples that are really drawn and compared."""

import numpy as np
import pytest

from sfumato.loss.values._kept_figures import Codes, moments_kept, shares_kept, totals_kept
from sfumato.loss.values._kept_relations import moved_relations
from sfumato.loss.values._sampling_limits import sampling_limits

TOLERANCE = 2.0


def drawn(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    group = (rng.random(n) < 0.3).astype(np.int64)
    return 5 + rng.normal(size=(n, 2)) @ [[1, 0.8], [0, 0.6]] + group[:, None], group


@pytest.mark.parametrize("m", [300, 150])
def test_limits_are_those_of_samples_that_are_drawn_from_the_population(m: int) -> None:
    rng, n = np.random.default_rng(0), 300
    far = TOLERANCE * np.sqrt(1 + n / m)
    moments, relations, tables = [], [], []
    for _ in range(300):
        (one, group), (other, other_group) = drawn(rng, n), drawn(rng, m)
        cells = Codes(group, other_group, 2)
        kept = moments_kept(one, other, far)
        figures = np.concatenate([kept.means, kept.covariances[np.triu_indices(2)]])
        moments.append(100 * np.mean(figures == 0))
        relations.append(100 * (moved_relations(one, other).by_errors[0, 1] > far))
        in_tables = [shares_kept(cells, far), totals_kept(one, other, cells, far).ravel()]
        tables.append(100 * np.mean(np.concatenate(in_tables) == 0))
    matrix, group = drawn(rng, n)
    every = Codes(group, group, 2)
    found = sampling_limits(matrix, [np.arange(n)], [every], 1, m / n, TOLERANCE, np.random.default_rng(1))
    # about 1.5 % are beyond a limit, and limits are steps
    assert found.relations in (0, 100)  # there is one
    assert np.mean(relations) == pytest.approx(5, abs=4)
    assert np.mean(np.array(moments) > found.moments) < 0.06
    assert np.mean(np.array(tables) > found.tables) < 0.06
    assert np.mean(np.array(moments) >= found.moments) > 0.005
    assert np.mean(np.array(tables) >= found.tables) > 0.005


def test_figures_that_cannot_move_are_never_off() -> None:
    constant, group = np.full((50, 2), 0.1), np.zeros(50, dtype=np.int64)
    found = sampling_limits(
        constant, [np.arange(50)], [Codes(group, group, 1)], 1, 1.0, TOLERANCE, np.random.default_rng(0)
    )
    assert found.moments == 0
    assert found.relations == 0
    assert found.columns.tolist() == [0, 0]
    assert found.own_tables.tolist() == [0]
