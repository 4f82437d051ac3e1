"""Calibration: an intruder who tried the attack on a file of their own knows how far to trust it."""

import numpy as np

import sfumato as sf
from sfumato.contracts import Knowledge
from sfumato.intruder import are_too_sure, calibrate
from sfumato.masking import Mdav, Pram, RankSwapping, SequentialSynthesis
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


def test_a_few_right_links_at_the_top_do_not_pass_for_certain() -> None:
    tried = np.linspace(0.5, 1.0, 200)
    right = np.where(np.arange(200) % 2 == 0, 1.0, 0.0)
    right[-5:] = 1.0
    assert calibrate(np.array([1.0]), tried, right)[0] < 0.6


def test_links_by_exchanges_are_no_surer_than_they_were_on_a_file_of_the_intruders_own() -> None:
    amounts = ("total_income", "expenditure", "savings")
    names = (*amounts, "education")
    original = masked = sf.datasets.demo(500).take_columns(names)
    steps = [Mdav(columns=amounts, k=4), RankSwapping(columns=amounts, window=10), Pram(columns=names[3:], stay=70)]
    rng = np.random.default_rng(31)
    for step in steps:
        masked = step.mask(masked, rng)
    links = LikelihoodLinkage(columns=names).informed_by(Knowledge.of(steps, original)).links(original, masked)
    assert links.strongest == "exchanges"
    assert (links.certainty >= 0.5).sum() > 50
    assert not are_too_sure(links.certainty, links.right, 3.0)
