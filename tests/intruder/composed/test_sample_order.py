"""Values of a sample that keep their order are linked by it, as who was likely drawn tells where the others lie."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.intruder import build_model, mask_shadow, posterior_of
from sfumato.intruder.composed.rank_chances import Ranks
from sfumato.intruder.composed.sample_order import SampleOrder
from sfumato.masking import AdditiveNoise, DistributionDistortion, IndividualRanking, Resampling, Sampling


def test_ranks_are_as_probable_as_the_samples_that_show_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.intruder.composed.sample_order.ROUNDS", 0)  # anybody may have been drawn
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


def test_ranks_go_by_who_was_likely_drawn() -> None:
    """Over all samples of three of seven, each as probable as its members are, where one value is missing."""
    drawn = np.random.default_rng(5).uniform(0.1, 0.9, 8)
    before, after = np.array([5.0, 1.0, 3.0, np.nan, 9.0, 4.0, 7.0, 8.0]), np.array([2.0, np.nan, 8.0, 4.0])
    found = np.exp(Ranks.of(before, after).log_chances(drawn))  # masked records x originals
    rising = [row for row in np.argsort(before) if row != 3]
    weights = np.zeros((4, 8))
    for chosen in combinations(rising, 3):
        others = [row for row in rising if row not in chosen]
        for row, record in zip(chosen, (0, 3, 2), strict=True):
            weights[record, row] += drawn[list(chosen)].prod() * (1 - drawn[others]).prod() / drawn[row]
    seen = np.ix_([0, 2, 3], rising)
    expected = weights[seen] / weights[seen].sum(axis=1, keepdims=True)
    assert found[seen][expected > 0] == pytest.approx(expected[expected > 0])
    assert (found[1] == 1).all()
    assert (found[:, 3] == 1).all()


def test_a_sample_whose_columns_keep_their_order_is_linked_though_values_are_missing_and_shared() -> None:
    rng = np.random.default_rng(8)
    amounts = rng.lognormal(8, 1, (400, 2)).round(-2)
    amounts[rng.random((400, 2)) < 0.03] = np.nan
    original = Microdata(pl.DataFrame(amounts, schema=list("ab")).fill_nan(None))
    steps = (Sampling(percent=50), DistributionDistortion(columns=tuple("ab")))
    released = mask_shadow(steps, original, 1, 0)
    posterior = posterior_of(build_model(original, released.data, tuple("ab"), steps, 0), 64)
    best = posterior.candidates[np.arange(len(posterior.one_to_one)), posterior.one_to_one.argmax(axis=1)]
    right = posterior.original_classes[released.rows] == best[posterior.masked_classes]
    assert right.mean() > 0.85  # .43 by the ranks of a sample of anybody


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


def test_values_that_were_averaged_in_small_groups_tell_more_than_their_order() -> None:
    rng = np.random.default_rng(4)
    original = Microdata(pl.DataFrame(rng.normal(size=(300, 2)), schema=["x", "y"]))
    steps = (Sampling(percent=50), AdditiveNoise(columns=("y",), scale=0.2), IndividualRanking(columns=("x",), k=3))
    model = build_model(original, mask_shadow(steps, original, 1, 0).data, ("x", "y"), steps, 0)
    assert not any("order of a sample" in remark for remark in model.remarks)
