"""Noise that is centred moves all records of a file by one draw, which must not pass for a recipe that does not fit."""

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Knowledge
from sfumato.data import Microdata
from sfumato.masking import MixtureNoise
from sfumato.risk import LikelihoodLinkage

NAMES = ("a", "b", "c", "d")


@pytest.mark.parametrize("seed", [100, 101])
def test_a_mixture_with_narrow_components_is_linked_when_rescaled_as_well_as_when_not(seed: int) -> None:
    values = np.random.default_rng(1).lognormal(9, 0.8, (300, 4))
    original = Microdata(pl.DataFrame(values, schema=list(NAMES)))
    linked = []
    for rescaled in (False, True):
        step = MixtureNoise(columns=NAMES, variance_ratio=4, component_variance=0.001, rescaled=rescaled)
        masked = step.mask(original, np.random.default_rng(seed))
        found = LikelihoodLinkage(columns=NAMES).informed_by(Knowledge.of([step], original)).measure(original, masked)
        assert "does not fit" not in found.remark
        linked.append(found.value)
        assert (found.bound == 100) is rescaled  # what all records share is no matter of each by itself
    assert linked[1] > 0.8 * linked[0] > 40
