"""No rule whatever links more than the walk through matchings says, on average over what may be the truth."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sfumato.contracts import Coordinate
from sfumato.intruder import posterior_of
from sfumato.intruder.bounds.matching_bound import matching_bound
from sfumato.intruder.households import HouseholdMembers
from sfumato.intruder.pair_model import Model
from sfumato.numerics.densities import Transitions

UNBIASED = 0.01  # of the mean over all truths: the walks are draws


def model_of(likelihoods: np.ndarray) -> Model:
    """Return a model in which masked record j comes from original i with the likelihood in row i and column j."""
    originals, masked = likelihoods.shape
    places = np.arange(originals, dtype=np.float64), np.arange(masked, dtype=np.float64)
    coordinate = Coordinate(*places, Transitions(likelihoods))
    return Model(np.zeros(originals, np.int64), np.zeros(masked, np.int64), (coordinate,), True, ())


def truths(likelihoods: np.ndarray, homes: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return all originals that the masked records may be, and how probable each such matching is.

    With households, both files have the same, and members of one are members of one.
    """
    originals, masked = likelihoods.shape
    found = np.array(list(permutations(range(originals), masked)))
    if homes is not None:
        together = homes[:, None] == homes
        found = found[[np.array_equal(together[np.ix_(rows, rows)], together) for rows in found]]
    chances = likelihoods[found, np.arange(masked)].prod(axis=1)
    return found, chances / chances.sum()


def best_of_all_rules(found: np.ndarray, chances: np.ndarray) -> float:
    """Return the expected share of right links of the rule that names whoever is likeliest given the whole file."""
    marginals = np.zeros((found.max() + 1, found.shape[1]))
    for rows, chance in zip(found, chances, strict=True):
        marginals[rows, np.arange(len(rows))] += chance
    return float(marginals.max(axis=0).mean())


def mean_bound(
    model: Model,
    found: np.ndarray,
    chances: np.ndarray,
    households: HouseholdMembers | None = None,
    *,
    may_leave: bool = False,
) -> float:
    bounds = [matching_bound(model, rows, households, may_leave=may_leave) for rows in found]
    return float(np.array(bounds, dtype=np.float64) @ chances)


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.2, 3.0))
@example(5150, 3.0)  # where the walk seldom leaves some matchings: .723 ± .004 in sixty streams
def test_the_walk_bounds_the_best_of_all_rules_closely(seed: int, spread: float) -> None:
    likelihoods = np.exp(spread * np.random.default_rng(seed).normal(size=(4, 4)))
    found, chances = truths(likelihoods)
    best = best_of_all_rules(found, chances)
    with pytest.MonkeyPatch.context() as draws:
        bounds = []
        for stream in range(8):
            draws.setattr(f"{matching_bound.__module__}.STREAM", stream)
            bounds.append(mean_bound(model_of(likelihoods), found, chances))
    error = np.std(bounds, ddof=1) / np.sqrt(len(bounds))  # .011 where likelihoods differ most
    assert best - UNBIASED - 4 * error <= np.mean(bounds) <= best + 0.06 + 4 * error


def test_whoever_is_in_the_file_counts_as_known_unless_anybody_may_be() -> None:
    likelihoods = np.exp(np.random.default_rng(3).normal(size=(5, 3)))
    found, chances = truths(likelihoods)
    best = best_of_all_rules(found, chances)
    told, untold = (mean_bound(model_of(likelihoods), found, chances, may_leave=leave) for leave in (False, True))
    assert best - UNBIASED <= untold <= best + 0.05
    assert told > untold + 0.1


def test_households_stay_together_on_the_walk() -> None:
    homes = np.array([0, 0, 1, 1, 2, 3])
    likelihoods = np.exp(np.random.default_rng(4).normal(size=(6, 6)))
    found, chances = truths(likelihoods, homes)
    best = best_of_all_rules(found, chances)
    households = HouseholdMembers(homes, np.bincount(homes), np.array([0, 2, 4, 5]), np.arange(6))
    bound = mean_bound(model_of(likelihoods), found, chances, households=households)
    assert best - UNBIASED <= bound <= best + 0.05
    assert bound > best_of_all_rules(*truths(likelihoods)) + 0.05


def test_a_walk_too_short_to_get_anywhere_bounds_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.intruder.bounds.matching_bound.SWEEPS", (1, 3))
    likelihoods = np.exp(np.random.default_rng(5).normal(size=(4, 4)))
    found, chances = truths(likelihoods)
    bounds = []
    for stream in range(40):
        monkeypatch.setattr("sfumato.intruder.bounds.matching_bound.STREAM", stream)
        bounds.append(mean_bound(model_of(likelihoods), found, chances))
    assert np.mean(bounds) > best_of_all_rules(found, chances) + 0.1


def test_a_likelihood_by_which_a_true_pair_is_impossible_gives_no_bound() -> None:
    likelihoods = np.ones((3, 3))
    assert matching_bound(model_of(likelihoods), np.arange(3)) == pytest.approx(1 / 3, abs=0.05)
    likelihoods[1, 1] = 0.0
    assert matching_bound(model_of(likelihoods), np.arange(3)) is None


def test_a_likelihood_that_is_not_that_of_the_masking_gives_no_bound() -> None:
    rng = np.random.default_rng(6)
    places = np.linspace(0, 20, 300)
    masked = places + 0.1 * rng.normal(size=300)
    right, wide, narrow = (
        model_of(np.exp(-0.5 * ((masked - places[:, None]) / scale) ** 2) + 1e-300) for scale in (0.1, 0.3, 0.05)
    )
    assert matching_bound(right, np.arange(300)) is not None
    assert matching_bound(wide, np.arange(300)) is None
    assert matching_bound(narrow, np.arange(300)) is None


def test_pairs_of_a_posterior_that_cuts_off_nothing_give_the_same_bound() -> None:
    rng = np.random.default_rng(7)
    places = np.linspace(0, 20, 60)
    model = model_of(np.exp(-0.5 * ((places + 0.3 * rng.normal(size=60) - places[:, None]) / 0.3) ** 2))
    posterior = posterior_of(model, 64)
    assert matching_bound(model, np.arange(60), posterior=posterior) == matching_bound(model, np.arange(60))


@pytest.mark.parametrize(("spread", "may_leave"), [(0.5, False), (1.5, False), (1.0, True)])
def test_records_whose_true_pair_is_not_listed_are_bounded_among_themselves(
    spread: float, may_leave: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, originals = np.random.default_rng(8).normal(size=(2, 6)), 6
    masked = places[:, :4] if may_leave else places
    scores = -0.5 * ((places[0][:, None] - masked[1]) / spread) ** 2
    likelihoods = np.exp(scores)
    found, chances = truths(likelihoods)
    best = best_of_all_rules(found, chances)
    monkeypatch.setattr("sfumato.intruder.bounds.candidate_pairs.MAX_PAIRS", 4)
    monkeypatch.setattr("sfumato.intruder.bounds.candidate_pairs.MIN_CANDIDATES", 2)
    monkeypatch.setattr("sfumato.intruder.bounds.matching_bound.MORE", 1)
    listed = []
    for stream in range(4):
        monkeypatch.setattr("sfumato.intruder.bounds.matching_bound.STREAM", stream)
        listed.append(mean_bound(model_of(likelihoods), found, chances, may_leave=may_leave))
    assert best - UNBIASED <= np.mean(listed) < 0.97
    assert originals == len(likelihoods)


def test_the_order_of_the_release_does_not_matter_to_the_bound() -> None:
    rng = np.random.default_rng(9)
    places = np.linspace(0, 20, 60)
    masked, order = places + 0.3 * rng.normal(size=60), rng.permutation(60)
    models = [model_of(np.exp(-0.5 * ((seen - places[:, None]) / 0.3) ** 2)) for seen in (masked, masked[order])]
    for with_posterior in (False, True):
        bounds = [
            matching_bound(model, rows, posterior=posterior_of(model, 64) if with_posterior else None)
            for model, rows in zip(models, (np.arange(60), order), strict=True)
        ]
        assert bounds[0] == pytest.approx(bounds[1], abs=0.03)


def test_equal_records_share_their_chances() -> None:
    model = Model(np.zeros(4, np.int64), np.zeros(4, np.int64), (), True, ())
    assert matching_bound(model, np.arange(4)) == pytest.approx(0.25)
