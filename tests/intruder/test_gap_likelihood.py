"""What a missing value tells of whose it is."""

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.data import Microdata
from sfumato.intruder.gap_likelihood import gap_likelihood
from sfumato.intruder.shadow_masking import Runs
from sfumato.masking import LocalSuppression, Pram
from sfumato.risk import LikelihoodLinkage

N = 400


def people() -> Microdata:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "region": rng.choice(list("abcdefgh"), N, p=[0.4, 0.3, 0.1, 0.08, 0.06, 0.03, 0.02, 0.01]),
            "state": rng.choice(list("pqrs"), N, p=[0.6, 0.3, 0.07, 0.03]),
            "job": rng.choice(list("uvwxyz"), N),
            "age": rng.integers(20, 80, N),
        }
    )
    return Microdata(frame)


STEPS: list[MaskingMethod] = [
    Pram(columns=("region", "state", "job"), stay=75),
    LocalSuppression(columns=("region", "state", "job"), k=3, household=()),
]


def masked(data: Microdata, seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    for step in STEPS:
        data = step.mask(data, rng)
    return data


def test_a_gap_speaks_for_those_whose_value_is_rare() -> None:
    data = people()
    release = masked(data, 1)
    (found,) = gap_likelihood(Runs.of(data, release, STEPS, 0), release, ("region",))
    logs = found.density.log_density(np.arange(N, dtype=np.float64), np.ones(N))
    region = data.frame["region"].to_numpy()
    assert logs[region == "h"].mean() > logs[region == "a"].mean() + 1
    assert not found.density.log_density(np.arange(N, dtype=np.float64), np.zeros(N)).any()  # a shown one says nothing


def test_more_are_linked_by_what_gaps_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    data = people()
    measure = LikelihoodLinkage(columns=data.schema.names).informed_by(Knowledge.of(STEPS, data))
    releases = [masked(data, seed) for seed in range(1, 5)]
    with_gaps = [measure.measure(data, release).value for release in releases]
    monkeypatch.setattr("sfumato.intruder.model.gap_likelihood", lambda *_: ())
    without = [measure.measure(data, release).value for release in releases]
    assert np.mean(with_gaps) > np.mean(without)


def test_gaps_that_stay_where_they_were_are_no_matter_of_chance() -> None:
    data = Microdata(people().frame.with_columns(region=pl.when(pl.col("job") == "u").then(None).otherwise("region")))
    steps = [Pram(columns=("state",), stay=75)]
    release = steps[0].mask(data, np.random.default_rng(1))
    assert gap_likelihood(Runs.of(data, release, steps, 0), release, ("region", "state")) == ()
