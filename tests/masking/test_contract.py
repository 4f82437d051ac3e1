"""The promises that all masking methods share, over METHODS."""

import inspect
import re
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato import masking
from sfumato.contracts import INSTEAD, Layout, MaskingMethod
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, KindError, ParameterError, SfumatoError, UnknownColumnError
from sfumato.execution import run_step
from sfumato.masking import METHODS
from tests.masking.examples import EXAMPLES

HEALTH = ("bad", "fair", "good")
SCHEMA = Schema(
    variables=(
        Variable(name="person_id", kind=Kind.CONTINUOUS, role="identifier"),
        Variable(name="region", kind=Kind.NOMINAL),
        Variable(name="health", kind=Kind.ORDINAL, categories=HEALTH),
        Variable(name="income", kind=Kind.CONTINUOUS),
        Variable(name="tax", kind=Kind.CONTINUOUS, missing_codes=(-9,)),
        Variable(name="note", kind=Kind.NOMINAL),
    )
)


def survey(n: int = 120) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    income = np.round(rng.lognormal(7, 1, n), 2)
    tax = np.where(np.arange(n) % 30 == 7, -9, np.rint(income / 4)).astype(np.int64)
    return pl.DataFrame(
        {
            "person_id": np.arange(n),
            "region": np.array(["north", "south", "west"])[np.arange(n) % 3],
            "health": pl.Series(np.array(HEALTH)[rng.integers(0, 3, n)]),
            "income": pl.Series([None if i % 20 == 3 else float(x) for i, x in enumerate(income)]),
            "tax": tax,
            "note": pl.Series([None if i % 5 == 0 else "ä" for i in range(n)]),
        }
    )


def as_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    converted = pd.DataFrame({name: frame[name].to_list() for name in frame.columns})
    converted["region"] = converted["region"].astype("category")
    converted["health"] = pd.Categorical(converted["health"], HEALTH, ordered=True)
    converted["tax"] = converted["tax"].astype("Int64")
    return converted.set_index(pd.Index(range(1000, 1000 + len(converted)), name="row"))


BACKENDS = {"polars": lambda frame: frame, "pandas": as_pandas, "pyarrow": lambda frame: frame.to_arrow()}


@pytest.fixture(params=BACKENDS)
def data(request: pytest.FixtureRequest) -> Microdata:
    return Microdata(BACKENDS[request.param](survey()), SCHEMA)


def run(method: MaskingMethod, data: Microdata, seed: int = 3, threads: int = 1) -> Microdata:
    return run_step(method, data, seed=seed, step=0, threads=threads)


every_example = pytest.mark.parametrize("method", EXAMPLES, ids=str)
every_numeric_example = pytest.mark.parametrize(
    "method", [method for method in EXAMPLES if "income" in method.columns], ids=str
)
every_shape_keeping_example = pytest.mark.parametrize(
    "method", [method for method in EXAMPLES if method.keeps_shape], ids=str
)
every_type_keeping_example = pytest.mark.parametrize(
    "method", [method for method in EXAMPLES if method.keeps_shape and method.keeps_types], ids=str
)
every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_TEST_KEY", "the key of the examples")


def keeps_missing(method: MaskingMethod) -> bool:
    """Tell whether missing values stay in their rows, as they do unless a method says that it draws them anew."""
    return getattr(method, "keeps_missing", True)


def has_the_same_gaps(masked: Microdata, data: Microdata) -> bool:
    return all(np.array_equal(masked.observed(name), data.observed(name)) for name in ("income", "tax"))


def present(data: Microdata, name: str) -> set[object]:
    """Return the categories that records have, and the codes that stand for missing."""
    codes, categories = data.codes(name)
    held = {categories[code] for code in codes if code >= 0}
    return held | (set(data.schema[name].missing_codes) & set(data.table[name].to_list()))


def cells(data: Microdata) -> dict[str, list[object]]:
    return {name: data.table[name].to_list() for name in data.table.columns}


def same(first: list[object], second: list[object]) -> bool:
    return all(a == b or (a != a and b != b) for a, b in zip(first, second, strict=True))


def test_every_method_has_an_example() -> None:
    assert {type(method).name() for method in EXAMPLES} == set(METHODS)


@every_method
def test_name_file_and_class_agree(method: type[MaskingMethod]) -> None:
    assert Path(inspect.getfile(method)).stem == method.name()
    assert METHODS[method.name()] is method
    assert getattr(masking, method.__name__) is method


@every_method
def test_docstring_is_complete(method: type[MaskingMethod]) -> None:
    text = inspect.getdoc(method) or ""
    for section in ("Parameters", "Effect on risk", "Effect on utility", "Missing values", "Source", "Examples"):
        assert section in text, f"{method.__name__} lacks the section {section}"
    for parameter in method.model_fields:
        assert f"\n{parameter}\n" in text or f"\n{parameter}," in text or f", {parameter}\n" in text


@every_method
def test_declares_family_kinds_and_layout(method: type[MaskingMethod]) -> None:
    assert method.family
    assert method.kinds <= set(Kind)
    assert method.layout in Layout


@every_example
def test_same_seed_gives_the_same_file(method: MaskingMethod, data: Microdata) -> None:
    first, second = cells(run(method, data)), cells(run(method, data))
    assert all(same(first[name], second[name]) for name in first)


@every_shape_keeping_example
def test_only_the_chosen_columns_change(method: MaskingMethod, data: Microdata) -> None:
    before, after = cells(data), cells(run(method, data))
    assert list(before) == list(after)
    for name in set(before) - set(data.select(method.columns)):
        assert same(before[name], after[name])


@pytest.mark.parametrize("method", [method for method in EXAMPLES if not method.keeps_shape], ids=str)
def test_a_change_of_shape_leaves_other_columns_with_their_records(method: MaskingMethod, data: Microdata) -> None:
    masked = run(method, data)
    assert type(masked.frame) is type(data.frame)
    source = data.take_rows(masked.row_ids)  # row ids of the survey are its row numbers
    others = set(data.schema.names) & set(masked.schema.names) - set(data.select(method.columns))
    assert all(same(cells(source)[name], cells(masked)[name]) for name in others)
    assert all(masked.table.schema[name] == data.table.schema[name] for name in others)


@every_shape_keeping_example
def test_some_value_changes(method: MaskingMethod, data: Microdata) -> None:
    before, after = cells(data), cells(run(method, data))
    assert any(not same(before[name], after[name]) for name in data.select(method.columns))


@every_example
def test_input_is_left_untouched(method: MaskingMethod, data: Microdata) -> None:
    before = cells(data)
    run(method, data)
    method.mask(data, np.random.default_rng(1))
    after = cells(data)
    assert all(same(before[name], after[name]) for name in before)


@every_type_keeping_example
def test_the_same_dataframe_type_comes_back(method: MaskingMethod, data: Microdata) -> None:
    masked = run(method, data)
    assert type(masked.frame) is type(data.frame)
    assert masked.table.schema == data.table.schema
    assert np.array_equal(masked.row_ids, data.row_ids)
    if isinstance(data.frame, pd.DataFrame):
        assert masked.frame.index.equals(data.frame.index)
        assert masked.frame.index.name == "row"
        assert masked.frame.dtypes.equals(data.frame.dtypes)
    if isinstance(data.frame, pa.Table):
        assert masked.frame.schema.types == data.frame.schema.types


@pytest.mark.parametrize(
    "method", [method for method in EXAMPLES if method.keeps_shape and keeps_missing(method)], ids=str
)
def test_missing_values_and_missing_codes_stay_where_they_were(method: MaskingMethod, data: Microdata) -> None:
    masked = run(method, data)
    for name in ("income", "tax", "health"):
        assert np.array_equal(masked.observed(name), data.observed(name))
    before, after = np.array(cells(data)["tax"], dtype=float), np.array(cells(masked)["tax"], dtype=float)
    assert np.array_equal(np.flatnonzero(before == -9), np.flatnonzero(after == -9))


@pytest.mark.parametrize("method", [method for method in EXAMPLES if not method.keeps_types], ids=str)
def test_a_change_of_types_is_told_by_the_schema_and_touches_the_chosen_columns_only(
    method: MaskingMethod, data: Microdata
) -> None:
    masked = run(method, data)
    chosen = data.select(method.columns)
    assert type(masked.frame) is type(data.frame)
    assert all(masked.table.schema[name] == data.table.schema[name] for name in data.schema.names if name not in chosen)
    assert all(set(masked.table[name].unique().drop_nulls().to_list()) == present(masked, name) for name in chosen)
    assert all(masked.schema[name] == data.schema[name] for name in data.schema.names if name not in chosen)


@every_shape_keeping_example
def test_mask_promises_the_same_as_a_run(method: MaskingMethod, data: Microdata) -> None:
    masked = method.mask(data, np.random.default_rng(1))
    assert type(masked.frame) is type(data.frame)
    assert not method.keeps_types or masked.table.schema == data.table.schema
    assert np.array_equal(masked.row_ids, data.row_ids)
    assert not keeps_missing(method) or has_the_same_gaps(masked, data)


@every_example
def test_records_come_back_as_they_were_given(method: MaskingMethod, data: Microdata) -> None:
    assert type(method)(**method.model_dump()) == method


@every_method
def test_refuses_an_unknown_parameter(method: type[MaskingMethod]) -> None:
    with pytest.raises(ParameterError, match=f"{method.__name__} has no parameter 'colums'; did you mean 'columns'"):
        method(colums=("income",))


@pytest.mark.parametrize("method", [method for method in METHODS.values() if method.needs_columns], ids=str)
def test_refuses_an_empty_list_of_columns(method: type[MaskingMethod]) -> None:
    with pytest.raises(ParameterError, match=rf"{method.__name__}.columns must name at least one column"):
        method(columns=())


@every_example
def test_refuses_a_column_that_is_not_there(method: MaskingMethod, data: Microdata) -> None:
    with pytest.raises(UnknownColumnError, match="there is no column 'incme'; did you mean 'income'"):
        run(method.replace(columns=("incme",)), data)


@pytest.mark.parametrize("method", [method for method in EXAMPLES if Kind.NOMINAL not in method.kinds], ids=str)
def test_refuses_a_nominal_column_by_name(method: MaskingMethod, data: Microdata) -> None:
    with pytest.raises(KindError, match=rf"{type(method).__name__}.columns: 'region' is nominal; expected"):
        run(method.replace(columns=("region",)), data)


@every_numeric_example
def test_refuses_a_column_without_a_value(method: MaskingMethod) -> None:
    empty = survey().with_columns(income=pl.lit(None, dtype=pl.Float64))
    with pytest.raises(DataError, match="'income' has no observed value; leave it out"):
        run(method.replace(columns=("income",)), Microdata(empty, SCHEMA))


@every_numeric_example
def test_refuses_infinite_values_without_showing_them(method: MaskingMethod) -> None:
    awkward = survey().with_columns(income=pl.lit(float("inf")))
    with pytest.raises(DataError, match="column 'income' holds infinite values"):
        run(method, Microdata(awkward, SCHEMA))


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


@every_example
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(frame=awkward_frames())
def test_awkward_files_are_masked_or_refused_with_a_reason(method: MaskingMethod, frame: pl.DataFrame) -> None:
    data = Microdata(frame, SCHEMA)
    with suppress(SfumatoError):  # any other exception, and any warning, fails the test
        masked = run(method, data)
        if not method.keeps_shape:
            assert np.isin(masked.row_ids, data.row_ids).all()
            return
        assert masked.n == data.n
        assert not keeps_missing(method) or has_the_same_gaps(masked, data)


def test_what_a_message_says_to_use_instead_exists_and_takes_the_kind() -> None:
    for kind, text in INSTEAD.items():
        for name in re.findall(r"[a-z]+(?:_[a-z]+)+|pram|mdav|recoding|rounding", text):
            assert kind in METHODS[name].kinds, f"{name} does not take {kind} columns"
