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

PRINTED: dict[str, tuple[MaskingMethod, float]] = {
    "rnkswp05": (RankSwapping(columns=numeric, window=5), 0.129),
    "rnkswp10": (RankSwapping(columns=numeric, window=10), 0.219),
    "rnkswp15": (RankSwapping(columns=numeric, window=15), 0.294),
    "add01": (CorrelatedNoise(columns=numeric, variance_ratio=0.01), 0.194),
    "add10": (CorrelatedNoise(columns=numeric, variance_ratio=0.1), 0.371),
    "mixadd01": (MixtureNoise(columns=numeric, variance_ratio=0.01), 0.204),
    "mixadd05": (MixtureNoise(columns=numeric, variance_ratio=0.05), 0.326),
    "mixadd10": (MixtureNoise(columns=numeric, variance_ratio=0.1), 0.398),
    "mixadd20": (MixtureNoise(columns=numeric, variance_ratio=0.2), 0.489),
    "scalmixadd01": (MixtureNoise(columns=numeric, variance_ratio=0.01, rescaled=True), 0.202),
    "scalmixadd05": (MixtureNoise(columns=numeric, variance_ratio=0.05, rescaled=True), 0.316),
    "scalmixadd10": (MixtureNoise(columns=numeric, variance_ratio=0.1, rescaled=True), 0.379),
    "scalmixadd20": (MixtureNoise(columns=numeric, variance_ratio=0.2, rescaled=True), 0.449),
}


@pytest.mark.reference
@pytest.mark.parametrize("row", PRINTED)
def test_masked_census_loses_what_the_report_prints(row: str) -> None:
    data = reference("census")
    method, printed = PRINTED[row]
    measure = SymmetricInformationLoss(columns=numeric)
    found = [measure.measure(data, method.mask(data, np.random.default_rng(seed))).value / 100 for seed in range(5)]
    # the report is one run, and runs have a deviation of up to 0.004
    assert np.mean(found) == pytest.approx(printed, abs=0.004)
    assert np.std(found) < 0.005
