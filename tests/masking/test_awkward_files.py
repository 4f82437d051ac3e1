"""Whatever a file holds, every method masks it or refuses it with a reason."""

from contextlib import suppress

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.errors import SfumatoError
from tests.masking.examples import EXAMPLES
from tests.masking.survey import SCHEMA, has_the_same_gaps, keeps_missing, run, survey


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_TEST_KEY", "the key of the examples")


def awkward_column(n: int) -> st.SearchStrategy[list[float | None]]:
    number = st.one_of(
        st.none(), st.just(0.0), st.sampled_from([1.0, -1.0, 1e15]), st.floats(-1e9, 1e9, allow_subnormal=False)
    )
    return st.one_of(st.lists(number, min_size=n, max_size=n), number.map(lambda value: [value] * n))


@st.composite
def awkward_frames(draw: st.DrawFn) -> pl.DataFrame:
    n = draw(st.integers(0, 24))
    income = draw(awkward_column(n))
    tax = draw(st.one_of(awkward_column(n), st.just(income)))
    frame = survey(n).with_columns(income=pl.Series(income, dtype=pl.Float64))
    return frame.with_columns(tax=pl.Series(tax, dtype=pl.Float64))


@pytest.mark.parametrize("family", sorted({method.family for method in EXAMPLES}))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(frame=awkward_frames())
def test_awkward_files_are_masked_or_refused_with_a_reason(family: str, frame: pl.DataFrame) -> None:
    data = Microdata(frame, SCHEMA)
    for method in (method for method in EXAMPLES if method.family == family):
        note(repr(method))
        with suppress(SfumatoError):  # any other exception, and any warning, fails the test
            masks_as_promised(method, data)


def masks_as_promised(method: MaskingMethod, data: Microdata) -> None:
    masked = run(method, data)
    if not method.keeps_shape:
        assert np.isin(masked.row_ids, data.row_ids).all()
        return
    assert masked.n == data.n
    assert not keeps_missing(method) or has_the_same_gaps(masked, data)
