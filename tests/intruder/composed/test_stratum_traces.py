"""Values that name the stratum in which they were made are used, though the stratum is masked afterwards."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy.optimize import linear_sum_assignment

import sfumato as sf
from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.intruder import Runs
from sfumato.intruder.composed.shared_values import RunOfStrata, StratumVotes
from sfumato.intruder.composed.stratum_traces import stratum_traces
from sfumato.intruder.shadow_masking import steps_by_column

N, REGIONS, STAY = 300, 20, 15
NAMES = ("region", "income", "age")
PRAM, NOISE = sf.Pram(columns=("region",), stay=STAY), sf.AdditiveNoise(columns=("age",), scale=0.4)
SWAP = sf.RankSwapping(columns=("income",), window=40, within=("region",))


def people() -> sf.Microdata:
    rng = np.random.default_rng(3)
    columns = {
        "region": [f"r{number:02}" for number in rng.integers(0, REGIONS, N)],
        "income": rng.lognormal(10, 0.6, N).round(2),
        "age": rng.normal(50, 15, N).round(1),
    }
    return sf.Microdata(pl.DataFrame(columns))


def linked(steps: list[MaskingMethod], data: sf.Microdata) -> sf.contracts.Measurement:
    recipe = sf.Recipe(steps=steps, seed=1)
    linkage = sf.LikelihoodLinkage(columns=tuple(name for name in data.schema.names if name in (*NAMES, "weight")))
    return linkage.informed_by(Knowledge.of(recipe.parts, data)).measure(data, recipe.run(data))


def linked_by_hand(data: sf.Microdata, masked: sf.Microdata) -> float:
    """Return how many somebody links who knows that an income belonged to somebody of the true region, one to one."""
    regions, ages = data.codes("region")[0], data.values("age")
    scores = -0.5 * ((masked.values("age")[:, None] - ages) / (0.4 * ages.std())) ** 2
    same = masked.codes("region")[0][:, None] == regions
    scores += np.log(np.where(same, STAY / 100, (1 - STAY / 100) / (REGIONS - 1)))
    owners = dict(zip(data.values("income").tolist(), regions.tolist(), strict=True))
    named = np.array([owners[income] for income in masked.values("income").tolist()])
    rows, columns = linear_sum_assignment(np.where(named[:, None] == regions, -scores, 1e9))
    return 100 * float((data.row_ids[columns] == masked.row_ids[rows]).mean())


def test_who_knows_that_exchanged_values_stay_in_their_region_links_no_more() -> None:
    data, steps = people(), [SWAP, NOISE, PRAM]
    found = linked(steps, data)
    by_hand = linked_by_hand(data, sf.Recipe(steps=steps, seed=1).run(data))
    assert by_hand <= found.value


def test_the_weight_of_a_sample_by_regions_names_the_region() -> None:
    data = people()
    weights = 100 + np.random.default_rng(4).integers(-2, 3, N)
    frame = data.frame.with_columns(weight=pl.Series(weights.astype(float)))
    schema = sf.Microdata(frame).schema.with_kinds(continuous=["weight"]).with_roles(weight=["weight"])
    weighted = sf.Microdata(frame, schema)
    by_region, by_chance = sf.Sampling(percent=60.0, within=("region",)), sf.Sampling(percent=60.0)
    noise = NOISE.replace(columns=("age", "income"))
    assert linked([by_region, noise, PRAM], weighted).value > 1.3 * linked([by_chance, noise, PRAM], weighted).value


@pytest.mark.parametrize(
    "steps",
    [
        [SWAP, NOISE],  # the region stays
        [PRAM, SWAP],  # it was masked before
        [sf.RankSwapping(columns=("income",), window=40), PRAM],
        [SWAP, sf.AdditiveNoise(columns=("income",), scale=0.1), PRAM],  # the values do not stay
    ],
)
def test_nothing_is_taken_from_values_that_name_no_hidden_stratum(steps: list[MaskingMethod]) -> None:
    data = people()
    masked = sf.Recipe(steps=steps, seed=1).run(data)
    runs = Runs.of(data, masked, Knowledge.of(steps, data).steps, 0)
    touching = steps_by_column(runs.steps, data, NAMES)
    assert stratum_traces(runs, masked, ["income"], touching, np.arange(N)) == ()


def linked_by_shared_means(data: sf.Microdata, masked: sf.Microdata, stay: float) -> float:
    """Return how many somebody links who takes those with the same income for neighbours, one to one."""
    regions, shown = data.codes("region")[0], masked.codes("region")[0]
    shares = np.where(np.eye(REGIONS, dtype=bool), stay, (1 - stay) / (REGIONS - 1))
    scores = np.log(shares[regions][:, shown]).T
    for name, scale in (("age", 0.4), ("income", 0.2)):
        values = data.values(name)
        apart = (masked.values(name)[:, None] - values) / (scale * values.std(ddof=1))
        scores += np.where((apart**2 > 0) & (name == "age"), -0.5 * apart**2, 0.0)
        if name == "income":
            _, groups, counts = np.unique(masked.values(name), return_inverse=True, return_counts=True)
            for row, group in enumerate(groups.tolist()):
                others = np.flatnonzero(groups == group)
                votes = np.log(shares[:, shown[others[others != row]]]).sum(axis=1)
                named = votes - np.logaddexp.reduce(votes)
                scores[row] += named[regions] if counts[group] > 1 else -0.5 * apart[row] ** 2
    rows, columns = linear_sum_assignment(-scores)
    return 100 * float((data.row_ids[columns] == masked.row_ids[rows]).mean())


@pytest.mark.parametrize("replacement", ["mean", None])
def test_who_takes_those_with_the_same_mean_of_high_incomes_for_neighbours_links_no_more(replacement: str) -> None:
    data, pram = people(), sf.Pram(columns=("region",), stay=60)
    noise = sf.AdditiveNoise(columns=("income",), scale=0.2), NOISE
    coding = sf.TopCoding(columns=("income",), percent=50, replacement=replacement, within=("region",))
    steps = [*noise, coding, pram]
    found = linked(steps, data)
    by_hand = linked_by_shared_means(data, sf.Recipe(steps=steps, seed=1).run(data), 0.6)
    assert found.interval is not None
    assert by_hand <= found.interval[1]
    assert by_hand > 20.0


def test_the_stratum_of_records_that_share_a_value_is_that_of_bayes() -> None:
    strata = np.array([0, 0, 0, 0, 1, 1])
    runs = [RunOfStrata(np.array([5.0, 5.0, 1.0, 2.0, 8.0, 8.0]), strata, strata) for _ in range(3)]
    votes = replace(StratumVotes.of(runs, strata, 2), log_shares=np.log([[0.9, 0.1], [0.3, 0.7]]), purity=0.5)
    shares, purity = votes.posterior(np.array([0, 1]), 6.0)
    by_stratum = np.array([0.9 * 0.1, 0.3 * 0.7])
    assert shares == pytest.approx(by_stratum / by_stratum.sum())  # runs do not differ, so that the value tells nothing
    one, mixed = np.array([4, 2]) / 6 @ by_stratum, (0.9 * 4 + 0.3 * 2) / 6 * (0.1 * 4 + 0.7 * 2) / 6
    assert purity == pytest.approx(one / (one + mixed))
