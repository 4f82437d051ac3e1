import numpy as np
import polars as pl
import pytest

import sfumato
from sfumato.data import Microdata, Schema
from sfumato.errors import DataError, ParameterError
from sfumato.masking import (
    AdditiveNoise,
    CorrelatedNoise,
    MixtureNoise,
    MultiplicativeNoise,
    RankSwapping,
    corrected_moments,
    corrected_regression,
    expected_values,
)

N, SMALL, RUNS = 2400, 800, 30  # few runs of many records tell as much as many of few, and sooner
NAMES = ("a", "b")
_rng = np.random.default_rng(6)
_DOMAIN = np.where(np.arange(N) < SMALL, "small", "large")
_A = np.where(_DOMAIN == "small", _rng.gamma(2.0, 2.0, N), 20 + _rng.normal(0, 6, N))
DATA = Microdata(pl.DataFrame({"a": _A, "b": 0.6 * _A + _rng.normal(0, 4, N), "domain": _DOMAIN}))
NOISES = [
    noise.replace(rescaled=rescaled)
    for rescaled in (False, True)
    for noise in (
        AdditiveNoise(columns=NAMES, scale=0.7),
        CorrelatedNoise(columns=NAMES, variance_ratio=0.5),
        MixtureNoise(columns=NAMES, variance_ratio=0.5),
    )
]

every_noise = pytest.mark.parametrize("noise", NOISES, ids=str)


def moments(matrix: np.ndarray) -> np.ndarray:
    return np.concatenate([matrix.mean(axis=0), np.cov(matrix, rowvar=False)[np.triu_indices(2)]])


@every_noise
def test_estimates_are_unbiased_for_the_whole_and_for_subdomains(
    noise: AdditiveNoise | CorrelatedNoise | MixtureNoise,
) -> None:
    rows = {"whole": slice(None), "small": slice(SMALL), "large": slice(SMALL, None)}
    truth = np.array([moments(DATA.matrix(NAMES)[part]) for part in rows.values()])
    found = []
    for seed in range(RUNS):
        result = corrected_moments(noise.mask(DATA, np.random.default_rng(seed)), noise, within=("domain",))
        each = [result.whole, result.domains["small",], result.domains["large",]]
        found.append([np.concatenate([m.means, m.covariance[np.triu_indices(2)]]) for m in each])
    errors = np.mean(found, axis=0) - truth
    standard_errors = np.std(found, axis=0) / np.sqrt(RUNS)
    assert (np.abs(errors) <= 5 * standard_errors + 1e-9).all()
    # the least of what is corrected is far larger than what chance leaves
    assert (np.abs(truth[1:, 2] - truth[0, 2]) > 20 * standard_errors[1:, 2]).all()


@pytest.mark.parametrize("noise", NOISES[:3], ids=str)
def test_plain_moments_of_the_noisy_data_are_not_what_is_estimated(noise: AdditiveNoise | CorrelatedNoise) -> None:
    masked = noise.mask(DATA, np.random.default_rng(0))
    plain, found = np.cov(masked.matrix(NAMES), rowvar=False), corrected_moments(masked, noise).whole.covariance
    assert np.diag(found) == pytest.approx(np.diag(plain) / (1.49 if isinstance(noise, AdditiveNoise) else 1.5))
    assert found[0, 1] == pytest.approx(plain[0, 1] / (1 if isinstance(noise, AdditiveNoise) else 1.5))


def test_names_subdomains_by_their_categories_and_missing_ones_by_none() -> None:
    frame = DATA.frame.with_columns(sex=pl.Series([None, "f", "m"] * (N // 3)))
    found = corrected_moments(Microdata(frame), NOISES[1], within=("domain", "sex"))
    assert set(found.domains) == {(domain, sex) for domain in ("small", "large") for sex in (None, "f", "m")}
    assert sum(part.n for part in found.domains.values()) == found.whole.n == N


def test_leaves_out_records_that_lack_a_value() -> None:
    frame = pl.DataFrame({"a": [1.0, None, 3.0, 4.0], "b": [2.0, 5.0, None, 7.0]})
    found = corrected_moments(Microdata(frame), NOISES[1])
    assert found.whole.n == 2
    assert found.whole.means.tolist() == [2.5, 4.5]


@every_noise
def test_estimates_are_unbiased_where_values_are_missing_too(
    noise: AdditiveNoise | CorrelatedNoise | MixtureNoise,
) -> None:
    gaps = Microdata(DATA.frame.with_columns(b=pl.when(pl.int_range(pl.len()) % 4 > 0).then(pl.col("b"))))
    matrix = gaps.matrix(NAMES)
    truth = moments(matrix[~np.isnan(matrix).any(axis=1)])
    results = [corrected_moments(noise.mask(gaps, np.random.default_rng(seed)), noise).whole for seed in range(RUNS)]
    found = np.array([np.concatenate([m.means, m.covariance[np.triu_indices(2)]]) for m in results])
    assert (np.abs(found.mean(axis=0) - truth) <= 5 * found.std(axis=0) / np.sqrt(RUNS) + 1e-9).all()


@pytest.mark.parametrize(("scale", "rescaled"), [(0.3, False), (0.6, False), (0.6, True)])
@pytest.mark.parametrize("kind", [AdditiveNoise, CorrelatedNoise])
def test_rounding_of_whole_numbers_is_part_of_what_is_corrected(
    kind: type[AdditiveNoise | CorrelatedNoise], scale: float, rescaled: bool
) -> None:
    rng = np.random.default_rng(2)
    rooms = rng.poisson(1.5, 2000)
    frame = pl.DataFrame({"rooms": rooms, "rent": rooms + rng.normal(0, 1, 2000)})
    data = Microdata(frame, Schema.infer(frame).with_kinds(continuous=["rooms"]))
    size = {"scale": scale} if kind is AdditiveNoise else {"variance_ratio": scale**2}
    noise = kind(columns=("rooms", "rent"), rescaled=rescaled, **size)
    results = [corrected_moments(noise.mask(data, np.random.default_rng(seed)), noise).whole for seed in range(40)]
    found = np.array([result.covariance[[0, 0, 1], [0, 1, 1]] for result in results])
    truth = np.cov(frame.to_numpy(), rowvar=False)[[0, 0, 1], [0, 1, 1]]
    # 0.3 of the deviation is 0.37: rounding adds 0.04 to the variance, and draws differ by less than 0.005
    assert np.abs(found.mean(axis=0) - truth) == pytest.approx(0, abs=0.02)


def test_a_subdomain_of_one_record_has_no_covariance() -> None:
    frame = DATA.frame.with_columns(odd=pl.Series(["x"] + ["y"] * (N - 1)))
    found = corrected_moments(Microdata(frame), NOISES[1], within=("odd",))
    assert found.domains["x",].n == 1
    assert np.isnan(found.domains["x",].covariance).all()


def test_refuses_noise_that_was_drawn_by_strata() -> None:
    with pytest.raises(DataError, match="call it for the records of each stratum"):
        corrected_moments(DATA, CorrelatedNoise(columns=NAMES, within=("domain",)))


def test_is_a_public_name() -> None:
    assert sfumato.corrected_moments is corrected_moments


def test_moments_are_unbiased_under_random_factors_in_whole_numbers_too() -> None:
    noise = MultiplicativeNoise(columns=NAMES, spread=40)
    whole = Microdata(DATA.frame.with_columns(pl.col("b").round().cast(pl.Int64)))
    truth = np.array([moments(whole.matrix(NAMES)[part]) for part in (slice(None), slice(SMALL))])
    found, plain = [], []
    for seed in range(RUNS):
        masked = noise.mask(whole, np.random.default_rng(seed))
        result = corrected_moments(masked, noise, within=("domain",))
        each = [result.whole, result.domains["small",]]
        found.append([np.concatenate([m.means, m.covariance[np.triu_indices(2)]]) for m in each])
        plain.append(moments(masked.matrix(NAMES)))
    standard_errors = np.std(found, axis=0) / np.sqrt(RUNS)
    assert (np.abs(np.mean(found, axis=0) - truth) <= 4 * standard_errors).all()
    # what is not corrected is far off: the variance grows by 0.16 of the mean square
    assert np.mean(plain, axis=0)[2] - truth[0, 2] > 20 * standard_errors[0, 2]


def test_names_the_methods_that_have_a_correction() -> None:
    swapping = RankSwapping(columns=("a",))
    with pytest.raises(ParameterError, match=r"corrected_moments.noise must be .* MultiplicativeNoise; got a RankSwap"):
        corrected_moments(DATA, swapping)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"expected_values.noise must .* AdditiveNoise, CorrelatedNoise; got a M"):
        expected_values(DATA, MixtureNoise(columns=("a",)))  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"corrected_moments.masked must be a Microdata, as .* got a DataFrame"):
        corrected_moments(DATA.frame, NOISES[0])


def test_one_column_as_a_text_is_not_taken_for_its_letters() -> None:
    with pytest.raises(ParameterError, match=r"must be a list of names, as \['domain'\], or a rule"):
        corrected_moments(DATA, NOISES[0], within="domain")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"corrected_regression.terms must be a list .* as \['b'\]; got a text"):
        corrected_regression(DATA, NOISES[0], response="a", terms="b")
