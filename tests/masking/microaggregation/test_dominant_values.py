"""Amounts are cut until the mean of their group tells none of them, to readers or to a member who knows one best."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.masking.microaggregation import _dominant_values
from sfumato.masking.microaggregation._dominant_values import cut_amounts
from sfumato.numerics.arrays import Floats

AMOUNTS = st.lists(
    st.one_of(
        st.just(0.0), st.integers(-1_000, 1_000).map(float), st.integers(-(10**9), 10**9).map(lambda one: one / 997)
    ),
    min_size=1,
    max_size=12,
)


def cut(values: list[float], p: float = 10, units: list[int] | None = None) -> Floats:
    amounts, groups = np.array(values), np.zeros(len(values), dtype=np.int64)
    return cut_amounts(amounts, groups, p, None if units is None else np.array(units))


def sizes_of(values: Floats, units: list[int]) -> Floats:
    return np.bincount(np.array(units), weights=np.abs(np.nan_to_num(values))).astype(np.float64)


def nearest_guess(found: Floats, sizes: Floats) -> float:
    """Return how near, as a share, anybody comes to the amount of a unit from the sum of cut amounts, by brute force.

    Each member, and a reader who has none of them, knows which amounts were cut, so that the cut ones are equal, and
    estimates from above: what is left of the sum, when the own share is taken off, divided by how often it is in it.
    """
    nearest, level = np.inf, found.max(initial=0.0)
    is_cut = (found == level) & (sizes >= level)
    times = np.count_nonzero(is_cut & (sizes > level)) + 1 if np.any(sizes > level) else 1
    for target in np.flatnonzero(sizes <= level):
        if sizes[target] == 0:
            continue
        count = times if is_cut[target] else 1
        for knows in (-1, *range(sizes.size)):
            if knows == target:
                continue
            own = 0.0 if knows < 0 or (is_cut[knows] and is_cut[target] and count > 1) else found[knows]
            estimate = (found.sum() - own) / count
            nearest = min(nearest, (estimate - sizes[target]) / sizes[target])
    return float(nearest)


@given(values=AMOUNTS, p=st.floats(1, 40), units=st.none() | st.lists(st.integers(0, 4), min_size=12, max_size=12))
def test_nobody_comes_nearer_than_p_percent_to_any_amount(
    values: list[float], p: float, units: list[int] | None
) -> None:
    homes = list(range(len(values))) if units is None else units[: len(values)]
    found = cut(values, p, homes)
    before, after = sizes_of(np.array(values), homes), sizes_of(found, homes)
    assert nearest_guess(after, before) >= p / 100 * (1 - 1e-6)
    assert np.all(after <= before * (1 + 1e-12))
    assert np.all(np.sign(found) * np.sign(values) >= 0)


@given(values=AMOUNTS, p=st.floats(1, 40), more=st.floats(1, 1e9))
def test_what_is_above_the_cut_is_in_no_figure(values: list[float], p: float, more: float) -> None:
    found = cut(values, p)
    is_above = np.abs(values) > np.abs(found).max()
    larger = np.where(is_above, np.array(values) * (1 + more), values)
    assert np.array_equal(cut(larger.tolist(), p), found)


@given(values=AMOUNTS, p=st.floats(1, 40))
def test_amounts_that_meet_the_rule_stay_as_they_are(values: list[float], p: float) -> None:
    sizes = np.sort(np.abs(values))[::-1]
    if sizes[2:].sum() >= p / 100 * sizes[0] and (sizes[0] == 0 or (sizes.size > 2 and sizes[2] > 0)):
        assert cut(values, p).tolist() == values
    assert cut(cut(values, p).tolist(), p).tolist() == cut(values, p).tolist()


def test_after_each_cut_the_rule_is_asked_again() -> None:
    assert cut([9e6, 40, 30, 20]).tolist() == [40, 40, 30, 20]
    assert cut([901_234_567, 45_678_901, 3_456_789]).tolist() == [0, 0, 0]  # cut to the third, it would be released
    assert cut([901_234, 45_678, 3_457, *[0] * 7]).tolist() == [0] * 10
    assert cut([50, 40, 30]).tolist() == [50, 40, 30]
    assert cut([5, 5, 0]).tolist() == [0, 0, 0]


def test_missing_amounts_are_not_counted_as_contributions() -> None:
    np.testing.assert_array_equal(cut([900.0, np.nan, 40, 30, 20]), [40, np.nan, 40, 30, 20])


def test_what_the_members_of_a_household_have_together_is_one_contribution() -> None:
    assert cut([900, 900, 900, 40, 30, 20]).tolist() == [900, 900, 900, 40, 30, 20]
    found = cut([900, 900, 900, 40, 30, 20], units=[1, 1, 1, 2, 3, 4])
    assert found == pytest.approx([40 / 3, 40 / 3, 40 / 3, 40, 30, 20])
    assert cut([500, 400, 300, 20], units=[1, 1, 1, 2]).tolist() == [0, 0, 0, 0]


def test_groups_are_cut_each_by_itself() -> None:
    amounts, groups = np.array([9e6, 50.0, 40, 40, 30, 30, 20]), np.array([0, 1, 0, 1, 0, 1, 0])
    assert cut_amounts(amounts, groups, 10).tolist() == [40, 50, 40, 40, 30, 30, 20]


def test_many_groups_are_cut_as_few_are() -> None:
    rng = np.random.default_rng(1)
    amounts, groups, units = rng.lognormal(0, 2, 500), rng.permutation(np.arange(500) // 7), np.arange(500) // 2
    whole = cut_amounts(amounts, groups, 10, units)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_dominant_values, "MAX_CELLS", 40)
        assert np.array_equal(cut_amounts(amounts, groups, 10, units), whole)
    assert np.any(whole < amounts)
