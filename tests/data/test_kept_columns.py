"""Columns are read once, numbers while a file is not large, and nobody can change what was read."""

import pickle
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema, Variable, kept_columns
from sfumato.data.columns import codes_of, floats_of
from sfumato.data.distinct_values import factorise
from sfumato.numerics.ranking import in_order


def people() -> Microdata:
    frame = pl.DataFrame({"age": [31, 45, None], "region": ["south", "north", "south"], "health": [2, 1, 3]})
    return Microdata(frame, Schema.infer(frame).with_kinds(continuous=["age"], ordinal=["health"]))


def test_who_changes_what_was_read_changes_nothing_for_others() -> None:
    data = people()
    data.values("age")[0] = 99
    data.values("health")[0] = 99
    data.codes("region")[0][0] = 7
    assert data.values("age")[:2].tolist() == [31, 45]
    assert data.values("health").tolist() == [1, 0, 2]
    assert data.codes("region")[0].tolist() == [1, 0, 1]


@pytest.mark.parametrize(("most", "small", "code_reads", "reads"), [(3, 2, 1, 1), (2, 2, 1, 2), (2, 0, 2, 2)])
def test_a_column_is_read_again_only_where_the_file_is_large_and_for_codes_where_categories_are_many(
    most: int, small: int, code_reads: int, reads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_columns, "KEPT_RECORDS", most)
    monkeypatch.setattr(kept_columns, "KEPT_CODES", most)
    monkeypatch.setattr(kept_columns, "SMALL", small)
    with (
        patch("sfumato.data.kept_columns.codes_of", wraps=codes_of) as read_codes,
        patch("sfumato.data.kept_columns.floats_of", wraps=floats_of) as read_floats,
    ):
        data = people()
        for _ in range(2):
            assert data.codes("region")[1] == ("north", "south")
            assert np.nansum(data.values("age")) == 76
    assert read_codes.call_count == code_reads
    assert read_floats.call_count == reads


@pytest.mark.parametrize("categories", [1, 127, 128, 129, 32_768, 32_769])
def test_codes_are_the_same_when_asked_again_however_many_categories_there_are(categories: int) -> None:
    data = Microdata(pl.DataFrame({"name": [f"{number:05}" for number in range(categories)]}))
    first, again = data.codes("name")[0], data.codes("name")[0]
    assert first.tolist() == again.tolist() == list(range(categories))
    assert first.dtype == again.dtype == np.int64


def test_numbers_are_put_in_order_once_and_another_file_knows_what_stayed() -> None:
    with patch("sfumato.data.kept_columns.in_order", wraps=in_order) as ordered:
        data = people()
        older = data.map_columns(("age",), lambda _, values: 80 - values)
        for _ in range(2):
            assert data.value_order("age").tolist() == [0, 1, -1]
            assert older.value_order("age").tolist() == [1, 0, -1]
        data.value_order("age")[0] = 9
        assert data.map_codes(("region",), lambda _, codes: codes).value_order("age").tolist() == [0, 1, -1]
    assert ordered.call_count == 2


def test_another_column_in_its_place_is_read_anew() -> None:
    data = people()
    assert data.codes("region")[0].tolist() == [1, 0, 1]
    changed = data.map_codes(("region",), lambda _, codes: 1 - codes)
    assert changed.codes("region")[0].tolist() == [0, 1, 0]


def test_columns_that_stay_are_not_read_again_when_others_are_masked_or_dropped() -> None:
    data = people()
    data.codes("region")
    data.numbers("health")
    with (
        patch("sfumato.data.kept_columns.codes_of", wraps=codes_of) as read_codes,
        patch("sfumato.data.kept_columns.factorise", wraps=factorise) as read_numbers,
    ):
        for later in (data.map_columns(("age",), lambda _, ages: ages + 1), data.without_columns(("age",))):
            assert later.codes("region")[0].tolist() == [1, 0, 1]
            assert later.numbers("health").tolist() == [1, 0, 2]
    assert read_codes.call_count == read_numbers.call_count == 0


@pytest.mark.parametrize("most", [0, 3])
def test_numbers_tell_apart_what_stands_in_a_column_and_show_only_empty_cells_as_missing(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_columns, "KEPT_CODES", most)
    frame = pl.DataFrame({"health": [2, -9, None, 2]})
    data = Microdata(frame, Schema(variables=(Variable(name="health", kind="continuous", missing_codes=(-9,)),)))
    for _ in range(2):
        numbers = data.numbers("health")
        assert numbers.tolist() == [1, 0, -1, 1]
        numbers[0] = 7
    changed = data.map_columns(("health",), lambda _, values: values + 1)
    assert changed.numbers("health").tolist() == [1, 0, -1, 1]
    assert changed.frame["health"].to_list() == [3, -9, None, 3]


def test_what_was_read_does_not_travel_to_other_processes() -> None:
    data = people()
    data.codes("region")
    before = len(pickle.dumps(data))
    data.codes("health")
    data.values("age")
    assert len(pickle.dumps(data)) == before
    assert pickle.loads(pickle.dumps(data)).codes("region")[0].tolist() == [1, 0, 1]  # noqa: S301
