"""The likelihoods that methods of synthesis state are those of what they draw."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm

from sfumato.contracts import Likelihood, MaskingMethod
from sfumato.data import Microdata
from sfumato.intruder.pair_scores import log_likelihoods, places
from sfumato.intruder.shared_draws import fitted_to_truth
from sfumato.masking import IpsoA, IpsoC, MultipleImputation, PmmImputation, TreeImputation


def people(n: int) -> Microdata:
    rng = np.random.default_rng(5)
    x = np.sort(rng.normal(size=n)).round(2)
    y = (2 * x + rng.normal(size=n)).round(2)
    return Microdata(pl.DataFrame({"x": x, "y": y, "z": (y - x + rng.normal(size=n)).round(2)}))


def densities(likelihood: Likelihood | None, originals: int, masked: int) -> np.ndarray:
    assert likelihood
    before, after = places(likelihood, originals, masked)
    return log_likelihoods(likelihood, before, after, np.tile(np.arange(originals), (masked, 1)))


def test_a_borrowed_value_is_as_probable_as_the_method_borrows_it() -> None:
    data = people(24)
    method = TreeImputation(columns=("y",), given=("x",), min_leaf=6)
    values = data.frame["y"].to_numpy()
    seen = np.zeros((24, 24))  # how often each record gets the value of each other one
    for seed in range(200):
        rows = np.searchsorted(np.sort(values), method.mask(data, np.random.default_rng(seed)).frame["y"].to_numpy())
        seen[np.arange(24), np.argsort(values)[rows]] += 1
    told = np.exp(densities(method.likelihood(data, data, ("y",)), 24, 24)).T
    frequencies = seen / seen.sum(axis=1, keepdims=True)
    assert np.abs(told - frequencies).max() < 0.15
    assert np.all((told < 0.01) == (frequencies == 0))  # also that nobody gets their own


@pytest.mark.parametrize(
    "method", [IpsoC(columns=("y", "z"), given=("x",)), MultipleImputation(columns=("y", "z"), given=("x",))]
)
def test_draws_about_regressions_are_normal_about_the_fitted_values(method: MaskingMethod) -> None:
    data = people(60)
    masked = method.mask(data, np.random.default_rng(1))
    x, y, z = (data.frame[name].to_numpy() for name in "xyz")
    expected = np.zeros((60, 60))
    for response, drawn, others in ((y, "y", ()), (z, "z", ("y",))):
        known, asked = (
            np.column_stack([np.ones(60), *(file.frame[name].to_numpy() for name in others)]) for file in (data, masked)
        )
        both = np.column_stack([known, x])
        slopes = np.linalg.lstsq(both, response, rcond=None)[0]
        spread = np.sqrt(((response - both @ slopes) ** 2).sum() / (60 - both.shape[1]))
        means = (asked @ slopes[:-1])[:, None] + x * slopes[-1]
        expected += norm.logpdf(masked.frame[drawn].to_numpy()[:, None], means, spread)
    np.testing.assert_allclose(densities(method.likelihood(data, masked, ("y", "z")), 60, 60), expected, atol=1e-8)


@pytest.mark.parametrize(
    ("method", "share"),
    [(IpsoA(columns=("y", "z"), given=("x",)), 0.5), (PmmImputation(columns=("y", "z"), given=("x",), donors=3), 1.0)],
)
def test_what_all_records_share_is_found_from_true_pairs(method: MaskingMethod, share: float) -> None:
    data = people(80)
    sample = data.take_rows(np.arange(0, 80, round(1 / share)))
    masked = method.mask(sample, np.random.default_rng(2))
    rows = data.rows_of(masked.row_ids)
    stated = method.likelihood(data, masked, ("y", "z"))
    assert stated
    ranks = []
    for likelihood in (stated, fitted_to_truth(stated, rows)):
        found = densities(likelihood, 80, len(rows))
        ranks.append((found > found[np.arange(len(rows)), rows][:, None]).sum(axis=1).mean())
    assert ranks[1] < ranks[0] / 2


def test_nothing_is_stated_where_a_column_is_not_known_or_several_files_are_released() -> None:
    data = people(40)
    method = TreeImputation(columns=("y", "z"), given=("x",))
    masked = method.mask(data, np.random.default_rng(0))
    assert method.likelihood(data, masked, ("y",)) is None
    assert method.replace(releases=2).likelihood(data, masked, ("y", "z")) is None
