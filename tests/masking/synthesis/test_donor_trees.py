from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Kind
from sfumato.masking.synthesis._observed_columns import ObservedColumn
from sfumato.masking.synthesis._trees.donor_trees import draw_from_leaves, fit_donor_tree, ordered_categories


@given(seed=st.integers(0, 999))
def test_donors_come_from_the_wanted_leaf_with_their_weights(seed: int) -> None:
    rng = np.random.default_rng(seed)
    leaves = rng.integers(0, 5, 60)
    wanted = rng.choice(leaves, 100)
    weights = np.where(np.arange(60) % 2 == 0, rng.exponential(size=60), 0.0)
    weights[np.unique(leaves, return_index=True)[1]] = 1.0  # no leaf without weight
    donors = draw_from_leaves(leaves, wanted, weights, rng.random(100))
    assert np.array_equal(leaves[donors], wanted)
    assert (weights[donors] > 0).all()


def test_donors_are_drawn_in_proportion_to_their_weights() -> None:
    weights, n = np.array([1.0, 5.0, 3.0, 1.0]), 40_000
    rng = np.random.default_rng(11)
    donors = draw_from_leaves(np.array([0, 7, 7, 0]), np.full(n, 7), weights, rng.random(n))
    assert np.mean(donors == 1) == pytest.approx(5 / 8, abs=5 * np.sqrt(15 / 64 / n))


@given(seed=st.integers(0, 999), classes=st.integers(0, 2))
def test_the_best_split_of_categories_is_a_split_of_their_order(seed: int, classes: int) -> None:
    """For numbers and two classes this is a theorem; by brute force over all sets of categories."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 6, 120)
    response = rng.normal(size=120) + codes % 3 if classes < 2 else (rng.random(120) < codes / 8).astype(np.int64)

    def left_over(chosen: tuple[int, ...]) -> float:
        inside = np.isin(codes, chosen)
        return sum(float(part.var() * part.size) for part in (response[inside], response[~inside]) if part.size)

    order = np.argsort(ordered_categories(codes, response, 6, 1))
    best = min(left_over(chosen) for size in range(1, 6) for chosen in combinations(range(6), size))
    assert min(left_over(tuple(order[:size])) for size in range(1, 6)) == pytest.approx(best)


def test_categories_of_like_classes_are_near() -> None:
    codes = np.repeat(np.arange(4), 30)
    shares = [[0.8, 0.1, 0.1], [0.1, 0.1, 0.8], [0.75, 0.15, 0.1], [0.1, 0.2, 0.7]]
    rng = np.random.default_rng(12)
    response = np.concatenate([rng.choice(3, 30, p=share) for share in shares])
    places = ordered_categories(codes, response, 4, 1)
    assert abs(places[0] - places[2]) < 0.5 * abs(places[0] - places[1])
    assert abs(places[1] - places[3]) < 0.5 * abs(places[0] - places[1])


def test_a_category_of_few_records_shows_nothing_of_its_response() -> None:
    places = ordered_categories(np.array([0] * 9 + [1] * 9 + [2]), np.array([0.0] * 9 + [1.0] * 9 + [99.0]), 3, 5)
    assert places[2] == 0.0
    assert abs(places[0]) != abs(places[1])


def test_no_split_is_kept_that_the_other_half_does_not_confirm() -> None:
    rng = np.random.default_rng(13)
    noise, signal = (ObservedColumn(name, Kind.CONTINUOUS, rng.normal(size=2000)) for name in ("noise", "signal"))
    response = np.sign(signal.values) + rng.normal(size=2000)
    rows = np.arange(2000)
    by_noise, by_signal = (
        fit_donor_tree(response, (column,), rows, 10, 5, np.random.default_rng(1)).leaves((column.values,), 2000)
        for column in (noise, signal)
    )
    assert np.unique(by_noise).size <= 3  # a hundred leaves without the other half
    below, above = (set(by_signal[side]) for side in (signal.values < -0.1, signal.values > 0.1))
    assert not below & above


@pytest.mark.parametrize("kind", ["numbers", "classes"])
def test_every_leaf_holds_enough_donors(kind: str) -> None:
    rng = np.random.default_rng(14)
    column = ObservedColumn("x", Kind.CONTINUOUS, rng.normal(size=1000))
    response = 3 * column.values if kind == "numbers" else (column.values > 0).astype(np.int64)
    tree = fit_donor_tree(response, (column,), np.arange(1000), 20, 5, rng)
    counts = np.unique(tree.leaves((column.values,), 1000), return_counts=True)[1]
    assert counts.min() >= 20
    assert counts.size > (10 if kind == "numbers" else 1)


@pytest.mark.parametrize("kind", ["numbers", "classes"])
def test_no_split_is_grown_that_is_taken_back_for_its_size_with_all_below_it(kind: str) -> None:
    """A leaf holds enough of the two thirds that grow the tree, so that it holds enough of all, whatever they are."""
    rng = np.random.default_rng(15)
    column = ObservedColumn("x", Kind.CONTINUOUS, rng.normal(size=900))
    response = np.exp(column.values) if kind == "numbers" else np.floor(8 * rng.random(900)).astype(np.int64)
    grown = fit_donor_tree(response, (column,), np.arange(900), 10, 5, rng).tree.tree_
    assert grown.n_node_samples[0] == 600
    assert grown.n_node_samples[grown.children_left < 0].min() >= 10
