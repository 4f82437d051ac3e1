"""Models of populations, checked against likelihoods written out, exact sums and populations whose truth is known."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom, nbinom

from sfumato.numerics.arrays import Integers
from sfumato.risk.keys._pitman import fit_pitman, pitman_uniques
from sfumato.risk.keys._slide_negative_binomial import expected_small_classes, slide_negative_binomial_shapes
from sfumato.risk.keys._super_populations import (
    ClassCounts,
    count_classes,
    estimate_uniques,
    population_classes,
    slide_negative_binomial_uniques,
    zayatz_uniques,
)


def likelihood(t: float, a: float, sizes: list[int]) -> float:
    """Return the logarithm of Pitman's sampling formula, factor by factor."""
    started = sum(log(t + i * a) for i in range(1, len(sizes)))
    persons = sum(log(t + i) for i in range(1, sum(sizes)))
    return started - persons + sum(log(i - a) for size in sizes for i in range(1, size))


def pitman_population(persons: int, t: float, a: float, rng: np.random.Generator) -> Integers:
    """Return the class of each person, drawn one after another."""
    owner, sizes = [0], [1]
    for i in range(1, persons):
        if rng.random() < (t + a * len(sizes)) / (t + i):
            owner.append(len(sizes))
            sizes.append(1)
            continue
        joined = owner[int(rng.random() * i)]
        while rng.random() > (sizes[joined] - a) / sizes[joined]:
            joined = owner[int(rng.random() * i)]
        owner.append(joined)
        sizes[joined] += 1
    return np.array(owner)


def sample_of(owner: Integers, fraction: float, rng: np.random.Generator) -> ClassCounts:
    drawn = np.bincount(owner[rng.permutation(owner.size)[: int(owner.size * fraction)]])
    return count_classes(drawn[drawn > 0])


def uniques_of(owner: Integers) -> int:
    return int(np.count_nonzero(np.bincount(owner) == 1))


@given(sizes=st.lists(st.integers(1, 12), min_size=2, max_size=25), seed=st.integers(0, 100))
def test_pitmans_parameters_are_the_most_likely_ones(sizes: list[int], seed: int) -> None:
    counts = count_classes(np.array(sizes))
    fitted = fit_pitman(counts.sizes, counts.classes)
    if fitted is None:
        assert max(sizes) == 1
        return
    t, a = fitted
    best = likelihood(t, a, sizes)
    rng = np.random.default_rng(seed)
    for other in [*np.clip(a + rng.normal(0, [0.003, 0.03, 0.3]), 1e-6, 1 - 1e-6), a]:
        for shifted in (t + a) * np.exp(rng.normal(0, [0.01, 0.1, 1])):
            assert likelihood(shifted - other, other, sizes) <= best + 1e-6


@pytest.mark.parametrize(("t", "a"), [(20.0, 0.3), (2.0, 0.7), (30.0, 1e-6)])
def test_pitmans_uniques_are_those_of_populations_drawn_from_the_model(t: float, a: float) -> None:
    rng = np.random.default_rng(7)
    persons = 400
    drawn = [uniques_of(pitman_population(persons, t, a, rng)) for _ in range(150)]
    alone = np.prod([(t + a + i - 1) / (t + i) for i in range(1, persons)])
    assert np.mean(drawn) == pytest.approx(persons * alone, abs=4 * np.std(drawn) / np.sqrt(150))


def test_pitmans_estimate_uses_the_fitted_parameters_and_is_close_to_the_published_form() -> None:
    from scipy.special import gamma

    counts = count_classes(np.array([1] * 30 + [2] * 12 + [3] * 6 + [9] * 4))
    fitted = fit_pitman(counts.sizes, counts.classes)
    assert fitted is not None
    t, a = fitted
    for persons in (1000, 10**7):
        found = pitman_uniques(counts.sizes, counts.classes, float(persons))
        if persons == 1000:
            alone = np.prod([(t + a + i - 1) / (t + i) for i in range(1, persons)])
            assert found == pytest.approx(persons * alone)
        else:
            assert found == pytest.approx(gamma(t + 1) / gamma(t + a) * persons**a, rel=1e-4)


def test_pitmans_discount_is_not_lost_among_the_digits_of_large_sums() -> None:
    """With a discount of nearly 0 the slope is a difference of sums that agree in nine digits."""
    counts = count_classes(np.repeat([1, 2, 3, 4, 5, 7], [1390, 165, 44, 8, 2, 1]))
    fitted = fit_pitman(counts.sizes, counts.classes)
    assert fitted is not None
    sizes = np.repeat(counts.sizes, counts.classes).tolist()
    t, a = fitted
    assert 0.1 < a < 0.9
    assert likelihood(t, a, sizes) >= max(likelihood(t, a + step, sizes) for step in (-1e-4, 1e-4))


def test_pitmans_model_has_no_solution_for_equal_and_for_different_records_only() -> None:
    assert pitman_uniques(np.array([7]), np.array([1]), 100.0) is None
    assert pitman_uniques(np.array([1]), np.array([7]), 100.0) is None


def test_zayatz_uses_the_hypergeometric_probabilities_of_the_sample_classes() -> None:
    counts = count_classes(np.array([1] * 20 + [2] * 9 + [4] * 3 + [60]))
    n, persons = counts.records, 400
    shows = [hypergeom(persons, size, n).pmf(1) for size in counts.sizes]
    conditional = 20 * shows[0] / (counts.classes @ shows)
    assert zayatz_uniques(counts, float(persons)) == pytest.approx(20 * conditional * persons / n)


def test_zayatz_takes_all_sample_uniques_for_unique_when_nearly_everybody_is_asked() -> None:
    counts = count_classes(np.array([1] * 20 + [5] * 9))
    assert zayatz_uniques(counts, counts.records + 1e-9) == pytest.approx(20, rel=1e-6)


@pytest.mark.parametrize(("a", "b", "fraction"), [(0.5, 0.2, 0.1), (3.0, 0.5, 0.4), (1.0, 0.9, 0.9)])
def test_small_classes_of_the_slide_negative_binomial_model_are_those_of_the_thinned_classes(
    a: float, b: float, fraction: float
) -> None:
    more = np.arange(3000)
    chance = nbinom(a, b).pmf(more)
    expected = [float(chance @ binom(1 + more, fraction).pmf(size)) for size in (1, 2)]
    assert expected_small_classes(a, b, fraction) == pytest.approx(expected)


@pytest.mark.parametrize(("a", "b", "fraction"), [(2.0, 0.1, 0.5), (1.0, 0.2, 0.5), (0.5, 0.05, 0.5), (0.2, 0.02, 0.3)])
def test_the_slide_negative_binomial_model_finds_the_uniques_of_its_own_populations(
    a: float, b: float, fraction: float
) -> None:
    rng = np.random.default_rng(1)
    classes, uniques = [], []
    for _ in range(8):
        owner = np.repeat(np.arange(10_000), 1 + rng.negative_binomial(a, b, 10_000))
        counts, persons = sample_of(owner, fraction, rng), float(owner.size)
        found = slide_negative_binomial_uniques(counts, persons)
        assert found is not None
        uniques.append(found / uniques_of(owner))
        classes.append(population_classes(counts, persons) / 10_000)
    assert np.mean(classes) == pytest.approx(1, abs=0.06)
    assert np.mean(uniques) == pytest.approx(1, abs=0.03 + 3 * np.std(uniques) / np.sqrt(8))


@given(shape=st.floats(-4, 4), odds=st.floats(-6, 6), fraction=st.floats(0.001, 0.95))
def test_the_slide_negative_binomial_model_finds_the_parameters_that_shares_were_made_with(
    shape: float, odds: float, fraction: float
) -> None:
    a, b = float(np.exp(shape)), float(1 / (1 + np.exp(-odds)))
    ones, twos = expected_small_classes(a, b, fraction)
    found = slide_negative_binomial_shapes(ones, twos, fraction)
    for one, found_odds in found:
        again = expected_small_classes(one, float(1 / (1 + np.exp(-found_odds))), fraction)
        assert again == pytest.approx((ones, twos), rel=1e-8)
    assert min(abs(np.log(one) - shape) + abs(found_odds - odds) for one, found_odds in found) < 1e-4


def test_the_slide_negative_binomial_model_has_no_solution_without_pairs() -> None:
    assert slide_negative_binomial_uniques(count_classes(np.array([1] * 9 + [3])), 100.0) is None


@pytest.mark.parametrize(("t", "a"), [(100.0, 0.3), (10.0, 0.6)])
@pytest.mark.parametrize("fraction", [0.1, 0.4])
def test_the_rule_is_right_on_average_in_pitman_populations(t: float, a: float, fraction: float) -> None:
    rng = np.random.default_rng(11)
    ratios = []
    for _ in range(8):
        owner = pitman_population(10_000, t, a, rng)
        found = estimate_uniques(sample_of(owner, fraction, rng), float(owner.size))
        assert (found.model == "pitman") == (fraction == 0.1)
        ratios.append(found.uniques / uniques_of(owner))
    assert np.mean(ratios) == pytest.approx(1, abs=0.03 + 3 * np.std(ratios) / np.sqrt(8))
    assert np.std(ratios) < 0.35


def test_the_rule_takes_the_smaller_estimate_for_large_samples() -> None:
    rng = np.random.default_rng(1)
    owner = np.repeat(np.arange(5_000), 1 + rng.negative_binomial(1.0, 0.2, 5_000))
    found = estimate_uniques(sample_of(owner, 0.3, rng), float(owner.size))
    assert found.model == "slide negative binomial"
    assert found.uniques == found.by_model["slide negative binomial"] < found.by_model["zayatz"]


def test_the_rule_falls_back_on_zayatz_where_a_model_has_no_solution() -> None:
    different = count_classes(np.ones(30, dtype=np.int64))
    for persons in (1000.0, 100.0):
        found = estimate_uniques(different, persons)
        assert (found.model, set(found.by_model)) == ("zayatz", {"zayatz"})
        assert found.uniques == pytest.approx(persons)


def test_a_whole_population_and_a_file_without_uniques_need_no_model() -> None:
    assert estimate_uniques(count_classes(np.array([1, 1, 4])), 6.0).uniques == 2.0
    assert estimate_uniques(count_classes(np.array([2, 3, 4])), 600.0).uniques == 0.0


@given(sizes=st.lists(st.integers(1, 5000), min_size=1, max_size=30), factor=st.floats(1, 1e6))
def test_every_estimate_lies_between_none_and_everybody(sizes: list[int], factor: float) -> None:
    counts = count_classes(np.array(sizes))
    found = estimate_uniques(counts, counts.records * factor)
    for uniques in [found.uniques, *found.by_model.values()]:
        assert 0 <= uniques <= counts.records * factor * (1 + 1e-6)
