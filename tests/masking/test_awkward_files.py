"""Whatever a file holds, every method masks it without a loss or refuses it with a reason."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, Schema
from sfumato.errors import SfumatoError
from sfumato.masking import DropIdentifiers, Pseudonymise
from sfumato.numerics.arrays import Booleans
from tests.data.strategies import awkward_columns, awkward_numbers, in_some_dataframe
from tests.masking.examples import EXAMPLES
from tests.masking.survey import SCHEMA, keeps_missing, run, survey


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_TEST_KEY", "the key of the examples")


@st.composite
def awkward_surveys(draw: st.DrawFn) -> Microdata:
    n = draw(st.integers(0, 24))
    columns: dict[str, list[Any]] = survey(n).to_dict(as_series=False)
    columns["income"] = draw(awkward_numbers(n))
    columns["tax"] = draw(st.one_of(awkward_numbers(n), st.just(columns["income"])))
    frame = draw(in_some_dataframe(columns | draw(awkward_columns(n)), ("income", "tax")))
    guessed = Schema.infer(frame)
    return Microdata(frame, guessed.with_variables(*SCHEMA.variables))


@pytest.mark.parametrize("family", sorted({method.family for method in EXAMPLES}))
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=awkward_surveys())
def test_awkward_files_are_masked_or_refused_with_a_reason(family: str, data: Microdata) -> None:
    for method in (method for method in EXAMPLES if method.family == family):
        masks_or_gives_a_reason(method, data)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=awkward_surveys())
def test_columns_of_any_type_get_pseudonyms_or_are_dropped(data: Microdata) -> None:
    for name in data.schema.names:
        masks_or_gives_a_reason(Pseudonymise(columns=(name,)), data)
        masks_or_gives_a_reason(DropIdentifiers(columns=(name,)), data)


def masks_or_gives_a_reason(method: MaskingMethod, data: Microdata) -> None:
    note(repr(method))
    masked = run_or_reason(method, data)
    if isinstance(masked, str):
        assert ";" in masked or ":" in masked, f"say what to do: {masked}"
        return
    if not method.keeps_shape:
        assert np.isin(masked.row_ids[masked.row_ids >= 0], data.row_ids).all()  # those of nobody are below 0
        return
    assert masked.n == data.n
    for name in data.schema.names:
        assert not keeps_missing(method) or np.array_equal(has_value(masked, name), has_value(data, name))
        assert not method.keeps_types or masked.schema[name] == data.schema[name]
    if isinstance(data.frame, pd.DataFrame):
        assert masked.frame.index.equals(data.frame.index)
        assert not (method.keeps_types and keeps_missing(method)) or masked.frame.dtypes.equals(data.frame.dtypes)


def has_value(data: Microdata, name: str) -> Booleans:
    """Tell for each row whether its cell is filled, by a finite number where the column has floats."""
    series = data.table[name]
    filled = ~series.is_null().to_numpy().astype(np.bool_)
    if series.dtype.is_float():
        filled &= np.isfinite(series.cast(nw.Float64).to_numpy().astype(np.float64))
    return np.asarray(filled, dtype=np.bool_)


def run_or_reason(method: MaskingMethod, data: Microdata) -> Microdata | str:
    try:
        return run(method, data)
    except SfumatoError as refusal:  # any other exception, and any warning, fails the test
        return str(refusal)
