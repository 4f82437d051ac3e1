"""Readers know of counts beside empty places that they are at least 1, and are told of it."""

import polars as pl
import pytest

from sfumato.tables import HeuristicSuppression, MinUnits, Table, protect

PEOPLE = pl.DataFrame({"town": ["A"] * 8 + ["B"] * 6, "job": ["x", *"yyyyyyy", "x", *"zzzzz"]})


FEW = MinUnits(units=3)


@pytest.mark.parametrize(("zeros", "is_told"), [(False, True), (True, False)])
def test_counts_beside_empty_places_are_told_to_be_at_least_one(zeros: bool, is_told: bool) -> None:
    table = Table.from_records(PEOPLE, ["town", "job"], zeros=zeros)
    remarks = protect(table, rule=FEW, protection=HeuristicSuppression()).remarks
    assert any("COUNTS ARE KNOWN TO BE AT LEAST 1" in remark for remark in remarks) is is_told


def test_sums_are_not_warned_about() -> None:
    firms = PEOPLE.with_columns(sales=pl.Series(range(1, 15)))
    table = Table.from_records(firms, ["town", "job"], "sales")
    assert not any("AT LEAST 1" in one for one in protect(table, rule=FEW, protection=HeuristicSuppression()).remarks)
