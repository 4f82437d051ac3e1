from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema, Variable, role
from sfumato.errors import DataError, ParameterError, UnknownColumnError
from sfumato.execution import run_step
from sfumato.masking import Sampling
from sfumato.masking.sampling.sampling import allocation, draw_sample, expansion, sampling_error
from tests.data.frames import AsBackend, cells

SCHEMA = Schema(
    variables=(
        Variable(name="home", kind="nominal", role="household"),
        Variable(name="region", kind="nominal", role="stratum"),
        Variable(name="weight", kind="continuous", role="weight"),
    )
)


def survey(n: int = 300) -> Microdata:
    frame = pl.DataFrame(
        {
            "home": np.arange(n) // 3,
            "region": np.where(np.arange(n) < n // 5, "north", "south"),
            "weight": np.where(np.arange(n) < n // 5, 10.0, 2.0),
        }
    )
    return Microdata(frame, SCHEMA)


def sample(data: Microdata, seed: int = 1, **parameters: Any) -> Microdata:
    return run_step(Sampling(**parameters), data, seed=seed, step=0)


def test_the_sample_has_the_size_asked_for_and_holds_original_records_in_their_order() -> None:
    data = survey()
    for parameters in ({"percent": 12.0}, {"size": 36}):
        after = sample(data, **parameters)
        assert after.n == 36
        assert (np.diff(after.row_ids) > 0).all()
        assert cells(after)["home"] == np.array(cells(data)["home"])[after.row_ids].tolist()


def test_the_whole_is_a_sample_of_itself_with_the_same_weights() -> None:
    after = sample(survey(), percent=100)
    assert after.frame.equals(survey().frame)


def test_weights_are_divided_by_the_share_kept_so_that_totals_stay() -> None:
    data = survey()
    after = sample(data, percent=20)
    assert after.values("weight") == pytest.approx(data.values("weight")[after.row_ids] * 5)
    within = sample(data, percent=20, within=("region",))
    for region in ("north", "south"):
        total = data.frame.filter(pl.col("region") == region)["weight"].sum()
        assert within.frame.filter(pl.col("region") == region)["weight"].sum() == pytest.approx(total)


def test_without_a_weight_nothing_but_the_number_of_records_changes(as_backend: AsBackend) -> None:
    data = Microdata(as_backend(pl.DataFrame({"age": [31.5, None, 50.5, 7.5]})))
    after = sample(data, size=2)
    assert type(after.frame) is type(data.frame)
    assert cells(after)["age"] == np.array(cells(data)["age"])[after.row_ids].tolist()


def test_weights_can_be_named_or_left_alone() -> None:
    after = sample(survey(), percent=50, columns=())
    assert set(after.frame["weight"]) == {10.0, 2.0}


def test_integer_weights_are_rounded_and_missing_ones_stay_missing() -> None:
    frame = pl.DataFrame({"weight": pl.Series([3, None, 3, 3, 3, 3, 3], dtype=pl.Int64)})
    data = Microdata(frame, Schema(variables=(Variable(name="weight", kind="continuous", role="weight"),)))
    after = sample(data, size=5, seed=2)
    assert set(after.frame["weight"].drop_nulls()) == {4}  # 3 * 7 / 5
    assert after.frame["weight"].null_count() == int(1 in after.row_ids)


@given(
    sizes=st.lists(st.integers(1, 40), min_size=1, max_size=12),
    share=st.floats(0.01, 1),
    seed=st.integers(0, 1000),
)
def test_each_stratum_gets_its_share_rounded_down_or_up_and_the_total_is_right(
    sizes: list[int], share: float, seed: int
) -> None:
    size = max(1, int(share * sum(sizes)))
    strata = np.repeat(np.arange(len(sizes)), sizes)
    kept = draw_sample(strata, size, np.random.default_rng(seed))
    got = np.bincount(strata[kept], minlength=len(sizes))
    exact = size * np.array(sizes) / sum(sizes)
    assert got.sum() == size
    assert (got >= np.floor(exact - 1e-9)).all()
    assert (got <= np.ceil(exact + 1e-9)).all()


def test_every_stratum_gets_its_share_on_average_even_when_it_is_less_than_one_record() -> None:
    sizes, runs = np.array([1, 3, 2, 10, 4]), 4000
    rng = np.random.default_rng(8)
    mean = sum(allocation(sizes, 3, rng) for _ in range(runs)) / runs
    assert mean == pytest.approx(3 * sizes / sizes.sum(), abs=4 * 0.5 / np.sqrt(runs))


def test_every_record_has_the_same_chance() -> None:
    strata, runs = np.repeat([0, 1, 2], [2, 5, 13]), 4000
    rng = np.random.default_rng(9)
    chance = sum(draw_sample(strata, 7, rng).astype(float) for _ in range(runs)) / runs
    assert chance == pytest.approx(np.full(20, 7 / 20), abs=4 * 0.5 / np.sqrt(runs))


def test_expansion_restores_the_size_of_each_stratum_that_has_a_record_left() -> None:
    strata = np.array([0, 0, 0, 1, 1, 2])
    kept = np.array([True, False, False, True, True, False])
    factor = expansion(strata, kept)
    assert np.bincount(strata[kept], factor[kept], minlength=3).tolist() == [3, 2, 0]


def test_whole_households_stay_or_go() -> None:
    data = survey()
    for by in (("home",), role("household")):
        after = sample(data, percent=10, household=by, within=("region",))
        homes, members = np.unique(cells(after)["home"], return_counts=True)
        assert homes.size == 10
        assert set(members) == {3}
        assert after.frame["weight"].sum() == pytest.approx(data.frame["weight"].sum())


def test_households_of_different_sizes_are_drawn_by_number_of_households() -> None:
    frame = pl.DataFrame({"home": [1, 2, 2, 2, 3, 4, 4], "weight": [1.0] * 7})
    data = Microdata(frame, SCHEMA.subset(("home", "weight")))
    after = sample(data, size=2, household=("home",))
    assert after.frame["home"].n_unique() == 2
    assert set(after.frame["weight"]) == {2.0}


def test_records_without_a_household_count_as_households_of_one() -> None:
    frame = pl.DataFrame({"home": [1, 1, None, None, None, None], "weight": [1.0] * 6})
    data = Microdata(frame, SCHEMA.subset(("home", "weight")))
    sizes = {sample(data, seed, size=1, household=("home",)).n for seed in range(40)}
    assert sizes == {1, 2}


def test_refuses_households_that_lie_in_several_strata() -> None:
    frame = pl.DataFrame({"home": [1, 1, 2], "region": ["north", "south", "south"], "weight": [1.0] * 3})
    with pytest.raises(DataError, match=r"Sampling\.within: some households lie in several strata"):
        sample(Microdata(frame, SCHEMA), size=1, household=("home",), within=("region",))


@pytest.mark.parametrize(("given", "what"), [({}, "neither"), ({"percent": 5.0, "size": 3}, "both")])
def test_needs_exactly_one_number(given: dict[str, Any], what: str) -> None:
    with pytest.raises(ParameterError, match=f"Sampling needs either percent or size; got {what}"):
        Sampling(**given)


def test_refuses_to_draw_more_than_there_is_and_less_than_one() -> None:
    with pytest.raises(DataError, match=r"Sampling\.size must be at most 300, the number of records; got 301"):
        sample(survey(), size=301)
    with pytest.raises(DataError, match=r"Sampling\.size must be at most 100, the number of households; got 101"):
        sample(survey(), size=101, household=("home",))
    with pytest.raises(DataError, match=r"Sampling\.percent: 0\.1 % of 300 records is less than one"):
        sample(survey(), percent=0.1)


def test_refuses_columns_that_are_not_there_and_roles_that_nobody_has() -> None:
    with pytest.raises(UnknownColumnError, match="there is no column 'regoin'; did you mean 'region'"):
        sample(survey(), size=3, within=("regoin",))
    with pytest.raises(DataError, match=r"Sampling\.household: role\(household\) picks no column of this file"):
        sample(Microdata(pl.DataFrame({"x": [1.5, 2.5]})), size=1, household=role("household"))


def test_the_sampling_error_is_that_of_the_means_of_many_samples() -> None:
    rng = np.random.default_rng(5)
    column = rng.lognormal(size=200)
    means = [column[draw_sample(np.zeros(200, dtype=np.int64), 40, rng)].mean() for _ in range(4000)]
    assert np.std(means) == pytest.approx(column.std(ddof=1) * sampling_error(200, 40), rel=0.06)


def test_a_remark_says_how_far_estimates_may_be_off() -> None:
    data = Microdata(pl.DataFrame({"age": list(range(1000))}))
    (remark,) = Sampling(percent=10, columns=()).remarks(data)
    assert "of 1000 records 100 are kept" in remark
    assert "within 9.3 percentage points" in remark  # 1.96 x 50 x sqrt(0.9 / 100)
    assert "a mean within 0.186 standard deviations" in remark
