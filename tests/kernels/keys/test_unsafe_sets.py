from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.keys import unsafe_sets
from sfumato.kernels.keys.unsafe_sets import cheapest_together, mark_rare_sets, totals_of_sets


def by_cost(columns: list[int], worth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    chosen = [
        sum(1 << j for j, taken in zip(columns, take, strict=True) if taken)
        for take in product((0, 1), repeat=len(columns))
    ]
    costs = np.array([sum(worth[j] for j in range(worth.size) if bits >> j & 1) for bits in chosen])
    order = np.argsort(costs, kind="stable")
    return np.array(chosen)[order], costs[order]


@given(seed=st.integers(0, 10**6), m=st.integers(2, 4), share=st.sampled_from([0.05, 0.3, 0.8]))
def test_the_choice_hits_all_rare_sets_of_all_members_at_the_least_cost(seed: int, m: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    sets = np.arange(1, 1 << m)
    rare, worth = rng.random((3, sets.size)) < share, rng.integers(1, 4, m).astype(float)
    (shared, _), (own, own_costs) = by_cost([0], worth), by_cost(list(range(1, m)), worth)
    members, starts = np.array([0, 1, 2, 2]), np.array([0, 2, 4])
    shared_worth = worth * rng.integers(0, 3, (2, 1)).astype(float)  # some members may have nothing to lose
    chosen = cheapest_together(rare, sets, members, starts, shared, shared_worth, own, own_costs)
    for household, (first, last) in enumerate(((0, 2), (2, 4))):
        costs = []
        for u in range(shared.size):
            each = [
                min(
                    (own_costs[v] for v in range(own.size) if all((shared[u] | own[v]) & sets[rare[member]])),
                    default=np.inf,
                )
                for member in members[first:last]
            ]
            costs.append(sum(each) + (shared_worth[household, 0] if shared[u] else 0))
        found = sum(worth[j] for bits in chosen[first:last] for j in range(1, m) if bits >> j & 1)
        assert found + shared_worth[household, 0] * (chosen[first] & 1) == pytest.approx(min(costs))
        assert len(set((chosen[first:last] & 1).tolist())) == 1
        assert all((chosen[place] & sets[rare[members[place]]]).all() for place in range(first, last))


def test_many_rare_sets_are_hit_as_few_are() -> None:
    rng, m = np.random.default_rng(1), 10
    sets = np.arange(1, 1 << m)
    sizes = np.array([int(bits).bit_count() for bits in sets])
    rare = (sizes == 5) & (rng.random((8, sets.size)) < 0.7)  # none holds another, so that all are to be hit
    assert rare.sum(axis=1).min() > unsafe_sets.MAX_LISTED_SETS
    everything, costs = by_cost(list(range(m)), np.ones(m))
    none, nothing = np.zeros(1, dtype=np.int64), np.zeros((8, m))
    chosen = cheapest_together(rare, sets, np.arange(8), np.arange(9), none, nothing, everything, costs)
    for bits, missed in zip(chosen, rare, strict=True):
        enough = [taken for taken in everything if (taken & sets[missed]).all()]
        assert int(bits) == enough[0]


@given(seed=st.integers(0, 10**6))
def test_sums_and_marks_of_sets_are_those_of_the_records_that_show_their_values(seed: int) -> None:
    rng = np.random.default_rng(seed)
    records, held = rng.integers(-1, 3, (12, 3)), rng.integers(1, 5, (12, 2)).astype(float)
    sets, needed = np.arange(1, 8), rng.integers(0, 9, 7)
    rare, totals = np.empty((12, 7), dtype=bool), np.empty((2, 8))
    mark_rare_sets(records, held[:, 0].astype(np.int64), np.arange(12), sets, needed, rare)
    for row in range(12):
        totals_of_sets(records, held, row, totals)
        for hidden in range(8):
            shown = [j for j in range(3) if not hidden >> j & 1]
            showing = [all(records[row, j] == other[j] or records[row, j] < 0 for j in shown) for other in records]
            assert totals[:, hidden].tolist() == held[showing].sum(axis=0).tolist()
            if hidden < 7:
                is_rare = held[showing, 0].sum() < needed[7 - hidden - 1] and min(records[row, shown]) >= 0
                assert rare[row, 7 - hidden - 1] == is_rare
