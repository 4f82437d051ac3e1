import numpy as np
import pytest

from sfumato.errors import DataError
from sfumato.masking.microaggregation._missing_patterns import groups_by_pattern, join_nearest_groups


def one_group(rows: np.ndarray, present: np.ndarray) -> np.ndarray:
    return np.zeros(rows.size, dtype=np.int64)


ABSENT = np.array([[False, False], [False, True], [False, False], [False, True], [True, True], [False, False]])


def test_records_that_lack_the_same_columns_are_grouped_together() -> None:
    groups, rare = groups_by_pattern(ABSENT, 2, one_group, "Method")
    assert groups.tolist() == [0, 1, 0, 1, -1, 0]
    assert not rare


def test_few_records_of_a_pattern_may_join_the_groups_that_have_all_their_columns() -> None:
    groups, (rare,) = groups_by_pattern(ABSENT, 3, one_group, "Method")
    assert groups.tolist() == [0, -1, 0, -1, -1, 0]
    assert rare.rows.tolist() == [1, 3]
    assert rare.present.tolist() == [True, False]
    assert rare.groups.tolist() == [0]


def test_a_grouping_sees_the_rows_and_the_columns_of_one_pattern() -> None:
    seen = []

    def noted(rows: np.ndarray, present: np.ndarray) -> np.ndarray:
        seen.append((rows.tolist(), present.tolist()))
        return one_group(rows, present)

    groups_by_pattern(ABSENT, 2, noted, "Method")
    assert seen == [([0, 2, 5], [True, True]), ([1, 3], [True, False])]


def test_rare_records_join_the_nearest_of_the_groups_they_may_join_only() -> None:
    points = np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 9.0], [9.0, 8.0], [2.0, np.nan], [2.5, np.nan], [np.nan, 7.0]])
    groups, rare = groups_by_pattern(np.isnan(points), 2, lambda rows, present: np.arange(rows.size) // 2, "Method")
    assert groups.tolist() == [0, 0, 1, 1, 2, 2, -1]
    centres = np.array([[0.0, 0.5], [9.0, 8.5], [2.25, 7.0]])  # the last group has no second column, whatever it says
    joined = join_nearest_groups(
        points, groups, rare, centres, lambda some, point, present: np.abs(some - point)[:, present].sum(axis=1)
    )
    assert joined.tolist() == [0, 0, 1, 1, 2, 2, 1]


def test_refuses_when_too_few_records_share_any_pattern() -> None:
    with pytest.raises(
        DataError,
        match=r"^Method.k must be at most the number of records; got 4 for 6",
    ):
        groups_by_pattern(ABSENT, 4, one_group, "Method")


def test_refuses_a_record_that_no_group_can_take() -> None:
    absent = np.array([[False, True]] * 3 + [[True, False]])
    with pytest.raises(DataError, match=r"^Method.columns: a record has values in 1 of the columns, and fewer than"):
        groups_by_pattern(absent, 3, one_group, "Method")


def test_a_file_without_records_has_no_groups() -> None:
    groups, rare = groups_by_pattern(np.empty((0, 2), dtype=bool), 3, one_group, "Method")
    assert groups.size == 0
    assert not rare
