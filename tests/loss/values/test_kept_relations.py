"""Correlations of cut values and their standard errors, checked against numpy, against samples and on heavy tails."""

import numpy as np
import pytest

from sfumato.loss.values._kept_relations import Relation, moved_relations, relations


def drawn(rng: np.random.Generator, n: int, kind: str) -> np.ndarray:
    values = rng.normal(size=(n, 2)) @ [[1, 0.7], [0, 0.7]]
    if kind == "heavy":
        return np.exp(1.5 * values)
    return np.maximum(np.rint(2 * values), 0) if kind == "tied" else values


def only(matrix: np.ndarray) -> Relation:
    ((_, _, found),) = relations(matrix)
    return found


@pytest.mark.parametrize("kind", ["normal", "heavy", "tied"])
def test_is_the_correlation_of_cut_values_and_its_error_is_what_samples_show(kind: str) -> None:
    rng = np.random.default_rng(0)
    samples = [drawn(rng, 300, kind) for _ in range(300)]
    found = [only(sample) for sample in samples]
    cut = np.clip(samples[0], *np.quantile(samples[0], [0.025, 0.975], axis=0))
    assert np.tanh(found[0].z) == pytest.approx(np.corrcoef(cut.T)[0, 1])
    assert found[0].parts.mean() == pytest.approx(0, abs=1e-12)
    # 300 samples know a deviation to 4 %; where values are cut differs a little from sample to sample
    assert np.median([one.error for one in found]) == pytest.approx(np.std([one.z for one in found]), rel=0.2)


def test_counts_how_many_errors_a_relation_moved_and_would_move_if_it_were_lost() -> None:
    rng = np.random.default_rng(1)
    before = drawn(rng, 300, "heavy")
    old = only(before)
    after = np.column_stack([before[:, 0], rng.permutation(before[:, 1])])
    found = moved_relations(before, after)
    cut = np.clip(after, *np.quantile(before, [0.025, 0.975], axis=0))
    assert found.by_errors[0, 1] == pytest.approx(
        abs(np.arctanh(np.corrcoef(cut.T)[0, 1]) - old.z) / np.sqrt(np.mean(old.parts**2) / 300)
    )
    assert found.if_lost[0, 1] == pytest.approx(old.z / old.error)
    assert np.isnan(found.by_errors[[0, 1, 1], [0, 0, 1]]).all()


def test_one_value_far_out_moves_no_relation() -> None:
    before = drawn(np.random.default_rng(4), 200, "normal")
    after = before.copy()
    after[7] = [1e6, -1e6]
    assert moved_relations(before, after).by_errors[0, 1] < 1


def test_a_relation_of_one_is_kept_by_a_change_of_unit_and_by_no_other() -> None:
    one = np.random.default_rng(2).normal(size=50)
    before, swapped = np.column_stack([one, 3 * one]), np.column_stack([one, 3 * one[::-1]])
    assert moved_relations(before, before).by_errors[0, 1] == 0
    assert moved_relations(before, swapped).by_errors[0, 1] > 100


def test_a_relation_that_can_no_longer_be_computed_is_gone_and_one_that_never_could_is_not_judged() -> None:
    before = drawn(np.random.default_rng(3), 40, "normal")
    constant = np.column_stack([before[:, 0], np.ones(40)])
    missing = np.column_stack([before[:, 0], np.full(40, np.nan)])
    assert np.isinf(moved_relations(before, constant).by_errors[0, 1])
    assert np.isinf(moved_relations(before, missing).by_errors[0, 1])
    assert np.isnan(moved_relations(constant, before).by_errors[0, 1])
