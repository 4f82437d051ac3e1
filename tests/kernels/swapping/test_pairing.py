import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from sfumato.kernels.swapping.pairing import pair_within


def plain_pairs(reach: int, draws: np.ndarray) -> list[set[int]]:
    """The ranks that each rank may choose from, in turn, as plain sets."""
    partner, offered = pair_within(reach, draws), []
    taken: set[int] = set()
    for rank in range(draws.size):
        free = {other for other in range(rank + 1, min(rank + reach, draws.size - 1) + 1) if other not in taken}
        offered.append(free if rank not in taken else set())
        taken |= {rank, int(partner[rank])}
    return offered


@given(n=st.integers(0, 40), reach=st.integers(0, 45), seed=st.integers(0, 99))
def test_each_rank_takes_a_free_one_in_its_window_whenever_there_is_one(n: int, reach: int, seed: int) -> None:
    draws = np.random.default_rng(seed).random(n)
    partner = pair_within(reach, draws)
    assert np.array_equal(partner[partner], np.arange(n))
    assert np.abs(partner - np.arange(n)).max(initial=0) <= reach
    for rank, free in enumerate(plain_pairs(reach, draws)):
        assert (int(partner[rank]) in free) if free else (partner[rank] <= rank)


def test_every_free_rank_is_chosen_equally_often() -> None:
    rng = np.random.default_rng(1)
    first = [int(pair_within(4, rng.random(9))[0]) for _ in range(4000)]
    assert chisquare(np.bincount(first, minlength=5)[1:]).pvalue > 1e-4


def test_the_last_free_choice_needs_a_second_rank_too() -> None:
    rng = np.random.default_rng(2)
    pairs = [pair_within(3, rng.random(6)) for _ in range(6000)]
    third = [int(partner[1]) for partner in pairs if partner[0] == 3]  # rank 1 then chooses from 2 and 4
    assert set(third) == {2, 4}
    assert chisquare(np.bincount(third, minlength=5)[[2, 4]]).pvalue > 1e-4
