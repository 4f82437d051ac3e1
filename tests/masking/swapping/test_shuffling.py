import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, rankdata, spearmanr

from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import DataError, KindError
from sfumato.execution import run_step
from sfumato.masking import Shuffling
from sfumato.masking.swapping.shuffling import conditional_draws, normal_correlations, normal_scores, shuffle

N = 40_000
CORRELATIONS = np.array([[1.0, 0.5, 0.6, -0.3], [0.5, 1.0, 0.2, 0.4], [0.6, 0.2, 1.0, 0.1], [-0.3, 0.4, 0.1, 1.0]])
NAMES = ("income", "tax", "age", "hours")
_normals = np.random.default_rng(2).multivariate_normal(np.zeros(4), CORRELATIONS, N)
DATA = Microdata(
    pl.DataFrame(
        {"income": np.exp(_normals[:, 0]), "tax": _normals[:, 1], "age": _normals[:, 2], "hours": _normals[:, 3]}
    )
)
METHOD = Shuffling(columns=("income", "tax"), given=("age", "hours"))


def masked(method: Shuffling = METHOD, data: Microdata = DATA) -> Microdata:
    return run_step(method, data, seed=5, step=0)


@given(n=st.integers(2, 50), ties=st.booleans(), seed=st.integers(0, 99))
def test_keeps_the_marginals_exactly(n: int, ties: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(n, 3)).round(0 if ties else 9)
    after = shuffle(matrix[:, :2], matrix[:, 2:], normal_correlations(matrix), rng)
    assert np.array_equal(np.sort(after, axis=0), np.sort(matrix[:, :2], axis=0))


def test_a_column_that_the_others_determine_is_shuffled_without_a_warning() -> None:
    rng = np.random.default_rng(20)
    matrix = rng.normal(size=(5, 3)).round(0)
    after = shuffle(matrix[:, :2], matrix[:, 2:], normal_correlations(matrix), rng)
    assert np.array_equal(np.sort(after, axis=0), np.sort(matrix[:, :2], axis=0))


def test_keeps_rank_correlations_within_their_standard_error() -> None:
    before, after = (spearmanr(data.matrix(NAMES)).statistic for data in (DATA, masked()))
    # a rank correlation has a standard error of at most 1/sqrt(n), and the new one is about the old
    assert np.abs(after - before).max() < 5 / np.sqrt(N)


def test_new_and_old_values_are_independent_given_the_other_columns() -> None:
    scores = norm.ppf(rankdata(np.column_stack([DATA.matrix(NAMES), masked().matrix(NAMES[:2])]), axis=0) / (N + 1))
    reading = np.column_stack([np.ones(N), scores[:, 2:4]])
    residuals = scores - reading @ np.linalg.lstsq(reading, scores, rcond=None)[0]
    partial = np.corrcoef(residuals[:, [0, 1, 4, 5]], rowvar=False)[:2, 2:]
    assert np.abs(partial).max() < 5 / np.sqrt(N)


def test_without_given_columns_new_values_follow_only_each_other() -> None:
    after = masked(METHOD.replace(given=()))
    across = spearmanr(np.column_stack([after.matrix(NAMES[:2]), DATA.matrix(NAMES)])).statistic[:2, 2:]
    assert np.abs(across).max() < 5 / np.sqrt(N)
    assert spearmanr(after.matrix(NAMES[:2])).statistic == pytest.approx(
        spearmanr(DATA.matrix(NAMES[:2])).statistic, abs=5 / np.sqrt(N)
    )


def test_draws_have_the_conditional_mean_and_covariance_of_the_normal_distribution() -> None:
    scores = np.tile([0.8, -1.1], (N, 1))
    draws = conditional_draws(scores, CORRELATIONS, np.random.default_rng(0))
    across, inverse = CORRELATIONS[:2, 2:], np.linalg.inv(CORRELATIONS[2:, 2:])
    assert draws.mean(axis=0) == pytest.approx(across @ inverse @ [0.8, -1.1], abs=5 / np.sqrt(N))
    left = CORRELATIONS[:2, :2] - across @ inverse @ across.T
    assert np.abs(np.cov(draws, rowvar=False) - left).max() < 5 * np.sqrt(2 / N)


def test_a_record_that_lacks_a_given_value_follows_the_others() -> None:
    scores = np.tile([0.8, np.nan], (N, 1))
    draws = conditional_draws(scores, CORRELATIONS, np.random.default_rng(0))
    assert draws.mean(axis=0) == pytest.approx(0.8 * CORRELATIONS[:2, 2], abs=5 / np.sqrt(N))
    assert draws.var(axis=0) == pytest.approx(1 - CORRELATIONS[:2, 2] ** 2, abs=5 * np.sqrt(2 / N))


def test_scores_are_normal_quantiles_of_mean_ranks() -> None:
    column = np.array([3.0, 1.0, 3.0, np.nan, 2.0])
    plain = norm.ppf((rankdata([3.0, 1.0, 3.0, 2.0]) - 0.5) / 4)
    assert normal_scores(column[:, None])[[0, 1, 2, 4], 0] == pytest.approx(plain / np.sqrt((plain**2).mean()))


def test_collinear_given_columns_do_no_harm() -> None:
    frame = DATA.frame.with_columns(twice=2 * pl.col("age"), total=pl.col("age") + pl.col("hours"))
    after = masked(METHOD.replace(given=("age", "twice", "hours", "total")), Microdata(frame))
    before, now = (spearmanr(data.matrix(NAMES)).statistic for data in (DATA, after))
    assert np.abs(now - before).max() < 10 / np.sqrt(N)


def test_follows_an_ordinal_column() -> None:
    levels = ["low", "mid", "high"]
    level = pl.Series(np.array(levels)[np.digitize(_normals[:, 2], [-0.5, 0.7])])
    schema = Schema(
        variables=(Variable(name="tax", kind="continuous"), Variable(name="level", kind="ordinal", categories=levels))
    )
    data = Microdata(pl.DataFrame({"tax": _normals[:, 0], "level": level}), schema)
    after = masked(Shuffling(columns=("tax",), given=("level",)), data)
    before, now = (spearmanr(each.matrix(("tax", "level"))).statistic for each in (data, after))
    assert now == pytest.approx(before, abs=0.03)  # levels are not quite what the normal distribution expects


def test_shuffles_only_inside_strata() -> None:
    frame = DATA.frame.head(400).with_columns(half=pl.Series(["a"] * 200 + ["b"] * 200))
    after = masked(METHOD.replace(within=("half",)), Microdata(frame)).frame
    assert sorted(after["income"][:200]) == sorted(frame["income"][:200])
    assert after["income"].to_list() != frame["income"].to_list()


def test_refuses_a_column_that_the_given_ones_determine() -> None:
    frame = DATA.frame.with_columns(twice=2 * pl.col("income"))
    with pytest.raises(DataError, match=r"Shuffling.columns: 'income' is determined by the given columns"):
        masked(Shuffling(columns=("tax", "income"), given=("twice",)), Microdata(frame))


def test_refuses_a_nominal_given_column_and_says_where_it_belongs() -> None:
    frame = DATA.frame.head(9).with_columns(sex=pl.Series(list("fmfmfmfmf")))
    with pytest.raises(KindError, match=r"Shuffling.given: 'sex' is nominal; .* name it in within"):
        masked(METHOD.replace(given=("sex",)), Microdata(frame))


def test_refuses_a_single_record() -> None:
    with pytest.raises(DataError, match="needs at least 2 values in"):
        masked(METHOD, Microdata(DATA.frame.head(1), DATA.schema))
