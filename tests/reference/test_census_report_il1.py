"""The symmetric change of values that the Census report prints for Census.

Source
    Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection, Table 1, IL1.
"""

import numpy as np
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.data import numeric
from sfumato.datasets import reference
from sfumato.loss import SymmetricInformationLoss
from sfumato.masking import CorrelatedNoise, MixtureNoise, RankSwapping

# the method, what is printed, and the deviation between runs, from 24 of ours
PRINTED: dict[str, tuple[MaskingMethod, float, float]] = {
    "rnkswp05": (RankSwapping(columns=numeric, window=5), 0.129, 0.0011),
    "rnkswp10": (RankSwapping(columns=numeric, window=10), 0.219, 0.0016),
    "rnkswp15": (RankSwapping(columns=numeric, window=15), 0.294, 0.002),
    "add01": (CorrelatedNoise(columns=numeric, variance_ratio=0.01), 0.194, 0.0024),
    "add10": (CorrelatedNoise(columns=numeric, variance_ratio=0.1), 0.371, 0.0043),
    "mixadd01": (MixtureNoise(columns=numeric, variance_ratio=0.01, along_components=True), 0.204, 0.0021),
    "mixadd05": (MixtureNoise(columns=numeric, variance_ratio=0.05, along_components=True), 0.326, 0.0028),
    "mixadd10": (MixtureNoise(columns=numeric, variance_ratio=0.1, along_components=True), 0.398, 0.0033),
    "mixadd20": (MixtureNoise(columns=numeric, variance_ratio=0.2, along_components=True), 0.489, 0.0036),
    "scalmixadd01": (
        MixtureNoise(columns=numeric, variance_ratio=0.01, along_components=True, rescaled=True),
        0.202,
        0.0018,
    ),
    "scalmixadd05": (
        MixtureNoise(columns=numeric, variance_ratio=0.05, along_components=True, rescaled=True),
        0.316,
        0.0021,
    ),
    "scalmixadd10": (
        MixtureNoise(columns=numeric, variance_ratio=0.1, along_components=True, rescaled=True),
        0.379,
        0.0028,
    ),
    "scalmixadd20": (
        MixtureNoise(columns=numeric, variance_ratio=0.2, along_components=True, rescaled=True),
        0.449,
        0.0032,
    ),
}


@pytest.mark.reference
@pytest.mark.parametrize("row", PRINTED)
def test_masked_census_loses_what_the_report_prints(row: str) -> None:
    data = reference("census")
    method, printed, deviation = PRINTED[row]
    measure = SymmetricInformationLoss(columns=numeric)
    found = [measure.measure(data, method.mask(data, np.random.default_rng(seed))).value / 100 for seed in range(6)]
    # the report is one run, and lies within two deviations of one, besides the error of our mean and its rounding
    reach = 2 * deviation * np.sqrt(1 + 1 / len(found)) + 0.0005
    assert np.mean(found) == pytest.approx(printed, abs=reach)
