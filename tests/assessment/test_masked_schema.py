"""What the original's schema still says of a masked file."""

import polars as pl

from sfumato.assessment.masked_schema import with_original_schema
from sfumato.data import Kind, Microdata, Role, Schema, Variable

SCHEMA = Schema(
    variables=(
        Variable(name="person", kind=Kind.NOMINAL, role=Role.IDENTIFIER),
        Variable(name="income", kind=Kind.CONTINUOUS),
    )
)
PEOPLE = pl.DataFrame({"person": ["a", "b", "c", "d"], "income": [1.5, 2.5, 3.5, 4.5]})


def test_the_schema_of_the_original_holds_where_a_column_is_of_the_same_type() -> None:
    banded = Microdata(PEOPLE.with_columns(income=pl.lit("1 to 5")))
    described = with_original_schema(banded, SCHEMA).schema
    assert described["person"].role is Role.IDENTIFIER
    assert described["income"].kind is Kind.NOMINAL


def test_joined_categories_are_those_of_the_masked_file_and_keep_their_role() -> None:
    school = Variable(name="school", kind=Kind.ORDINAL, role=Role.KEY, categories=("none", "some", "much"))
    joined = school.replace(categories=("none to some", "much"), role=Role.OTHER)
    frame = pl.DataFrame({"school": ["none to some", "much", None]})
    described = with_original_schema(Microdata(frame, Schema(variables=(joined,))), Schema(variables=(school,))).schema
    assert described["school"].categories == ("none to some", "much")
    assert described["school"].role is Role.KEY


def test_dates_are_dates_where_the_file_given_as_the_original_lists_classes_of_them() -> None:
    classes = Variable(name="born", kind=Kind.ORDINAL, role=Role.KEY, categories=("1950/1969", "1970/1989"))
    frame = pl.DataFrame({"born": ["01.02.1953", "17.11.1971", "30.06.1988"]})
    described = with_original_schema(Microdata(frame), Schema(variables=(classes,))).schema
    assert (described["born"].kind, described["born"].role) == (Kind.DATE, Role.KEY)
