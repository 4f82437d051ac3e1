"""Probabilistic linkage, held against plain double loops and scipy's assignment."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.risk import ProbabilisticLinkage
from sfumato.risk.linkage import _linking as linking
from sfumato.risk.linkage._discrepancies import Metric, discrepancies
from tests.matrices import microdata, names_of
from tests.risk.plain_linkage import (
    NAN,
    assert_are_the_best_links,
    every_metric,
    every_weights,
    example,
    linked,
    measured,
    plain_discrepancy,
    plain_weights,
    with_areas,
)


@every_metric
def test_equals_a_plain_double_loop_and_a_full_assignment(metric: str) -> None:
    original, masked = example()
    table = plain_weights(original, masked, metric, [1, 1, 1])
    assert_are_the_best_links(linked(original, masked, metric=metric), table)


@pytest.mark.parametrize("metric", ["relative", "logarithmic"])
def test_links_the_records_that_a_full_assignment_links(metric: str) -> None:
    original, masked = example()
    table = plain_weights(original, masked, metric, [1, 1, 1])
    rows, columns = linear_sum_assignment(table, maximize=True)
    is_right = (rows == columns) & (table[rows, columns] > 1e-9)
    found = measured(original, masked, metric=metric)
    assert found.per_record is not None
    assert found.per_record.tolist() == (100.0 * is_right).tolist()
    assert found.value == pytest.approx(100 * is_right.mean())
    assert 0 < found.value < 100


@every_metric
def test_equals_a_plain_double_loop_with_given_weights_and_missing_values(metric: str) -> None:
    original, masked = example()
    rng = np.random.default_rng(9)
    original[rng.random(original.shape) < 0.2] = NAN
    masked[rng.random(masked.shape) < 0.2] = NAN
    given_weights = {"v0": 1.0, "v1": 2.5, "v2": 0.5}
    table = plain_weights(original, masked, metric, list(given_weights.values()))
    assert_are_the_best_links(linked(original, masked, metric=metric, weights=given_weights), table)


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), metric=st.sampled_from(list(Metric)), is_large=st.booleans())
def test_equals_a_plain_double_loop_on_small_files_with_ties(seed: int, metric: str, is_large: bool) -> None:
    rng = np.random.default_rng(seed)
    original, masked = (rng.integers(-1, 4, size=(7, 2)).astype(float) for _ in range(2))
    if len(set(original[:, 0])) == 1 or len(set(original[:, 1])) == 1:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linking, "LARGEST_TABLE", 3 if is_large else 5000)
        links = linked(original, masked, metric=metric, candidates=7)
    assert_are_the_best_links(links, plain_weights(original, masked, metric, [1, 1]))


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), metric=st.sampled_from(["relative", "rank", "standardised"]))
def test_estimated_links_are_the_best_for_the_estimated_weights(seed: int, metric: str) -> None:
    rng = np.random.default_rng(seed)
    original = rng.integers(1, 6, size=(12, 2)).astype(float) + np.array([[0.5], [0.0]]).repeat(6, axis=0)
    masked = np.rint(original + rng.normal(size=original.shape))
    measure = ProbabilisticLinkage(columns=names_of(original), metric=metric, weights="estimated")
    compared = discrepancies(measure, microdata(original), microdata(masked), Metric(metric))
    reach = {"relative": 1.0, "rank": 0.5, "standardised": 1.0}[metric]
    (taken, _), estimate = linking.link_by_estimate(compared, [(np.arange(12), np.arange(12))], reach, 12)
    before, after = original.T.tolist(), masked.T.tolist()
    table, other = np.zeros((12, 12)), np.zeros((12, 12))  # a discrepancy at the edge of two levels may have either
    for k, record in enumerate(masked.tolist()):
        for i, candidate in enumerate(original.tolist()):
            for j, (a, b) in enumerate(zip(candidate, record, strict=True)):
                level = plain_discrepancy(a, b, before[j], after[j], metric) * 99 / reach
                table[k, i] += estimate.weights[min(int(level + 1e-9), 99)] - estimate.weights[-1]
                other[k, i] += estimate.weights[min(int(max(level - 1e-9, 0)), 99)] - estimate.weights[-1]
    some = np.flatnonzero(taken >= 0)
    best = linear_sum_assignment(table, maximize=True)
    at_edges = np.abs(table - other).max(axis=1).sum()
    assert len(set(taken[some].tolist())) == len(some)
    assert table[some, taken[some]].sum() == pytest.approx(table[best].sum(), abs=1e-4 + at_edges)


@every_metric
@every_weights
def test_an_unmasked_file_is_linked_completely(metric: str, weights: str) -> None:
    original, _ = example()
    found = measured(original, original, metric=metric, weights=weights)
    assert dict(found.parts) == {"whole file": 100.0, "PLDz": 100.0}


@every_metric
@every_weights
def test_more_noise_links_less(metric: str, weights: str) -> None:
    values = [
        measured(*example(n=200, noise=noise), metric=metric, weights=weights).value for noise in (0.01, 0.2, 2.0)
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] > 2 * values[-1]


@every_weights
def test_strangers_are_linked_as_often_as_chance_has_it(weights: str) -> None:
    original = np.random.default_rng(1).normal(size=(1000, 3))
    strangers = np.random.default_rng(2).normal(size=(1000, 3))
    for metric in ("rank", "standardised"):
        # a chance near 1 / 1000 for each of 1000: Poisson(1) exceeds 8 once in a million
        assert measured(original, strangers, metric=metric, weights=weights).value <= 100 * 8 / 1000


@every_weights
def test_records_that_nobody_can_tell_apart_share_their_links(weights: str) -> None:
    ages = np.repeat(np.arange(10.0, 18.0), 50)[:, None]
    found = measured(ages, ages, metric="rank", weights=weights)
    assert found.value == pytest.approx(100 / 50, rel=0.02)  # of 50 candidates each record has 20
    assert found.parts["PLDz"] == 0.0
    assert len(linked(ages, ages, metric="rank", weights=weights)) > 0.95 * len(ages)


def test_values_that_agree_with_none_are_not_linked_whatever_their_place() -> None:
    original, masked = example(n=20)
    assert measured(original, masked + 1e6).value == 0.0
    assert len(linked(original, masked + 1e6)) == 0


def categories(records: list[tuple[str | None, str, float]]) -> Microdata:
    frame = pl.DataFrame(records, schema={"town": pl.String, "health": pl.String, "income": pl.Float64}, orient="row")
    schema = Schema(
        variables=(
            Variable(name="town", kind=Kind.NOMINAL),
            Variable(name="health", kind=Kind.ORDINAL, categories=("bad", "fair", "good")),
            Variable(name="income", kind=Kind.CONTINUOUS),
        )
    )
    return Microdata(frame, schema)


def test_categories_agree_or_do_not() -> None:
    original = categories([("A", "bad", 1.0), ("A", "good", 1.0), ("B", "bad", 2.0), (None, "fair", 2.0)])
    masked = categories([("A", "bad", 2.0), ("B", "good", 1.0), ("B", "fair", 2.0), ("C", "fair", 9.0)])
    links = ProbabilisticLinkage(columns=("town", "health")).links(original, masked)
    table = np.array([[2, 1, 1, 0], [0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 0, 1]], dtype=float)
    assert_are_the_best_links(links, table)
    assert ProbabilisticLinkage(columns=("town", "health")).measure(original, masked).value == 100.0


def test_estimated_weights_of_categories_are_those_of_fellegi_and_sunter() -> None:
    rng = np.random.default_rng(0)
    original, masked = example(n=400, noise=0.02)
    before = np.array(list("ABCD"))[rng.integers(4, size=400)]
    after = np.where(rng.random(400) < 0.2, "A", before)
    measure = ProbabilisticLinkage(columns=(*names_of(original), "area"), metric="rank", weights="estimated")
    files = with_areas(original, before.tolist()), with_areas(masked, after.tolist())
    compared = discrepancies(measure, *files, Metric.RANK)
    _, estimate = linking.link_by_estimate(compared, [(np.arange(400), np.arange(400))], 0.5, 20)
    m, u = (before == after).mean(), (before[:, None] == after).mean()
    assert 0.8 < m < 0.9
    agree, disagree = estimate.weights[-2:]
    assert agree == pytest.approx(np.log(m / u), abs=0.05)
    assert disagree == pytest.approx(np.log((1 - m) / (1 - u)), abs=0.2)


def test_a_missing_value_is_no_evidence_for_estimated_weights() -> None:
    original, masked = example(n=100, noise=0.05)
    masked[::10, 1] = NAN
    found = measured(original, masked, metric="rank", weights="estimated")
    assert found.per_record is not None
    assert found.per_record[::10].mean() > 50


@every_weights
def test_a_record_without_a_known_value_is_not_linked(weights: str) -> None:
    original, _ = example()
    masked = original.copy()
    masked[4] = NAN
    found = measured(original, masked, weights=weights)
    assert found.per_record is not None
    assert np.flatnonzero(found.per_record == 0).tolist() == [4]


@every_weights
@every_metric
def test_a_constant_column_tells_nothing(weights: str, metric: str) -> None:
    original, masked = example()
    constant = np.full((60, 1), 7.0)
    with_it = measured(
        np.hstack([constant, original]), np.hstack([constant * 2, masked]), weights=weights, metric=metric
    )
    assert dict(with_it.parts) == dict(measured(original, masked, weights=weights, metric=metric).parts)
    assert measured(constant, constant, weights=weights, metric=metric).value == 0.0


def test_a_masked_value_without_a_logarithm_disagrees_in_full() -> None:
    original = np.array([[10.0], [20.0], [40.0]])
    links = linked(original, np.array([[10.0], [-20.0], [0.0]]), metric="logarithmic")
    assert links.masked_rows.tolist() == [0]


def test_zeros_and_negative_numbers_have_signed_logarithms() -> None:
    original = np.array([[0.0], [-50.0], [50.0], [3.0]])
    assert measured(original, original * 1.01, metric="logarithmic").value == 100.0
    swapped = linked(original, np.array([[0.0], [50.0], [-50.0], [3.0]]), metric="logarithmic")
    assert dict(zip(swapped.masked_rows.tolist(), swapped.original_rows.tolist(), strict=True))[1] == 2
