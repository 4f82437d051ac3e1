"""Likelihood linkage: an intruder with the recipe links by how likely it makes each pair."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Knowledge, Layout, MaskingMethod, Measurement
from sfumato.data import Kind, Microdata
from sfumato.datasets import demo, reference
from sfumato.masking import (
    AdditiveNoise,
    CorrelatedNoise,
    LocalSuppression,
    Mdav,
    MixtureNoise,
    Pram,
    RankSwapping,
    RankSwappingBuckets,
    RankSwappingDistribution,
    Rounding,
    Sampling,
    TopCoding,
)
from sfumato.numerics.arrays import FloatMatrix
from sfumato.parameters import Columns
from sfumato.risk import LikelihoodLinkage, WorstCaseLinkage
from tests.matrices import microdata, names_of


def people(n: int = 300, d: int = 4, seed: int = 11) -> FloatMatrix:
    rng = np.random.default_rng(seed)
    return np.exp(rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) / 3)


def attack(
    data: Microdata,
    steps: Sequence[MaskingMethod],
    columns: tuple[str, ...] | None = None,
    masked: Microdata | None = None,
    seed: int = 7,
) -> Measurement:
    """Return what the intruder finds in a file masked by the steps; `columns` are those that they know."""
    if masked is None:
        rng, masked = np.random.default_rng(seed), data
        for step in steps:
            masked = step.mask(masked, rng)
    measure = LikelihoodLinkage(columns=columns or steps[0].columns)
    return measure.informed_by(Knowledge.of(steps, data)).measure(data, masked)


def test_mixture_noise_on_census_hides_nobody() -> None:
    """Yancey, Winkler and Creecy (2002) print re-identification rates of 1 to 10 % for a ratio of .2."""
    census = reference("census")
    for ratio in (0.2, 1.0):
        found = attack(census, [MixtureNoise(columns=census.schema.names, variance_ratio=ratio)])
        assert found.value >= 99
        assert found.parts["certain at 90"] >= 98
        assert "no bound is proven" not in found.remark


@pytest.mark.parametrize(
    ("method", "percent"),
    [
        (RankSwapping(columns=("any",), window=30), 52),
        (RankSwappingBuckets(columns=("any",), buckets=5), 22),
        (RankSwappingDistribution(columns=("any",), window=20), 83),
    ],
    ids=str,
)
def test_swapped_ranks_of_census_are_found_by_who_runs_the_method(method: MaskingMethod, percent: float) -> None:
    census = reference("census")
    found = attack(census, [method.replace(columns=census.schema.names)])
    assert found.parts["one to one"] >= percent
    assert found.value > 99
    assert found.parts["right at 90"] >= 85
    assert "learnt by running the recipe" in found.remark


def test_exchanges_confirm_each_other_whatever_the_window() -> None:
    """Each swap ties two pairs of records together: what looks safe record by record is not as a whole."""
    matrix = people(n=300, d=5)
    for method in (
        RankSwapping(columns=names_of(matrix), window=50),
        RankSwappingBuckets(columns=names_of(matrix), buckets=3),
        RankSwappingDistribution(columns=names_of(matrix), window=50),
    ):
        found = attack(microdata(matrix), [method])
        assert found.parts["one to one"] < 30
        assert found.parts["exchanges"] > 95
        assert found.value == found.parts["exchanges"]
        assert found.parts["right at 90"] > 95


def test_exchanges_are_followed_where_another_step_changed_the_values() -> None:
    data, names = microdata(people(n=200)), names_of(people())
    found = attack(data, [RankSwapping(columns=names, window=20), AdditiveNoise(columns=names, scale=0.001)])
    assert found.value == found.parts["exchanges"] > 1.5 * found.parts["one to one"]
    assert found.parts["right at 90"] > 90
    assert "exchanges" not in attack(data, [AdditiveNoise(columns=names, scale=0.1)]).parts


def test_mixture_noise_on_four_columns_of_the_demo() -> None:
    columns = ("age", "total_income", "expenditure", "savings")
    data = demo(1000)
    complete = data.take_rows(np.flatnonzero(~np.isnan(data.matrix(columns)).any(axis=1)))
    found = attack(complete, [MixtureNoise(columns=columns, variance_ratio=0.2)])
    assert found.value >= 74
    assert attack(complete, [MixtureNoise(columns=columns, variance_ratio=1.0)]).value >= 38


@pytest.mark.parametrize("rescaled", [False, True])
@pytest.mark.parametrize(
    "noise",
    [
        AdditiveNoise(columns=("any",), scale=0.3),
        CorrelatedNoise(columns=("any",), variance_ratio=0.1),
        MixtureNoise(columns=("any",), variance_ratio=0.1),
    ],
    ids=lambda noise: noise.name(),
)
def test_certain_links_are_right_as_often_as_they_say(
    noise: AdditiveNoise | CorrelatedNoise | MixtureNoise, rescaled: bool
) -> None:
    matrix = people(n=400)
    found = attack(microdata(matrix), [noise.replace(columns=names_of(matrix), rescaled=rescaled)])
    assert found.parts["certain at 90"] > 10
    assert found.parts["right at 90"] >= 90


def test_noise_in_strata_is_told_by_the_covariance_of_each() -> None:
    rng = np.random.default_rng(3)
    group = rng.integers(2, size=300)
    frame = pl.DataFrame({"group": group.astype(str), "a": rng.normal(size=300), "b": rng.normal(size=300)})
    data = Microdata(frame.with_columns(a=pl.col("a") * (1 + 99 * pl.Series(group))))
    found = attack(data, [CorrelatedNoise(columns=("a", "b"), variance_ratio=0.001, within=("group",))], ("a", "b"))
    assert found.value > 85
    assert "which is proven" in found.remark


def test_missing_values_must_fit_where_they_stay() -> None:
    matrix = people(n=200)
    matrix[::3, 0], matrix[::5, 2] = np.nan, np.nan
    for method in (CorrelatedNoise, MixtureNoise):
        found = attack(microdata(matrix), [method(columns=names_of(matrix), variance_ratio=0.05)])
        assert found.value > 70


def test_values_masked_without_chance_share_a_link_among_equals() -> None:
    matrix = people(n=200)
    names = names_of(matrix)
    assert attack(microdata(matrix), [Mdav(columns=names, k=5)]).value == pytest.approx(20.0, abs=0.5)
    rounded = [Rounding(columns=names, base=1.0), TopCoding(columns=names, at=2.0)]
    data = microdata(matrix)
    masked = rounded[1].mask(rounded[0].mask(data, np.random.default_rng(0)), np.random.default_rng(0))
    classes = len(np.unique(masked.matrix(names), axis=0))
    assert attack(data, rounded).value == pytest.approx(100 * classes / len(matrix))


def test_randomised_categories_are_linked_by_their_markov_matrices() -> None:
    rng = np.random.default_rng(8)
    columns = tuple(f"question_{place}" for place in range(8))
    data = Microdata(pl.DataFrame({name: rng.integers(4, size=150).astype(str) for name in columns}))
    found = attack(data, [Pram(columns=columns, stay=90)])
    assert found.value > 85
    assert found.parts["right at 90"] >= 85


def test_rounding_after_noise_is_known_and_need_not_be_learnt() -> None:
    matrix = people(n=300)
    names = names_of(matrix)
    steps = [AdditiveNoise(columns=names, scale=0.1), Rounding(columns=names, base=0.1)]
    found = attack(microdata(matrix), steps)
    assert found.value > 90
    assert "learnt" not in found.remark


def test_a_second_step_does_not_hide_the_mixture_of_the_first() -> None:
    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(500, 8)) @ rng.normal(size=(8, 8))
    names = names_of(matrix)
    noise = MixtureNoise(columns=names, variance_ratio=0.5)
    alone, rounded = (attack(microdata(matrix), [noise, *more]) for more in ((), [Rounding(columns=names, base=0.2)]))
    assert alone.value > 95
    assert rounded.value > 80


def test_who_knows_fewer_columns_links_fewer_records() -> None:
    matrix = people(n=300)
    noise = CorrelatedNoise(columns=names_of(matrix), variance_ratio=0.1)
    every, some = (attack(microdata(matrix), [noise], names_of(matrix)[:count]).value for count in (4, 2))
    assert every > 2 * some > 0


def test_a_sample_is_linked_too() -> None:
    matrix = people(n=400)
    names = names_of(matrix)
    steps = [AdditiveNoise(columns=names, scale=0.05), Sampling(columns=(), percent=50)]
    found = attack(microdata(matrix), steps, names)
    assert found.value > 80


def test_a_recipe_that_does_not_fit_is_told_and_the_files_are_believed() -> None:
    matrix = people(n=300)
    names = names_of(matrix)
    data = microdata(matrix)
    masked = AdditiveNoise(columns=names, scale=0.2).mask(data, np.random.default_rng(1))
    wrong = attack(data, [AdditiveNoise(columns=names, scale=0.01)], masked=masked)
    assert "the recipe does not fit the files" in wrong.remark
    weaker = attack(data, [AdditiveNoise(columns=names, scale=1.0)], masked=masked)
    assert "the recipe does not fit the files" in weaker.remark
    absent = attack(data, [Rounding(columns=names, base=1.0)], masked=masked)
    assert "the recipe does not fit the files" in absent.remark
    assert min(wrong.value, absent.value) > 0.7 * attack(data, [AdditiveNoise(columns=names, scale=0.2)]).value


def test_a_method_from_outside_is_learnt_by_running_it() -> None:
    class Spread(MaskingMethod):
        """A method that states no likelihood."""

        family: ClassVar[str] = "noise"
        kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
        layout: ClassVar[Layout] = Layout.ROWS

        columns: Columns
        scale: float

        def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
            return AdditiveNoise(columns=self.columns, scale=self.scale).mask_block(block, rng)

    matrix = people(n=300)
    own, stated = (
        attack(microdata(matrix), [method(columns=names_of(matrix), scale=0.2)]) for method in (Spread, AdditiveNoise)
    )
    assert "learnt by running the recipe" in own.remark
    assert own.value > 0.85 * stated.value


def test_suppressed_values_tell_nothing() -> None:
    rng = np.random.default_rng(5)
    data = Microdata(pl.DataFrame({name: rng.integers(3, size=100).astype(str) for name in ("a", "b", "c")}))
    found = attack(data, [LocalSuppression(columns=("a", "b", "c"), k=3)])
    assert found.value <= 100 / 3 + 1


def test_strangers_are_linked_by_chance_alone_and_told() -> None:
    matrix, other = people(n=400), np.random.default_rng(1).permutation(people(n=400))
    found = LikelihoodLinkage(columns=names_of(matrix)).measure(microdata(matrix), microdata(other))
    assert found.value < 2
    assert "no better than strangers" in found.remark


def test_noise_on_groups_of_equal_records_leaves_them_equal() -> None:
    matrix = people(n=300)
    names = names_of(matrix)
    found = attack(microdata(matrix), [Mdav(columns=names, k=3), AdditiveNoise(columns=names, scale=0.02)])
    assert found.value == pytest.approx(100 / 3, abs=1)
    assert found.parts["certain at 50"] == 0


def test_the_shuffled_rows_of_a_masked_file_change_nothing() -> None:
    matrix = people(n=200)
    data, noise = microdata(matrix), CorrelatedNoise(columns=names_of(matrix), variance_ratio=0.2)
    masked = noise.mask(data, np.random.default_rng(2))
    shuffled = masked.take_rows(np.random.default_rng(3).permutation(masked.n))
    assert attack(data, [noise], masked=masked).value == attack(data, [noise], masked=shuffled).value


def test_no_attack_is_stronger_than_the_worst_case() -> None:
    matrix = people(n=200)
    data, noise = microdata(matrix), MixtureNoise(columns=names_of(matrix), variance_ratio=0.3)
    masked = noise.mask(data, np.random.default_rng(2))
    known = Knowledge.of([noise], data)
    worst = WorstCaseLinkage(columns=names_of(matrix)).informed_by(known).measure(data, masked)
    alone = LikelihoodLinkage(columns=names_of(matrix)).informed_by(known).measure(data, masked)
    assert worst.value >= alone.value
    assert "an intruder who knows the recipe and these 4 columns" in worst.remark


def test_rescaled_noise_on_totals_with_missing_parts_makes_nobody_too_certain() -> None:
    matrix = people(n=400, d=3)
    matrix = np.column_stack([matrix, matrix.sum(axis=1)])
    matrix[::9, 0], matrix[4::7, 3] = np.nan, np.nan
    data, noise = microdata(matrix), CorrelatedNoise(columns=names_of(matrix), variance_ratio=0.3, rescaled=True)
    found = [attack(data, [noise], masked=noise.mask(data, np.random.default_rng(seed))).parts for seed in range(4)]
    certain = [parts["certain at 90"] for parts in found]
    assert min(certain) > 1
    assert np.average([parts["right at 90"] for parts in found], weights=certain) >= 85


@pytest.mark.parametrize("method", [CorrelatedNoise, MixtureNoise])
def test_small_numbers_beside_huge_ones_are_not_lost(method: type[CorrelatedNoise] | type[MixtureNoise]) -> None:
    matrix = people(n=200, d=3)
    noise = method(columns=names_of(matrix), variance_ratio=0.05)
    huge = matrix * [1e60, 1.0, 1e-20]
    plain, scaled = (attack(microdata(file), [noise]) for file in (matrix, huge))
    assert scaled.value == pytest.approx(plain.value, abs=2)
    assert "does not fit" not in scaled.remark
