"""Marginal distance, checked against scipy and plain counts."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp, wasserstein_distance

from sfumato.contracts import Measurement
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, KindError
from sfumato.loss import MarginalDistance
from sfumato.loss.distributions.marginal_distance import ordered_distances
from sfumato.numerics.arrays import FloatMatrix
from tests.matrices import microdata, names_of

NAN = float("nan")
HEALTH = ("bad", "fair", "good")
numbers = st.lists(st.integers(-5, 5).map(float), min_size=4, max_size=30).map(np.array)


def measured(original: FloatMatrix, masked: FloatMatrix, **parameters: object) -> Measurement:
    measure = MarginalDistance(columns=names_of(original), **parameters)
    return measure.measure(microdata(original), microdata(masked))


def levels(values: Sequence[str | None], kind: Kind = Kind.ORDINAL, categories: tuple[str, ...] = HEALTH) -> Microdata:
    listed = categories if kind is Kind.ORDINAL else ()
    schema = Schema(variables=(Variable(name="health", kind=kind, categories=listed),))
    return Microdata(pl.DataFrame({"health": values}, schema={"health": pl.String}), schema)


def example(n: int = 500) -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(4)
    original = np.column_stack([rng.normal(10, 3, n), rng.lognormal(0, 1, n), rng.poisson(2, n)])
    return original, original * 1.1 + rng.normal(size=original.shape)


@given(numbers, numbers)
def test_both_distances_of_ordered_values_equal_those_of_scipy(first: np.ndarray, second: np.ndarray) -> None:
    steps, moves = ordered_distances(first, second)
    assert steps == pytest.approx(ks_2samp(first, second, method="asymp").statistic)
    assert moves == pytest.approx(wasserstein_distance(first, second))


def test_the_parts_are_means_over_columns_in_percent() -> None:
    original, masked = example()
    found = measured(original, masked)
    steps = [ks_2samp(*pair).statistic for pair in zip(original.T, masked.T, strict=True)]
    moves = [
        wasserstein_distance(before, after) / before.std(ddof=1)
        for before, after in zip(original.T, masked.T, strict=True)
    ]
    assert found.parts["MDks"] == pytest.approx(100 * np.mean(steps))
    assert found.parts["MDwasserstein"] == pytest.approx(100 * np.mean(moves))
    assert found.value == found.parts["MDhellinger"] == pytest.approx(np.mean([found.parts[f"v{j}"] for j in range(3)]))


def test_the_hellinger_distance_of_numbers_is_that_of_quantile_classes() -> None:
    original, masked = (column[:, None] for column in np.random.default_rng(0).normal([[0.0], [0.5]], 1, (2, 300)))
    ordered = sorted(original[:, 0])
    ends = [ordered[60 * place - 1] for place in range(1, 5)]
    shares = [Counter(sum(x > end for end in ends) for x in side[:, 0]) for side in (original, masked)]
    expected = sum((shares[0][c] * shares[1][c]) ** 0.5 / 300 for c in range(5))
    assert measured(original, masked, classes=5).value == pytest.approx(100 * (1 - expected) ** 0.5)


def test_the_order_of_the_values_does_not_matter() -> None:
    original, _ = example()
    swapped = np.column_stack([np.random.default_rng(j).permutation(original[:, j]) for j in range(3)])
    assert set(measured(original, swapped).parts.values()) == {0.0}


def test_values_that_have_all_moved_away_are_fully_lost() -> None:
    original, _ = example()
    found = measured(original[:, :1], original[:, :1] + 1000)
    assert found.parts["MDks"] == 100.0
    assert found.parts["MDwasserstein"] == pytest.approx(100 * 1000 / original[:, 0].std(ddof=1))
    assert found.value == pytest.approx(100 * (1 - 0.1**0.5) ** 0.5)  # the highest class is still there


def test_suppression_counts_in_the_hellinger_distance_alone() -> None:
    original = np.repeat([1.0, 2.0], 50)[:, None]
    masked = original.copy()
    masked[::2] = NAN
    found = measured(original, masked)
    overlap = 2 * (0.5 * 0.25) ** 0.5
    assert found.value == pytest.approx(100 * (1 - overlap) ** 0.5)
    assert (found.parts["MDks"], found.parts["MDwasserstein"]) == (0.0, 0.0)


def test_ordinal_columns_are_compared_by_the_steps_of_their_order() -> None:
    found = MarginalDistance(columns=("health",)).measure(
        levels(["bad", "bad", "good", "good"]), levels(["fair", "bad", "good", None])
    )
    before, after = [0.0, 0.0, 2.0, 2.0], [1.0, 0.0, 2.0]
    assert found.parts["MDks"] == pytest.approx(100 * ks_2samp(before, after, method="asymp").statistic)
    assert found.parts["MDwasserstein"] == pytest.approx(
        100 * wasserstein_distance(before, after) / np.std(before, ddof=1)
    )
    overlap = (0.5 * 0.25) ** 0.5 + (0.5 * 0.25) ** 0.5
    assert found.value == pytest.approx(100 * (1 - overlap) ** 0.5)


def test_nominal_columns_have_no_order_to_lose() -> None:
    files = [levels(values, Kind.NOMINAL) for values in (["a", "b", "b"], ["a", "c", "c"])]
    found = MarginalDistance(columns=("health",)).measure(*files)
    assert found.value == pytest.approx(100 * (1 - 1 / 3) ** 0.5)
    assert (found.parts["MDks"], found.parts["MDwasserstein"]) == (0.0, 0.0)


def test_a_changed_constant_column_has_moved_by_the_share_of_its_changed_values() -> None:
    original = np.full((4, 1), 0.3)
    masked = np.array([[0.3], [0.3], [0.3], [7.0]])
    assert measured(original, masked).parts["MDwasserstein"] == 25.0
    assert measured(original, original).value == 0.0


def test_files_of_other_records_can_be_compared() -> None:
    original, masked = example()
    strangers = microdata(masked[:100], list(range(9000, 9100)))
    assert MarginalDistance(columns=("v0",)).measure(microdata(original), strangers).value > 0


def test_more_noise_loses_more() -> None:
    original, _ = example()
    noise = np.random.default_rng(1).normal(size=original.shape) * original.std(axis=0)
    found = [list(measured(original, original + scale * noise).parts.values())[:3] for scale in (0.1, 0.5, 2.0)]
    assert all(list(part) == sorted(part) for part in zip(*found, strict=True))


def test_refuses_an_ordinal_column_of_new_categories() -> None:
    masked = levels(["bad or fair", "good", "good"], categories=("bad or fair", "good"))
    with pytest.raises(DataError, match="'health' has 1 category in the masked file that the original does not have"):
        MarginalDistance(columns=("health",)).measure(levels(["bad", "fair", "good"]), masked)


def test_refuses_a_column_of_two_kinds() -> None:
    with pytest.raises(
        KindError, match=r"MarginalDistance.columns: 'health' is ordinal in the original and nominal in"
    ):
        MarginalDistance(columns=("health",)).measure(levels(["bad", "good"]), levels(["bad", "good"], Kind.NOMINAL))
