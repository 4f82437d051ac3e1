"""Every format gives back what it was given, as far as it can hold it."""

from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema
from sfumato.files import FORMATS, read, write
from sfumato.files.text.column_types import FALSE, TRUE, WORDS_FOR_MISSING
from tests.files.examples import AWKWARD, CODED, EXACT, LABELLED, LABELS, TEXT, WRITABLE, labelled

quickly = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zs"]), min_size=1, max_size=8)
plain_words = {*WORDS_FOR_MISSING, *TRUE, *FALSE, "inf", "-inf"}
texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1).filter(
    lambda text: text not in plain_words and not text.strip(" ").replace("-", "").replace(":", "")[:1].isdigit()
)
columns: st.SearchStrategy[tuple[Any, st.SearchStrategy[Any]]] = st.sampled_from(
    [
        (pl.Int64, st.integers(-(2**63), 2**63 - 1)),
        (pl.Float64, st.floats(allow_nan=False)),
        (pl.String, texts.filter(lambda text: not text.lstrip(" -.").replace(".", "")[:1].isdigit())),
        (pl.Boolean, st.booleans()),
        (pl.Date, st.dates(date(1, 1, 1), date(9999, 12, 31))),
        (pl.Datetime("us"), st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31))),
        (pl.Time, st.times()),
    ]
)


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    rows = draw(st.integers(1, 6))
    chosen = draw(st.lists(columns, min_size=1, max_size=4))
    labels = draw(st.lists(names, min_size=len(chosen), max_size=len(chosen), unique=True))
    return pl.DataFrame(
        [
            pl.Series(
                name, [draw(values), *draw(st.lists(st.none() | values, min_size=rows, max_size=rows))], dtype=dtype
            )
            for name, (dtype, values) in zip(labels, chosen, strict=True)
        ]
    )


def as_far_as_held(frame: pl.DataFrame, suffix: str) -> pl.DataFrame:
    """Return the frame as a file of this format can give it back."""
    if suffix in (".sav", ".zsav", ".dta"):
        return frame.with_columns(pl.col(pl.Boolean).cast(pl.Int64))
    return frame


def comparable(value: Any) -> Any:
    """Return a value as all have it: pandas has no dates, SPSS and Stata have no truth values."""
    if isinstance(value, bool):
        return int(value)
    return value.date() if isinstance(value, datetime) else value


def test_the_table_of_formats_is_complete() -> None:
    assert {suffix for suffix, form in FORMATS.items() if form.write is not None} == set(WRITABLE)


@pytest.mark.parametrize("suffix", WRITABLE)
def test_an_awkward_frame_comes_back(tmp_path: Path, suffix: str) -> None:
    write(Microdata(AWKWARD), tmp_path / f"a{suffix}")
    assert read(tmp_path / f"a{suffix}").frame.to_dict(as_series=False) == as_far_as_held(AWKWARD, suffix).to_dict(
        as_series=False
    )
    assert read(tmp_path / f"a{suffix}").frame.schema == as_far_as_held(AWKWARD, suffix).schema


@pytest.mark.parametrize("suffix", WRITABLE)
def test_a_schema_comes_back_whole(tmp_path: Path, suffix: str) -> None:
    write(labelled(), tmp_path / f"a{suffix}")
    back = read(tmp_path / f"a{suffix}")
    assert back.schema == labelled().schema
    assert back.frame.equals(LABELLED)


@pytest.mark.parametrize("suffix", WRITABLE)
def test_an_awkward_survey_comes_back_with_its_schema(
    tmp_path: Path,
    suffix: str,
    awkward_frame: pl.DataFrame,
    awkward_schema: Schema,
    as_backend: Callable[[pl.DataFrame], Any],
) -> None:
    data = Microdata(as_backend(awkward_frame), awkward_schema)
    write(data, tmp_path / f"a{suffix}")
    back = read(tmp_path / f"a{suffix}")
    listed = [name for name in ("health",) if suffix in CODED]  # an enum, which becomes labelled codes
    for name in listed:
        coded = back.schema[name]
        assert (coded.kind, coded.role) == (awkward_schema[name].kind, awkward_schema[name].role)
        back = Microdata(back.frame.with_columns(pl.col(name).replace_strict(coded.value_labels)), back.schema)
    assert back.schema == awkward_schema.with_variables(*(back.schema[name] for name in listed))
    for name in awkward_frame.columns:
        assert [comparable(value) for value in back.frame[name]] == [comparable(value) for value in awkward_frame[name]]


@pytest.mark.parametrize("suffix", WRITABLE)
def test_a_file_without_records_comes_back(tmp_path: Path, suffix: str) -> None:
    empty = LABELLED.clear()
    write(Microdata(empty, LABELS), tmp_path / f"a{suffix}")
    back = read(tmp_path / f"a{suffix}")
    assert (back.n, back.schema) == (0, LABELS)


@pytest.mark.parametrize("suffix", WRITABLE)
def test_a_single_record_comes_back(tmp_path: Path, suffix: str) -> None:
    write(Microdata(LABELLED.head(1), LABELS), tmp_path / f"a{suffix}")
    assert read(tmp_path / f"a{suffix}").frame.rows() == LABELLED.head(1).rows()


@pytest.mark.parametrize("suffix", WRITABLE)
def test_columns_that_are_all_missing_come_back_missing(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame(
        {"n": [None, None], "f": [None, None], "t": [None, None], "d": [None, None], "x": [1, 2]},
        schema_overrides={"n": pl.Int64, "f": pl.Float64, "t": pl.String, "d": pl.Date},
    )
    write(Microdata(frame), tmp_path / f"a{suffix}")
    back = read(tmp_path / f"a{suffix}")
    assert back.frame.null_count().row(0) == (2, 2, 2, 2, 0)
    assert back.schema == Schema.infer(frame)


@pytest.mark.parametrize("suffix", WRITABLE)
def test_empty_text_and_nan_are_missing(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"text": ["", "a"], "number": [float("nan"), 1.5]})
    write(Microdata(frame), tmp_path / f"a{suffix}")
    assert read(tmp_path / f"a{suffix}").frame.rows() == [(None, None), ("a", 1.5)]


@pytest.mark.parametrize("suffix", [*TEXT, *EXACT, ".xlsx"])
def test_the_same_data_give_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    whole = pl.concat([AWKWARD] * 50)
    run_in_threads = pl.concat([AWKWARD] * 50, rechunk=False)
    for name, frame in (("one", whole.rechunk()), ("two", run_in_threads), ("three", whole.rechunk())):
        write(Microdata(frame), tmp_path / f"{name}{suffix}")
    one, two, three = ((tmp_path / f"{name}{suffix}").read_bytes() for name in ("one", "two", "three"))
    assert one == two == three


@pytest.mark.parametrize("suffix", EXACT)
def test_enums_keep_their_order_without_a_second_file(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"size": ["S", "L", "M"]}, schema={"size": pl.Enum(["S", "M", "L"])})
    write(Microdata(frame), tmp_path / f"a{suffix}")
    back = read(tmp_path / f"a{suffix}")
    assert back.frame.schema == frame.schema
    assert back.codes("size")[1] == ("S", "M", "L")
    assert [path.name for path in tmp_path.iterdir()] == [f"a{suffix}"]


@pytest.mark.parametrize("suffix", [suffix for suffix in WRITABLE if suffix not in EXACT])
def test_enums_keep_their_order_in_a_second_file(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"size": ["S", "L", "M"]}, schema={"size": pl.Enum(["S", "M", "L"])})
    write(Microdata(frame), tmp_path / f"a{suffix}")
    assert read(tmp_path / f"a{suffix}").codes("size")[0].tolist() == [0, 2, 1]


@quickly
@given(frames())
def test_any_frame_comes_back_from_text(tmp_path: Path, frame: pl.DataFrame) -> None:
    write(Microdata(frame), tmp_path / "a.csv")
    back = read(tmp_path / "a.csv", separator=",")
    assert back.frame.schema == frame.schema
    assert back.frame.to_dict(as_series=False) == frame.to_dict(as_series=False)
    assert back.schema == Schema.infer(frame)
    (tmp_path / "a.schema.yaml").unlink(missing_ok=True)


@quickly
@given(frames())
def test_any_frame_comes_back_from_parquet(tmp_path: Path, frame: pl.DataFrame) -> None:
    write(Microdata(frame), tmp_path / "a.parquet")
    back = read(tmp_path / "a.parquet")
    assert back.frame.equals(frame)
    assert back.frame.schema == frame.schema


def test_times_and_dates_of_every_unit_come_back_from_text(tmp_path: Path) -> None:
    moment = datetime(2020, 1, 1, 10, 30)
    frame = pl.DataFrame({unit: pl.Series([moment, None], dtype=pl.Datetime(unit)) for unit in ("ns", "us", "ms")})
    write(Microdata(frame.with_columns(clock=pl.lit(time(1, 2, 3)))), tmp_path / "a.csv")
    assert read(tmp_path / "a.csv").frame.row(0) == (moment, moment, moment, time(1, 2, 3))
