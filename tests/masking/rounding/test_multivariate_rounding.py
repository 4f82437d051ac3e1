import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking.rounding.multivariate_rounding import MultivariateRounding, nearest_rows


@given(seed=st.integers(0, 999), n=st.integers(1, 20), count=st.integers(1, 6))
def test_the_nearest_point_is_that_of_a_plain_search(seed: int, n: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    matrix, points, scales = rng.normal(size=(n, 2)), rng.normal(size=(count, 2)), np.array([1.0, 3.0])
    for record, found in zip(matrix, nearest_rows(matrix, points, scales), strict=True):
        distances = [sum(((a - b) / s) ** 2 for a, b, s in zip(record, point, scales, strict=True)) for point in points]
        assert distances[found] == pytest.approx(min(distances))


def test_only_the_points_are_released() -> None:
    rng = np.random.default_rng(1)
    data = Microdata(pl.DataFrame({"x": rng.normal(size=300), "y": rng.normal(size=300)}))
    points = ((0.0, 0.0), (1.0, 1.0), (-1.0, 2.0))
    masked = run_step(MultivariateRounding(columns=("x", "y"), points=points), data, seed=1, step=0)
    assert set(masked.frame.iter_rows()) <= set(points)


def test_refuses_points_of_unequal_length() -> None:
    with pytest.raises(ParameterError, match=r"MultivariateRounding\.points must be at least one point"):
        MultivariateRounding(columns=("x", "y"), points=((1.0, 2.0), (1.0,)))


def test_refuses_points_of_another_length_than_the_columns() -> None:
    data = Microdata(pl.DataFrame({"x": [1.5, 2.5], "y": [1.5, 2.5]}))
    with pytest.raises(DataError, match="must have 2 values each, one per column; got 3"):
        run_step(MultivariateRounding(columns=("x", "y"), points=((1.0, 2.0, 3.0),)), data, seed=1, step=0)
