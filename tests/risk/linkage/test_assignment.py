"""Links: ties, chances of being right, and the zone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.risk.linkage._assignment import Links, chances_of_being_right, classes, link_candidates, link_table, zone


def plain_zone(weights: list[float], right: list[float], precision: float) -> int:
    """Return the longest run of links, not cut inside one weight, of which enough are right."""
    lengths = [
        count
        for count in range(1, len(weights) + 1)
        if (count == len(weights) or weights[count] < weights[count - 1])
        and sum(right[:count]) / count >= precision / 100 - 1e-11
    ]
    return max(lengths, default=0)


@given(
    links=st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=12),
    precision=st.sampled_from([1, 20, 50, 100]),
)
def test_the_zone_is_the_longest_run_with_enough_right_links(links: list[tuple[int, bool]], precision: int) -> None:
    links.sort(key=lambda link: -link[0])
    weights, right = [float(weight) for weight, _ in links], [float(is_right) for _, is_right in links]
    assert zone(np.array(weights), np.array(right), precision) == plain_zone(weights, right, precision)


def test_the_zone_reaches_over_a_gap_of_wrong_links() -> None:
    weights = np.arange(10.0, 0.0, -1.0)
    right = np.array([1, 0, 0, 0, 0, 0, 1, 1, 0, 0], dtype=float)
    assert zone(weights, right, 35) == 8


def test_equal_records_share_their_links() -> None:
    # masked 0 and 1 are alike, and so are original 0, 1 and 2: two links for three originals
    links = Links(np.array([0, 1]), np.array([2, 0]), np.array([5.0, 5.0]))
    by_link, by_record = chances_of_being_right(links, np.array([0, 1, 3]), np.array([0, 0, 0, 1]), np.array([0, 0, 1]))
    assert by_record.tolist() == pytest.approx([2 / 6, 2 / 6, 0])
    assert by_link.sum() == pytest.approx(by_record.sum())


@given(seed=st.integers(0, 10**6))
def test_the_chances_are_means_over_all_exchanges_of_equal_records(seed: int) -> None:
    rng = np.random.default_rng(seed)
    masked_classes, original_classes = rng.integers(2, size=3), rng.integers(2, size=4)
    rows, taken = rng.permutation(4)[:3], rng.permutation(4)[:3]
    links = Links(np.arange(3), taken, np.ones(3))
    _, by_record = chances_of_being_right(links, rows, original_classes, masked_classes)
    for row in range(3):
        same = [other for other in range(3) if masked_classes[other] == masked_classes[row]]
        into = [other for other in same if original_classes[taken[other]] == original_classes[rows[row]]]
        alike = np.count_nonzero(original_classes == original_classes[rows[row]])
        assert by_record[row] == pytest.approx(len(into) / len(same) / alike)


def test_classes_hold_records_of_one_block_that_are_equal_where_values_are_missing_too() -> None:
    matrix = np.array([[1.0, np.nan], [1.0, np.nan], [1.0, 2.0], [1.0, np.nan]])
    first, second, third, fourth = classes(matrix, np.array([0, 0, 0, 1]))
    assert first == second
    assert len({first, third, fourth}) == 3


def test_a_pair_without_weight_is_not_linked() -> None:
    linked, weights = link_table(np.array([[0.0, 2.0], [0.0, 0.0]]))
    assert linked.tolist() == [1, -1]
    assert weights.tolist() == [2.0, 0.0]


def test_a_candidate_at_the_floor_is_not_linked() -> None:
    linked, weights = link_candidates(np.array([[0, 1], [1, 0]]), np.array([[-4.0, -1.0], [-4.0, -4.0]]), -4.0, 2)
    assert linked.tolist() == [1, -1]
    assert weights.tolist() == [-1.0, 0.0]


@given(seed=st.integers(0, 10**6))
def test_candidates_that_are_all_records_link_with_the_weight_of_the_table(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 4, size=(6, 7)).astype(float)
    everybody = np.array([rng.permutation(7) for _ in range(6)])
    _, weights = link_table(table)
    _, among = link_candidates(everybody, np.take_along_axis(table, everybody, axis=1), 0.0, 7)
    assert among.sum() == pytest.approx(weights.sum())
