"""Rank interval linkage, checked against a plain double loop over the definition."""

from functools import partial
from math import inf, isnan
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import Correspondence, Measurement
from sfumato.errors import ParameterError
from sfumato.masking.swapping.rank_swapping import swap_ranks
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.risk import DistanceLinkage, RankIntervalLinkage
from sfumato.risk.linkage._interval_linkage import link_inside_intervals, share_inside_intervals
from sfumato.risk.linkage.distance_linkage import LinkTies
from sfumato.risk.linkage.rank_interval_linkage import rank_ends
from tests.matrices import microdata, names_of

NAN = float("nan")


def measured(original: FloatMatrix, masked: FloatMatrix, **parameters: object) -> Measurement:
    return RankIntervalLinkage(columns=names_of(original), **parameters).measure(microdata(original), microdata(masked))


def by_scenario(found: Measurement) -> list[float]:
    """Return the percent linked by number of keys, without the sure links."""
    return [part for name, part in found.parts.items() if name != "RSLDsure"]


def plain_ranks(value: float, column: list[float]) -> list[int]:
    """Return the ranks of a value in the sorted column, or those of its neighbours where no equal value is there."""
    if isnan(value):
        return []
    equal = [rank for rank, other in enumerate(column) if other == value]
    below = [rank for rank, other in enumerate(column) if other < value][-1:]
    above = [rank for rank, other in enumerate(column) if other > value][:1]
    return equal or below + above


def all_plain_ranks(file: list[list[float]], columns: list[list[float]]) -> list[list[list[int]]]:
    return [list(map(plain_ranks, row, columns)) for row in file]


def plain_possible(person: list[list[int]], record: list[list[int]], reaches: list[float]) -> bool:
    """Tell whether in every known column some rank of the record is within the window of some rank of the person."""
    return all(
        not known or not ranks or any(abs(a - b) <= reach for a in known for b in ranks)
        for known, ranks, reach in zip(person, record, reaches, strict=True)
    )


def plain_links(original: FloatMatrix, masked: FloatMatrix, window: float, keys: int) -> list[set[int]]:
    """Return for each person the possible masked records that have most of the first keys, and of these the nearest."""
    before, after = original[:, :keys].tolist(), masked[:, :keys].tolist()
    spread = [stdev(x for x in column if not isnan(x)) for column in original[:, :keys].T.tolist()]
    columns = [sorted(x for x in column if not isnan(x)) for column in masked[:, :keys].T.tolist()]
    reaches = [len(column) * window / 100 for column in columns]
    persons, records = (all_plain_ranks(file, columns) for file in (before, after))
    answer = []
    for person, known in zip(before, persons, strict=True):
        order = []
        for record, ranks in zip(after, records, strict=True):
            squares = [((a - b) / s) ** 2 for a, b, s in zip(person, record, spread, strict=True) if not isnan(a - b)]
            fits = squares and plain_possible(known, ranks, reaches)
            order.append((-len(squares), sum(squares)) if fits else (0, inf))
        compared, shortest = min(order)
        first = {row for row, found in enumerate(order) if found[0] == compared and found[1] <= shortest * (1 + 1e-9)}
        answer.append(first if shortest < inf else set())
    return answer


def plain_linkage(
    original: FloatMatrix, masked: FloatMatrix, persons: list[int], window: float, keys: int, ties: str = "shared"
) -> list[float]:
    """Return for each number of keys the percent of masked records to which their persons are linked."""
    shares = []
    for known in range(1, keys + 1):
        links = plain_links(original, masked, window, known)
        found = [links[person] if record in links[person] else set() for record, person in enumerate(persons)]
        shares.append([0.0 if not link else 1.0 if ties == "any" else 1 / len(link) for link in found])
    return [100 * mean(scenario) for scenario in shares]


def swapped(original: FloatMatrix, window: float, seed: int = 0) -> FloatMatrix:
    rng = np.random.default_rng(seed)
    reach = int(len(original) * window / 100)
    return np.column_stack([swap_ranks(column, reach, rng) for column in original.T])


def example(n: int = 50, d: int = 4, window: float = 20.0) -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(6)
    original = rng.normal(5, [[1.0, 10.0, 0.1, 3.0, 2.0, 5.0, 1.0, 4.0, 1.0][:d]], size=(n, d))
    return original, swapped(original, window)


@pytest.mark.parametrize("window", [1.0, 10.0, 20.0])
def test_equals_a_plain_double_loop_for_each_number_of_keys(window: float) -> None:
    original, masked = example()
    found = measured(original, masked, window=window)
    expected = plain_linkage(original, masked, list(range(50)), window, 4)
    assert by_scenario(found) == pytest.approx(expected)
    assert found.value == pytest.approx(mean(expected))
    assert (found.parts["4"] > 0) == (window > 1)  # no rank was moved by less than one


@pytest.mark.parametrize("ties", ["shared", "any"])
def test_equals_a_plain_double_loop_with_equal_values(ties: str) -> None:
    original = np.rint(10 * example(n=30, d=3)[0] / [[10.0, 100.0, 1.0]])
    masked = swapped(original, 20.0)
    found = measured(original, masked, window=20.0, ties=ties)
    expected = plain_linkage(original, masked, list(range(30)), 20.0, 3, ties)
    assert by_scenario(found) == pytest.approx(expected)


def test_equals_a_plain_double_loop_with_missing_values() -> None:
    original, masked = example()
    rng = np.random.default_rng(9)
    original[rng.random(original.shape) < 0.2] = NAN
    masked[rng.random(masked.shape) < 0.2] = NAN
    found = measured(original, masked, window=20.0)
    assert by_scenario(found) == pytest.approx(plain_linkage(original, masked, list(range(50)), 20.0, 4))


def test_equals_a_plain_double_loop_for_the_nearest_record() -> None:
    original, masked = example(window=40.0)
    scaled = original / original.std(axis=0), masked / original.std(axis=0)
    persons = [int(np.argmin(((scaled[0] - record) ** 2).sum(axis=1))) for record in scaled[1]]
    assert persons != list(range(50))
    found = measured(original, masked, window=40.0, correspondence=Correspondence.NEAREST_RECORD, max_keys=3)
    assert by_scenario(found) == pytest.approx(plain_linkage(original, masked, persons, 40.0, 3))


def test_equals_a_plain_double_loop_after_another_method() -> None:
    original, _ = example()
    masked = original + 0.4 * original.std(axis=0) * np.random.default_rng(2).normal(size=original.shape)
    found = measured(original, masked, window=10.0)
    assert by_scenario(found) == pytest.approx(plain_linkage(original, masked, list(range(50)), 10.0, 4))


@given(values=st.lists(st.integers(0, 12), min_size=2, max_size=40), window=st.integers(1, 100), seed=st.integers(0, 9))
def test_the_right_record_is_always_possible_after_swapping_within_the_window(
    values: list[int], window: int, seed: int
) -> None:
    original = np.array(values, dtype=np.float64)
    masked = swapped(original[:, None], window, seed)[:, 0]
    low, high = rank_ends(original, masked, window)
    assert ((low <= masked) & (masked <= high)).all()


def test_finds_more_than_distance_linkage_after_rank_swapping() -> None:
    original, masked = example(n=500, d=5, window=10.0)
    nearest = DistanceLinkage(columns=names_of(original)).measure(microdata(original), microdata(masked))
    found = measured(original, masked, window=10.0)
    assert found.value > 1.3 * nearest.value
    assert found.parts["5"] > nearest.parts["5"] + 20


def test_a_window_over_the_whole_file_leaves_plain_distance_linkage_of_the_masked_records() -> None:
    original, masked = example()
    found = measured(original, masked, window=100.0).parts
    backwards = DistanceLinkage(columns=names_of(original)).measure(
        microdata(masked * 1.0), microdata(original)
    )  # both files have the same values in each column, so that they are standardised alike
    assert {keys: part for keys, part in found.items() if keys != "RSLDsure"} == pytest.approx(dict(backwards.parts))
    assert found["RSLDsure"] == 0.0


def test_a_wider_swap_is_linked_less() -> None:
    found = [measured(*example(n=300, window=window), window=window).value for window in (2.0, 10.0, 30.0)]
    assert found == sorted(found, reverse=True)
    assert found[0] > 2 * found[-1]


@pytest.mark.parametrize(
    ("value", "low", "high"), [(20.0, 10.0, 40.0), (25.0, 10.0, 50.0), (5.0, 10.0, 20.0), (99.0, 40.0, 50.0)]
)
def test_a_value_that_no_record_has_takes_the_ranks_of_its_neighbours(value: float, low: float, high: float) -> None:
    masked = np.array([50.0, 20.0, 10.0, 40.0])
    assert rank_ends(np.array([value]), masked, 25.0) == (np.array([low]), np.array([high]))


def test_any_rank_of_equal_values_counts() -> None:
    masked = np.array([1.0, 2.0, 2.0, 2.0, 3.0, 4.0, 5.0, 5.0, 6.0, 7.0])
    assert rank_ends(np.array([2.0, 3.0]), masked, 10.0)[1].tolist() == [3.0, 4.0]
    assert rank_ends(np.array([4.0]), masked, 10.0)[1].tolist() == [5.0]  # both records with 5


def test_seven_percent_of_a_hundred_records_are_seven() -> None:
    ranks: FloatColumn = np.arange(100.0)
    assert rank_ends(np.array([50.0]), ranks, 7.0) == (np.array([43.0]), np.array([57.0]))


def test_nobody_is_linked_where_no_record_is_possible() -> None:
    original = np.array([[1.0, 9.0], [2.0, 8.0], [8.0, 2.0], [9.0, 1.0]])
    found = measured(original, original[:, ::-1] * [[1.0, 1.0]] + 0.1, window=1.0)
    assert found.parts["2"] == 0.0


def test_a_missing_masked_value_leaves_its_record_possible() -> None:
    original, _ = example(d=2)
    masked = original.copy()
    masked[4, 0] = NAN
    found = measured(original, masked, window=2.0)
    assert found.parts["1"] == pytest.approx(100 * 49 / 50)  # nothing to compare with the fifth record
    assert found.parts["2"] == 100.0


def test_a_person_of_whom_nothing_is_known_is_not_linked() -> None:
    original, masked = example(d=1)
    original[4] = NAN
    found = measured(original, masked, window=100.0)
    assert found.per_record is not None
    assert found.per_record[4] == 0.0


def test_a_constant_key_tells_nothing() -> None:
    original, masked = example(d=2)
    constant = np.full((50, 1), 0.1)
    with_it = measured(np.hstack([constant, original]), np.hstack([constant, masked]), window=20.0)
    assert with_it.parts["1"] == 0.0
    assert [with_it.parts["2"], with_it.parts["3"]] == by_scenario(measured(original, masked, window=20.0))
    assert measured(np.tile(constant, 2), masked).value == 0.0


def test_the_figure_per_record_is_its_share_of_scenarios() -> None:
    original, masked = example()
    found = measured(original, masked, window=20.0)
    links = [plain_links(original, masked, 20.0, keys) for keys in range(1, 5)]
    assert found.per_record is not None
    assert found.per_record.tolist() == [25.0 * sum(link[row] == {row} for link in links) for row in range(50)]


def test_records_are_told_by_their_ids_and_not_by_their_place() -> None:
    original, masked = example()
    order = np.random.default_rng(3).permutation(50)
    straight = measured(original, masked, window=20.0)
    mixed = RankIntervalLinkage(columns=names_of(original), window=20.0).measure(
        microdata(original), microdata(masked[order], order.tolist())
    )
    assert straight.per_record is not None
    assert mixed.per_record is not None
    assert mixed.per_record.tolist() == straight.per_record[order].tolist()


def test_knows_at_most_seven_keys_by_default() -> None:
    original, masked = example(d=9)
    assert list(measured(original, masked).parts) == [*(str(keys) for keys in range(1, 8)), "RSLDsure"]


@pytest.mark.parametrize("window", [0, 101])
def test_refuses_a_window_beyond_all_records_or_of_none(window: float) -> None:
    with pytest.raises(ParameterError, match=rf"RankIntervalLinkage.window must be in \(0, 100\]; got {window}"):
        RankIntervalLinkage(columns=("v0",), window=window)


@pytest.mark.parametrize("are_suppressed", [False, True])
def test_the_missing_values_of_some_records_hide_no_others(are_suppressed: bool) -> None:
    original, masked = example(n=300, window=5.0)
    gaps = np.random.default_rng(3).random(original.shape) < 0.1
    known = original if are_suppressed else np.where(gaps, NAN, original)
    before = measured(original, masked, window=6.0).per_record
    after = measured(known, np.where(gaps, NAN, masked), window=6.0).per_record
    assert before is not None
    assert after is not None
    whole = ~gaps.any(axis=1)
    assert after[whole].mean() > 0.95 * before[whole].mean()


@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_the_scenario_of_all_keys_can_be_had_by_itself(gaps: float) -> None:
    original, masked = example()
    original[:, 1] = 3.0  # tells nothing
    lacking = np.random.default_rng(2).random(original.shape) < gaps
    original, masked = (np.where(lacking, np.nan, file) for file in (original, masked))
    ends, rows = partial(rank_ends, window=20.0), np.arange(50)
    found = link_inside_intervals(original, masked, rows, ends, 4, LinkTies.SHARED)
    alone = share_inside_intervals(original, masked, rows, ends)
    assert alone.tolist() == found.linked[-1].tolist()
    assert 0 < alone.mean() < 1
