"""What becomes of each person by itself, learnt from many runs."""

import numpy as np

from sfumato.intruder.learnt.displacements import displacements
from sfumato.intruder.learnt.learning import MaskedFile, learn, log_densities
from sfumato.intruder.learnt.own_runs import own_runs
from sfumato.intruder.learnt.pairs import Pairs


def test_a_stratum_that_is_not_seen_is_learnt_from_what_becomes_of_each_person() -> None:
    rng = np.random.default_rng(0)
    count, runs = 120, 20
    original, shift = rng.normal(size=(count, 1)), rng.choice([-2.0, 2.0], (count, 1))
    files = [MaskedFile(np.arange(count), original + shift + rng.normal(0, 0.5, (count, 1))) for _ in range(runs + 1)]
    learnt = learn(original, files[1:], files[0], (True,))
    by_value = learn(original, files[1:], files[0], (True,), only=displacements)
    assert learnt.merit > by_value.merit + np.log(2) / 2  # of two strata, of which the value says nothing
    assert learnt.learner is not displacements


def test_a_few_runs_are_drawn_towards_what_becomes_of_all_values_like_it() -> None:
    rng = np.random.default_rng(1)
    count = 300
    original = np.sort(rng.uniform(size=(count, 1)), axis=0)
    rows = np.tile(np.arange(count), 5)
    pairs = Pairs(original, rows, original[rows] + rng.normal(0, 0.1, (len(rows), 1)), (True,))
    fresh = original + rng.normal(0, 0.1, (count, 1))
    found = log_densities(own_runs(pairs, np.arange(count), fresh), count, count)
    exact = -0.5 * ((fresh - original.T) / 0.1) ** 2
    shares = [np.exp(each) / np.exp(each).sum(axis=1, keepdims=True) for each in (found, exact)]
    lost = np.log(np.diag(shares[1])).mean() - np.log(np.diag(shares[0])).mean()
    assert lost < 0.2  # five runs alone lose more than one


def test_a_value_that_is_missing_tells_whose_values_are_left_out_more_often() -> None:
    rng = np.random.default_rng(2)
    count, runs = 50, 40
    original = rng.normal(size=(count, 1))
    rows = np.tile(np.arange(count), runs)
    is_rare = rows < 10
    after = np.where(rng.random(len(rows)) < np.where(is_rare, 0.9, 0.05), np.nan, original[rows, 0])[:, None]
    found = own_runs(Pairs(original, rows, after, (True,)), np.arange(count), np.array([[np.nan]]))
    densities = log_densities(found, 1, count)[0]
    assert densities[:10].min() > densities[10:].max()
