import numpy as np
import pytest

from sfumato.data import numeric
from sfumato.masking import AdditiveNoise
from sfumato.papers.draws import draws, spread
from tests.matrices import microdata

DATA = microdata(np.random.default_rng(0).normal(size=(50, 2)))
NOISE = AdditiveNoise(columns=numeric)


def matrices(seed: int, times: int) -> list[np.ndarray]:
    return [masked.matrix(("v0", "v1")) for masked in draws(NOISE, DATA, seed, times)]


def test_the_same_seed_draws_the_same_and_more_draws_begin_alike() -> None:
    for one, other in zip(matrices(7, 2), matrices(7, 3), strict=False):
        assert np.array_equal(one, other)


def test_draws_differ_among_themselves_and_with_the_seed() -> None:
    drawn = matrices(7, 3) + matrices(8, 3)
    assert len({matrix.tobytes() for matrix in drawn}) == 6


def test_a_printed_draw_may_be_three_deviations_and_a_rounding_away() -> None:
    assert spread([1.0, 2.0, 3.0], unit=0.1) == pytest.approx(3.05)
    assert spread([4.0, 4.0], unit=0.01) == pytest.approx(0.005)
