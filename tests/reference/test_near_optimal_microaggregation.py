"""Losses of near-optimal microaggregation, 100 SSE/SST of the standardised columns, on the reference files.

The lowest figures for these files that we know of in the literature are 5.58, 7.49, 8.89 and 13.52 for Census and
0.408, 0.559, 0.82 and 2.26 for EIA with its utility numbers, for groups of 3, 4, 5 and 10. Ours are bounds from runs of
a similar search; there are no published figures as low.
"""

from functools import cache

import numpy as np
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.masking import Mdav, NearOptimalMicroaggregation
from sfumato.masking.microaggregation._microaggregation_bound import microaggregation_bound
from sfumato.numerics.standardisation import z_scores
from tests.reference.test_microaggregation import files

MOST = {("census", 3): 4.74, ("census", 5): 7.43, ("eia and utility", 4): 0.484, ("eia and utility", 10): 1.94}
ROUNDS = {("census", 3): 10, ("census", 5): 2, ("eia and utility", 4): 1, ("eia and utility", 10): 1}  # usually 20
REFINED = {3: 5.0, 4: 6.5, 5: 7.8, 10: 11.9}


def lost(data: Microdata, method: MaskingMethod) -> float:
    return loss_of(data, method.mask(data, np.random.default_rng(1)))


def loss_of(data: Microdata, masked: Microdata) -> float:
    before, after = data.matrix(data.schema.names), masked.matrix(data.schema.names)
    return float(100 * np.mean(((after - before) ** 2).mean(axis=0) / before.var(axis=0)))


@cache
def searched(file: str, k: int) -> Microdata:
    """Return what a short search makes of a file."""
    data = files()[file]
    method = NearOptimalMicroaggregation(columns=data.schema.names, k=k, rounds=ROUNDS[file, k])
    return method.mask(data, np.random.default_rng(1))


@pytest.mark.reference
@pytest.mark.parametrize(("file", "k"), MOST)
def test_a_short_search_loses_less_than_any_published_method(file: str, k: int) -> None:
    assert loss_of(files()[file], searched(file, k)) <= MOST[file, k]


@pytest.mark.reference
def test_refined_mdav_loses_less_than_any_published_method_on_census() -> None:
    data = files()["census"]
    for k, most in REFINED.items():
        assert lost(data, Mdav(columns=data.schema.names, k=k, refine=True)) <= most


@pytest.mark.reference
def test_no_groups_of_three_on_census_lose_two_percent_less() -> None:
    data = files()["census"]
    points = z_scores(data.matrix(data.schema.names))
    masked = searched("census", 3)
    groups = np.unique(masked.matrix(data.schema.names), axis=0, return_inverse=True)[1]  # equal means, one group
    found = microaggregation_bound(points, groups, rounds=5)
    assert 4.645 < 100 * found.bound / (points**2).sum() < 4.6461  # 4.6460 in more rounds, a figure of our own
    assert found.gap < 2
