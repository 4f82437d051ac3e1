import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import Spans
from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import ParameterError
from sfumato.masking.rounding.rounding import Rounding, nearest_multiples, nearest_points

NUMBERS = Schema(variables=(Variable(name="x", kind="continuous"),))


@given(values=st.lists(st.floats(-1e6, 1e6), max_size=30), base=st.sampled_from([0.5, 1.0, 5.0, 1000.0]))
def test_multiples_of_the_base_no_further_than_half_of_it(values: list[float], base: float) -> None:
    column = np.array(values)
    rounded = nearest_multiples(column, base)
    assert np.array_equal(rounded / base, np.rint(rounded / base))
    assert (np.abs(rounded - column) <= base / 2 * (1 + 1e-9)).all()


@given(
    values=st.lists(st.floats(-100, 100), max_size=30),
    points=st.lists(st.integers(-50, 50), min_size=1, max_size=8, unique=True).map(sorted),
)
def test_each_value_goes_to_the_nearest_point_by_plain_search(values: list[float], points: list[int]) -> None:
    found = nearest_points(np.array(values), np.array(points, dtype=float))
    for value, point in zip(values, found, strict=True):
        assert abs(value - point) == pytest.approx(min(abs(value - other) for other in points), abs=1e-12)


def test_the_sets_of_attraction_of_the_source() -> None:
    points = np.array([10.0, 20.0, 30.0, 40.0])  # b = 10, r = 4: [0, 15) [15, 25) [25, 35) [35, Vmax]
    values = np.array([0.0, 14.9, 15.0, 24.9, 25.0, 34.9, 35.0, 999.0])
    assert nearest_points(values, points).tolist() == [10, 10, 20, 20, 30, 30, 40, 40]


def test_halfway_goes_to_the_higher() -> None:
    assert nearest_multiples(np.array([2.5, -2.5, 7.5]), 5.0).tolist() == [5.0, 0.0, 10.0]


@pytest.mark.parametrize(("given", "words"), [({}, "neither"), ({"base": 5.0, "points": (1.0,)}, "both")])
def test_needs_exactly_one_set_of_points(given: dict[str, object], words: str) -> None:
    with pytest.raises(ParameterError, match=f"Rounding needs either base or points; got {words}"):
        Rounding(columns=("x",), **given)


def test_refuses_points_that_do_not_rise() -> None:
    with pytest.raises(ParameterError, match=r"Rounding\.points must rise"):
        Rounding(columns=("x",), points=(1.0, 3.0, 2.0))


@given(
    values=st.lists(st.integers(-9999, 9999).map(lambda whole: whole / 100 + 0.003), min_size=1, max_size=20),
    method=st.sampled_from(
        [
            Rounding(columns=("x",), base=0.3),
            Rounding(columns=("x",), base=7),
            Rounding(columns=("x",), points=(-20, 1, 3.5, 60)),
        ]
    ),
)
def test_the_release_tells_between_which_values_each_lay(values: list[float], method: Rounding) -> None:
    data = Microdata(pl.DataFrame({"x": values}), NUMBERS)
    masked = method.mask(data, np.random.default_rng(0))
    after = masked.values("x")
    low, high = method.values_before(masked, "x", Spans(after, after))
    assert (low - 1e-9 <= data.values("x")).all()
    assert (data.values("x") <= high + 1e-9).all()
    if method.base is not None:
        assert np.allclose(high - low, method.base)
    inside = [
        method.replace(columns=("x",)).mask(Microdata(pl.DataFrame({"x": ends}), NUMBERS), np.random.default_rng(0))
        for ends in (np.where(np.isfinite(low), low, after) + 1e-6, np.where(np.isfinite(high), high, after) - 1e-6)
    ]
    assert all(np.allclose(ends.values("x"), after) for ends in inside)
