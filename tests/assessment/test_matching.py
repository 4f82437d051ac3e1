"""Which masked record came from which original one, when all there is are two files."""

import polars as pl
import pytest

from sfumato.assessment.matching import BY_ORDER, match_records, with_original_schema
from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.errors import DataError

SCHEMA = Schema(
    variables=(
        Variable(name="person", kind=Kind.NOMINAL, role=Role.IDENTIFIER),
        Variable(name="income", kind=Kind.CONTINUOUS),
    )
)
PEOPLE = pl.DataFrame({"person": ["a", "b", "c", "d"], "income": [1.5, 2.5, 3.5, 4.5]})


def original() -> Microdata:
    return Microdata(PEOPLE, SCHEMA)


def test_an_identifier_tells_the_records_of_a_sample_in_any_order() -> None:
    after, how = match_records(original(), Microdata(PEOPLE[[3, 0]], SCHEMA))
    assert after.row_ids.tolist() == [3, 0]
    assert how == "Records were matched by the identifier person."


@pytest.mark.parametrize(
    "frame",
    [PEOPLE.drop("person").reverse(), PEOPLE.with_columns(person=pl.Series(["w", "x", "y", "z"]))],
    ids=["none", "other values"],
)
def test_without_a_common_identifier_the_order_counts_and_a_warning_says_so(frame: pl.DataFrame) -> None:
    after, how = match_records(original(), Microdata(frame))
    assert after.row_ids.tolist() == [0, 1, 2, 3]
    assert how == BY_ORDER


def test_an_identifier_that_repeats_in_the_original_tells_nothing() -> None:
    repeated = Microdata(PEOPLE.with_columns(person=pl.lit("a")), SCHEMA)
    assert match_records(repeated, repeated)[1] == BY_ORDER


def test_another_number_of_records_without_an_identifier_is_refused() -> None:
    with pytest.raises(DataError, match=r"got 4 and 2 records: give a column the role identifier"):
        match_records(original(), Microdata(PEOPLE.drop("person").head(2)))


def test_the_schema_of_the_original_holds_where_a_column_is_of_the_same_type() -> None:
    banded = Microdata(PEOPLE.with_columns(income=pl.lit("1 to 5")))
    described = with_original_schema(banded, SCHEMA).schema
    assert described["person"].role is Role.IDENTIFIER
    assert described["income"].kind is Kind.NOMINAL
