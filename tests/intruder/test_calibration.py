"""Calibration: an intruder who tried the attack on a file of their own knows how far to trust it."""

import numpy as np

from sfumato.contracts import Knowledge
from sfumato.intruder import calibrate
from sfumato.masking import SequentialSynthesis
from sfumato.risk import LikelihoodLinkage
from tests.matrices import microdata, names_of


def test_links_that_were_as_often_right_as_they_said_are_left_as_they_are() -> None:
    rng = np.random.default_rng(1)
    tried, certainty = rng.random(500), rng.random(300)
    right = (rng.random(500) < tried).astype(np.float64)
    assert np.array_equal(calibrate(certainty, tried, right), certainty)


def test_links_that_were_too_sure_are_trusted_less_and_none_is_trusted_more() -> None:
    rng = np.random.default_rng(2)
    tried, certainty = rng.random(500), rng.random(300)
    right = (rng.random(500) < tried**3).astype(np.float64)
    found = calibrate(certainty, tried, right)
    assert (found <= certainty).all()
    is_high = certainty > 0.6
    assert abs(found[is_high].mean() - (certainty[is_high] ** 3).mean()) < 0.12


def test_a_handful_of_links_tells_nothing() -> None:
    certainty = np.array([0.9])
    assert np.array_equal(calibrate(certainty, np.full(5, 0.9), np.zeros(5)), certainty)


def test_synthetic_records_leave_nobody_certain() -> None:
    matrix = np.exp(np.random.default_rng(3).normal(size=(300, 4)))
    data, method = microdata(matrix), SequentialSynthesis(columns=names_of(matrix), min_leaf=5)
    masked = method.mask(data, np.random.default_rng(4))
    found = LikelihoodLinkage(columns=names_of(matrix)).informed_by(Knowledge.of([method], data)).measure(data, masked)
    assert found.parts["certain at 50"] < 1.0
