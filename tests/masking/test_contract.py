"""The promises that all masking methods share, over METHODS."""

import inspect
import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato import masking
from sfumato.contracts import ALTERNATIVES, Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError, KindError, ParameterError, UnknownColumnError
from sfumato.masking import METHODS
from tests.masking.examples import EXAMPLES
from tests.masking.survey import BACKENDS, SCHEMA, has_the_same_gaps, keeps_missing, run, survey, surveyed


@cache
def shared_data(backend: str) -> Microdata:
    return surveyed(backend)


@cache
def shared_run(place: int, backend: str) -> Microdata:
    """Return what an example, by its place in the list, makes of the survey: the promises look at one run of it."""
    return run(EXAMPLES[place], shared_data(backend))


@cache
def shared_mask(place: int, backend: str) -> tuple[Microdata, Microdata]:
    """Return a survey that nothing else looks at, after an example masked it without a run, and what came of it."""
    data = surveyed(backend)
    return data, EXAMPLES[place].mask(data, np.random.default_rng(1))


@cache
def shared_cells(place: int, backend: str) -> dict[str, list[object]]:
    """Return the cells of what an example makes of the survey."""
    return cells(shared_run(place, backend))


@cache
def untouched(backend: str) -> dict[str, list[object]]:
    """Return the cells of the survey as no method has seen it."""
    return cells(surveyed(backend))


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def data(backend: str) -> Microdata:
    return shared_data(backend)


@pytest.fixture
def masked(method: MaskingMethod, backend: str) -> Microdata:
    return shared_run(EXAMPLES.index(method), backend)


@pytest.fixture
def before(backend: str) -> dict[str, list[object]]:
    """The cells of the survey by column."""
    return untouched(backend)


@pytest.fixture
def after(method: MaskingMethod, backend: str) -> dict[str, list[object]]:
    """The cells of the masked survey by column."""
    return shared_cells(EXAMPLES.index(method), backend)


every_example = pytest.mark.parametrize("method", EXAMPLES, ids=repr)
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
    lacking = set(METHODS) - {type(method).name() for method in EXAMPLES}
    assert not lacking, f"add an example to tests/masking/examples.py of: {', '.join(sorted(lacking))}"


@every_method
def test_name_file_and_class_agree(method: type[MaskingMethod]) -> None:
    assert Path(inspect.getfile(method)).stem == method.name()
    assert METHODS[method.name()] is method
    assert getattr(masking, method.__name__) is method
    assert method.__name__ in masking.__all__, f"list {method.__name__} in __all__ of masking/__init__.py"


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
def test_same_seed_gives_the_same_file(method: MaskingMethod) -> None:
    place = EXAMPLES.index(method)
    backend = list(BACKENDS)[place % len(BACKENDS)]
    first, second = shared_cells(place, backend), cells(run(method, surveyed(backend)))
    assert all(same(first[name], second[name]) for name in first)


@every_shape_keeping_example
def test_only_the_chosen_columns_change(
    method: MaskingMethod, data: Microdata, before: dict[str, list[object]], after: dict[str, list[object]]
) -> None:
    assert list(before) == list(after)
    for name in set(before) - set(data.select(method.columns)):
        assert same(before[name], after[name])


@pytest.mark.parametrize("method", [method for method in EXAMPLES if not method.keeps_shape], ids=repr)
def test_a_change_of_shape_leaves_other_columns_with_their_records(
    method: MaskingMethod, data: Microdata, masked: Microdata
) -> None:
    assert type(masked.frame) is type(data.frame)
    assert method.makes_new_records != masked.is_numbered_as(data)
    others = set(data.schema.names) & set(masked.schema.names) - set(data.select(method.columns))
    if not masked.is_numbered_as(data):  # nobody's records, which only get household numbers beside what is drawn
        assert others <= {getattr(method, "household", None)}
        return
    source = data.take_rows(masked.row_ids)  # row ids of the survey are its row numbers
    assert all(same(cells(source)[name], cells(masked)[name]) for name in others)
    assert all(masked.table.schema[name] == data.table.schema[name] for name in others)


@every_shape_keeping_example
def test_some_value_changes(
    method: MaskingMethod, data: Microdata, before: dict[str, list[object]], after: dict[str, list[object]]
) -> None:
    assert any(not same(before[name], after[name]) for name in data.select(method.columns))


@every_example
def test_input_is_left_untouched(method: MaskingMethod, backend: str, before: dict[str, list[object]]) -> None:
    data, _ = shared_mask(EXAMPLES.index(method), backend)
    after = cells(data)
    assert all(same(before[name], after[name]) for name in before)


@every_type_keeping_example
def test_the_same_dataframe_type_comes_back(method: MaskingMethod, data: Microdata, masked: Microdata) -> None:
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
def test_missing_values_and_missing_codes_stay_where_they_were(
    data: Microdata, masked: Microdata, before: dict[str, list[object]], after: dict[str, list[object]]
) -> None:
    for name in ("income", "tax", "health"):
        assert np.array_equal(masked.observed(name), data.observed(name))
    codes = [np.array(table["tax"], dtype=float) == -9 for table in (before, after)]
    assert np.array_equal(*codes)


@pytest.mark.parametrize("method", [method for method in EXAMPLES if not method.keeps_types], ids=repr)
def test_a_change_of_types_is_told_by_the_schema_and_touches_the_chosen_columns_only(
    method: MaskingMethod, data: Microdata, masked: Microdata
) -> None:
    chosen = data.select(method.columns)
    assert type(masked.frame) is type(data.frame)
    assert all(masked.table.schema[name] == data.table.schema[name] for name in data.schema.names if name not in chosen)
    assert all(set(masked.table[name].unique().drop_nulls().to_list()) == present(masked, name) for name in chosen)
    assert all(masked.schema[name] == data.schema[name] for name in data.schema.names if name not in chosen)


@every_shape_keeping_example
def test_mask_promises_the_same_as_a_run(method: MaskingMethod, backend: str) -> None:
    data, masked = shared_mask(EXAMPLES.index(method), backend)
    assert type(masked.frame) is type(data.frame)
    assert not method.keeps_types or masked.table.schema == data.table.schema
    assert np.array_equal(masked.row_ids, data.row_ids)
    assert not keeps_missing(method) or has_the_same_gaps(masked, data)


@every_example
def test_records_come_back_as_they_were_given(method: MaskingMethod) -> None:
    assert type(method)(**method.model_dump()) == method


@every_method
def test_refuses_an_unknown_parameter(method: type[MaskingMethod]) -> None:
    with pytest.raises(ParameterError, match=f"{method.__name__} has no parameter 'colums'; did you mean 'columns'"):
        method(colums=("income",))  # type: ignore[call-arg]


@pytest.mark.parametrize("method", [method for method in METHODS.values() if method.needs_columns], ids=str)
def test_refuses_an_empty_list_of_columns(method: type[MaskingMethod]) -> None:
    with pytest.raises(ParameterError, match=rf"{method.__name__}.columns must name at least one column"):
        method(columns=())


@every_example
def test_refuses_a_column_that_is_not_there(method: MaskingMethod) -> None:
    with pytest.raises(UnknownColumnError, match="there is no column 'incme'; did you mean 'income'"):
        run(method.replace(columns=("incme",)), shared_data("polars"))


@pytest.mark.parametrize("method", [method for method in EXAMPLES if Kind.NOMINAL not in method.kinds], ids=repr)
def test_refuses_a_nominal_column_by_name(method: MaskingMethod) -> None:
    with pytest.raises(KindError, match=rf"{type(method).__name__}.columns: 'region' is nominal; expected"):
        run(method.replace(columns=("region",)), shared_data("polars"))


@pytest.mark.parametrize("method", [method for method in EXAMPLES if Kind.DATE not in method.kinds], ids=repr)
def test_refuses_dates_and_says_which_methods_take_them(method: MaskingMethod) -> None:
    with pytest.raises(
        KindError, match=r"'admitted' is date; .* there are date_rounding, date_shift and local_suppression"
    ):
        run(method.replace(columns=("admitted",)), shared_data("polars"))


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


def test_what_a_message_says_to_use_instead_exists_and_takes_the_kind() -> None:
    for kind, text in ALTERNATIVES.items():
        for name in re.findall(r"[a-z]+(?:_[a-z]+)+|pram|mdav|recoding|rounding", text):
            assert kind in METHODS[name].kinds, f"{name} does not take {kind} columns"
