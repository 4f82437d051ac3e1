"""Which columns are guessed to be dates, and what is said where that is in doubt."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import narwhals.stable.v2 as nw
import pandas as pd
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.data.inference import guess_variables
from sfumato.data.missing_code_suspicion import suspicion_problems
from sfumato.data.recognition.dates import Recognition, recognise_dates
from sfumato.errors import SchemaError
from tests.data.frames import AsBackend

DAYS = [date(1990, 1, 1) + timedelta(days=37 * number) for number in range(60)]


def guessed(values: list[Any], name: str = "x") -> tuple[Kind, str, str]:
    (guess,) = guess_variables(pl.DataFrame({name: values}))
    return guess.variable.kind, guess.variable.date_format, guess.doubt


@pytest.mark.parametrize(
    ("form", "python"),
    [
        ("yyyy-mm-dd", "%Y-%m-%d"),
        ("dd/mm/yyyy", "%d/%m/%Y"),
        ("dd.mm.yyyy", "%d.%m.%Y"),
        ("mm/dd/yyyy", "%m/%d/%Y"),
        ("d/m/yyyy", "%-d/%-m/%Y"),
        ("d Mon yyyy", "%-d %b %Y"),
        ("d Month yyyy", "%-d %B %Y"),
        ("dd/mm/yyyy hh:mm", "%d/%m/%Y %H:%M"),
    ],
)
def test_text_that_is_all_dates_is_a_date_with_its_format(as_backend: AsBackend, form: str, python: str) -> None:
    frame = as_backend(pl.DataFrame({"x": [None, "NA", *(day.strftime(python) for day in DAYS)]}))
    data = Microdata(frame)
    assert (data.schema["x"].kind, data.schema["x"].date_format) == (Kind.DATE, form)
    assert data.schema["x"].role is Role.OTHER
    assert data.values("x")[2] == (DAYS[0] - date(1970, 1, 1)).days


def test_numbers_are_dates_where_several_are_different_and_all_read_so() -> None:
    numbers = [int(f"{day:%Y%m%d}") for day in DAYS]
    kind, form, doubt = guessed(numbers)
    assert (kind, form) == (Kind.DATE, "yyyymmdd")
    assert "if they are codes, make it nominal" in doubt
    assert guessed([*numbers, 19901301])[0] is not Kind.DATE
    assert guessed(numbers[:4] * 15)[0] is Kind.NOMINAL
    assert guessed(list(range(20240101, 20240129)))[0] is Kind.CONTINUOUS  # these count the records


def test_text_with_some_other_cells_is_a_date_whose_format_is_open_until_these_are_explained() -> None:
    texts = [f"{day:%d/%m/%Y}" for day in DAYS] + ["99/99/9999"] * 2
    kind, form, doubt = guessed(texts)
    assert (kind, form) == (Kind.DATE, "")
    assert "all but 1 of its different texts are dates in dd/mm/yyyy" in doubt
    data = Microdata(pl.DataFrame({"born": texts}))
    (problem,) = suspicion_problems(data, ["born"])
    assert "dates written as dd/mm/yyyy, and 2 cells that are no dates in that format: correct that" in problem
    assert "99/99" not in problem
    explained = Variable(name="born", kind=Kind.DATE, missing_codes=("99/99/9999",))
    known = data.with_schema(Schema(variables=(explained,)))
    assert (suspicion_problems(known, ["born"]), known.schema["born"].date_format) == ([], "dd/mm/yyyy")
    plain = data.with_schema(Schema(variables=(Variable(name="born", kind=Kind.NOMINAL),)))
    assert suspicion_problems(plain, ["born"]) == []


@pytest.mark.parametrize("text", ["12.11", "12/11/90", "192.168.1.1", "2020-13-45", "1-2-3", "0123456789", "Mon 1990"])
def test_other_text_is_no_date(text: str) -> None:
    assert guessed([text] * 3)[0] is Kind.NOMINAL


def test_dates_that_can_be_read_in_two_ways_are_asked_and_not_guessed() -> None:
    data = Microdata(pl.DataFrame({"born": [f"{day.replace(day=day.day % 12 + 1):%d/%m/%Y}" for day in DAYS]}))
    assert (data.schema["born"].kind, data.schema["born"].date_format) == (Kind.DATE, "")
    (problem,) = suspicion_problems(data, ["born"])
    assert "dd/mm/yyyy or mm/dd/yyyy: write for it in the schema kind: date and date_format: dd/mm/yyyy" in problem


def test_objects_that_are_all_dates_are_a_date_and_mixed_ones_are_not() -> None:
    rome = ZoneInfo("Europe/Rome")
    columns: dict[str, tuple[list[Any], Kind]] = {
        "dates": ([date(1990, 1, 1), None, date(1991, 1, 1)], Kind.DATE),
        "times": ([datetime(1990, 1, 1, tzinfo=rome), datetime(1991, 1, 1, tzinfo=rome)], Kind.DATE),
        "zones": ([datetime(1990, 1, 1, tzinfo=rome), datetime(1991, 1, 1, tzinfo=UTC)], Kind.NOMINAL),
        "mixed": ([date(1990, 1, 1), "a"], Kind.NOMINAL),
        "nothing": ([None, None], Kind.NOMINAL),
    }
    for name, (values, kind) in columns.items():
        frame = pd.DataFrame({name: pd.Series(values, dtype=object)})
        assert Microdata(frame).schema[name].kind is kind, name


def test_a_far_year_does_not_decide_between_day_and_month() -> None:
    for texts in (["01/02/2300", "03/04/2310"], ["01/02/1990", "03/04/1985", "01/01/9999"]):
        column = nw.from_native(pl.Series("due", texts), series_only=True)
        assert recognise_dates(column) == Recognition(("dd/mm/yyyy", "mm/dd/yyyy"))


@pytest.mark.parametrize(
    ("values", "how"),
    [
        (["31.12.85", "01.02.90", "NA"], "years of two digits"),
        (["31-Dec-85", "01-Feb-90"], "years of two digits"),
        (["12/31/1985 08:30 PM", "2/1/1990 9:00 am"], "a clock of twelve hours"),
        (["31. Dezember 1985", "1. März 1990"], "names of months that are not English"),
        (["31 de diciembre de 1985", "1 de marzo de 1990"], "names of months that are not English"),
    ],
)
def test_dates_in_forms_that_are_not_read_are_told_as_such(values: list[str], how: str) -> None:
    kind, _, doubt = guessed(values, "seen")
    assert kind is Kind.NOMINAL
    assert f"looks like dates with {how}, which are not read: write them as yyyy-mm-dd" in doubt
    with pytest.raises(SchemaError, match=f"'seen' holds dates with {how}, which are not read"):
        Microdata(pl.DataFrame({"seen": values}), Schema.from_yaml("variables: {seen: {kind: date}}"))


def test_text_with_numbers_in_it_is_not_taken_for_unread_dates() -> None:
    for values in (["1.2.3", "4.5.6"], ["3 Zimmer 1990er", "2 Zimmer"], ["12 Main Street 1990 A", "x"]):
        assert "looks like dates" not in guessed(values, "text")[2]
