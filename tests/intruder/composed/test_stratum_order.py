"""The order within strata that a later step masks is found, though nobody sees who was in which."""

from collections import defaultdict
from itertools import combinations, permutations, product

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Coordinate, Knowledge
from sfumato.data import Microdata
from sfumato.intruder import Model, mask_shadow
from sfumato.intruder.composed.rank_chances import Ranks
from sfumato.intruder.composed.stratum_order import StratumOrder, all_log_likelihoods
from sfumato.intruder.shadow_masking import Runs
from sfumato.masking import DistributionDistortion, Pram
from sfumato.numerics.densities import Transitions
from sfumato.risk import LikelihoodLinkage


def test_ranks_are_as_probable_as_all_ways_to_be_in_a_stratum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all matchings, who is in which stratum; over all sets as large as a stratum, who stands where in it."""
    monkeypatch.setattr("sfumato.intruder.composed.stratum_order.ROUNDS", 1)
    strata, shown = np.array([0, 1, 0, 1, 1, 0]), np.array([1.0, 1, 0, 0, 1, 0])
    before, after = np.array([3.0, 8, 1, 5, 2, 9]), np.array([4.0, 0.5, 7, 2.5, 6, 1.5])
    table = np.array([[0.7, 0.3], [0.2, 0.8]])
    blocks = np.zeros(6, dtype=np.int64)
    others = Model(blocks, blocks, (Coordinate(strata * 1.0, shown, Transitions(table), is_exact=True),), False, ())
    original, released = (
        Microdata(pl.DataFrame({"x": column, "kind": kinds})) for column, kinds in ((before, strata), (after, shown))
    )
    order = StratumOrder(Runs.of(original, released, (), 0), ("x",), ("kind",), are_released=False)
    (found,) = order.likelihood(others, released)

    pairs = table[strata[None, :], shown.astype(int)[:, None]]  # masked records x originals
    belongs, total = np.zeros((6, 2)), 0.0
    for matched in permutations(range(6)):
        weight = float(np.prod(pairs[np.arange(6), matched]))
        total += weight
        belongs[np.arange(6), strata[list(matched)]] += weight
    belongs /= total
    expected = np.zeros((6, 6))  # originals x masked records
    for stratum in range(2):
        members = np.flatnonzero(strata == stratum)
        members = members[np.argsort(before[members])]
        chance = belongs[:, stratum]
        for chosen in combinations(np.argsort(after).tolist(), len(members)):  # rising values
            left = [row for row in range(6) if row not in chosen]
            weight = float(np.prod(chance[list(chosen)]) * np.prod(1 - chance[left]))
            for member, record in zip(members, chosen, strict=True):
                expected[member, record] += weight / chance[record]
    expected /= expected.sum(axis=1, keepdims=True)
    found_table = np.exp(found.density.grid().table)
    assert found_table[expected > 0] == pytest.approx(expected[expected > 0], rel=1e-6)


def test_ranks_are_as_probable_as_all_ways_to_be_drawn_from_and_to_be_in_a_stratum() -> None:
    """Over all sets of records that may belong to a stratum, and all sets of its members that may have been drawn."""
    before, after = np.array([3.0, 8, 1, 5]), np.array([4.0, 0.5, 7, 2.5, 6])
    belongs, drawn = np.array([0.7, 0.2, 0.9, 0.4, 0.5]), np.array([0.6, 0.3, 0.8, 0.5])
    found = Ranks.of(after, before).log_chances(belongs, drawn)  # members x records

    def sets(chances: np.ndarray, values: np.ndarray, one: int) -> dict[tuple[int, int], float]:
        """Return how probable it is that so many others are there below a record, and above it."""
        counts: dict[tuple[int, int], float] = defaultdict(float)
        others = [other for other in range(len(chances)) if other != one]
        for there in product((0, 1), repeat=len(others)):
            weight = np.prod(
                [chances[o] if is_there else 1 - chances[o] for o, is_there in zip(others, there, strict=True)]
            )
            below = sum(is_there for o, is_there in zip(others, there, strict=True) if values[o] < values[one])
            counts[below, sum(there) - below] += float(weight)
        return counts

    expected = np.zeros((4, 5))
    for member, record in product(range(4), range(5)):
        first, second = sets(drawn, before, member), sets(belongs, after, record)
        expected[member, record] = sum(chance * second[key] for key, chance in first.items())
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(np.exp(found), expected, rtol=1e-9)


def test_ranks_are_as_probable_as_all_ways_to_have_been_in_a_stratum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strata as they are released, and a sample: over all matchings, and over all sets of originals as large."""
    monkeypatch.setattr("sfumato.intruder.composed.stratum_order.ROUNDS", 1)
    strata, shown = np.array([0, 1, 0, 1, 1, 0]), np.array([1, 1, 0, 0, 1])
    before, after = np.array([3.0, 8, 1, 5, 2, 9]), np.array([4.0, 0.5, 7, 2.5, 6])
    table = np.array([[0.7, 0.3], [0.2, 0.8]])
    blocks = np.zeros(6, dtype=np.int64), np.zeros(5, dtype=np.int64)
    others = Model(*blocks, (Coordinate(strata * 1.0, shown * 1.0, Transitions(table), is_exact=True),), False, ())
    original, released = (
        Microdata(pl.DataFrame({"x": column, "kind": kinds})) for column, kinds in ((before, strata), (after, shown))
    )
    order = StratumOrder(Runs.of(original, released, (), 0), ("x",), ("kind",), are_released=True)
    (found,) = order.likelihood(others, released)

    pairs = table[strata[None, :], shown[:, None]]  # masked records x originals
    belongs, total = np.zeros((6, 2)), 0.0
    for matched in permutations(range(6), 5):
        weight = float(np.prod(pairs[np.arange(5), matched]))
        total += weight
        belongs[list(matched), shown] += weight
    belongs /= total
    expected = np.zeros((6, 5))  # originals x masked records
    for stratum in range(2):
        records = np.flatnonzero(shown == stratum)
        records = records[np.argsort(after[records])]
        chance = belongs[:, stratum]
        for chosen in combinations(np.argsort(before).tolist(), len(records)):  # rising values
            left = [row for row in range(6) if row not in chosen]
            weight = float(np.prod(chance[list(chosen)]) * np.prod(1 - chance[left]))
            for record, person in zip(records, chosen, strict=True):
                expected[person, record] += weight / chance[person]
    expected /= expected.sum(axis=0)  # what holds of a record for all originals tells nothing
    found_table = np.exp(found.density.grid().table)
    assert found_table[expected > 0] == pytest.approx(expected[expected > 0], rel=1e-6)


def people(n: int) -> Microdata:
    """Return three amounts, of two kinds of persons."""
    rng = np.random.default_rng(4)
    kind = rng.choice(["f", "m"], n)
    amounts = np.exp(rng.normal(size=(n, 3)) + 0.5 * (kind == "f")[:, None])
    return Microdata(pl.DataFrame(amounts, schema=list("xyz")).with_columns(kind=pl.Series(kind)))


def test_amounts_drawn_anew_within_a_kind_that_is_then_randomised_are_linked_by_their_order() -> None:
    original = people(150)
    steps = (
        DistributionDistortion(columns=tuple("xyz"), distributions=("log_normal",), within=("kind",)),
        Pram(columns=("kind",), stay=80),
    )
    released = mask_shadow(steps, original, 3, 0).data
    measure = LikelihoodLinkage(columns=("x", "y", "z", "kind")).informed_by(Knowledge.of(steps, original))
    found = measure.measure(original, released)
    assert found.value > 85
    assert found.parts["right at 90"] > 85
    assert "within strata stays" in found.remark


def test_amounts_drawn_anew_within_a_kind_that_was_randomised_before_are_linked_by_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    original = people(150)
    steps = (
        Pram(columns=("kind",), stay=70),
        DistributionDistortion(columns=tuple("xyz"), distributions=("log_normal",), within=("kind",)),
    )
    released = mask_shadow(steps, original, 3, 0).data
    measure = LikelihoodLinkage(columns=("x", "y", "z", "kind")).informed_by(Knowledge.of(steps, original))
    found = measure.measure(original, released)
    monkeypatch.setattr("sfumato.intruder.model.stratum_order", lambda *_: None)
    assert found.value > measure.measure(original, released).value + 10
    assert found.parts["right at 90"] > 85
    assert "although an earlier step masks these" in found.remark


def test_order_is_not_looked_for_where_values_were_exchanged() -> None:
    original = people(60)
    runs = Runs.of(original, original, (), 0)
    order = StratumOrder(runs, ("x",), ("kind",), are_released=False)
    rows = np.arange(60)
    assert order.holds(original, rows)
    exchanged = original.take_columns(("x",)).map_matrix(("x",), lambda matrix: matrix[::-1])
    assert not order.holds(exchanged, rows)
    blocks = np.zeros(60, dtype=np.int64)
    assert all_log_likelihoods(Model(blocks, blocks, (), False, ())).shape == (60, 60)
