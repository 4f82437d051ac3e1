"""Noise within strata that an earlier step codes without chance: the bound against the posterior of all matchings."""

from itertools import permutations

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.intruder import Runs, model_by_runs, posterior_of
from sfumato.intruder.bounds.link_bound import proven_bounds
from sfumato.masking import AdditiveNoise, Rounding

ORDERS = np.array(list(permutations(range(6))))
SCALE, FILES = 0.6, 16
SIZES, WEIGHTS = np.array([0.0, 1.0, 3.0, 7.0, 8.0, 30.0]), np.array([1.0, 2.0, 1.0, 3.0, 4.0, 4.0])
DATA = Microdata(pl.DataFrame({"size": SIZES, "weight": WEIGHTS}))
STEPS = (
    Rounding(columns=("weight",), points=(1.5, 3.5)),
    AdditiveNoise(columns=("size",), scale=SCALE, within=("weight",)),
)
STRATA = np.array([0, 0, 0, 1, 1, 1])  # of 1.5 and of 3.5


@pytest.mark.parametrize("names", [("size",), ("size", "weight")], ids=["strata not known", "strata known"])
def test_a_bound_within_coded_strata_is_no_lower_than_the_best_rule(names: tuple[str, ...]) -> None:
    """It may be higher by what it is to be told the strata, and by how short the walk is."""
    deviations = SCALE * np.array([SIZES[stratum == STRATA].std(ddof=1) for stratum in STRATA])
    rng, gains = np.random.default_rng(3), []
    for number in range(FILES):
        masked = DATA
        for step in STEPS:
            masked = step.mask(masked, rng)
        runs = Runs.of(DATA, masked, STEPS, number)
        model = model_by_runs(runs, masked, names)
        bounds = list(proven_bounds(runs, masked, names, model, posterior_of(model, 64)))
        assert not all(bound.is_exact for bound in bounds)  # there is one by the density
        apart = (masked.values("size")[:, None] - SIZES) / deviations
        logs = -0.5 * apart**2 - np.log(deviations)
        if "weight" in names:
            logs = np.where((masked.values("weight")[:, None] == 1.5) == (STRATA == 0), logs, -np.inf)
        probable = np.exp(logs[np.arange(6), ORDERS].sum(axis=1))
        probable /= probable.sum()
        best = [max(probable[ORDERS[:, record] == person].sum() for person in range(6)) for record in range(6)]
        gains.append(min(bound.share for bound in bounds) - np.mean(best))
    error = np.std(gains) / np.sqrt(FILES)
    assert np.mean(gains) > -4 * error - 0.005
    assert np.mean(gains) < (0.02 if "weight" in names else 0.2)
