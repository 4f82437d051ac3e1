"""Linkage by weights estimated in rounds: they belong to the links, and to the model of Fellegi and Sunter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from sfumato.risk import ExpectationMaximisationLinkage
from sfumato.risk.linkage import _estimated_weights as estimated_weights
from sfumato.risk.linkage._candidates import nearest_candidates
from sfumato.risk.linkage._discrepancies import Metric, discrepancies
from sfumato.risk.linkage.expectation_maximisation_linkage import link_by_estimate
from tests.matrices import microdata, names_of
from tests.risk.plain_linkage import NAN, example, measured, plain_discrepancy, with_areas


@given(seed=st.integers(0, 10**6), metric=st.sampled_from(["relative", "rank", "standardised"]))
def test_estimated_links_are_the_best_for_the_estimated_weights(seed: int, metric: str) -> None:
    rng = np.random.default_rng(seed)
    original = rng.integers(1, 6, size=(12, 2)).astype(float) + np.array([[0.5], [0.0]]).repeat(6, axis=0)
    masked = np.rint(original + rng.normal(size=original.shape))
    measure = ExpectationMaximisationLinkage(columns=names_of(original), metric=metric)
    compared = discrepancies(measure, microdata(original), microdata(masked), Metric(metric))
    reach = Metric(metric).reach
    (taken, _), estimate = link_by_estimate(
        compared, nearest_candidates(compared, [(np.arange(12), np.arange(12))], 12), reach
    )
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


def test_estimated_weights_of_categories_are_those_of_fellegi_and_sunter() -> None:
    rng = np.random.default_rng(0)
    original, masked = example(n=400, noise=0.02)
    before = np.array(list("ABCD"))[rng.integers(4, size=400)]
    after = np.where(rng.random(400) < 0.2, "A", before)
    measure = ExpectationMaximisationLinkage(columns=(*names_of(original), "area"), metric="rank")
    files = with_areas(original, before.tolist()), with_areas(masked, after.tolist())
    compared = discrepancies(measure, *files, Metric.RANK)
    near = nearest_candidates(compared, [(np.arange(400), np.arange(400))], 20)
    _, estimate = link_by_estimate(compared, near, 0.5)
    m, u = (before == after).mean(), (before[:, None] == after).mean()
    assert 0.8 < m < 0.9
    agree, disagree = estimate.weights[-2:]
    assert agree == pytest.approx(np.log(m / u), abs=0.05)
    assert disagree == pytest.approx(np.log((1 - m) / (1 - u)), abs=0.2)


def test_a_missing_value_is_no_evidence_for_estimated_weights() -> None:
    original, masked = example(n=100, noise=0.05)
    masked[::10, 1] = NAN
    found = measured(original, masked, ExpectationMaximisationLinkage, metric="rank")
    assert found.per_record is not None
    assert found.per_record[::10].mean() > 50


def test_says_when_the_weights_are_not_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert measured(*example(), ExpectationMaximisationLinkage).remark == ""
    monkeypatch.setattr(estimated_weights, "MAX_ROUNDS", 1)
    found = measured(*example(), ExpectationMaximisationLinkage)
    assert found.remark == "the weights were still changing after 1 rounds"
