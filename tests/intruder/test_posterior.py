"""The posterior of small files, held against the sum over all matchings with densities of another make."""

from collections.abc import Callable, Sequence
from itertools import permutations, product

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy import stats
from scipy.special import logsumexp

from sfumato.contracts import Coordinate, MaskingMethod
from sfumato.data import Microdata
from sfumato.intruder import Posterior, build_model, posterior_of
from sfumato.intruder.pair_model import Model
from sfumato.masking import AdditiveNoise, CorrelatedNoise, InvariantPram, MixtureNoise, Pram, Sampling
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.densities import STANDARD_NORMAL
from tests.matrices import microdata, names_of

LogDensities = Callable[[FloatMatrix, FloatMatrix], FloatMatrix]
"""The log density of each masked record (rows) given each original (columns)."""


def records(n: int = 7, d: int = 3, seed: int = 1) -> FloatMatrix:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 10.0


def sum_over_all(logs: FloatMatrix) -> FloatMatrix:
    """Return the probability of each pair under all ways to give each masked record an original of its own."""
    masked, original = logs.shape
    ways = np.array(list(permutations(range(original), masked)))
    totals = logs[np.arange(masked), ways].sum(axis=1)
    chances = np.exp(totals - logsumexp(totals))
    return np.stack([np.bincount(ways[:, row], chances, original) for row in range(masked)])


def masked_by(steps: Sequence[MaskingMethod], data: Microdata, seed: int = 3) -> Microdata:
    rng = np.random.default_rng(seed)
    for step in steps:
        data = step.mask(data, rng)
    return data


def pair_by_pair(posterior: Posterior, chances: FloatMatrix) -> FloatMatrix:
    """Return the probability of each pair of single records; equal originals share that of their class."""
    found = np.zeros((len(posterior.masked_classes), len(posterior.original_classes)))
    for row, masked in enumerate(posterior.masked_classes):
        for candidate, chance in zip(posterior.candidates[masked], chances[masked], strict=True):
            if candidate >= 0:
                members = posterior.original_classes == candidate
                found[row, members] = chance / members.sum()
    return found


def check(data: Microdata, steps: Sequence[MaskingMethod], names: tuple[str, ...], logs: FloatMatrix) -> Posterior:
    """Hold both posteriors against the log densities, and return them."""
    model = build_model(data, masked_by(steps, data), names, steps, seed=0)
    posterior = posterior_of(model, 64)
    assert posterior.is_exact.all()
    assert pair_by_pair(posterior, posterior.by_row) == pytest.approx(
        np.exp(logs - logsumexp(logs, axis=1, keepdims=True)), abs=1e-9
    )
    assert pair_by_pair(posterior, posterior.one_to_one) == pytest.approx(sum_over_all(logs), abs=1e-9)
    return posterior


def normal_logs(before: FloatMatrix, after: FloatMatrix, covariance: FloatMatrix) -> FloatMatrix:
    density = stats.multivariate_normal(cov=covariance)
    return np.array([[density.logpdf(late - early) for early in before] for late in after])


def mixture_logs(before: FloatMatrix, after: FloatMatrix, covariance: FloatMatrix, variance: float) -> FloatMatrix:
    """Return the log densities of two normals at equal weights in each independent element, all combinations added."""
    root, centre = np.linalg.cholesky(covariance), np.sqrt(1 - variance)
    combinations = [
        normal_logs(before + root @ (centre * np.array(signs)), after, variance * covariance)
        for signs in product([-1.0, 1.0], repeat=len(covariance))
    ]
    return np.asarray(logsumexp(combinations, axis=0))


NOISE: dict[str, tuple[MaskingMethod, Callable[[FloatMatrix], FloatMatrix], bool]] = {
    "additive": (
        AdditiveNoise(columns=("any",), scale=0.6),
        lambda matrix: 0.36 * np.diag(np.diag(np.cov(matrix, rowvar=False))),
        False,
    ),
    "correlated": (
        CorrelatedNoise(columns=("any",), variance_ratio=0.4),
        lambda matrix: 0.4 * np.cov(matrix, rowvar=False),
        False,
    ),
    "mixture": (
        MixtureNoise(columns=("any",), variance_ratio=0.8, component_variance=0.2),
        lambda matrix: 0.8 * np.cov(matrix, rowvar=False),
        True,
    ),
}
RATIOS = {"additive": 0.36, "correlated": 0.4, "mixture": 0.8}


@pytest.mark.parametrize("rescaled", [False, True])
@pytest.mark.parametrize("kind", NOISE)
@pytest.mark.parametrize("percent", [100, 60])
def test_noisy_records_have_the_posterior_of_all_matchings(kind: str, rescaled: bool, percent: float) -> None:
    method, covariance_of, is_mixture = NOISE[kind]
    matrix = records()
    data, names = microdata(matrix), names_of(matrix)
    steps = [method.replace(columns=names, rescaled=rescaled)]
    if percent < 100:
        steps.append(Sampling(columns=(), percent=percent))
    after = masked_by(steps, data).matrix(names)
    assert len(after) == (7 if percent == 100 else 4)
    if rescaled:
        means = matrix.mean(axis=0)
        after = means + (after - means) * np.sqrt(1 + RATIOS[kind])
    covariance = covariance_of(matrix)
    logs = mixture_logs(matrix, after, covariance, 0.2) if is_mixture else normal_logs(matrix, after, covariance)
    posterior = check(data, steps, names, logs)
    assert posterior.cut.max() < 1e-15


def test_equal_records_share_their_posterior() -> None:
    matrix = records(n=8)
    matrix[3], matrix[5], matrix[7] = matrix[0], matrix[0], matrix[1]
    data, names = microdata(matrix), names_of(matrix)
    noise = CorrelatedNoise(columns=names, variance_ratio=0.3)
    after = masked_by([noise], data).matrix(names)
    posterior = check(data, [noise], names, normal_logs(matrix, after, 0.3 * np.cov(matrix, rowvar=False)))
    assert sorted(posterior.original_counts.tolist()) == [1, 1, 1, 2, 3]


def test_who_knows_some_columns_has_the_posterior_of_their_noise() -> None:
    matrix = records()
    data, names = microdata(matrix), names_of(matrix)
    noise = CorrelatedNoise(columns=names, variance_ratio=0.3)
    after = masked_by([noise], data).matrix(names)
    covariance = 0.3 * np.cov(matrix, rowvar=False)
    logs = normal_logs(matrix[:, [2, 0]], after[:, [2, 0]], covariance[np.ix_([2, 0], [2, 0])])
    check(data, [noise], (names[2], names[0]), logs)


def test_records_that_lack_the_same_values_are_compared_by_the_others() -> None:
    matrix = records(n=8)
    matrix[[0, 4], 1] = np.nan
    matrix[[2, 6], 0] = np.nan
    data, names = microdata(matrix), names_of(matrix)
    noise = AdditiveNoise(columns=names, scale=0.8)
    after = masked_by([noise], data).matrix(names)
    logs = np.zeros((8, 8))
    for place in range(3):
        column = matrix[:, place]
        terms = stats.norm(scale=0.8 * np.nanstd(column, ddof=1)).logpdf(after[:, place][:, None] - column)
        is_missing = np.isnan(after[:, place])[:, None], np.isnan(column)
        logs += np.where(is_missing[0] != is_missing[1], -np.inf, np.where(is_missing[0], 0.0, terms))
    check(data, [noise], names, logs)


def categories(n: int = 8) -> pl.DataFrame:
    rng = np.random.default_rng(6)
    return pl.DataFrame({name: rng.choice(list("abc"), size=n) for name in ("x", "y", "z")})


def labels(file: Microdata, name: str) -> NDArray[np.str_]:
    codes, kinds = file.codes(name)
    return np.array(kinds, dtype=np.str_)[codes]


def test_randomised_categories_have_the_posterior_of_their_markov_matrices() -> None:
    frame = categories()
    data, names = Microdata(frame), tuple(frame.columns)
    pram = Pram(columns=names, stay=70)
    masked = masked_by([pram], data)
    logs = np.zeros((8, 8))
    for name in names:
        late, early = (labels(file, name) for file in (masked, data))
        others = len(np.unique(early)) - 1
        logs += np.log(np.where(late[:, None] == early, 0.7, 0.3 / others))
    check(data, [pram], names, logs)


def test_numbers_and_categories_go_into_one_posterior() -> None:
    frame = categories(7).with_columns(amount=pl.Series(records()[:, 0]))
    data = Microdata(frame)
    pram = InvariantPram(columns=("x", "y"), stay=60)
    steps = [pram, AdditiveNoise(columns=("amount",), scale=1.0)]
    masked = masked_by(steps, data)
    amount = frame["amount"].to_numpy()
    logs = stats.norm(scale=amount.std(ddof=1)).logpdf(masked.values("amount")[:, None] - amount)
    for name in ("x", "y"):
        kinds = data.codes(name)[1]
        matrix = pram.matrix(data, name)
        late, early = ([kinds.index(label) for label in labels(file, name)] for file in (masked, data))
        with np.errstate(divide="ignore"):
            logs = logs + np.log(matrix[early][:, late].T)
    is_equal = labels(masked, "z")[:, None] == labels(data, "z")
    check(data, steps, ("z", "x", "amount", "y"), np.where(is_equal, logs, -np.inf))


def test_a_posterior_is_not_exact_where_likely_originals_were_cut_off() -> None:
    matrix = np.random.default_rng(4).normal(size=(50, 1))
    data, names = microdata(matrix), names_of(matrix)
    steps = [AdditiveNoise(columns=names, scale=1.0), Sampling(columns=(), percent=4)]
    model = build_model(data, masked_by(steps, data), names, steps, seed=0)
    some, every = posterior_of(model, 10), posterior_of(model, 50)
    assert some.cut.min() > 0.1
    assert not some.is_exact.any()
    assert every.cut.max() == 0.0
    assert every.is_exact.all()


def test_certainty_counts_the_originals_that_were_cut_off() -> None:
    matrix = np.exp(records(n=600, d=4) / 4)
    data, names = microdata(matrix), names_of(matrix)
    steps = [CorrelatedNoise(columns=names, variance_ratio=0.1)]
    masked = masked_by(steps, data)
    model = build_model(data, masked, names, steps, seed=0)
    few, many = posterior_of(model, 3), posterior_of(model, 600)
    assert few.cut.mean() > 0.2
    likeliest = many.by_row.max(axis=1)
    assert few.by_row[:, 0] == pytest.approx(likeliest, abs=0.15)
    assert few.by_row[likeliest > 0.6, 0] == pytest.approx(likeliest[likeliest > 0.6], abs=0.02)
    assert few.one_to_one.sum(axis=1).mean() < 0.8
    certainty, sure = few.one_to_one.max(axis=1), many.one_to_one.max(axis=1)
    is_right = few.candidates[np.arange(600), few.one_to_one.argmax(axis=1)][few.masked_classes] == few.original_classes
    is_certain = certainty[few.masked_classes] >= 0.9
    assert is_certain.mean() > 0.7 * (sure >= 0.9).mean() > 0.03
    assert is_right[is_certain].mean() > 0.9
    assert is_right[certainty[few.masked_classes] >= 0.5].mean() > 0.7


@pytest.mark.parametrize("count", [2, 6])
def test_records_that_show_nothing_may_be_anybody(count: int) -> None:
    """Whoever stands for two records is twice as likely, and who is not looked at weighs what is cut off."""
    before, after = np.array([1.0, 2.0, 2.0, 3.0, 4.0, 5.0]), np.full(6, np.nan)
    blocks = np.zeros(6, dtype=np.int64)
    model = Model(blocks, blocks, (Coordinate(before, after, STANDARD_NORMAL),), True, ())
    found = posterior_of(model, count)
    listed = found.original_counts[found.candidates[0]]
    assert found.by_row[0].tolist() == pytest.approx((listed / 6).tolist())
    assert found.cut[0] == pytest.approx(1 - listed.sum() / 6)
