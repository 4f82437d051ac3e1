import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.errors import ParameterError
from sfumato.execution import run_step
from sfumato.masking.compression.lossy_compression import LARGEST_SIDE, LossyCompression, compress

RNG = np.random.default_rng(0)


def error(matrix: np.ndarray, quality: int) -> float:
    masked = compress(matrix, matrix.min(axis=0), matrix.max(axis=0), quality)
    return float(np.abs(masked - matrix).mean())


def test_lower_quality_loses_more() -> None:
    matrix = RNG.random((400, 5))
    assert error(matrix, 95) < error(matrix, 60) < error(matrix, 20) < error(matrix, 2)


def test_values_stay_inside_the_range_of_their_column() -> None:
    matrix = RNG.normal(size=(100, 3))
    masked = compress(matrix, matrix.min(axis=0), matrix.max(axis=0), 10)
    assert (masked >= matrix.min(axis=0) - 1e-12).all()
    assert (masked <= matrix.max(axis=0) + 1e-12).all()


def test_strips_of_a_long_file_compress_as_if_they_were_files_of_their_own() -> None:
    matrix = RNG.random((LARGEST_SIDE + 24, 1))
    low, high = np.zeros(1), np.ones(1)
    whole = compress(matrix, low, high, 50)
    assert np.array_equal(whole[:LARGEST_SIDE], compress(matrix[:LARGEST_SIDE], low, high, 50))
    assert np.array_equal(whole[LARGEST_SIDE:], compress(matrix[LARGEST_SIDE:], low, high, 50))


def test_files_longer_than_an_image_can_be_are_masked() -> None:
    data = Microdata(pl.DataFrame({"x": RNG.random(140_000), "y": RNG.random(140_000)}))
    masked = run_step(LossyCompression(columns=("x", "y"), quality=90), data, seed=1, step=0)
    assert masked.n == 140_000
    assert np.abs(masked.values("x") - data.values("x")).mean() < 0.1


def test_a_constant_column_stays_and_one_column_is_enough() -> None:
    assert (compress(np.full((9, 1), 4.5), np.array([4.5]), np.array([4.5]), 10) == 4.5).all()


@pytest.mark.parametrize("quality", [0, 101])
def test_refuses_a_quality_out_of_range(quality: int) -> None:
    with pytest.raises(ParameterError, match=rf"^LossyCompression.quality must be in \[1, 100\]; got {quality}$"):
        LossyCompression(columns=("x",), quality=quality)
