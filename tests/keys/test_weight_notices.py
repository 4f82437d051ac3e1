"""How many hold a weight, or another value, that nobody else has."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.keys.weight_notices import count_with_own_value


@given(seed=st.integers(0, 999), units=st.integers(1, 6), values=st.integers(1, 6), n=st.integers(0, 12))
def test_values_of_one_unit_alone_are_counted_as_looking_at_all_pairs_does(
    seed: int, units: int, values: int, n: int
) -> None:
    rng = np.random.default_rng(seed)
    unit, value = rng.integers(0, units, n), rng.integers(-1, values, n)
    holders = {each: set(unit[value == each].tolist()) for each in range(values)}
    own = set().union(*(held for held in holders.values() if len(held) == 1))
    assert count_with_own_value(unit, value) == len(own)
