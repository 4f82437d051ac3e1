"""Households: linked as wholes, by all their members."""

from itertools import permutations

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Knowledge
from sfumato.data import Microdata
from sfumato.intruder import build_model, posterior_of
from sfumato.intruder.households import HouseholdLinks, household_links
from sfumato.masking import AdditiveNoise
from sfumato.numerics.arrays import CodeColumn, FloatMatrix
from sfumato.risk import LikelihoodLinkage, WorstCaseLinkage

NOISE = AdditiveNoise(columns=("a", "b"), scale=0.5)


def survey(homes: CodeColumn, seed: int) -> Microdata:
    """Return persons with two numbers, and the households that they live in."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame({"home": homes, "a": rng.normal(size=len(homes)), "b": rng.normal(size=len(homes))})
    schema = Microdata(frame).schema.with_kinds(nominal=["home"]).with_roles(household=["home"])
    return Microdata(frame, schema=schema)


def links(data: Microdata, masked: Microdata) -> HouseholdLinks:
    model = build_model(data, masked, ("a", "b"), [NOISE], 0)
    found = household_links(model, posterior_of(model, 20), data, masked)
    assert found is not None
    return found


def oracle(data: Microdata, masked: Microdata, homes: CodeColumn) -> FloatMatrix:
    """Return the probability of each pair by the sum over all matchings that keep households together."""
    values = data.matrix(("a", "b"))
    gaps = (masked.matrix(("a", "b"))[:, None] - values) / (0.5 * values.std(axis=0, ddof=1))
    densities = np.exp(-0.5 * (gaps**2).sum(axis=2))
    every, total = np.arange(len(homes)), np.zeros((len(homes), len(homes)))
    for matching in map(np.array, permutations(every)):
        together = {(home, other) for home, other in zip(homes, homes[matching], strict=True)}
        if len(together) == len(set(homes.tolist())):
            total[every, matching] += densities[every, matching].prod()
    return np.asarray(total / total.sum(axis=1, keepdims=True), dtype=np.float64)


@pytest.mark.parametrize("homes", [[0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 3]], ids=str)
def test_certainty_is_that_of_all_matchings_that_keep_households_together(homes: list[int]) -> None:
    numbers = np.array(homes)
    data = survey(numbers, 1)
    masked = NOISE.mask(data, np.random.default_rng(2))
    found, exact = links(data, masked), oracle(data, masked, numbers)
    assert np.allclose(found.certainty, exact.max(axis=1), atol=1e-9)
    assert np.array_equal(found.rows, exact.argmax(axis=1))


@pytest.mark.parametrize("limit", [10**7, 0], ids=["all households are tried", "likely households are tried"])
def test_members_speak_for_each_other(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.intruder.households.MAX_ALL_PAIRS", limit)
    data = survey(np.arange(200) // 4, 3)
    measure = LikelihoodLinkage(columns=("a", "b")).informed_by(Knowledge.of([NOISE], data))
    found = measure.measure(data, NOISE.mask(data, np.random.default_rng(4)))
    assert found.value == found.parts["households"] > 2.5 * found.parts["one to one"]
    assert found.parts["right at 90"] > 85


def test_members_who_were_left_out_of_the_release_need_not_be_found() -> None:
    data = survey(np.arange(200) // 4, 5)
    masked = NOISE.mask(data, np.random.default_rng(6)).take_rows(np.flatnonzero(np.arange(200) % 8))
    found = links(data, masked)
    assert np.mean(found.rows == np.flatnonzero(np.arange(200) % 8)) > 0.5


def test_without_households_in_the_release_there_is_nothing_to_go_by() -> None:
    data = survey(np.arange(40) // 4, 7)
    masked = NOISE.mask(data, np.random.default_rng(8))
    alone = survey(np.arange(40), 7)
    without = masked.take_columns(("a", "b"))
    for original, released in [(data, without), (alone, NOISE.mask(alone, np.random.default_rng(8)))]:
        model = build_model(original, released, ("a", "b"), [NOISE], 0)
        assert household_links(model, posterior_of(model, 5), original, released) is None


def test_the_worst_case_names_households() -> None:
    data = survey(np.arange(80) // 4, 9)
    masked = NOISE.mask(data, np.random.default_rng(10))
    found = WorstCaseLinkage(columns=("a", "b")).informed_by(Knowledge.of([NOISE], data)).measure(data, masked)
    assert "strongest attack: likelihood, households" in found.remark


def test_households_are_those_of_the_column_that_is_released() -> None:
    """Families are dropped, dwellings stay: who is held against whom goes by the dwellings of both files."""
    homes = np.arange(60) // 5
    data = survey(homes, 3)
    families = data.frame.with_columns(family=pl.Series(np.arange(60) // 2)).select("family", "home", "a", "b")
    schema = Microdata(families).schema.with_kinds(nominal=["family"]).with_variables(data.schema["home"])
    both = Microdata(families, schema.with_variables(schema["family"].replace(role="household")))
    masked = NOISE.mask(both, np.random.default_rng(4)).without_columns(("family",))
    alone = NOISE.mask(data, np.random.default_rng(4))
    found, expected = links(both, masked), links(data, alone)
    assert np.array_equal(found.rows, expected.rows)
    assert (found.rows == np.arange(60)).mean() > 0.5
