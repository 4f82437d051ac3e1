import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.study.front import is_on_front

few_values = st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan])  # few, so that ties and duplicates are common
points = st.lists(st.tuples(few_values | st.floats(0, 100), few_values | st.floats(0, 100)), max_size=25)


def is_beaten(point: tuple[float, float], others: list[tuple[float, float]]) -> bool:
    return any(a <= point[0] and b <= point[1] and (a < point[0] or b < point[1]) for a, b in others)


@given(points=points)
def test_agrees_with_the_comparison_of_all_pairs(points: list[tuple[float, float]]) -> None:
    risk, loss = np.array([risk for risk, _ in points]), np.array([loss for _, loss in points])
    known = [point for point in points if not np.isnan(point).any()]
    expected = [not np.isnan(point).any() and not is_beaten(point, known) for point in points]
    assert is_on_front(risk, loss).tolist() == expected


def test_duplicates_are_on_the_front_together() -> None:
    assert is_on_front(np.array([1.0, 1.0, 2.0]), np.array([1.0, 1.0, 2.0])).tolist() == [True, True, False]


def test_equal_risk_at_more_loss_is_not_on_the_front() -> None:
    assert is_on_front(np.array([1.0, 1.0]), np.array([2.0, 1.0])).tolist() == [False, True]


def test_a_missing_figure_is_never_on_the_front() -> None:
    assert is_on_front(np.array([np.nan, 5.0]), np.array([0.0, 5.0])).tolist() == [False, True]


def test_nobody_is_on_the_front_of_nobody() -> None:
    assert is_on_front(np.array([]), np.array([])).tolist() == []
