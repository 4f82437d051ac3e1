import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from sfumato.kernels.swapping.rank_swaps import pair_across_buckets, pair_near


def plain_near(steps: list[int]) -> list[int]:
    free, partner = set(range(len(steps))), list(range(len(steps)))
    for rank, step in enumerate(steps):
        if rank not in free or len(free) == 1:
            continue
        free.remove(rank)
        aim = min(max(rank + step, rank + 1), len(steps) - 1)
        chosen = min(free, key=lambda other: (abs(other - aim), -other))
        free.remove(chosen)
        partner[rank], partner[chosen] = chosen, rank
    return partner


@given(steps=st.lists(st.integers(-8, 30), max_size=60))
def test_each_rank_takes_the_free_one_nearest_to_its_aim(steps: list[int]) -> None:
    assert pair_near(np.array(steps, dtype=np.int64)).tolist() == plain_near(steps)


def plain_across(buckets: list[int], bucket_draws: list[float], rank_draws: list[float]) -> list[set[int]]:
    """The ranks that each rank may get, given the bucket that its draw leads to; the rank's own pairs follow."""
    partner = pair_across_buckets(np.array(buckets), np.array(bucket_draws), np.array(rank_draws))
    free = set(range(len(buckets)))
    offered: list[set[int]] = []
    for rank in range(len(buckets)):
        if rank not in free:
            offered.append(set())
            continue
        free.remove(rank)
        open_buckets = sorted({buckets[other] for other in free})
        if not open_buckets:
            offered.append({rank})
            continue
        weights = np.array([2.0 ** -(bucket - buckets[rank]) for bucket in open_buckets])
        place = int((np.cumsum(weights / weights.sum()) <= bucket_draws[rank]).sum())
        chosen = open_buckets[min(place, len(open_buckets) - 1)]
        offered.append({other for other in free if buckets[other] == chosen})
        free.remove(int(partner[rank]))
    return offered


@given(sizes=st.lists(st.integers(1, 6), min_size=1, max_size=10), seed=st.integers(0, 99))
def test_each_rank_takes_a_free_one_of_the_bucket_drawn(sizes: list[int], seed: int) -> None:
    buckets = np.repeat(np.arange(len(sizes)), sizes)
    rng = np.random.default_rng(seed)
    draws = rng.random((2, buckets.size))
    partner = pair_across_buckets(buckets, *draws)
    assert np.array_equal(partner[partner], np.arange(buckets.size))
    for rank, offered in enumerate(plain_across(buckets.tolist(), *draws.tolist())):
        assert not offered or int(partner[rank]) in offered
    assert (partner == np.arange(buckets.size)).sum() == buckets.size % 2


def test_buckets_are_chosen_with_halving_probability_and_ranks_in_them_equally() -> None:
    rng = np.random.default_rng(3)
    buckets = np.array([0, 1, 1, 1, 2, 2])
    first = np.array([int(pair_across_buckets(buckets, rng.random(6), rng.random(6))[0]) for _ in range(6000)])
    # the first rank is alone in its bucket: bucket 1 has weight 1/2, bucket 2 has 1/4
    wanted = 6000 * np.array([2 / 9, 2 / 9, 2 / 9, 1 / 6, 1 / 6])
    assert chisquare(np.bincount(first, minlength=6)[1:], wanted).pvalue > 1e-4


def test_no_ranks_make_no_pairs() -> None:
    assert pair_near(np.empty(0, dtype=np.int64)).size == 0
    assert pair_across_buckets(np.empty(0, dtype=np.int64), np.empty(0), np.empty(0)).size == 0
