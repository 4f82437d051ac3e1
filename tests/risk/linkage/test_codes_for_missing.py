"""Codes for missing are seen by readers, and so by an intruder."""

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Knowledge
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.masking import Pram
from sfumato.risk import LikelihoodLinkage


def test_codes_for_missing_tell_records_apart_as_readers_see_them() -> None:
    rng = np.random.default_rng(3)
    answers = rng.choice([1, 2, 3, 97, 98, 99], (300, 6), p=[0.28, 0.28, 0.29, 0.05, 0.05, 0.05])
    names = [f"q{place}" for place in range(6)]
    variables = [Variable(name=name, kind=Kind.NOMINAL, missing_codes=[97, 98, 99]) for name in names]
    original = Microdata(pl.DataFrame(answers, schema=names), Schema(variables=tuple(variables)))
    steps = [Pram(columns=tuple(names), stay=60)]
    masked = steps[0].mask(original, np.random.default_rng(1))
    found = LikelihoodLinkage(columns=tuple(names)).informed_by(Knowledge.of(steps, original)).measure(original, masked)
    shown = masked.frame.to_numpy()
    weights = np.zeros((300, 300))
    for before, after in zip(answers.T[:, None, :], shown.T[:, :, None], strict=True):
        told = np.where(before == after, np.log(0.6), np.log(0.2))
        weights += np.where((before > 90) | (after > 90), np.where(before == after, 0.0, -np.inf), told)
    best = np.isclose(weights, weights.max(axis=1, keepdims=True))
    assert found.parts["row by row"] == pytest.approx(100 * np.mean(best.diagonal() / best.sum(axis=1)))
