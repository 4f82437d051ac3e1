import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.masking import SequentialSynthesis
from sfumato.masking.synthesis._trees.leaf_trends import leaf_slopes, moved_places

N = 3000


def slopes(response: np.ndarray, scores: np.ndarray, leaves: np.ndarray) -> np.ndarray:
    """Return the slope in each of two leaves, by every third record."""
    return leaf_slopes(leaves, response, scores, np.arange(response.size) % 3 == 0, 2)


def test_the_slope_is_the_correlation_within_the_leaves_over_the_deviation_of_the_score() -> None:
    rng = np.random.default_rng(1)
    leaves = rng.integers(0, 2, N)
    scores = rng.normal(size=N) * (1 + leaves)
    response = 5.0 * leaves + 0.5 * scores / (1 + leaves) + rng.normal(size=N)
    found = slopes(response, scores, leaves)
    for leaf in (0, 1):
        inside = leaves == leaf
        expected = np.corrcoef(response[inside], scores[inside])[0, 1] / scores[inside].std()
        assert found[leaf] == pytest.approx(expected, abs=4 / np.sqrt(N / 3) / scores[inside].std())


def test_a_score_that_tells_nothing_within_the_leaves_moves_next_to_nothing() -> None:
    rng = np.random.default_rng(2)
    assert slopes(rng.normal(size=N), rng.normal(size=N), rng.integers(0, 2, N)).max() < 3 / np.sqrt(N / 3)


def test_what_the_leaves_explain_nearly_altogether_is_left_to_them() -> None:
    rng = np.random.default_rng(3)
    leaves, scores = rng.integers(0, 2, N), rng.normal(size=N)
    assert not slopes(100.0 * leaves + scores, scores, leaves).any()


def test_records_that_are_drawn_up_alike_have_every_place_as_often_as_before() -> None:
    rng = np.random.default_rng(4)
    correlation, n = 0.6, 20_000
    pull, others = (correlation * rng.normal(size=n) for _ in range(2))
    own = pull + np.sqrt(1 - correlation**2) * rng.normal(size=n)  # how high a donor stands in its leaf
    from scipy.stats import kstest, norm

    moved = moved_places(norm.cdf(own), others - pull)
    assert kstest(moved, "uniform").statistic < 2 / np.sqrt(n)
    assert np.corrcoef(norm.ppf(moved), others)[0, 1] == pytest.approx(correlation, abs=4 / np.sqrt(n))


def test_trees_keep_a_slope_that_leaves_alone_would_cut_into_steps() -> None:
    off = []
    for seed in range(20):
        rng = np.random.default_rng([7, seed])
        x, z = rng.normal(size=(2, 500))
        data = Microdata(pl.DataFrame({"x": x, "z": z, "y": 0.5 * x + 0.3 * z + rng.normal(size=500)}))
        made = SequentialSynthesis(columns=("x", "z", "y"), releases=3, size=500).mask(data, rng).frame
        both = [
            np.linalg.lstsq(np.column_stack([np.ones(len(f)), f["x"], f["z"]]), f["y"].to_numpy(), rcond=None)[0]
            for f in (data.frame, made)
        ]
        off.append((both[1] - both[0])[1:])
    # each copy has an error of .045 by drawing, and half as much again by its trees: .009 for 20 files of three
    assert np.abs(np.mean(off, axis=0)).max() < 0.027
