import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from sfumato.kernels.swapping.area_pairing import pair_across_areas


def grouped(cells: np.ndarray, areas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    found, group = np.unique(cells * 100 + areas, return_inverse=True)
    return group.astype(np.int64), np.unique(found // 100, return_inverse=True)[1]


@given(
    n=st.integers(0, 40),
    cells=st.integers(1, 4),
    areas=st.integers(1, 4),
    most=st.integers(0, 25),
    seed=st.integers(0, 99),
)
def test_each_unit_in_turn_takes_a_free_one_like_it_from_elsewhere(
    n: int, cells: int, areas: int, most: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    cell, area, turn = rng.integers(0, cells, n), rng.integers(0, areas, n), rng.permutation(n)
    partner = pair_across_areas(turn, *grouped(cell, area), most, rng.random(n))
    assert np.array_equal(partner[partner], np.arange(n))
    free, made = set(range(n)), 0
    for unit in turn.tolist():
        offered = {other for other in free if cell[other] == cell[unit] and area[other] != area[unit]}
        if unit not in free:
            continue
        if made == most or not offered:
            assert partner[unit] == unit or int(partner[unit]) in offered  # a later unit may still choose it
            continue
        assert int(partner[unit]) in offered
        free -= {unit, int(partner[unit])}
        made += 1
    assert (partner != np.arange(n)).sum() == 2 * made


def test_every_free_unit_elsewhere_is_chosen_equally_often() -> None:
    rng = np.random.default_rng(1)
    group, cell = grouped(np.zeros(7, dtype=np.int64), np.array([0, 0, 1, 1, 1, 2, 2]))
    turn = np.array([1, 0, 2, 3, 4, 5, 6])
    chosen = [int(pair_across_areas(turn, group, cell, 1, rng.random(7))[1]) for _ in range(5000)]
    assert chisquare(np.bincount(chosen, minlength=7)[2:]).pvalue > 1e-4
