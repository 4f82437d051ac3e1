"""Columns that are released as they were and tell records apart, alone or together, are named with how many."""

import polars as pl

import sfumato as sf
from sfumato.keys.unique_columns import unique_column_notices

PLACE = pl.int_range(120)


def test_numbers_that_a_part_of_the_records_has_for_itself_are_named() -> None:
    frame = pl.select(exports=pl.when(PLACE < 20).then(PLACE * 7 + 3).otherwise(0), age=20 + PLACE // 3)
    data = sf.Microdata(frame, sf.Schema.infer(frame).with_kinds(continuous=["exports", "age"]))
    [notice] = unique_column_notices(("exports", "age"), data)
    assert notice.startswith("Released as it was, with a number that no other record has: exports (20 records). ")


def test_columns_that_tell_most_records_apart_only_together_are_named() -> None:
    data = sf.Microdata(pl.select(shelf=PLACE // 11, box=PLACE % 11, sex=PLACE % 2))
    [notice] = unique_column_notices(("shelf", "box", "sex"), data)
    assert notice.startswith("Released as they were, and together different for 120 of 120 records: shelf, box, sex. ")
    assert unique_column_notices(("shelf", "sex"), data) == []
    keys = data.with_schema(data.schema.with_roles(key=["shelf"]))
    assert unique_column_notices(("shelf", "box", "sex"), keys) == []
