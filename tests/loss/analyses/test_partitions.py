"""The indices of two partitions, checked against loops over all pairs of records and against scikit-learn."""

from collections import Counter
from itertools import combinations
from math import isclose, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score, fowlkes_mallows_score, mutual_info_score, rand_score

from sfumato.loss.analyses._partitions import adjusted_rand, contingency, jaccard, mantaras_distance, rand, wallace

INDICES = (rand, jaccard, adjusted_rand, wallace, mantaras_distance)
labels = st.integers(0, 5)
partitions = st.lists(st.tuples(labels, labels), min_size=2, max_size=30).map(
    lambda pairs: tuple(np.array(side) for side in zip(*pairs, strict=True))
)


def plain_indices(first: list[int], second: list[int]) -> list[float]:
    """Return the five figures by a loop over pairs, and the last by counting."""
    both = one = other = neither = 0
    for i, j in combinations(range(len(first)), 2):
        together, together_too = first[i] == first[j], second[i] == second[j]
        both += together and together_too
        one += together and not together_too
        other += together_too and not together
        neither += not together and not together_too
    total = both + one + other + neither
    expected = (both + one) * (both + other) / total
    largest = (2 * both + one + other) / 2
    sides = (both + one) * (both + other)
    n = len(first)
    entropies = [
        -sum(count / n * log(count / n) for count in Counter(cells).values())
        for cells in (first, second, list(zip(first, second, strict=True)))
    ]
    information = entropies[0] + entropies[1] - entropies[2]
    return [
        (both + neither) / total,
        both / (both + one + other) if both + one + other else 1.0,
        1.0 if isclose(largest, expected) else (both - expected) / (largest - expected),
        both / sqrt(sides) if sides else float(both + one == both + other),
        1 - information / entropies[2] if entropies[2] else 0.0,
    ]


@given(partitions)
def test_every_index_equals_a_loop_over_pairs(sides: tuple[np.ndarray, np.ndarray]) -> None:
    table = contingency(*sides)
    found = [index(table) for index in INDICES]
    assert found == pytest.approx(plain_indices(*(side.tolist() for side in sides)), abs=1e-9)


def test_agrees_with_scikit_learn_on_many_records() -> None:
    rng = np.random.default_rng(0)
    first = rng.integers(15, size=5000)
    second = np.where(rng.random(5000) < 0.6, first, rng.integers(15, size=5000))
    table = contingency(first, second)
    assert rand(table) == pytest.approx(rand_score(first, second))
    assert adjusted_rand(table) == pytest.approx(adjusted_rand_score(first, second))
    assert wallace(table) == pytest.approx(fowlkes_mallows_score(first, second))
    joint = mutual_info_score(first * 15 + second, first * 15 + second)  # information of itself: the entropy
    assert mantaras_distance(table) == pytest.approx(1 - mutual_info_score(first, second) / joint)


@given(partitions)
def test_the_order_of_the_partitions_and_the_names_of_clusters_do_not_matter(sides: tuple[np.ndarray, ...]) -> None:
    first, second = sides
    there, back, renamed = contingency(first, second), contingency(second, first), contingency(9 - first, second)
    for index in INDICES:
        assert index(back) == pytest.approx(index(there), abs=1e-12)
        assert index(renamed) == pytest.approx(index(there), abs=1e-12)


@pytest.mark.parametrize("partition", [[0, 0, 1, 2, 2], [0, 0, 0, 0, 0], [0, 1, 2, 3, 4]])
def test_equal_partitions_agree_completely(partition: list[int]) -> None:
    table = contingency(np.array(partition), np.array(partition))
    assert [index(table) for index in INDICES] == pytest.approx([1, 1, 1, 1, 0], abs=1e-12)


def test_independent_partitions_are_as_far_apart_as_can_be() -> None:
    first, second = (side.ravel() for side in np.meshgrid(np.arange(4), np.arange(5)))
    assert mantaras_distance(contingency(first, second)) == pytest.approx(1.0)


@given(st.lists(st.tuples(labels, labels, labels), min_size=2, max_size=20))
def test_the_mantaras_distance_takes_no_detours(rows: list[tuple[int, int, int]]) -> None:
    a, b, c = (np.array(side) for side in zip(*rows, strict=True))
    direct = mantaras_distance(contingency(a, c))
    assert direct <= mantaras_distance(contingency(a, b)) + mantaras_distance(contingency(b, c)) + 1e-9
