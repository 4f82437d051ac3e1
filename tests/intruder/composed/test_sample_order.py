"""Values of a sample that keep their order are linked by it, as the links that are sure fix the others."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.intruder import build_model, mask_shadow, posterior_of
from sfumato.intruder.composed.sample_order import SampleOrder
from sfumato.masking import AdditiveNoise, Resampling, Sampling


def test_ranks_are_as_probable_as_the_samples_that_show_them() -> None:
    before = np.array([[5.0], [1.0], [3.0], [9.0], [3.0], [7.0]])
    blocks = np.zeros(6, dtype=np.int64), np.zeros(3, dtype=np.int64)
    order = SampleOrder(before, np.array([[2.0], [8.0], [4.0]]), blocks)
    found = order.likelihood(())[0].density.grid().table  # originals x masked records
    counts = np.zeros((6, 3))
    for chosen in combinations(range(6), 3):
        rising = sorted(chosen, key=lambda row: (before[row, 0], row))
        for rank, record in enumerate((0, 2, 1)):
            counts[rising[rank], record] += 1
    counts[[2, 4]] = counts[[2, 4]].mean(axis=0)  # equal originals stand in any order
    possible = counts > 0
    assert np.exp(found)[possible] == pytest.approx((counts / counts.sum(axis=0))[possible])


def test_sure_links_fix_where_the_others_lie() -> None:
    rng = np.random.default_rng(3)
    original = Microdata(pl.DataFrame(rng.normal(size=(200, 3)), schema=["x", "y", "z"]))
    steps = (
        Sampling(percent=50),
        Resampling(columns=("x", "y"), samples=3),
        AdditiveNoise(columns=("z",), scale=0.3),
    )
    released = mask_shadow(steps, original, 1, 0)
    model = build_model(original, released.data, ("x", "y", "z"), steps, 0)
    posterior = posterior_of(model, 64)
    best = posterior.candidates[np.arange(len(posterior.by_row)), posterior.by_row.argmax(axis=1)]
    right = posterior.original_classes[released.rows] == best[posterior.masked_classes]
    assert right.mean() > 0.9
    assert any("order of a sample" in remark for remark in model.remarks)
    assert model.is_blurred
