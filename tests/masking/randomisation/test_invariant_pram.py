import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking.randomisation.invariant_pram import InvariantPram, invariant_matrix

counts = st.lists(st.one_of(st.just(0), st.integers(1, 5), st.integers(1, 10**7)), min_size=2, max_size=12).filter(
    lambda found: sum(count > 0 for count in found) > 1
)


@given(counts=counts, stay=st.floats(0, 0.999))
def test_the_matrix_is_a_markov_matrix_that_keeps_the_frequencies(counts: list[int], stay: float) -> None:
    frequencies = np.array(counts, dtype=float)
    matrix = invariant_matrix(frequencies, stay)
    assert matrix.min() >= 0
    assert np.abs(matrix.sum(axis=1) - 1).max() < 1e-12
    assert np.abs(frequencies @ matrix - frequencies).max() <= 1e-9 * frequencies.sum()
    assert not matrix[:, frequencies == 0][frequencies > 0].any()


@given(counts=counts, stay=st.floats(0, 0.999))
def test_every_category_but_one_over_half_stays_with_the_given_probability(counts: list[int], stay: float) -> None:
    frequencies = np.array(counts, dtype=float)
    shares = frequencies / frequencies.sum()
    wanted = np.where(shares > 0.5, 1 - (1 - stay) * (1 - shares) / np.where(shares > 0, shares, 1), stay)
    wanted[shares == 0] = 1
    assert np.abs(np.diag(invariant_matrix(frequencies, stay)) - wanted).max() < 1e-9


@given(k=st.integers(2, 8), stay=st.floats(0, 0.999))
def test_equal_frequencies_give_equal_exchanges(k: int, stay: float) -> None:
    matrix = invariant_matrix(np.full(k, 10.0), stay)
    assert np.allclose(matrix[~np.eye(k, dtype=bool)], (1 - stay) / (k - 1))


def test_the_matrix_does_not_jump_where_a_category_reaches_a_half() -> None:
    below, above = (invariant_matrix(np.array([half, 0.3, 0.2]), 0.5) for half in (0.5 - 1e-9, 0.5 + 1e-9))
    assert np.abs(below - above).max() < 1e-7


def test_expected_counts_are_kept_in_each_stratum_and_no_combination_is_new() -> None:
    rng = np.random.default_rng(3)
    region = rng.choice(["north", "south"], 3000)
    job = np.where(region == "north", rng.choice(["fisher", "clerk"], 3000), rng.choice(["miner", "clerk"], 3000))
    data = Microdata(pl.DataFrame({"region": region, "job": job}))
    method = InvariantPram(columns=("job",), stay=50, within=("region",))
    before = data.frame.group_by("region", "job").len().sort("region", "job")
    tallies = []
    for seed in range(100):
        masked = run_step(method, data, seed=seed, step=0).frame.group_by("region", "job").len().sort("region", "job")
        assert masked.select("region", "job").equals(before.select("region", "job"))
        tallies.append(masked["len"].to_numpy())
    tally = np.array(tallies)
    assert (np.abs(tally.mean(axis=0) - before["len"].to_numpy()) < 5 * tally.std(axis=0) / 10).all()
    assert tally.std(axis=0).min() > 0


def test_of_the_records_in_a_rare_category_the_share_that_is_real_is_stay() -> None:
    job = np.repeat(["clerk", "miner", "pope"], [30_000, 29_000, 1000])
    masked = InvariantPram(columns=("job",), stay=60).mask(
        Microdata(pl.DataFrame({"job": job})), np.random.default_rng(5)
    )
    is_pope = (masked.frame["job"] == "pope").to_numpy()
    assert abs((job[is_pope] == "pope").mean() - 0.6) < 5 * np.sqrt(0.24 / 1000)


def test_missing_values_count_for_nothing() -> None:
    data = Microdata(pl.DataFrame({"job": ["a", "b", None, None, None, "a"]}))
    assert np.allclose(InvariantPram(columns=("job",)).matrix(data, "job"), [[0.9, 0.1], [0.2, 0.8]])


def test_a_stratum_with_a_single_category_keeps_it() -> None:
    data = Microdata(pl.DataFrame({"job": ["a", "a", "b", "c"] * 9, "land": [1, 1, 2, 2] * 9}))
    schema = data.schema.with_kinds(nominal=["land"])
    masked = run_step(
        InvariantPram(columns=("job",), stay=0, within=("land",)), data.with_schema(schema), seed=1, step=0
    )
    assert masked.frame["job"].to_list() == ["a", "a", "c", "b"] * 9


def test_refuses_a_column_of_one_category() -> None:
    data = Microdata(pl.DataFrame({"job": ["a", "a", None]}))
    with pytest.raises(DataError, match=r"^InvariantPram.columns: 'job' has a single category"):
        InvariantPram(columns=("job",)).mask(data, np.random.default_rng(0))


def test_refuses_that_all_stay() -> None:
    with pytest.raises(ParameterError, match=r"^InvariantPram.stay must be in \[0, 100\); got 100$"):
        InvariantPram(columns=("job",), stay=100)


def test_a_stratum_without_a_value_stays_without() -> None:
    frame = pl.DataFrame({"region": ["a", "a", "b", "b"], "job": ["x", "y", None, None]})
    masked = run_step(InvariantPram(columns=("job",), within=("region",)), Microdata(frame), seed=1, step=0)
    assert masked.frame["job"].null_count() == 2


def test_refuses_strata_of_the_column_that_is_masked() -> None:
    data = Microdata(pl.DataFrame({"job": ["x", "y"] * 10}))
    with pytest.raises(
        DataError, match=r"InvariantPram.within: 'job' is also in columns; all records of a stratum have"
    ):
        InvariantPram(columns=("job",), within=("job",)).mask(data, np.random.default_rng(1))
