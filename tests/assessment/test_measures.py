"""The promises that all measures share, over RISKS and LOSSES."""

import inspect
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from sfumato import loss, risk
from sfumato.assessment.rendering import THIRD_PERSON
from sfumato.contracts import Measure, Measurement, RiskMeasure
from sfumato.data import Kind, Microdata, Schema
from sfumato.errors import DataError, KindError, ParameterError, UnknownColumnError
from sfumato.loss import LOSSES
from sfumato.risk import RISKS
from tests.assessment.examples import EXAMPLES, MONEY, SCHEMA, changed, pair, survey
from tests.data.strategies import awkward_columns, awkward_numbers, in_some_dataframe

MEASURES: dict[str, type[Measure]] = {**RISKS, **LOSSES}
BACKENDS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "pandas": lambda frame: pd.DataFrame({name: frame[name].to_list() for name in frame.columns}),
    "pyarrow": lambda frame: frame.to_arrow(),
}

WHOLE = np.array([row for row in range(60) if row % 20 != 3 and row % 30 != 7 and row % 17 != 5])  # nothing missing

every_measure = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
every_example = pytest.mark.parametrize("measure", EXAMPLES, ids=lambda measure: f"{type(measure).name()} {measure}")


@cache
def found_by(place: int) -> Measurement:
    """Return what an example, by its place in the list, finds in the usual files: several promises look at it."""
    return EXAMPLES[place].measure(*pair())


def usual(measure: Measure) -> Measurement:
    return found_by(EXAMPLES.index(measure))


def test_every_measure_has_an_example() -> None:
    lacking = set(MEASURES) - {type(measure).name() for measure in EXAMPLES}
    assert not lacking, f"add an example to tests/assessment/examples.py of: {', '.join(sorted(lacking))}"


@every_measure
def test_name_file_class_and_table_agree(measure: type[Measure]) -> None:
    room = risk if issubclass(measure, RiskMeasure) else loss
    assert Path(inspect.getfile(measure)).stem == measure.name()
    assert getattr(room, measure.__name__) is measure
    assert measure.__name__ in room.__all__, f"list {measure.__name__} in __all__ of {room.__name__}"
    assert MEASURES[measure.name()] is measure


def test_symbols_are_different() -> None:
    owners: dict[str, list[str]] = {}
    for name, measure in MEASURES.items():
        for symbol in (measure.symbol, *measure.part_symbols):
            owners.setdefault(symbol, []).append(name)
    clashes = [f"'{symbol}' is the symbol of {' and of '.join(of)}" for symbol, of in owners.items() if len(of) > 1]
    assert not clashes, f"give each figure a symbol of its own: {'; '.join(clashes)}"


@every_measure
def test_docstring_is_complete(measure: type[Measure]) -> None:
    text = inspect.getdoc(measure) or ""
    wanted = ["Parameters", "Meaning", "Missing values", "Source", "Examples"]
    for section in [*wanted, "Intruder"] if issubclass(measure, RiskMeasure) else wanted:
        assert f"\n{section}\n" in text, f"{measure.__name__} lacks the section {section}"
    for parameter in measure.model_fields:
        assert f"\n{parameter}\n" in text


@every_example
def test_figures_are_finite_and_risks_in_percent(measure: Measure) -> None:
    found = usual(measure)
    assert found.name == type(measure).name()
    assert found.symbol == measure.symbol
    assert np.isfinite([found.value, *found.parts.values()]).all()
    assert set(measure.part_symbols) <= set(found.parts)
    assert found.per_record is None or len(found.per_record) == 60
    assert found.record_symbol in ("", *measure.part_symbols)
    if isinstance(measure, RiskMeasure):
        assert found.unit == "%"
        assert 0 <= found.value <= 100


@every_example
def test_the_figures_per_record_add_up_to_the_figure_that_they_divide(measure: Measure) -> None:
    original, masked = (data.take_rows(WHOLE) for data in pair())
    found = measure.measure(original, masked)
    divided = {found.symbol: found.value, **found.parts}
    for symbol, mean in found.among(np.ones(masked.n, dtype=bool)).items():
        assert mean == pytest.approx(divided[symbol])


@every_example
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_dataframe_type_gives_the_same_figures(measure: Measure, backend: str) -> None:
    convert = BACKENDS[backend]
    found = measure.measure(Microdata(convert(survey()), SCHEMA), Microdata(convert(changed(survey())), SCHEMA))
    expected = usual(measure)
    assert found.parts == expected.parts
    if expected.per_record is not None:
        assert np.array_equal(found.per_record, expected.per_record, equal_nan=True)  # type: ignore[arg-type]


@every_example
def test_the_order_of_the_masked_records_changes_nothing(measure: Measure) -> None:
    original, masked = pair()
    order = np.random.default_rng(1).permutation(60)
    expected, found = usual(measure), measure.measure(original, masked.take_rows(order))
    assert dict(found.parts) == pytest.approx(dict(expected.parts))
    if expected.per_record is not None:
        assert found.per_record == pytest.approx(expected.per_record[order], nan_ok=True)


REFUSALS: dict[str, Any] = {"region": "refused", "health": "refused", "income": -99.0, "tax": -9.0}


def with_refusals(frame: pl.DataFrame, *, as_codes: bool) -> Microdata:
    """Return the records with some answers refused in every column, as declared codes or as empty cells."""
    place = pl.int_range(pl.len())
    refused = [(place % 11 == number) | pl.col(name).is_null() for number, name in enumerate(REFUSALS)]
    whole = frame.with_columns(tax=pl.when(pl.col("tax") != -9).then("tax"))
    coded = whole.with_columns(
        pl.when(is_refused).then(pl.lit(code) if as_codes else None).otherwise(pl.col(name)).alias(name)
        for (name, code), is_refused in zip(REFUSALS.items(), refused, strict=True)
    )
    declared = [SCHEMA[name].replace(missing_codes=(code,)) for name, code in REFUSALS.items()]
    return Microdata(coded, SCHEMA.with_variables(*declared))


@every_example
def test_declared_missing_codes_count_as_empty_cells_do(measure: Measure) -> None:
    coded, empty = (
        measure.measure(*(with_refusals(frame, as_codes=as_codes) for frame in (survey(), changed(survey()))))
        for as_codes in (True, False)
    )
    assert dict(coded.parts) == pytest.approx(dict(empty.parts))
    assert coded.value == pytest.approx(empty.value)


@every_example
def test_a_sample_is_measured_on_its_own_records(measure: Measure) -> None:
    original, masked = pair()
    found = measure.measure(original, masked.take_rows(np.arange(10, 40)))
    assert found.per_record is None or len(found.per_record) == 30
    assert np.isfinite(found.value)


@every_example
def test_an_unchanged_file_has_no_loss_and_all_its_records_are_found(measure: Measure) -> None:
    data = pair()[0].take_rows(WHOLE)
    found = measure.measure(data, data).value
    if measure.family in ("linkage", "intervals"):
        assert found == 100.0
    elif not isinstance(measure, RiskMeasure):
        assert found == pytest.approx(0, abs=1e-9)


@every_example
def test_the_files_are_left_untouched(measure: Measure) -> None:
    original, masked = pair()
    measure.measure(original, masked)
    assert original.frame.equals(survey())
    assert masked.frame.equals(changed(survey()))


@every_example
def test_records_come_back_as_they_were_given(measure: Measure) -> None:
    assert type(measure)(**measure.model_dump()) == measure


@every_measure
def test_refuses_an_unknown_parameter(measure: type[Measure]) -> None:
    with pytest.raises(ParameterError, match=f"{measure.__name__} has no parameter 'colums'; did you mean 'columns'"):
        measure(colums=MONEY)  # type: ignore[call-arg]


@every_example
def test_refuses_a_column_that_the_original_lacks(measure: Measure) -> None:
    with pytest.raises(UnknownColumnError, match="there is no column 'regio'; did you mean 'region'"):
        measure.replace(columns=("regio",)).measure(*pair())


@every_example
def test_refuses_a_column_that_the_masked_file_lacks(measure: Measure) -> None:
    original, masked = pair()
    last = original.select(measure.columns)[-1]
    with pytest.raises(
        UnknownColumnError, match=rf"\.columns: the masked file has no column '{last}'; name only columns"
    ):
        measure.measure(original, masked.without_columns((last,)))


@every_example
def test_refuses_a_column_of_another_kind(measure: Measure) -> None:
    for name in SCHEMA.names:
        if SCHEMA[name].kind not in measure.kinds:
            with pytest.raises(
                KindError, match=rf"{type(measure).__name__}.columns: '{name}' is {SCHEMA[name].kind}; "
            ):
                measure.replace(columns=(name,)).measure(*pair())


@every_example
def test_refuses_a_masked_column_of_another_kind(measure: Measure) -> None:
    original, masked = pair()
    other = next((kind for kind in (Kind.NOMINAL, Kind.CONTINUOUS) if kind not in measure.kinds), None)
    if other is not None:
        changed_schema = SCHEMA.with_kinds(**{other.value: [original.select(measure.columns)[-1]]})
        with pytest.raises(KindError, match=f"is {other} in the masked file; expected"):
            measure.measure(original, masked.with_schema(changed_schema))


@every_example
def test_refuses_a_masked_column_of_text(measure: Measure) -> None:
    if "tax" in pair()[0].select(measure.columns):
        masked = Microdata(changed(survey()).with_columns(pl.lit("many").alias("tax")), SCHEMA)
        with pytest.raises(KindError, match="column 'tax' holds text, not numbers"):
            measure.measure(pair()[0], masked)


@every_example
def test_refuses_a_masked_column_without_a_value(measure: Measure) -> None:
    name = pair()[0].select(measure.columns)[0]
    dtype = survey().schema[name]
    empty = changed(survey()).with_columns(pl.lit(None, dtype=dtype).alias(name))
    with pytest.raises(DataError, match=f"'{name}' has no observed value in the masked file; leave it out"):
        measure.measure(pair()[0], Microdata(empty, SCHEMA))


@every_example
def test_refuses_fewer_than_two_records(measure: Measure) -> None:
    original, masked = pair()
    with pytest.raises(
        DataError, match=r"needs at least 2 records in each file; the original has 60 and the masked 1$"
    ):
        measure.measure(original, masked.take_rows(np.array([0])))


def awkward_levels(n: int, levels: list[str]) -> st.SearchStrategy[list[str | None]]:
    level = st.one_of(st.none(), st.sampled_from(levels))
    return st.one_of(st.lists(level, min_size=n, max_size=n), level.map(lambda value: [value] * n))


@st.composite
def awkward_pairs(draw: st.DrawFn) -> tuple[Microdata, Microdata]:
    n = draw(st.integers(0, 8))
    columns: dict[str, st.SearchStrategy[Any]] = {
        "region": awkward_levels(n, ["north", "south", "west"]),
        "health": awkward_levels(n, ["bad", "good"]),
    }
    columns |= {name: awkward_numbers(n) for name in MONEY}
    original = {name: draw(strategy) for name, strategy in columns.items()}
    masked = {name: draw(st.one_of(strategy, st.just(original[name]))) for name, strategy in columns.items()}
    more = draw(awkward_columns(n))  # which no measure asks for
    frames = [draw(in_some_dataframe(columns | more, MONEY)) for columns in (original, masked)]
    schemas = [Schema.infer(frame).with_variables(*SCHEMA.variables) for frame in frames]
    return Microdata(frames[0], schemas[0]), Microdata(frames[1], schemas[1])


@pytest.mark.parametrize("family", sorted({measure.family for measure in EXAMPLES}))
@settings(max_examples=9, deadline=None, suppress_health_check=list(HealthCheck))
@given(files=awkward_pairs())
def test_awkward_files_are_measured_or_refused(family: str, files: tuple[Microdata, Microdata]) -> None:
    for measure in (measure for measure in EXAMPLES if measure.family == family):
        note(repr(measure))
        with suppress(DataError):
            measures_in_range(measure, files)


def measures_in_range(measure: Measure, files: tuple[Microdata, Microdata]) -> None:
    found = measure.measure(*files)
    assert np.isfinite([found.value, *found.parts.values()]).all()
    assert min(found.value, *found.parts.values()) >= 0
    assert not isinstance(measure, RiskMeasure) or found.value <= 100 + 1e-9


@pytest.mark.parametrize("measure", [*RISKS.values(), *LOSSES.values()], ids=lambda measure: measure.name())
def test_what_a_measure_does_can_be_said_as_a_sentence(measure: type[Measure]) -> None:
    assert (measure.__doc__ or "").split()[0] in THIRD_PERSON
