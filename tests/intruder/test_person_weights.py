"""The posterior turned round: which released record is a person's."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.intruder import build_model, posterior_of
from sfumato.intruder.person_weights import person_weights
from sfumato.masking import AdditiveNoise, Sampling
from sfumato.numerics.arrays import FloatColumn


def sums(n: int, percent: float) -> FloatColumn:
    """Return for each person the probability that one of the released records is theirs."""
    rng = np.random.default_rng(3)
    data = Microdata(pl.DataFrame({"town": (np.arange(n) % 3).astype(str), "income": rng.normal(size=n).round(1)}))
    steps = [AdditiveNoise(columns=("income",), scale=0.4)]
    masked = steps[0].mask(data, rng)
    if percent < 100:
        masked = Sampling(percent=percent).mask(masked, rng)
    posterior = posterior_of(build_model(data, masked, ("town", "income"), steps, 0), n)
    found = person_weights(posterior)
    records = np.bincount(posterior.masked_classes)[found.classes]
    added = np.add.reduceat(np.append(found.weights * records, 0.0), found.starts[:-1])
    return np.asarray(np.where(np.diff(found.starts) > 0, added, 0.0)[posterior.original_classes], dtype=np.float64)


def test_everybody_has_a_record_where_all_are_released() -> None:
    assert sums(30, 100) == pytest.approx(1.0)


def test_a_person_has_at_most_one_record_of_a_sample() -> None:
    found = sums(30, 50)
    assert found.max() <= 1 + 1e-9
    assert found.sum() == pytest.approx(15)
