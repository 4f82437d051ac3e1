from fractions import Fraction

import numpy as np

from sfumato.numerics.exact_sums import exact_sum


def test_the_sum_of_many_parts_is_rounded_once_and_does_not_depend_on_their_order() -> None:
    rng = np.random.default_rng(1)
    parts = [rng.normal(size=(2, 3)) * 10.0 ** rng.integers(-8, 9) for _ in range(50)]
    found = exact_sum(parts)
    exact = [[float(sum(Fraction(float(part[i, j])) for part in parts)) for j in range(3)] for i in range(2)]
    assert np.array_equal(found, exact)
    assert np.array_equal(found, exact_sum(parts[::-1]))


def test_a_single_part_is_its_own_sum() -> None:
    assert exact_sum([np.array([0.1, 0.2])]).tolist() == [0.1, 0.2]
