import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.masking.synthesis._grids.natural_bounds import natural_bounds
from sfumato.masking.synthesis._trees.leaf_values import LeafValues, find_shared, windows


def drawn(values: np.ndarray, fewest: int, n: int = 4000, seed: int = 0) -> np.ndarray:
    """Return numbers drawn from one leaf."""
    leaves = np.zeros(values.size, dtype=np.int64)
    table = LeafValues.of(leaves, values, np.ones(values.size), fewest)
    return table.draw(np.zeros(n, dtype=np.int64), np.random.default_rng(seed))


@given(seed=st.integers(0, 99), fewest=st.integers(2, 6))
def test_a_value_comes_out_as_it_is_only_where_enough_donors_have_it(seed: int, fewest: int) -> None:
    rng = np.random.default_rng(seed)
    values = np.where(rng.random(60) < 0.5, rng.integers(0, 6, 60) + 0.5, rng.lognormal(size=60))
    distinct, counts = np.unique(values, return_counts=True)
    common = set(distinct[counts >= fewest])
    numbers = drawn(values, fewest, n=300)
    assert {number for number in numbers if number in set(values)} <= common


def test_mean_and_deviation_of_a_leaf_are_kept() -> None:
    values = np.random.default_rng(1).normal(0, 10, 200)
    numbers = drawn(values, 5, n=100_000)
    assert abs(numbers.mean() - values.mean()) < 5 * values.std() / np.sqrt(100_000) + 0.02 * values.std()
    assert abs(numbers.std() / values.std() - 1) < 0.03


def test_no_amount_falls_below_zero_where_none_did() -> None:
    assert drawn(np.random.default_rng(2).exponential(size=100), 5).min() >= 0


def test_shares_stay_shares() -> None:
    numbers = drawn(1 - np.random.default_rng(3).exponential(0.1, size=100).clip(0, 1), 5)
    assert 0 <= numbers.min() <= numbers.max() <= 1


def test_each_leaf_gives_its_own_numbers() -> None:
    leaves = np.repeat([3, 7], 50)
    table = LeafValues.of(leaves, np.where(leaves == 3, 0.0, 1000.0) + np.arange(100), np.ones(100), 5)
    wanted = np.array([7, 3] * 500)
    assert np.array_equal(table.draw(wanted, np.random.default_rng(4)) > 500, wanted == 7)


@given(values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5))
def test_bounds_hold_all_values(values: list[float]) -> None:
    low, high = natural_bounds(np.array(values), 1)
    assert low <= min([*values, 0.0]) <= max([*values, 0.0]) <= high * (1 + 1e-12)


@given(seed=st.integers(0, 99), size=st.integers(2, 60), fewest=st.integers(2, 8))
def test_windows_divide_a_leaf_so_that_every_donor_counts_once(seed: int, size: int, fewest: int) -> None:
    draws = np.full(size, np.random.default_rng(seed).random())  # one cut for all donors
    first, width = windows(np.arange(size), np.full(size, size), fewest, draws)
    assert width.min() >= min(max(fewest, round(np.sqrt(size))), size)
    assert ((first <= np.arange(size)) & (np.arange(size) < first + width)).all()
    parts = sorted(set(zip(first.tolist(), width.tolist(), strict=True)))
    assert [start for start, _ in parts] == [0, *np.cumsum([length for _, length in parts])[:-1]]
    assert sum(length for _, length in parts) == size


def test_bounds_hold_the_smallest_and_the_largest_numbers_there_are() -> None:
    smallest, largest = 5e-324, 1.7e308
    for number in (smallest, largest):
        low, high = natural_bounds(np.array([-number, number]), 1)
        assert low <= -number < number <= high


def test_how_often_single_days_are_there_is_left_to_chance_but_heaps_stay() -> None:
    rng = np.random.default_rng(5)
    days = np.concatenate([rng.integers(0, 700, 5600), np.full(60, 333)]).astype(float)
    order = np.sort(days)
    values = LeafValues.of(np.zeros(days.size, dtype=np.int64), order, np.ones(days.size), 5)
    assert np.unique(order[values.is_shared]).tolist() == [333]
    drawn = np.rint(values.draw(np.zeros(5660, dtype=np.int64), rng))
    before, after = (np.bincount(each.astype(int), minlength=700)[:700] for each in (days, drawn))
    assert 40 < after[333] < 90
    others = np.arange(700) != 333
    assert abs(np.corrcoef(before[others], after[others])[0, 1]) < 0.15  # copied days had more than .6


def test_in_small_leaves_a_number_is_shared_by_as_few_as_it_may_rest_on() -> None:
    values = np.array([1.0, 2, 3, 3, 3, 3, 3, 4, 5, 6])
    assert find_shared(np.zeros(10, dtype=np.int64), values, 5).tolist() == (values == 3).tolist()
    assert not find_shared(np.zeros(10, dtype=np.int64), values, 6).any()


def test_the_first_and_the_last_of_numbers_that_many_share_are_as_frequent_as_others() -> None:
    for each in (10, 20, 30, 40):  # donors of each age: too few to be drawn as they are
        ages = np.repeat(np.arange(60.0), each)
        often = np.bincount(np.rint(drawn(ages, 5, n=60_000)).astype(np.int64), minlength=60)
        assert often.size == 60
        assert 0.85 < often[0] / 1000 < 1.15
        assert 0.85 < often[-1] / 1000 < 1.15


def test_numbers_of_a_large_leaf_that_are_all_as_frequent_are_no_heaps() -> None:
    days = np.repeat(np.arange(60.0), 30)
    assert not find_shared(np.zeros(days.size, dtype=np.int64), days, 5).any()
