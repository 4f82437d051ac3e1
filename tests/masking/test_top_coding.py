import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import ParameterError
from sfumato.execution import run_step
from sfumato.masking import TopCoding

DATA = Microdata(pl.DataFrame({"x": np.arange(200_000.0), "half": (np.arange(200_000) >= 100_000).astype(str)}))


def masked(method: TopCoding) -> np.ndarray:
    return run_step(method, DATA, seed=1, step=0).values("x")


def test_nothing_is_above_the_threshold_and_nothing_else_changes() -> None:
    assert np.array_equal(masked(TopCoding(columns=("x",), at=150_000)), np.minimum(DATA.values("x"), 150_000))


def test_percent_takes_the_quantile_of_the_whole_file_not_of_a_block() -> None:
    after = masked(TopCoding(columns=("x",), percent=5))
    assert after.max() == np.quantile(DATA.values("x"), 0.95, method="lower")
    assert np.mean(after != DATA.values("x")) == pytest.approx(0.05, abs=1e-4)


def test_percent_within_strata_has_a_threshold_for_each() -> None:
    after = masked(TopCoding(columns=("x",), percent=10, within=("half",)))
    assert after[:100_000].max() == np.quantile(np.arange(100_000), 0.9, method="lower")
    assert after[100_000:].max() == np.quantile(np.arange(100_000, 200_000), 0.9, method="lower")


@pytest.mark.parametrize(("given", "what"), [({}, "neither"), ({"at": 1.0, "percent": 5.0}, "both")])
def test_needs_exactly_one_threshold(given: dict[str, float], what: str) -> None:
    with pytest.raises(ParameterError, match=f"^TopCoding needs either at or percent; got {what}$"):
        TopCoding(columns=("x",), **given)


def test_the_threshold_by_percent_is_a_value_that_is_published_anyway() -> None:
    values = np.random.default_rng(0).lognormal(10, 1, 200)
    data = Microdata(pl.DataFrame({"x": values}))
    after = run_step(TopCoding(columns=("x",), percent=3), data, seed=1, step=0).values("x")
    hidden = values[after != values]
    assert hidden.size == 6
    assert np.isin(after, values).all()  # an interpolated threshold would tell the hidden value next to it


def test_an_integer_column_never_exceeds_a_threshold_between_two_integers() -> None:
    data = Microdata(pl.DataFrame({"x": list(range(30))}), Schema(variables=(Variable(name="x", kind="continuous"),)))
    after = run_step(TopCoding(columns=("x",), at=20.6), data, seed=1, step=0).frame["x"]
    assert after.max() == 20
