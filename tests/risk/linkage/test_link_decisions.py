"""Cut-offs of Fellegi and Sunter: the bounds hold, and no narrower zone of possible links keeps them."""

import numpy as np
import pytest
from scipy.stats import norm

from sfumato.errors import ParameterError
from sfumato.masking import AdditiveNoise
from sfumato.risk import DistanceLinkage, ProbabilisticLinkage, link_decisions
from sfumato.risk.linkage._link_decisions import decide
from tests.matrices import microdata, names_of


def test_cut_offs_of_normal_weights_are_their_quantiles() -> None:
    rng = np.random.default_rng(1)
    right, wrong = rng.normal(2, 1, 100_000), rng.normal(-1, 1, 100_000)
    is_right = np.repeat([True, False], 100_000)
    found = decide(np.concatenate([right, wrong]), is_right, max_false=1, max_missed=5)
    assert found.link_from == pytest.approx(-1 + norm.ppf(0.99), abs=0.03)
    assert found.nonlink_below == pytest.approx(2 + norm.ppf(0.05), abs=0.03)
    assert found.wrong_links == 1000
    assert found.right_links == pytest.approx(100_000 * norm.sf(-1 + norm.ppf(0.99) - 2), rel=0.01)


@pytest.mark.parametrize("seed", range(6))
def test_the_bounds_hold_and_no_narrower_zone_keeps_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 12, 40).astype(float)
    is_right = rng.random(40) < weights / 14
    found = decide(weights, is_right, max_false=10, max_missed=10)
    wrong, right = np.count_nonzero(~is_right), np.count_nonzero(is_right)
    assert found.wrong_links <= 0.1 * wrong + 1e-9
    assert np.count_nonzero(is_right & (weights < found.nonlink_below)) <= 0.1 * right + 1e-9
    assert found.right_links + found.wrong_links + found.possible_links + found.nonlinks == 40
    for high in range(13):
        for low in range(high + 1):
            false, missed = ~is_right & (weights >= high), is_right & (weights < low)
            if false.sum() <= 0.1 * wrong + 1e-9 and missed.sum() <= 0.1 * right + 1e-9:
                assert np.count_nonzero((weights >= low) & (weights < high)) >= found.possible_links


def test_decides_the_links_of_a_linkage() -> None:
    matrix = np.random.default_rng(2).lognormal(3, 1, size=(80, 3))
    data = microdata(matrix)
    masked = AdditiveNoise(columns=names_of(matrix), scale=0.05).mask(data, np.random.default_rng(3))
    linkage = ProbabilisticLinkage(columns=names_of(matrix))
    found = link_decisions(linkage, data, masked, max_false=0, max_missed=0)
    assert found.wrong_links == 0
    assert 0 < found.right_links < 80
    none = link_decisions(linkage, data, masked, max_false=100, max_missed=100)
    assert none.possible_links == 0


def test_refuses_bounds_beyond_one_hundred_percent() -> None:
    with pytest.raises(ParameterError, match=r"link_decisions.max_false must be in \[0, 100\]; got 120"):
        decide(np.ones(2), np.ones(2, dtype=np.bool_), max_false=120, max_missed=5)


def test_refuses_several_numbers_of_keys_and_linkages_without_weights() -> None:
    matrix = np.random.default_rng(2).lognormal(3, 1, size=(20, 3))
    data, names = microdata(matrix), names_of(matrix)
    with pytest.raises(ParameterError, match="max_keys is a mean over 1 to 2 keys, which makes no one set of links"):
        link_decisions(ProbabilisticLinkage(columns=names, max_keys=2), data, data)
    with pytest.raises(ParameterError, match=r"link_decisions.linkage must be one of .*; got a DistanceLinkage"):
        link_decisions(DistanceLinkage(columns=names), data, data)  # type: ignore[arg-type]
