"""The promises that all measures share, over RISKS and LOSSES."""

import inspect
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato import loss, risk
from sfumato.contracts import Correspondence, Measure, RiskMeasure
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, KindError, ParameterError, UnknownColumnError
from sfumato.loss import LOSSES, InformationLoss, StandardisedInformationLoss
from sfumato.risk import RISKS, DeviationIntervalDisclosure, DistanceLinkage, IntervalDisclosure

MEASURES: dict[str, type[Measure]] = {**RISKS, **LOSSES}
MONEY = ("income", "tax")
NEAREST = Correspondence.NEAREST_RECORD
EXAMPLES: list[Measure] = [
    DeviationIntervalDisclosure(columns=MONEY),
    DeviationIntervalDisclosure(columns=MONEY, correspondence=NEAREST),
    DistanceLinkage(columns=MONEY),
    DistanceLinkage(columns=MONEY, correspondence=NEAREST),
    InformationLoss(columns=MONEY),
    InformationLoss(columns=MONEY, correspondence=NEAREST),
    IntervalDisclosure(columns=MONEY),
    IntervalDisclosure(columns=MONEY, ties="mid", correspondence=NEAREST),
    StandardisedInformationLoss(columns=MONEY),
]
SCHEMA = Schema(
    variables=(
        Variable(name="region", kind=Kind.NOMINAL),
        Variable(name="income", kind=Kind.CONTINUOUS),
        Variable(name="tax", kind=Kind.CONTINUOUS, missing_codes=(-9,)),
    )
)
BACKENDS = {
    "polars": lambda frame: frame,
    "pandas": lambda frame: pd.DataFrame({name: frame[name].to_list() for name in frame.columns}),
    "pyarrow": lambda frame: frame.to_arrow(),
}

every_measure = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
every_example = pytest.mark.parametrize("measure", EXAMPLES, ids=str)


def survey(n: int = 60) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    income = np.round(rng.lognormal(7, 1, n), 2)
    return pl.DataFrame(
        {
            "region": np.array(["north", "south", "west"])[np.arange(n) % 3],
            "income": pl.Series([None if i % 20 == 3 else float(x) for i, x in enumerate(income)], dtype=pl.Float64),
            "tax": np.where(np.arange(n) % 30 == 7, -9.0, np.rint(income / 4)),
        }
    )


def noisy(frame: pl.DataFrame) -> pl.DataFrame:
    noise = np.random.default_rng(6).normal(0, 50, len(frame))
    changed = pl.when(pl.col("tax") == -9).then(-9.0).otherwise(pl.col("tax") + pl.Series(noise))
    return frame.with_columns(income=pl.col("income") * 1.1 + pl.Series(noise), tax=changed)


def pair() -> tuple[Microdata, Microdata]:
    return Microdata(survey(), SCHEMA), Microdata(noisy(survey()), SCHEMA)


def test_every_measure_has_an_example() -> None:
    assert {type(measure).name() for measure in EXAMPLES} == set(MEASURES)


@every_measure
def test_name_file_class_and_table_agree(measure: type[Measure]) -> None:
    room = risk if issubclass(measure, RiskMeasure) else loss
    assert Path(inspect.getfile(measure)).stem == measure.name()
    assert getattr(room, measure.__name__) is measure
    assert MEASURES[measure.name()] is measure


def test_symbols_are_different() -> None:
    symbols = [symbol for measure in MEASURES.values() for symbol in (measure.symbol, *measure.part_symbols)]
    assert len(set(symbols)) == len(symbols)


@every_measure
def test_docstring_is_complete(measure: type[Measure]) -> None:
    text = inspect.getdoc(measure) or ""
    wanted = ["Parameters", "Meaning", "Missing values", "Source", "Examples"]
    for section in [*wanted, "Intruder"] if issubclass(measure, RiskMeasure) else wanted:
        assert f"\n{section}\n" in text, f"{measure.__name__} lacks the section {section}"
    for parameter in measure.model_fields:
        assert f"\n{parameter}\n" in text


@every_example
def test_figures_are_finite_and_in_percent(measure: Measure) -> None:
    found = measure.measure(*pair())
    assert found.name == type(measure).name()
    assert found.symbol == measure.symbol
    assert found.unit == "%"
    assert np.isfinite([found.value, *found.parts.values()]).all()
    assert set(measure.part_symbols) <= set(found.parts)
    assert found.per_record is not None
    assert len(found.per_record) == 60
    if isinstance(measure, RiskMeasure):
        assert 0 <= found.value <= 100


@every_example
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_dataframe_type_gives_the_same_figures(measure: Measure, backend: str) -> None:
    convert = BACKENDS[backend]
    found = measure.measure(Microdata(convert(survey()), SCHEMA), Microdata(convert(noisy(survey())), SCHEMA))
    expected = measure.measure(*pair())
    assert found.parts == expected.parts
    assert np.array_equal(found.per_record, expected.per_record, equal_nan=True)  # type: ignore[arg-type]


@every_example
def test_the_order_of_the_masked_records_changes_nothing(measure: Measure) -> None:
    original, masked = pair()
    order = np.random.default_rng(1).permutation(60)
    expected, found = measure.measure(original, masked), measure.measure(original, masked.take_rows(order))
    assert dict(found.parts) == pytest.approx(dict(expected.parts))
    assert expected.per_record is not None
    assert found.per_record == pytest.approx(expected.per_record[order], nan_ok=True)


@every_example
def test_a_sample_is_measured_on_its_own_records(measure: Measure) -> None:
    original, masked = pair()
    found = measure.measure(original, masked.take_rows(np.arange(10, 40)))
    assert found.per_record is not None
    assert len(found.per_record) == 30
    assert np.isfinite(found.value)


@every_example
def test_an_unchanged_file_has_no_loss_and_full_risk(measure: Measure) -> None:
    frame = survey().filter(pl.col("income").is_not_null() & (pl.col("tax") != -9))
    data = Microdata(frame, SCHEMA)
    expected = 100.0 if isinstance(measure, RiskMeasure) else 0.0
    # equal taxes leave several nearest records, but the record itself is always among them
    assert measure.measure(data, data).value == expected


@every_example
def test_the_files_are_left_untouched(measure: Measure) -> None:
    original, masked = pair()
    measure.measure(original, masked)
    assert original.frame.equals(survey())
    assert masked.frame.equals(noisy(survey()))


@every_example
def test_records_come_back_as_they_were_given(measure: Measure) -> None:
    assert type(measure)(**measure.model_dump()) == measure


@every_measure
def test_refuses_an_unknown_parameter(measure: type[Measure]) -> None:
    with pytest.raises(ParameterError, match=f"{measure.__name__} has no parameter 'colums'; did you mean 'columns'"):
        measure(colums=MONEY)


@every_example
def test_refuses_a_column_that_the_original_lacks(measure: Measure) -> None:
    with pytest.raises(UnknownColumnError, match="there is no column 'incme'; did you mean 'income'"):
        measure.replace(columns=("incme",)).measure(*pair())


@every_example
def test_refuses_a_column_that_the_masked_file_lacks(measure: Measure) -> None:
    original, masked = pair()
    with pytest.raises(UnknownColumnError, match=r"\.columns: the masked file has no column 'tax'; name only columns"):
        measure.measure(original, masked.take_columns(("region", "income")))


@every_example
def test_refuses_a_nominal_column(measure: Measure) -> None:
    with pytest.raises(KindError, match=rf"{type(measure).__name__}.columns: 'region' is nominal; expected continuous"):
        measure.replace(columns=("region",)).measure(*pair())


@every_example
def test_refuses_a_masked_column_of_another_kind(measure: Measure) -> None:
    original, masked = pair()
    changed = masked.with_schema(SCHEMA.with_kinds(nominal=["tax"]))
    with pytest.raises(KindError, match="'tax' is nominal in the masked file; expected continuous"):
        measure.measure(original, changed)


@every_example
def test_refuses_a_masked_column_of_text(measure: Measure) -> None:
    masked = Microdata(noisy(survey()).with_columns(pl.lit("many").alias("tax")), SCHEMA)
    with pytest.raises(KindError, match="column 'tax' holds text, not numbers"):
        measure.measure(pair()[0], masked)


@every_example
def test_refuses_a_masked_column_without_a_value(measure: Measure) -> None:
    empty = noisy(survey()).with_columns(income=pl.lit(None, dtype=pl.Float64))
    with pytest.raises(DataError, match="'income' has no observed value in the masked file; leave it out"):
        measure.measure(pair()[0], Microdata(empty, SCHEMA))


@every_example
def test_refuses_fewer_than_two_records(measure: Measure) -> None:
    original, masked = pair()
    with pytest.raises(
        DataError, match=r"needs at least 2 records in each file; the original has 60 and the masked 1$"
    ):
        measure.measure(original, masked.take_rows(np.array([0])))


def awkward_column(n: int) -> st.SearchStrategy[list[float | None]]:
    number = st.one_of(
        st.none(), st.just(0.0), st.sampled_from([1.0, -1.0, 0.1, 1e15]), st.floats(-1e9, 1e9, allow_subnormal=False)
    )
    return st.one_of(st.lists(number, min_size=n, max_size=n), number.map(lambda value: [value] * n))


@st.composite
def awkward_pairs(draw: st.DrawFn) -> tuple[Microdata, Microdata]:
    n = draw(st.integers(0, 8))
    original = {name: draw(awkward_column(n)) for name in MONEY}
    masked = {name: draw(st.one_of(awkward_column(n), st.just(original[name]))) for name in MONEY}
    frames = [pl.DataFrame(columns, schema=dict.fromkeys(MONEY, pl.Float64)) for columns in (original, masked)]
    schema = SCHEMA.subset(MONEY)
    return Microdata(frames[0], schema), Microdata(frames[1], schema)


@every_example
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(files=awkward_pairs())
def test_awkward_files_are_measured_or_refused(measure: Measure, files: tuple[Microdata, Microdata]) -> None:
    try:
        found = measure.measure(*files)
    except DataError:
        return
    assert np.isfinite([found.value, *found.parts.values()]).all()
    assert min(found.value, *found.parts.values()) >= 0
    assert not isinstance(measure, RiskMeasure) or found.value <= 100 + 1e-9
