"""Individual ranking linkage, checked against a plain double loop over the definition."""

from math import inf, isnan
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import Measurement
from sfumato.datasets import reference
from sfumato.errors import ParameterError
from sfumato.execution import run_step
from sfumato.masking import IndividualRanking
from sfumato.masking.microaggregation.individual_ranking import ranked_means
from sfumato.masking.microaggregation.univariate_microaggregation import optimal_means
from sfumato.numerics.arrays import FloatMatrix
from sfumato.risk import DistanceLinkage, IndividualRankingLinkage
from sfumato.risk.linkage.individual_ranking_linkage import group_ends
from tests.matrices import microdata, names_of

NAN = float("nan")


def measured(original: FloatMatrix, masked: FloatMatrix, **parameters: object) -> Measurement:
    return IndividualRankingLinkage(columns=names_of(original), **parameters).measure(
        microdata(original), microdata(masked)
    )


def by_scenario(found: Measurement) -> list[float]:
    """Return the percent linked by number of keys, without the sure links."""
    return [part for name, part in found.parts.items() if name != "IRLDsure"]


def by_distance(original: FloatMatrix, masked: FloatMatrix) -> Measurement:
    return DistanceLinkage(columns=names_of(original)).measure(microdata(original), microdata(masked))


def plain_groups(value: float, known: list[float], masked: list[float]) -> set[float]:
    """Return the masked values that a known value may have become, by its rank and by its neighbours."""
    before, after = (sorted(x for x in column if not isnan(x)) for column in (known, masked))
    more = len(after) - len(before)
    ranks = [rank for rank, other in enumerate(before) if other == value]
    places = range(ranks[0] + min(more, 0), ranks[-1] + max(more, 0) + 1)
    by_rank = {after[min(max(place, 0), len(after) - 1)] for place in places}
    low = max((x for x in after if x < value), default=after[0])
    high = min((x for x in after if x > value), default=after[-1])
    return {x for x in by_rank if low <= x <= high}


def plain_links(original: FloatMatrix, masked: FloatMatrix, keys: int) -> list[set[int]]:
    """Return for each person the possible masked records that have most of the first keys, and of these the nearest."""
    before, after = original[:, :keys].tolist(), masked[:, :keys].tolist()
    columns = list(zip(original[:, :keys].T.tolist(), masked[:, :keys].T.tolist(), strict=True))
    spread = [stdev(x for x in known if not isnan(x)) for known, _ in columns]
    answer = []
    for person in before:
        groups = [None if isnan(x) else plain_groups(x, *column) for x, column in zip(person, columns, strict=True)]
        order = []
        for record in after:
            squares = [((a - b) / s) ** 2 for a, b, s in zip(person, record, spread, strict=True) if not isnan(a - b)]
            fits = squares and all(
                group is None or isnan(x) or x in group for x, group in zip(record, groups, strict=True)
            )
            order.append((-len(squares), sum(squares)) if fits else (0, inf))
        compared, shortest = min(order)
        first = {row for row, found in enumerate(order) if found[0] == compared and found[1] <= shortest * (1 + 1e-9)}
        answer.append(first if shortest < inf else set())
    return answer


def plain_linkage(original: FloatMatrix, masked: FloatMatrix, ties: str = "shared") -> list[float]:
    scenarios = [plain_links(original, masked, keys) for keys in range(1, original.shape[1] + 1)]
    return [
        100 * mean((1 if ties == "any" else 1 / len(found)) if row in found else 0.0 for row, found in enumerate(links))
        for links in scenarios
    ]


def example(n: int = 50, d: int = 3, k: int = 5) -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(8)
    original = rng.lognormal(size=(n, d)) * [[1.0, 20.0, 0.1, 5.0, 1.0, 3.0, 2.0, 9.0][:d]]
    return original, averaged(original, k)


def averaged(original: FloatMatrix, k: int) -> FloatMatrix:
    return np.column_stack([ranked_means(column, k) for column in original.T])


def test_equals_a_plain_double_loop_for_each_number_of_keys() -> None:
    original, masked = example()
    found = measured(original, masked)
    assert by_scenario(found) == pytest.approx(plain_linkage(original, masked))
    assert found.parts["1"] == pytest.approx(100 / 5)  # the group is known, and who of its five it is not
    assert found.value == pytest.approx(mean(by_scenario(found)))


@pytest.mark.parametrize("ties", ["shared", "any"])
def test_equals_a_plain_double_loop_with_equal_values(ties: str) -> None:
    original = np.rint(example()[0] * [[2.0, 0.1, 20.0]])
    masked = averaged(original, 4)
    found = measured(original, masked, ties=ties)
    assert by_scenario(found) == pytest.approx(plain_linkage(original, masked, ties))


def test_equals_a_plain_double_loop_with_missing_values() -> None:
    original, masked = example()
    rng = np.random.default_rng(2)
    masked[rng.random(masked.shape) < 0.15] = NAN
    original[rng.random(original.shape) < 0.1] = NAN
    assert by_scenario(measured(original, masked)) == pytest.approx(plain_linkage(original, masked))


def test_equals_a_plain_double_loop_after_another_method() -> None:
    original, _ = example()
    masked = original + 0.1 * original.std(axis=0) * np.random.default_rng(2).normal(size=original.shape)
    assert by_scenario(measured(original, masked)) == pytest.approx(plain_linkage(original, masked))


@given(
    values=st.lists(st.integers(-8, 8), min_size=6, max_size=40),
    k=st.integers(2, 3),
    average=st.sampled_from([ranked_means, optimal_means]),
    are_rounded=st.booleans(),
    suppressed=st.sets(st.integers(0, 5), max_size=3),
)
def test_the_right_record_is_always_possible_after_univariate_microaggregation(
    values: list[int], k: int, average: object, are_rounded: bool, suppressed: set[int]
) -> None:
    original = np.array(values, dtype=np.float64)
    masked = average(original, k)  # type: ignore[operator]
    masked = np.rint(masked) if are_rounded else masked
    masked[list(suppressed)] = NAN
    low, high = group_ends(original, masked)
    there = ~np.isnan(masked)
    assert ((low <= masked) & (masked <= high))[there].all()


@pytest.mark.parametrize("k", [10, 40])
def test_finds_more_than_distance_linkage(k: int) -> None:
    original, masked = example(n=400, d=5, k=k)
    found, nearest = measured(original, masked).parts, by_distance(original, masked).parts
    assert all(found[keys] >= nearest[keys] for keys in nearest)
    assert found["2"] > nearest["2"] + 2


def test_two_columns_find_nearly_everybody_in_small_groups() -> None:
    found = measured(*example(n=400, k=3))
    assert found.parts["1"] == pytest.approx(100 * 133 / 400)  # 133 groups, of each of which one person is found
    assert found.parts["2"] > 95


@pytest.mark.reference
@pytest.mark.parametrize(("k", "keys", "gain"), [(50, "3", 8), (100, "4", 15), (100, "7", 12), (200, "6", 15)])
def test_census_in_large_groups_is_linked_far_more_often_than_by_distance(k: int, keys: str, gain: float) -> None:
    data = reference("census")
    names = data.schema.names
    masked = run_step(IndividualRanking(columns=names, k=k), data, seed=0, step=0)
    found = IndividualRankingLinkage(columns=names).measure(data, masked).parts
    nearest = DistanceLinkage(columns=names).measure(data, masked).parts
    assert found[keys] > nearest[keys] + gain
    assert all(found[number] >= nearest[number] - 1e-9 for number in nearest)


def test_suppressed_values_make_it_harder_but_not_impossible() -> None:
    original, masked = example(n=300, k=10)
    clear = measured(original, masked).value
    masked[np.random.default_rng(1).random(masked.shape) < 0.1] = NAN
    assert 0.5 * clear < measured(original, masked).value < clear


def test_finds_little_where_the_order_is_not_kept() -> None:
    original, _ = example(n=300)
    noisy = original + original.std(axis=0) * np.random.default_rng(1).normal(size=original.shape)
    assert measured(original, noisy).value < by_distance(original, noisy).value < 10


def test_a_person_of_whom_nothing_is_known_is_not_linked() -> None:
    original, masked = example(d=1)
    original[4] = NAN
    found = measured(original, masked)
    assert found.per_record is not None
    assert found.per_record[4] == 0.0


def test_a_constant_key_tells_nothing() -> None:
    original, masked = example(d=2)
    constant = np.full((50, 1), 0.1)
    with_it = measured(np.hstack([constant, original]), np.hstack([constant, masked]))
    assert with_it.parts["1"] == 0.0
    assert [with_it.parts["2"], with_it.parts["3"]] == by_scenario(measured(original, masked))


def test_a_sample_is_attacked_through_the_order_of_its_own_records() -> None:
    original, masked = example(n=200, k=4)
    rows = np.random.default_rng(5).permutation(200)[:80]
    sample = IndividualRankingLinkage(columns=names_of(original)).measure(
        microdata(original), microdata(masked[rows], rows.tolist())
    )
    assert sample.per_record is not None
    assert sample.per_record.shape == (80,)
    assert sample.value >= measured(original, masked).value


def test_refuses_to_know_no_key() -> None:
    with pytest.raises(ParameterError, match=r"IndividualRankingLinkage.max_keys must be in \[1, inf\); got 0"):
        IndividualRankingLinkage(columns=("v0",), max_keys=0)
