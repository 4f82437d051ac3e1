"""What nobody links more than, by the recipe: the smallest bound that is proven."""

from collections import Counter
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Coordinate, Knowledge, Layout, Likelihood, MaskingMethod, Part
from sfumato.data import Kind, Microdata, Schema
from sfumato.intruder import Runs, model_by_runs
from sfumato.intruder.bounds.link_bound import proven_bounds
from sfumato.masking import (
    AdditiveNoise,
    Camouflage,
    ContingencyResampling,
    DistributionDistortion,
    DropIdentifiers,
    HintSuppression,
    IndividualRanking,
    LocalSuppression,
    Mdav,
    MicroaggregatedHybrid,
    MixtureNoise,
    Pram,
    RankSwapping,
    Recoding,
    Resampling,
    Rounding,
    Sampling,
    Shuffling,
    TopCoding,
)
from sfumato.masking.microaggregation.microaggregated_hybrid import synthesise_groups
from sfumato.numerics.densities import STANDARD_NORMAL
from sfumato.parameters import Columns
from sfumato.risk import LikelihoodLinkage, WorstCaseLinkage

NAMES, KINDS = ("x", "y", "z"), ("area", "kind", "state")
NOISE, MIXTURE = AdditiveNoise(columns=NAMES, scale=0.3), MixtureNoise(columns=NAMES, variance_ratio=0.3)
PRAM, MDAV = Pram(columns=KINDS, stay=70), Mdav(columns=NAMES, k=4)
HALF, HYBRID = Sampling(percent=50), MicroaggregatedHybrid(columns=NAMES, k=5)


def people(n: int = 300, seed: int = 0) -> Microdata:
    rng = np.random.default_rng(seed)
    numbers = pl.DataFrame(rng.normal(size=(n, 3)), schema=list(NAMES))
    return Microdata(numbers.with_columns(pl.Series(name, rng.choice(list("abcd"), n)) for name in KINDS))


def two_ends(parts: list[Part], columns: tuple[str, ...], original: Microdata | None = None) -> tuple[float, float]:
    """Return what the strongest attack links, and what nobody links more than."""
    original = people() if original is None else original
    knowledge = Knowledge.of(parts, original)
    masked, rng = original, np.random.default_rng(1)
    for step in knowledge.steps:
        masked = step.mask_beside(original, masked, rng)
    found = LikelihoodLinkage(columns=columns).informed_by(knowledge).measure(original, masked)
    assert found.bound is not None
    return found.value, found.bound


@pytest.mark.parametrize(
    ("parts", "columns", "within"),
    [
        ([NOISE], NAMES, 9.0),
        ([MIXTURE], NAMES, 9.0),
        ([NOISE, Rounding(columns=("x",), base=0.01)], NAMES, 9.0),
        ([MIXTURE, TopCoding(columns=("x",), percent=5)], NAMES, 9.0),
        ([PRAM], KINDS, 7.0),
        ([NOISE, PRAM], (*NAMES, *KINDS), 7.0),
        ([PRAM, LocalSuppression(columns=KINDS, k=2)], KINDS, 15.0),
        ([MDAV, NOISE], NAMES, 15.0),
    ],
)
def test_the_two_ends_are_near_each_other(parts: list[Part], columns: tuple[str, ...], within: float) -> None:
    value, bound = two_ends(parts, columns)
    assert value <= bound <= value + within


@pytest.mark.parametrize("parts", [[HALF, MDAV], [MDAV, HALF], [MDAV, HALF, Rounding(columns=NAMES, base=0.001)]])
def test_one_of_four_in_groups_of_four_is_the_most_also_on_a_sample(parts: list[Part]) -> None:
    value, bound = two_ends(parts, NAMES)
    assert value <= bound
    assert bound == pytest.approx(25, abs=1)


@pytest.mark.parametrize(
    ("parts", "columns"),
    [
        ([HALF], KINDS),
        ([HALF, Recoding(columns=("area",), map={"a": "b"}, keeps_others=True)], KINDS),
        ([Rounding(columns=NAMES, base=1.0), HALF], NAMES),
        ([HALF, Rounding(columns=NAMES, base=1.0), Sampling(percent=50, within=("kind",))], (*NAMES, "kind")),
        ([MDAV, HALF, DropIdentifiers(columns=("state",))], NAMES),
    ],
)
def test_of_a_sample_of_known_records_nothing_is_left_to_be_found(parts: list[Part], columns: tuple[str, ...]) -> None:
    """Each is one of those in the whole file who would look like it, and nobody can tell which."""
    original = people()
    knowledge = Knowledge.of(parts, original)
    rng, whole = np.random.default_rng(1), original
    for step in knowledge.steps:
        whole = whole if isinstance(step, Sampling) else step.mask_beside(original, whole, rng)
    masked, rng = original, np.random.default_rng(1)
    for step in knowledge.steps:
        masked = step.mask_beside(original, masked, rng)
    found = WorstCaseLinkage(columns=columns).informed_by(knowledge).measure(original, masked)
    alike = Counter(whole.frame.select(columns).rows())
    expected = 100 * np.mean([1 / alike[row] for row in masked.frame.select(columns).rows()])
    by_likelihood = found.parts["likelihood, row by row"]
    assert by_likelihood == pytest.approx(expected)
    assert found.bound == pytest.approx(max(expected, found.value))
    assert "may" not in found.remark
    assert "at least" not in found.remark.replace("at least 90 %", "")


def test_a_sample_of_what_chance_changed_is_not_bounded_exactly_though_two_runs_agree() -> None:
    original, steps = people(8), (Pram(columns=("area",), stay=99.999), HALF)
    masked = HALF.mask(steps[0].mask(original, np.random.default_rng(1)), np.random.default_rng(2))
    runs = Runs.of(original, masked, steps, 0)
    found = list(proven_bounds(runs, masked, ("area",), model_by_runs(runs, masked, ("area",))))
    assert [bound.is_exact for bound in found] == [True, False, True]  # of equals released, before the sample, at first


@pytest.mark.parametrize("parts", [[HYBRID, HALF], [HYBRID, Rounding(columns=NAMES, base=0.01), HALF]])
def test_a_sample_of_groups_that_are_alike_is_bounded_exactly(parts: list[Part]) -> None:
    assert two_ends(parts, NAMES)[1] == pytest.approx(20)


@pytest.mark.parametrize(
    "parts",
    [[HYBRID], [HALF, HYBRID], [HYBRID, Rounding(columns=NAMES, base=0.01)]],
)
def test_one_of_five_is_the_most_where_groups_of_five_become_synthetic(parts: list[Part]) -> None:
    value, bound = two_ends(parts, NAMES)
    assert value <= bound
    assert bound == pytest.approx(20, abs=1)


@pytest.mark.parametrize(
    ("step", "bound"),
    [
        (Shuffling(columns=NAMES), 100 / 300),
        (Shuffling(columns=NAMES, within=("kind",)), 4 * 100 / 300),
    ],
)
def test_values_that_are_shuffled_for_anybody_alike_tell_nobody_apart(step: Shuffling, bound: float) -> None:
    value, found = two_ends([step], NAMES)
    assert value <= found + 3
    assert found == pytest.approx(bound, abs=2.5)
    beside = two_ends([step, PRAM], (*NAMES, *KINDS))
    assert beside[0] <= beside[1] < 25


@pytest.mark.parametrize("size", [3, 5])
def test_the_synthetic_records_of_a_group_are_alike_for_all_members(size: int) -> None:
    """Over many draws each member gets the same mean and the same covariances, those of the group, whoever it is."""
    numbers, draws = np.random.default_rng(1).normal(size=(size, 2)), 4000
    many = np.tile(numbers, (draws, 1))
    groups = np.repeat(np.arange(draws), size)
    found = synthesise_groups(many, groups, np.ones(len(many), dtype=np.bool_), np.random.default_rng(2))
    apart = found.reshape(draws, size, 2) - numbers.mean(axis=0)
    np.testing.assert_allclose(apart.mean(axis=0), 0, atol=4 * apart.std() / np.sqrt(draws))
    products = apart[:, :, :, None] * apart[:, :, None, :]
    errors = products.std(axis=0) / np.sqrt(draws)
    assert (np.abs(products.mean(axis=0) - np.cov(numbers.T, bias=True)) < 4.5 * errors).all()


def couples() -> Microdata:
    """Return people who live in twos, with the number of their home."""
    frame = (
        people()
        .table.to_native()
        .with_columns(home=pl.Series(np.repeat(np.arange(150.0), 2)), number=pl.int_range(300))
    )
    return Microdata(frame, Schema.infer(frame).with_roles(household=["home"]))


@pytest.mark.parametrize(("dropped", "least", "most"), [("home", 4, 4), ("number", 8, 20)])
def test_where_a_recipe_drops_the_household_does_not_matter(dropped: str, least: int, most: int) -> None:
    """One of each of four kinds is told, or one of each pair of kinds while it is released who lives with whom."""
    shuffling, drop = Shuffling(columns=NAMES[:2], within=("kind",)), DropIdentifiers(columns=(dropped,))
    orders: list[list[Part]] = [[shuffling, drop], [drop, shuffling]]
    ends = [two_ends(parts, NAMES[:2], couples())[1] for parts in orders]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)
    assert least / 3 - 1e-9 <= ends[0] <= most / 3 + 1e-9


def test_to_know_who_was_drawn_bounds_noise_that_is_scaled_by_the_sample() -> None:
    value, bound = two_ends([HALF, AdditiveNoise(columns=NAMES, scale=1.0)], NAMES)
    assert value < bound < 40


@pytest.mark.parametrize(
    "parts",
    [
        [HYBRID.replace(columns=("x", "y")), IndividualRanking(columns=("z",), k=4)],
        [NOISE, Rounding(columns=NAMES, base=0.3), IndividualRanking(columns=NAMES, k=4)],
    ],
)
def test_a_step_that_goes_by_the_place_in_the_file_leaves_no_bound(parts: list[Part]) -> None:
    """Which of equal values is in which group hangs on the order of the persons, which gives away who is who."""
    assert two_ends(parts, NAMES, with_ties())[1] == 100


@pytest.mark.parametrize(
    ("parts", "within"),
    [
        ([NOISE, Rounding(columns=NAMES, base=0.3), DistributionDistortion(columns=NAMES)], 60),
        ([NOISE, Rounding(columns=NAMES, base=0.3), Resampling(columns=NAMES)], 60),
        ([NOISE.replace(columns=("x", "y"), scale=2.0), DistributionDistortion(columns=("z",))], 75),
        ([HYBRID.replace(columns=("x", "y")), DistributionDistortion(columns=("z",))], 75),
        ([NOISE.replace(scale=2.0), RankSwapping(columns=NAMES)], 15),
        ([NOISE, Rounding(columns=NAMES, base=1), Mdav(columns=NAMES, k=4), NOISE, RankSwapping(columns=NAMES)], 25),
    ],
)
def test_a_step_that_ranks_equal_values_at_random_tells_no_more_than_the_file_before_it(
    parts: list[Part], within: float
) -> None:
    value, bound = two_ends(parts, NAMES, with_ties())
    assert value <= bound <= within


def with_ties() -> Microdata:
    frame = people(150).frame.with_columns(pl.col("z").round())
    return Microdata(frame.with_columns(pl.col("z") + 0.5))


@pytest.mark.parametrize(
    ("parts", "columns"),
    [
        ([RankSwapping(columns=NAMES)], NAMES),
        ([PRAM, HintSuppression(columns=KINDS, k=3)], (*KINDS, *NAMES)),
        ([NOISE, ContingencyResampling(columns=("area",))], (*NAMES, "area")),
    ],
)
def test_no_bound_is_claimed_where_none_is_proven(parts: list[Part], columns: tuple[str, ...]) -> None:
    assert two_ends(parts, columns)[1] == 100


def test_columns_that_a_step_makes_leave_no_bound_by_groups_of_others() -> None:
    spoilt = AdditiveNoise(columns=("x_low",), scale=100)  # keeps our own attack from the middle of the interval
    groups = [Mdav(columns=("y", "z"), k=4), AdditiveNoise(columns=("y", "z"), scale=0.05)]
    assert two_ends([Camouflage(columns=("x",), scale=0.05), spoilt, *groups], NAMES)[1] == 100


class Timid(MaskingMethod):
    """A method from outside that says it moves values further than it does."""

    family: ClassVar[str] = "noise"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        return block.map_matrix(self.columns, lambda matrix: matrix + 0.05 * rng.normal(size=matrix.shape))

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood:
        return tuple(Coordinate(original.values(name), masked.values(name), STANDARD_NORMAL) for name in names)


@pytest.mark.parametrize("later", [[], [Rounding(columns=("x",), base=0.001)]])
def test_a_density_that_is_stated_too_wide_bounds_nothing(later: list[Part]) -> None:
    value, bound = two_ends([Timid(columns=NAMES), *later], NAMES)
    assert value > 60
    assert bound == 100
