"""What becomes of each person in all columns together, learnt from runs."""

import numpy as np
import pytest

from sfumato.intruder import Runs
from sfumato.intruder.learnt.learning import MaskedFile, learn
from sfumato.intruder.learnt.own_points import own_points, suit_own_points
from sfumato.intruder.learnt.shadow_learning import ShadowLearning
from sfumato.masking import AdditiveNoise, LossyCompression, RankSwapping
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.densities import IMPOSSIBLE
from tests.matrices import microdata, names_of

COUNT = 100
EVERY = np.arange(COUNT, dtype=np.float64)[:, None]
ALL = np.tile(np.arange(COUNT), (COUNT, 1))


def moved_along_own_lines(lacking: int = 0) -> tuple[FloatMatrix, list[MaskedFile]]:
    """Return records, and files in which each moved to one of two places on a line of its own; some lack a value."""
    rng = np.random.default_rng(0)
    original, ways = rng.normal(size=(COUNT, 2)), rng.uniform(0, np.pi, COUNT)
    original[:lacking, 1] = np.nan
    lines = np.column_stack([np.cos(ways), np.sin(ways)])

    def run() -> MaskedFile:
        along = rng.choice([-1.0, 1.0], COUNT)[:, None] + rng.normal(0, 0.1, (COUNT, 1))
        order = rng.permutation(COUNT)
        return MaskedFile(order, (original + along * lines + rng.normal(0, 0.02, (COUNT, 2)))[order])

    return original, [run() for _ in range(61)]


def test_the_shape_of_what_becomes_of_a_person_is_learnt_with_all_columns_together() -> None:
    original, files = moved_along_own_lines()
    learnt = learn(original, files[1:], files[0], (True, True))
    found = own_points(COUNT, files[1:], files[0])
    assert found is not None
    assert suit_own_points(learnt.pairs)
    assert found[1] > learnt.merit + 0.2
    logs = found[0].log_densities(EVERY, files[0].matrix, ALL)
    assert np.mean(logs.argmax(axis=1) == files[0].rows) > 0.7


def test_a_density_is_one_and_who_lacks_another_value_is_a_stranger() -> None:
    _, files = moved_along_own_lines(lacking=30)
    found = own_points(COUNT, files[1:], files[0])
    assert found is not None
    density = found[0]
    steps = np.linspace(-8, 8, 401)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    whole = density.log_densities(EVERY, grid, np.full((len(grid), 1), 70))[:, 0] / density.power
    line = np.column_stack([steps, np.full(401, np.nan)])
    part = density.log_densities(EVERY, line, np.full((401, 1), 5))[:, 0] / density.power
    assert np.exp(whole).sum() * 0.04**2 == pytest.approx(1, abs=0.02)
    assert np.exp(part).sum() * 0.04 == pytest.approx(1, abs=0.02)
    strangers = density.log_densities(EVERY, grid[:1], np.array([[5]]))
    assert strangers[0, 0] == IMPOSSIBLE


def test_records_that_are_made_from_records_near_them_are_learnt_as_wholes() -> None:
    matrix = np.exp(np.random.default_rng(5).normal(size=(120, 3)))
    data, names = microdata(matrix), names_of(matrix)
    noisy = AdditiveNoise(columns=names[:1], scale=0.5), LossyCompression(columns=names, quality=40)
    swapped = (RankSwapping(columns=names, window=20),)
    lessons = [ShadowLearning(Runs.of(data, data, steps, 0), names).lesson for steps in (noisy, swapped)]
    assert lessons[0].own_points is not None
    assert lessons[1].own_points is None
