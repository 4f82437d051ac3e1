import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import Knowledge, Noise
from sfumato.data import Microdata, numeric
from sfumato.datasets import reference
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking import CorrelatedNoise, MixtureNoise
from sfumato.masking.noise._noise_likelihood import _whitening, joint_density, sum_density
from sfumato.masking.noise.mixture_noise import mixture_centres, mixture_draws
from sfumato.numerics.densities import NormalMixture
from sfumato.risk import DistanceLinkage, LikelihoodLinkage
from tests.matrices import microdata, names_of

N = 100_000
NAMES = ("a", "b", "c")
_rng = np.random.default_rng(3)
DATA = Microdata(pl.DataFrame(_rng.normal(size=(N, 3)) @ _rng.normal(size=(3, 3)), schema=list(NAMES)))


def noise_of(method: MixtureNoise | CorrelatedNoise) -> np.ndarray:
    return np.asarray(run_step(method, DATA, seed=1, step=0).matrix(NAMES) - DATA.matrix(NAMES))


@pytest.mark.parametrize(("weights", "centres"), [((0.5, 0.5), None), ((0.2, 0.3, 0.5), (1.0, -4.0, 2.0))])
def test_the_covariance_of_the_noise_is_the_stated_multiple(
    weights: tuple[float, ...], centres: tuple[float, ...] | None
) -> None:
    noise = noise_of(MixtureNoise(columns=numeric, variance_ratio=0.2, weights=weights, centres=centres))
    wanted = 0.2 * np.cov(DATA.matrix(NAMES), rowvar=False)
    scale = np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)))
    # a mixture has lighter tails than the normal, whose covariances have a standard error of at most sqrt(2/n)
    assert (np.abs(np.cov(noise, rowvar=False) - wanted) / scale).max() < 5 * np.sqrt(2 / N)
    assert (np.abs(noise.mean(axis=0)) / np.sqrt(np.diag(wanted))).max() < 5 / np.sqrt(N)


@given(
    weights=st.lists(st.floats(0.05, 1), min_size=2, max_size=6),
    seed=st.integers(0, 99),
    variance=st.floats(0.001, 0.99),
)
def test_the_mixture_has_mean_0_and_variance_1(weights: list[float], seed: int, variance: float) -> None:
    shares = np.array(weights) / sum(weights)
    places = np.random.default_rng(seed).normal(5, 3, len(weights))
    centres = mixture_centres(shares, places, variance)
    assert (shares * centres).sum() == pytest.approx(0, abs=1e-9)
    assert variance + (shares * centres**2).sum() == pytest.approx(1)


def test_two_equal_components_lie_where_the_source_puts_them() -> None:
    centres = mixture_centres(np.array([0.5, 0.5]), np.array([0.0, 1.0]), 0.025)
    assert centres == pytest.approx([-np.sqrt(0.975), np.sqrt(0.975)])


def test_each_component_is_drawn_by_its_weight() -> None:
    centres = np.array([-1.0, 0.0, 3.0])
    draws = mixture_draws((1, N), np.array([0.2, 0.7, 0.1]), centres, 1e-8, np.random.default_rng(1))
    shares = [(np.abs(draws - centre) < 0.01).mean() for centre in centres]
    assert shares == pytest.approx([0.2, 0.7, 0.1], abs=5 * 0.5 / np.sqrt(N))


def test_hardly_any_noise_is_near_0() -> None:
    first = np.sqrt(0.1) * DATA.values("a").std()  # the first column's noise is one element of w, by Cholesky
    share = {type(m): (np.abs(noise_of(m)[:, 0]) < 0.25 * first).mean() for m in methods_of_the_same_ratio()}
    assert share[MixtureNoise] < 1e-4
    assert share[CorrelatedNoise] > 0.18


def methods_of_the_same_ratio() -> list[MixtureNoise | CorrelatedNoise]:
    return [MixtureNoise(columns=NAMES), CorrelatedNoise(columns=NAMES)]


def test_a_total_stays_the_sum_of_its_parts() -> None:
    frame = DATA.frame.head(5000).with_columns(total=pl.col("a") + pl.col("b") + pl.col("c"))
    masked = run_step(MixtureNoise(columns=numeric), Microdata(frame), seed=1, step=0).frame
    assert (masked["total"] - masked["a"] - masked["b"] - masked["c"]).abs().max() < 1e-6


def test_refuses_weights_that_do_not_add_up() -> None:
    with pytest.raises(
        ParameterError, match=r"MixtureNoise.weights must be at least 2 weights that add up to 1; got 2"
    ):
        MixtureNoise(columns=NAMES, weights=(0.5, 0.6))


def test_refuses_a_single_component() -> None:
    with pytest.raises(ParameterError, match=r"MixtureNoise.weights"):
        MixtureNoise(columns=NAMES, weights=(1.0,))


def test_refuses_centres_that_are_fewer_than_the_weights() -> None:
    with pytest.raises(ParameterError, match=r"MixtureNoise.centres must be as many as the weights; got 3 for 2"):
        MixtureNoise(columns=NAMES, centres=(1.0, 2.0, 3.0))


def test_refuses_centres_in_one_place() -> None:
    with pytest.raises(ParameterError, match=r"MixtureNoise.centres must not be all the same; use CorrelatedNoise"):
        MixtureNoise(columns=NAMES, centres=(2.0, 2.0))


def test_refuses_a_constant_column() -> None:
    frame = DATA.frame.head(50).with_columns(d=pl.lit(4.5))
    with pytest.raises(DataError, match=r"MixtureNoise.columns: 'd' is constant"):
        run_step(MixtureNoise(columns=("a", "d")), Microdata(frame), seed=1, step=0)


# Table 1 of Yancey, Winkler and Creecy (2002): IL1s and IL4 of the rows mixadd and scalmixadd, in percent
CENSUS_REPORT = [
    (0.05, False, 14.0, 5.3),
    (0.10, False, 19.9, 10.5),
    (0.20, False, 28.1, 20.7),
    (0.05, True, 13.7, 0.7),
    (0.10, True, 19.0, 1.0),
    (0.20, True, 25.8, 1.4),
]


@pytest.mark.reference
@pytest.mark.parametrize(("ratio", "rescaled", "moved", "variances"), CENSUS_REPORT)
def test_census_loses_what_the_source_prints(ratio: float, rescaled: bool, moved: float, variances: float) -> None:
    data = reference("census")
    before = data.matrix(data.select(numeric))
    method = MixtureNoise(columns=numeric, variance_ratio=ratio, rescaled=rescaled)
    found = []
    for seed in range(12):
        after = run_step(method, data, seed=seed, step=0).matrix(data.select(numeric))
        distance = np.abs(after - before) / (np.sqrt(2) * before.std(axis=0, ddof=1))
        found.append([distance.mean(), np.abs(after.var(axis=0) / before.var(axis=0) - 1).mean()])
    assert 100 * np.mean(found, axis=0)[0] == pytest.approx(moved, rel=0.05)
    # the print is one draw: it lies within three of the deviations that the draws show among themselves
    spread = 100 * np.std(found, axis=0, ddof=1)[1] * np.sqrt(1 + 1 / 12)
    assert abs(100 * np.mean(found, axis=0)[1] - variances) < 3 * spread


def test_the_density_of_a_sum_of_elements_is_that_of_their_draws() -> None:
    two = NormalMixture(np.array([0.3, 0.7]), mixture_centres(np.array([0.3, 0.7]), np.array([0.0, 1.0]), 0.05), 0.05)
    load = np.array([0.1, -0.8, 0.5, 0.2, 0.05, 0.2, 0.1])
    rng = np.random.default_rng(2)
    draws = mixture_draws((len(load), 400_000), two.weights, two.centres, two.variance, rng)
    noise = load @ draws + rng.normal(0, 0.1, draws.shape[1])
    counts, edges = np.histogram(noise, bins=40, range=(-2, 2))
    middles = (edges[1:] + edges[:-1]) / 2
    expected = np.exp(sum_density(two, load, 0.01).log_density(np.zeros(1), middles)) * noise.size * 0.1
    assert np.abs(counts - expected).max() < 0.02 * counts.max()


def test_an_intruder_who_knows_some_columns_still_sees_the_mixture() -> None:
    rng = np.random.default_rng(4)
    matrix = rng.normal(size=(400, 6)) @ rng.normal(size=(6, 6))
    data, names = microdata(matrix), names_of(matrix)
    noise = MixtureNoise(columns=names, variance_ratio=0.5)
    masked = noise.mask(data, np.random.default_rng(1))
    known = Knowledge.of([noise], data)
    shares = {
        some: LikelihoodLinkage(columns=some).informed_by(known).measure(data, masked).value
        for some in (names, names[:4], names[2:])
    }
    nearest = DistanceLinkage(columns=names[:4], max_keys=4).measure(data, masked).parts["4"]
    assert shares[names] > 95
    assert shares[names[:4]] > 3 * nearest
    assert shares[names[2:]] > 10


@pytest.mark.parametrize("along_components", [False, True])
def test_the_joint_density_of_some_columns_is_that_of_their_draws(along_components: bool) -> None:
    rng = np.random.default_rng(6)
    covariance = np.cov(rng.normal(size=(50, 4)) @ rng.normal(size=(4, 4)), rowvar=False)
    two = NormalMixture(np.array([0.5, 0.5]), mixture_centres(np.ones(2) / 2, np.array([0.0, 1.0]), 0.2), 0.2)
    stated = Noise(covariance, 1.0, np.zeros(4), two, along_components=along_components)
    white, loads = _whitening(stated, np.array([1, 3]))
    noise = stated.root @ mixture_draws((4, 400_000), two.weights, two.centres, two.variance, rng)
    drawn = white @ noise[[1, 3]]
    counts, *edges = np.histogram2d(drawn[0], drawn[1], bins=20, range=[(-2, 2)] * 2)
    middles = [(edge[1:] + edge[:-1]) / 2 for edge in edges]
    places = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1)
    joint = joint_density(two, loads, np.zeros(2))
    assert joint is not None
    expected = np.exp(joint.log_density(np.zeros(2), places)) * drawn.shape[1] * 0.04
    assert (np.abs(counts - expected) < 6 * np.sqrt(expected) + 0.01 * counts.max()).all()
