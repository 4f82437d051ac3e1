"""What a loop over the records without a group finds."""

import numpy as np

from sfumato.kernels.microaggregation.free_records import farthest_free, measure_squares, nearest_free

DISTANCES = np.array([4.0, 9.0, 1.0, 9.0, 1.0, 7.0])
ROWS = np.array([0, 2, 3, 5, 6, 8])


def groups(*taken: int) -> np.ndarray:
    numbers = np.full(9, -1, dtype=np.int64)
    numbers[list(taken)] = 0
    return numbers


def test_squares_are_measured_for_the_first_records_only() -> None:
    columns, distances = np.array([[1.0, 2.0, 3.0], [0.0, 4.0, 1.0]]), np.full(3, -1.0)
    measure_squares(columns, np.array([1.0, 1.0]), 2, distances)
    assert distances.tolist() == [1.0, 10.0, -1.0]


def test_of_equal_distances_the_lowest_row_is_taken() -> None:
    assert farthest_free(DISTANCES, ROWS, groups(), 6) == 1
    assert nearest_free(DISTANCES, ROWS, groups(), 6) == 2


def test_records_with_a_group_are_passed_over() -> None:
    assert farthest_free(DISTANCES, ROWS, groups(2), 6) == 3
    assert nearest_free(DISTANCES, ROWS, groups(3, 6), 6) == 0


def test_only_the_records_that_are_left_count() -> None:
    assert nearest_free(DISTANCES, ROWS, groups(), 2) == 0
    assert farthest_free(DISTANCES, ROWS, groups(), 1) == 0


def test_none_is_found_where_none_is_free() -> None:
    assert farthest_free(DISTANCES, ROWS, groups(*ROWS), 6) == -1
    assert nearest_free(DISTANCES, ROWS, groups(*ROWS), 6) == -1
