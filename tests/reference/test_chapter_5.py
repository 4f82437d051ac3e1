"""Figures of Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata."""

import numpy as np

from sfumato.masking.distribution_fitting import FITTERS, best_fit
from sfumato.masking.lossy_compression import compressed

TABLE_2_ORIGINAL = """
4173 4621 4527 1428 27 27 3480 4550
2639 6045 4208 1902 1008 808 3136 4100
3315 4765 5645 1903 485 485 4284 5600
1619 3932 2380 1177 700 700 1750 2288
4604 4349 2151 1219 751 1 1606 2100
3433 2463 3217 830 167 50 2448 3200
824 372 8730 186 1030 22 589 7700
4145 629 2500 693 1 1 1912 2500
"""
TABLE_2_PROTECTED = """
4100 4710 4498 1451 1 10 3718 4296
2751 5889 4369 1862 1021 808 3052 4098
3314 4465 5763 1903 448 507 4168 5657
1683 4154 2151 1243 654 706 1791 2385
4604 4154 2305 1222 779 1 1559 2100
3536 2374 3363 812 93 124 2443 3263
824 460 8730 199 1030 1 589 7590
4174 572 2538 670 1 23 1965 2605
"""
TABLE_3_ORIGINAL = """
1 K 3.7 4.4
2 L 3.8 3.4
3 N 3.0 4.8
4 M 4.5 5.0
5 L 5.0 6.0
6 H 6.0 7.5
7 H 4.5 10.0
8 F 6.7 11.0
9 D 8.0 9.5
10 C 10.0 3.2
"""
TABLE_3_SWAPPED = """
1 H 3.0 4.8
2 L 4.5 3.2
3 M 3.7 4.4
4 N 5.0 6.0
5 L 4.5 5.0
6 F 6.7 9.5
7 K 3.8 11.0
8 H 6.0 10.0
9 C 10.0 7.5
10 D 8.0 3.4
"""


def numbers(text: str) -> np.ndarray:
    return np.array([line.split() for line in text.strip().splitlines()], dtype=float)


def test_table_2_comes_out_in_all_64_cells() -> None:
    original = numbers(TABLE_2_ORIGINAL)
    masked = np.floor(compressed(original, original.min(axis=0), original.max(axis=0), 80))
    assert np.array_equal(masked, numbers(TABLE_2_PROTECTED))


def test_table_3_swaps_no_rank_by_more_than_the_window() -> None:
    original = [line.split() for line in TABLE_3_ORIGINAL.strip().splitlines()]
    swapped = [line.split() for line in TABLE_3_SWAPPED.strip().splitlines()]
    reach = 1  # floor of 15 % of 10 records
    for variable in range(1, 4):
        before = [record[variable] if variable == 1 else float(record[variable]) for record in original]
        after = [record[variable] if variable == 1 else float(record[variable]) for record in swapped]
        assert sorted(before) == sorted(after)
        ranked = sorted(before)
        for old, new in zip(before, after, strict=True):
            places = [rank for rank, value in enumerate(ranked) if value == old]  # equal values share several ranks
            moves = [abs(rank - place) for rank, value in enumerate(ranked) if value == new for place in places]
            assert min(moves) <= reach


EXAMPLE_1 = np.array([186.0, 693, 830, 1177, 1219, 1428, 1902, 1903, 2496, 3406])


def test_example_1_has_the_published_extreme_value_fit() -> None:
    fit = best_fit(EXAMPLE_1, ("gumbel",))
    assert fit is not None
    assert [round(parameter, 2) for parameter in fit.parameters] == [1105.78, 732.43]
    assert round(fit.distance, 4) == 0.1138


def test_example_1_is_fitted_still_better_by_a_weibull_distribution() -> None:
    fit = best_fit(EXAMPLE_1, tuple(FITTERS))
    assert fit is not None
    assert (fit.distribution, round(fit.distance, 4)) == ("weibull", 0.1086)
