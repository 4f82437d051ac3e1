import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.errors import ParameterError
from sfumato.execution import run_step
from sfumato.masking import BottomCoding

DATA = Microdata(pl.DataFrame({"x": np.arange(200_000.0), "half": (np.arange(200_000) >= 100_000).astype(str)}))


def masked(method: BottomCoding) -> np.ndarray:
    return run_step(method, DATA, seed=1, step=0).values("x")


def test_nothing_is_above_the_threshold_and_nothing_else_changes() -> None:
    assert np.array_equal(masked(BottomCoding(columns=("x",), at=150_000)), np.maximum(DATA.values("x"), 150_000))


def test_percent_takes_the_quantile_of_the_whole_file_not_of_a_block() -> None:
    after = masked(BottomCoding(columns=("x",), percent=5))
    assert after.min() == pytest.approx(np.quantile(DATA.values("x"), 0.05))
    assert np.mean(after != DATA.values("x")) == pytest.approx(0.05, abs=1e-4)


def test_percent_within_strata_has_a_threshold_for_each() -> None:
    after = masked(BottomCoding(columns=("x",), percent=10, within=("half",)))
    assert after[:100_000].min() == pytest.approx(np.quantile(np.arange(100_000), 0.1))
    assert after[100_000:].min() == pytest.approx(np.quantile(np.arange(100_000, 200_000), 0.1))


@pytest.mark.parametrize(("given", "what"), [({}, "neither"), ({"at": 1.0, "percent": 5.0}, "both")])
def test_needs_exactly_one_threshold(given: dict[str, float], what: str) -> None:
    with pytest.raises(ParameterError, match=f"^BottomCoding needs either at or percent; got {what}$"):
        BottomCoding(columns=("x",), **given)
