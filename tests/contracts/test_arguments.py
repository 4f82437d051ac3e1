"""What is asked of files and generators, by every method and measure."""

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.data import Microdata
from sfumato.errors import ParameterError
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
    with pytest.raises(ParameterError, match=r"assess.masked must be a Microdata"):
        assess(data, FRAME)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"DistanceLinkage.measure.original must be a Microdata"):
        DistanceLinkage(columns=("tax",)).measure(FRAME, data)  # type: ignore[arg-type]
