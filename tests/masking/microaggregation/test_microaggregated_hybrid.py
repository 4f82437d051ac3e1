import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, numeric
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.masking import MicroaggregatedHybrid
from sfumato.masking.microaggregation.microaggregated_hybrid import synthesise_groups
from sfumato.numerics.standardisation import z_scores


def with_total(n: int, seed: int, d: int = 3) -> pl.DataFrame:
    parts = np.random.default_rng(seed).lognormal(3, 1, size=(n, d))
    return pl.DataFrame(np.column_stack([parts, parts.sum(axis=1)]), schema=[*(f"x{j}" for j in range(d)), "total"])


def masked(frame: pl.DataFrame, k: int, seed: int = 1) -> pl.DataFrame:
    method = MicroaggregatedHybrid(columns=numeric, k=k)
    after: pl.DataFrame = run_step(method, Microdata(frame), seed=seed, step=0).frame
    return after


@given(seed=st.integers(0, 999), n=st.integers(12, 60), d=st.integers(1, 4), k=st.integers(3, 12))
def test_means_and_covariances_are_kept_with_a_total_among_the_columns(seed: int, n: int, d: int, k: int) -> None:
    frame = with_total(n, seed, d)
    before, after = frame.to_numpy(), masked(frame, k, seed).to_numpy()
    scale = before.std(axis=0)
    assert (np.abs(after.mean(axis=0) - before.mean(axis=0)) <= 1e-9 * scale).all()
    apart = np.abs(np.cov(after.T) - np.cov(before.T))
    assert (apart <= 1e-9 * np.outer(scale, scale)).all()
    assert not np.isclose(after, before, rtol=1e-9).all()


@given(seed=st.integers(0, 999), k=st.integers(3, 8))
def test_each_group_keeps_its_own_mean_and_covariance(seed: int, k: int) -> None:
    frame = with_total(40, seed)
    before, after = frame.to_numpy(), masked(frame, k, seed).to_numpy()
    groups = mdav_groups(z_scores(before), k)
    for group in range(groups.max() + 1):
        one, other = before[groups == group], after[groups == group]
        assert np.allclose(one.mean(axis=0), other.mean(axis=0), rtol=1e-9)
        assert np.allclose(np.cov(one.T), np.cov(other.T), rtol=1e-6, atol=1e-9 * np.cov(one.T).max())


def test_a_total_stays_the_sum_of_its_parts() -> None:
    after = masked(with_total(200, 2), 5)
    assert np.abs(after["total"] - after["x0"] - after["x1"] - after["x2"]).max() < 1e-9


def test_no_record_of_three_keeps_its_place() -> None:
    frame = with_total(300, 3)
    assert np.abs(masked(frame, 3).to_numpy() / frame.to_numpy() - 1).max(axis=1).min() > 1e-6


def test_larger_groups_move_records_further() -> None:
    frame = with_total(600, 4)
    moved = [np.abs(masked(frame, size).to_numpy() - frame.to_numpy()).mean() for size in (3, 10, 50, 300)]
    assert moved == sorted(moved)


def test_records_that_lack_the_same_columns_keep_their_moments() -> None:
    frame = with_total(60, 5).with_columns(x1=pl.when(pl.int_range(60) < 20).then(None).otherwise("x1"))
    after = masked(frame, 5)
    assert after["x1"].null_count() == 20
    for rows in (slice(0, 20), slice(20, 60)):
        one, other = frame[rows].select("x0", "x2", "total"), after[rows].select("x0", "x2", "total")
        assert np.allclose(np.cov(one.to_numpy().T), np.cov(other.to_numpy().T), rtol=1e-9)


def test_a_record_of_a_rare_pattern_takes_the_values_of_a_synthetic_one() -> None:
    frame = with_total(60, 6).with_columns(x1=pl.when(pl.int_range(60) == 3).then(None).otherwise("x1"))
    after = masked(frame, 5)
    others = after.filter(pl.int_range(60) != 3).select("x0", "x2", "total").rows()
    assert after["x1"][3] is None
    assert after.select("x0", "x2", "total").row(3) in others


def test_a_joined_record_comes_from_its_own_group() -> None:
    matrix = np.array([[1.0], [2.0], [4.0], [101.0], [102.0], [104.0], [103.0]])
    leads = np.arange(7) < 6
    for seed in range(20):
        after = synthesise_groups(matrix, np.array([0, 0, 0, 1, 1, 1, 1]), leads, np.random.default_rng(seed))
        assert after[6, 0] in after[3:6, 0]


def test_a_group_of_equal_records_stays_as_it_is() -> None:
    frame = pl.DataFrame({"x": [0.5, 0.5, 0.5, 7.0, 8.0, 9.5]})
    assert masked(frame, 3)["x"].to_list()[:3] == [0.5] * 3


def test_refuses_groups_of_two_which_their_moments_determine() -> None:
    with pytest.raises(ParameterError, match=r"^MicroaggregatedHybrid.k must be in \[3, inf\); got 2$"):
        MicroaggregatedHybrid(columns=numeric, k=2)


def test_refuses_more_per_group_than_records() -> None:
    with pytest.raises(DataError, match="k must be at most the number of records"):
        masked(with_total(4, 1), 5)


@pytest.mark.parametrize("within", [(), ("region",)])
def test_an_intruder_has_one_chance_in_the_size_of_the_group_even_in_another_order(within: tuple[str, ...]) -> None:
    names = ("x0", "x1", "x2")
    frame = with_total(60, 3).select(names).with_columns(region=pl.int_range(60).mod(2).cast(pl.String))
    original, method = Microdata(frame), MicroaggregatedHybrid(columns=names, k=5, within=within)
    after = method.mask(original, np.random.default_rng(1))
    released = after.take_rows(np.random.default_rng(2).permutation(60))
    (coordinate,) = method.likelihood(original, released, names) or ()
    is_possible = coordinate.density.log_density(coordinate.before[None, :], coordinate.after[:, None]) > -1.0
    assert is_possible.sum(axis=1).tolist() == [5] * 60
    truth = original.rows_of(released.row_ids)
    assert is_possible[np.arange(60), truth].all()
    sums = is_possible @ original.matrix(names)
    np.testing.assert_allclose(sums, is_possible[:, truth] @ released.matrix(names))


def test_states_nothing_of_groups_whose_sums_are_others_nor_without_a_column() -> None:
    original, names = Microdata(with_total(60, 3)), ("x0", "x1", "x2", "total")
    method = MicroaggregatedHybrid(columns=names, k=5)
    after = method.mask(original, np.random.default_rng(1))
    assert method.likelihood(original, after, names) is not None
    assert method.replace(k=6).likelihood(original, after, names) is None
    assert method.likelihood(original, after, names[:3]) is None
