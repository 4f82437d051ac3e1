"""Records that meet a condition."""

import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.errors import DataError, ParameterError, UnknownColumnError
from sfumato.expressions.selection import rows_where

PEOPLE = Microdata(
    pl.DataFrame({"age": [70.5, 30.0, None, 66.0], "town": ["A", "B", "A", None], "grade": [1, 2, 3, 2]}),
)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("age >= 65", [True, False, False, True]),
        ("town == 'A'", [True, False, True, False]),
        ("town != 'A'", [False, True, False, False]),
        ("missing(town) or age < 50", [False, True, False, True]),
        ("not missing(age) and town == 'A'", [True, False, False, False]),
    ],
)
def test_a_condition_selects_the_records_that_meet_it_for_certain(condition: str, expected: list[bool]) -> None:
    assert rows_where("crosstab", condition, PEOPLE).tolist() == expected


def test_what_is_no_condition_is_refused_by_the_name_of_who_asked() -> None:
    with pytest.raises(ParameterError, match=r"crosstab\.where must compare columns"):
        rows_where("crosstab", "age + 1", PEOPLE)


def test_a_column_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(UnknownColumnError, match="agee"):
        rows_where("crosstab", "agee > 1", PEOPLE)


def test_a_category_that_is_not_there_is_refused() -> None:
    with pytest.raises(DataError, match="'town' with what is none of its categories"):
        rows_where("crosstab", "town == 'C'", PEOPLE)


def test_a_code_for_no_answer_is_no_category() -> None:
    frame = pl.DataFrame({"town": ["A", "B", "?"]})
    schema = Schema.infer(frame)
    coded = schema.with_variables(schema["town"].model_copy(update={"missing_codes": ("?",)}))
    with pytest.raises(DataError, match=r"missing\(town\)"):
        rows_where("crosstab", "town == '?'", Microdata(frame, coded))
