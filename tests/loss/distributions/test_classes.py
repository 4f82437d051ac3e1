"""A column of both files in the same classes."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.loss.distributions._classes import class_edges, classes_alike, hellinger
from tests.matrices import microdata

NAN = float("nan")
counts = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=8).filter(
    lambda rows: all(sum(side) for side in zip(*rows, strict=True))
)


def classed(values: list[float], edges: np.ndarray) -> list[int]:
    return [int(place) for place in np.searchsorted(edges, np.array(values), side="right")]


def test_different_numbers_fall_into_classes_of_equal_size() -> None:
    values = np.random.default_rng(0).permutation(1000.0 * np.arange(200))
    edges = class_edges(values, 10)
    assert np.bincount(classed(values.tolist(), edges)).tolist() == [20] * 10


def test_numbers_beyond_the_original_fall_into_the_outer_classes() -> None:
    edges = class_edges(np.arange(100.0), 4)
    assert classed([-1e9, 1e9], edges) == [0, 3]


def test_a_value_that_many_have_is_a_class_of_its_own() -> None:
    values = np.array([0.0] * 60 + [*np.arange(1.0, 41.0)])
    edges = class_edges(values, 10)
    zero, beside, below = classed([0.0, 1e-9, -1e-9], edges)
    assert len({zero, beside, below}) == 3


def test_a_constant_column_has_a_class_for_its_value_and_one_on_either_side() -> None:
    assert classed([4.0, 5.0, 6.0], class_edges(np.full(7, 5.0), 10)) == [0, 1, 2]


def test_missing_values_are_the_last_class() -> None:
    found = classes_alike(microdata(np.array([[1.0], [2.0]])), microdata(np.array([[NAN], [2.0]])), "v0", 2)
    assert found.masked.tolist() == [found.count - 1, found.original[1]]
    assert found.count - 1 not in found.original


def test_new_categories_come_after_those_of_the_original() -> None:
    schema = Schema(variables=(Variable(name="town", kind=Kind.NOMINAL),))
    files = [Microdata(pl.DataFrame({"town": towns}), schema) for towns in (["A", "B", None], ["C", "A", "A"])]
    found = classes_alike(files[0], files[1], "town", 10)
    assert (found.original.tolist(), found.masked.tolist(), found.count) == ([0, 1, 3], [2, 0, 0], 4)


@given(counts)
def test_the_hellinger_distance_is_one_minus_the_overlap_of_the_shares(rows: list[tuple[int, int]]) -> None:
    first, second = (np.array(side, dtype=float) for side in zip(*rows, strict=True))
    overlap = sum(
        (one / sum(first)) ** 0.5 * (other / sum(second)) ** 0.5 for one, other in zip(first, second, strict=True)
    )
    assert hellinger(first, second) ** 2 == pytest.approx(1 - overlap, abs=1e-12)
    assert hellinger(first, 7 * first) == pytest.approx(0, abs=1e-7)
    assert hellinger(first, second) == hellinger(second, first) <= 1
