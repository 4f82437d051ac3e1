from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Category, Kind, Microdata, Schema, Variable
from sfumato.data.category_merging import merged_categories
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking import Recoding
from tests.data.frames import AsBackend, cells, column

STATUS = {"single": "never", "married": "once", "widowed": "once"}


def recoded(data: Microdata, **parameters: Any) -> Microdata:
    return run_step(Recoding(columns=("x",), **parameters), data, seed=1, step=0)


def nominal(values: list[Any], **description: Any) -> Microdata:
    return column(lambda frame: frame, values, kind=Kind.NOMINAL, **description)


@given(
    values=st.lists(st.sampled_from(["single", "married", "widowed", None]), min_size=1, max_size=20).filter(any),
)
def test_each_category_becomes_what_the_map_says(values: list[str | None]) -> None:
    after = recoded(nominal(values), map=STATUS)
    assert after.frame["x"].to_list() == [STATUS[value] if value else None for value in values]


def test_counts_of_the_new_categories_are_sums_of_the_old_over_all_blocks() -> None:
    rng = np.random.default_rng(2)
    values = np.array(list(STATUS))[rng.integers(0, 3, 200_000)]
    before, after = Counter(values.tolist()), recoded(nominal(values.tolist()), map=STATUS)
    assert after.summary.counts("x") == {"never": before["single"], "once": before["married"] + before["widowed"]}


def test_every_backend_keeps_its_text_its_index_and_its_missing_codes(as_backend: AsBackend) -> None:
    data = column(as_backend, ["a", "b", "refused", None], kind=Kind.NOMINAL, missing_codes=("refused",))
    after = recoded(data, map={"a": "c", "b": "c"})
    assert cells(after)["x"] == ["c", "c", "refused", None]
    assert after.table.schema == data.table.schema
    assert after.observed("x").tolist() == [True, True, False, False]
    if as_backend.__name__ == "as_pandas":
        assert after.frame.index.equals(data.frame.index)


def test_codes_become_text_and_missing_codes_with_them(as_backend: AsBackend) -> None:
    data = column(as_backend, [1, 2, -9, None, -8], kind=Kind.NOMINAL, missing_codes=(-9,), missing_ranges=((-8, -7),))
    after = recoded(data, map={1: "yes", 2: "no"})
    assert cells(after)["x"] == ["yes", "no", "-9", None, "-8"]
    assert after.schema["x"].missing_codes == ("-9", "-8")
    assert after.schema["x"].missing_ranges == ((-8, -7),)  # for the file, where numbers stand for text
    assert after.observed("x").tolist() == [True, True, False, False, False]


def test_what_the_map_does_not_name_becomes_the_category_of_others() -> None:
    after = recoded(nominal(["a", "b", "c", None]), map={"a": "first"}, others="rest")
    assert after.frame["x"].to_list() == ["first", "rest", "rest", None]


def test_what_the_map_does_not_name_can_stay() -> None:
    after = recoded(nominal(["a", "b", "c", None]), map={"a": "b"}, keeps_others=True)
    assert after.frame["x"].to_list() == ["b", "b", "c", None]


def test_ordinal_categories_keep_their_order() -> None:
    data = column(lambda frame: frame, ["c", "a", "b"], kind=Kind.ORDINAL, categories=("c", "b", "a"))
    after = recoded(data, map={"c": "low", "b": "low", "a": "high"})
    assert after.schema["x"].categories == ("low", "high")
    assert after.values("x").tolist() == [0, 1, 0]


def test_ordinal_categories_that_are_not_neighbours_cannot_be_joined() -> None:
    data = column(lambda frame: frame, ["c", "a", "b"], kind=Kind.ORDINAL, categories=("c", "b", "a"))
    with pytest.raises(DataError, match=r"Recoding\.map merges categories of 'x' that are not neighbours in its order"):
        recoded(data, map={"c": "extreme", "a": "extreme", "b": "middle"})


def test_an_ordered_type_lists_the_new_categories() -> None:
    data = column(lambda frame: frame, ["low", "high", None], pl.Enum(["low", "middle", "high"]), kind=Kind.ORDINAL)
    after = recoded(data, map={"low": "under", "middle": "under", "high": "over"})
    assert after.frame["x"].dtype == pl.Enum(["under", "over"])
    assert after.frame["x"].to_list() == ["under", "over", None]


def test_labels_stay_with_categories_that_mean_the_same_and_go_with_the_others() -> None:
    labels = {1: "single", 2: "married", 3: "widowed", 4: "divorced", -9: "refused"}
    data = nominal([1, 2, 3, 4, -9], value_labels=labels, missing_codes=(-9,))
    after = recoded(data, map={1: 1, 2: 2, 3: 3, 4: 3}, labels={3: "widowed or divorced", 8: "unused"})
    assert after.frame["x"].to_list() == [1, 2, 3, 3, -9]
    assert after.schema["x"].value_labels == {
        1: "single",
        2: "married",
        3: "widowed or divorced",
        -9: "refused",
    }
    assert 3 not in recoded(data, map={1: 1, 2: 2, 3: 3, 4: 3}).schema["x"].value_labels


def test_several_columns_are_recoded_by_one_map() -> None:
    frame = pl.DataFrame({"mother": ["a", "b"], "father": ["c", "a"]})
    method = Recoding(columns=("mother", "father"), map={"a": "x", "b": "x", "c": "y"})
    after = run_step(method, Microdata(frame), seed=1, step=0)
    assert after.frame.to_dict(as_series=False) == {"mother": ["x", "x"], "father": ["y", "x"]}


def test_refuses_categories_that_are_not_in_the_map_without_naming_them() -> None:
    with pytest.raises(DataError, match="lacks 2 categories of 'x'; no record has 'singel': check") as caught:
        recoded(nominal(["single", "married"]), map={"singel": "never"})
    assert "married" not in str(caught.value)


def test_refuses_an_unknown_category_and_names_the_nearest_of_the_schema() -> None:
    data = column(lambda frame: frame, ["single"], kind=Kind.NOMINAL, categories=("single", "married"))
    with pytest.raises(DataError, match="'x' has no category 'maried'; did you mean 'married'"):
        recoded(data, map={"single": "never", "maried": "once"})


def test_a_misspelt_category_is_refused_where_the_rest_would_stay_unmasked() -> None:
    with pytest.raises(DataError, match="'x' has no category 'singel'"):
        recoded(nominal(["single", "married"]), map={"singel": "never"}, keeps_others=True)


def test_a_category_that_no_record_has_is_fine_when_all_others_are_covered() -> None:
    assert recoded(nominal(["single"]), map=STATUS).frame["x"].to_list() == ["never"]


def test_refuses_a_new_category_that_stands_for_missing() -> None:
    with pytest.raises(DataError, match="a new category of 'x' is one of its missing codes"):
        recoded(nominal([1, 2], missing_codes=(-9,)), map={1: -9, 2: 2})


def test_refuses_text_and_numbers_side_by_side() -> None:
    with pytest.raises(
        ParameterError, match=r"Recoding\.map must have new categories that are all text or all numbers"
    ):
        Recoding(columns=("x",), map={1: "one", 2: 2})
    with pytest.raises(DataError, match="the new categories of 'x' must be all text or all numbers"):
        recoded(nominal([1, 2]), map={1: "one"}, keeps_others=True)


@pytest.mark.parametrize("given", [{"map": {}}, {"map": {"a": "b"}, "others": "c", "keeps_others": True}])
def test_refuses_an_empty_map_and_two_rules_for_the_rest(given: dict[str, Any]) -> None:
    with pytest.raises(
        ParameterError, match=r"Recoding(\.map must name|.needs at most one of others and keeps_others)"
    ):
        Recoding(columns=("x",), **given)


def test_true_and_false_can_be_recoded(as_backend: AsBackend) -> None:
    data = column(as_backend, [True, False, None], kind=Kind.NOMINAL)
    assert cells(recoded(data, map={True: "yes", False: "no"}))["x"] == ["yes", "no", None]


def test_categories_are_joined_as_a_plain_walk_over_the_map_joins_them() -> None:
    categories = tuple("abcdefgh")
    becomes: dict[Category, Category] = {
        letter: letter.upper() if letter in "aceg" else "rest" for letter in categories[:6]
    }
    places, new = merged_categories(categories, becomes)
    assert [new[place] if place >= 0 else None for place in places] == [becomes.get(letter) for letter in categories]
    assert new == ("A", "rest", "C", "E")


def test_the_schema_of_other_columns_is_not_touched() -> None:
    schema = Schema(variables=(Variable(name="x", kind="nominal"), Variable(name="y", kind="nominal", label="other")))
    data = Microdata(pl.DataFrame({"x": ["single"], "y": ["z"]}), schema)
    assert recoded(data, map=STATUS).schema["y"] == schema["y"]


def test_a_column_that_the_map_does_not_name_keeps_its_values_and_type_whatever_it_is() -> None:
    odd = [date(2000, 1, 1), None], [b"a", b"b"], [Decimal("1.5"), None], [timedelta(1), timedelta(2)]
    frame = pl.DataFrame({"region": ["north", "south"], **{f"x{place}": values for place, values in enumerate(odd)}})
    data = Microdata(frame, Schema.infer(frame).with_kinds(nominal=list(frame.columns)))
    masked = Recoding(columns=tuple(frame.columns), map={"north": "N"}, keeps_others=True).mask(
        data, np.random.default_rng(1)
    )
    assert masked.frame.equals(frame.with_columns(region=pl.Series(["N", "south"])))
