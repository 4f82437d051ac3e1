import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata
from sfumato.errors import DataError, KindError
from sfumato.execution import run_step
from sfumato.masking.synthesis.categorical_distortion import CategoricalDistortion, redraw


@given(seed=st.integers(0, 999), n=st.integers(1, 80))
def test_keeps_the_order_of_the_records(seed: int, n: int) -> None:
    codes = np.random.default_rng(seed).integers(0, 4, n)
    masked = redraw(codes, np.random.default_rng(seed))
    highest = [masked[codes == code].max(initial=-1) for code in range(4)]
    lowest = [masked[codes == code].min(initial=9) for code in range(4)]
    assert all(high <= low for i, high in enumerate(highest) for low in lowest[i + 1 :])


def test_frequencies_are_those_of_a_new_sample() -> None:
    codes = np.repeat([0, 1, 2], [600, 300, 100])
    rng = np.random.default_rng(2)
    counts = np.array([np.bincount(redraw(codes, rng), minlength=3) for _ in range(2000)])
    variances = 1000 * np.array([0.6 * 0.4, 0.3 * 0.7, 0.1 * 0.9])  # of a multinomial
    assert (np.abs(counts.mean(axis=0) - [600, 300, 100]) < 5 * np.sqrt(variances / 2000)).all()
    assert np.allclose(counts.var(axis=0), variances, rtol=0.2)


def test_which_records_of_a_category_change_is_random() -> None:
    codes = np.repeat([0, 1], 50)
    rng = np.random.default_rng(3)
    changes = np.mean([redraw(codes, rng) != codes for _ in range(2000)], axis=0)
    assert changes.min() > 0
    assert changes[:50].max() < 3 * changes[:50].min()


def test_strata_keep_to_their_categories() -> None:
    frame = pl.DataFrame({"job": ["a", "b", "c", "d"] * 100, "land": ["x", "x", "y", "y"] * 100})
    method = CategoricalDistortion(columns=("job",), within=("land",))
    masked = run_step(method, Microdata(frame), seed=1, step=0).frame
    assert set(masked.filter(pl.col("land") == "x")["job"]) == {"a", "b"}
    assert not masked.equals(frame)


def test_refuses_a_column_of_one_category() -> None:
    data = Microdata(pl.DataFrame({"job": ["a", "a"]}))
    with pytest.raises(DataError, match=r"^CategoricalDistortion.columns: 'job' has a single category"):
        CategoricalDistortion(columns=("job",)).mask(data, np.random.default_rng(0))


def test_refuses_a_continuous_column() -> None:
    data = Microdata(pl.DataFrame({"income": [1.5, 2.25]}))
    with pytest.raises(KindError, match=r"^CategoricalDistortion.columns: 'income' is continuous"):
        CategoricalDistortion(columns=("income",)).mask(data, np.random.default_rng(0))
