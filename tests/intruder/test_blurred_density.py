"""A density that a later step hides from the intruder is told, as better attacks are known there."""

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.data import Microdata
from sfumato.masking import Mdav, MixtureNoise, TopCoding
from sfumato.risk import LikelihoodLinkage

NAMES = ("x", "y", "z")
NOISE, CODING = MixtureNoise(columns=NAMES, variance_ratio=0.2), TopCoding(columns=("x",), percent=10)
TOLD = "a later step hides the density of an earlier one"


@pytest.mark.parametrize(
    ("steps", "is_told"),
    [([NOISE, CODING], True), ([CODING, NOISE], False), ([Mdav(columns=NAMES, k=3), CODING], False)],
)
def test_a_step_after_noise_is_told_and_one_before_it_or_without_chance_is_not(
    steps: list[MaskingMethod], is_told: bool
) -> None:
    original = Microdata(pl.DataFrame(np.random.default_rng(1).lognormal(size=(200, 3)), schema=list(NAMES)))
    masked = original
    for step in steps:
        masked = step.mask(masked, np.random.default_rng(2))
    found = LikelihoodLinkage(columns=NAMES).informed_by(Knowledge.of(steps, original)).measure(original, masked)
    assert (TOLD in found.remark) is is_told
    assert not (is_told and "no better attack is known" in found.remark)
