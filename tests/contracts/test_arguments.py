"""What is asked of files and generators, by every method and measure."""

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.masking import AdditiveNoise
from sfumato.risk import DistanceLinkage

FRAME = pl.DataFrame({"income": [10.0, 20.0, 40.0], "tax": [1.0, 3.0, 7.0]})
NOISE = AdditiveNoise(columns=("income",))


@pytest.mark.parametrize(
    ("rng", "message"),
    [
        (7, r"as numpy.random.default_rng\(7\); got the number 7"),
        (np.random, r"as numpy.random.default_rng\(SEED\); got a module"),
    ],
)
def test_a_seed_or_the_randomness_of_all_is_no_generator(rng: object, message: str) -> None:
    with pytest.raises(ParameterError, match=f"AdditiveNoise.mask.rng must be a generator, {message}"):
        NOISE.mask(Microdata(FRAME), rng)  # type: ignore[arg-type]


def test_a_dataframe_is_no_microdata() -> None:
    data = Microdata(FRAME)
    with pytest.raises(ParameterError, match=r"mask.data must be a Microdata, as Microdata\(frame\) makes it; got"):
        NOISE.mask(FRAME, np.random.default_rng(0))  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"assess needs Microdata; got a DataFrame"):
        assess(data, FRAME)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"DistanceLinkage.measure.original must be a Microdata"):
        DistanceLinkage(columns=("tax",)).measure(FRAME, data)  # type: ignore[arg-type]


def test_a_file_without_records_is_said_to_have_none() -> None:
    with pytest.raises(DataError, match="DistanceLinkage needs records to compare; the original has 3 and the masked"):
        DistanceLinkage(columns=("tax",)).measure(Microdata(FRAME), Microdata(FRAME[:0], Microdata(FRAME).schema))


def test_of_an_empty_column_the_kind_says_nothing_and_of_a_column_of_numbers_it_may_be_stated() -> None:
    data = Microdata(pl.DataFrame({"empty": pl.Series([None] * 4, dtype=pl.String), "constant": [3, 3, 3, 3]}))
    with pytest.raises(DataError, match="'empty' has no observed value; leave it out"):
        NOISE.replace(columns=("empty",)).mask(data, np.random.default_rng(0))
    with pytest.raises(DataError, match=r"'constant' is nominal; .* if its numbers are amounts, say in the schema"):
        NOISE.replace(columns=("constant",)).mask(data, np.random.default_rng(0))
