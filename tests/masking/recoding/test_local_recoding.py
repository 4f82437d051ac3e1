from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, KindError, ParameterError
from sfumato.masking import LocalRecoding
from sfumato.recipe import Recipe

PLACES = {"Italy": {"Tuscany": ["Pisa", "Lucca", "Siena"], "Lazio": ["Rome", "Rieti"]}}
HEALTH = ("bad", "fair", "good")
SCHEMA = Schema(
    variables=(
        Variable(name="age", kind=Kind.CONTINUOUS),
        Variable(name="health", kind=Kind.ORDINAL, categories=HEALTH),
        Variable(name="town", kind=Kind.NOMINAL),
        Variable(name="job", kind=Kind.NOMINAL),
        Variable(name="illness", kind=Kind.NOMINAL),
    )
)
KEYS = ("age", "health", "town", "job")
TYPES = {"age": pl.Int64, "health": pl.String, "town": pl.String, "job": pl.String, "illness": pl.String}


def people(rows: list[tuple[Any, ...]]) -> Microdata:
    return Microdata(pl.DataFrame(rows, schema=TYPES, orient="row"), SCHEMA)


def masked(data: Microdata, **parameters: Any) -> Microdata:
    return LocalRecoding(**({"columns": KEYS, "k": 3} | parameters)).mask(data, np.random.default_rng())


def ranked(ages: Sequence[int | None], **parameters: Any) -> list[Any]:
    """What is released of a single number."""
    data = Microdata(pl.DataFrame({"age": ages}), SCHEMA.subset(("age",)))
    return list(masked(data, columns=("age",), **parameters).frame["age"])


def contains(shown: Any, value: Any, name: str) -> bool:
    """Whether what is released may be said of a value; read off the text."""
    if name == "age":
        low, _, high = str(shown).partition(" to ")
        return value in range(int(low), int(high or low) + 1)
    if name == "health":
        low, _, high = shown.partition(" to ")
        return HEALTH.index(low) <= HEALTH.index(value) <= HEALTH.index(high or low)
    if name == "town":
        return value in {shown, *PLACES["Italy"].get(shown, ())} or shown == "Italy"
    return shown == "*" or value in shown.split(", ")


whole = st.tuples(
    st.integers(18, 40),
    st.sampled_from(HEALTH),
    st.sampled_from(["Pisa", "Lucca", "Siena", "Rome", "Rieti", "Tuscany"]),
    st.sampled_from(["clerk", "cook", "judge"]),
    st.sampled_from(["flu", "cold", "none", None]),
)
with_gaps = st.tuples(
    st.integers(18, 40) | st.none(),
    st.sampled_from([*HEALTH, None]),
    st.sampled_from(["Pisa", "Rome", "Rieti", None]),
    st.sampled_from(["clerk", "cook", None]),
    st.just("flu"),
)


def classes(data: Microdata) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = {}
    for row in data.frame.rows():
        found.setdefault(row[:4], []).append(row)
    return found


@given(
    rows=st.lists(whole, min_size=5, max_size=40),
    k=st.integers(2, 5),
    numbers=st.sampled_from(["mean", "median", "range"]),
)
def test_every_record_is_equal_to_enough_others(rows: list[Any], k: int, numbers: str) -> None:
    after = masked(people(rows), k=k, numbers=numbers, hierarchies={"town": PLACES})
    assert min(Counter(row[:4] for row in after.frame.rows()).values()) >= k


@given(rows=st.lists(with_gaps, min_size=5, max_size=40), k=st.integers(2, 4))
def test_gaps_stay_and_every_record_is_equal_to_enough_others(rows: list[Any], k: int) -> None:
    rows = [*rows, (20, "bad", "Pisa", "cook", "flu")]
    before = people(rows)
    after = masked(before, k=k, numbers="range", hierarchies={"town": PLACES})
    assert min(Counter(row[:4] for row in after.frame.rows()).values()) >= k
    for name in KEYS:
        for value, shown in zip(before.frame[name], after.frame[name], strict=True):
            assert shown is None if value is None else (shown is None or contains(shown, value, name))


@given(rows=st.lists(whole, min_size=5, max_size=40))
def test_what_is_released_is_true_of_every_record(rows: list[Any]) -> None:
    before = people(rows)
    after = masked(before, numbers="range", hierarchies={"town": PLACES})
    for name in KEYS:
        pairs = zip(before.frame[name], after.frame[name], strict=True)
        assert all(contains(shown, value, name) for value, shown in pairs)


@given(rows=st.lists(whole, min_size=6, max_size=40))
def test_every_class_has_enough_different_sensitive_values(rows: list[Any]) -> None:
    rows = [*rows, (18, "bad", "Pisa", "cook", "flu"), (18, "bad", "Pisa", "cook", "cold")]
    after = masked(people(rows), k=2, sensitive="illness", l=2)
    for held in classes(after).values():
        assert len({row[4] for row in held} - {None}) >= 2


@given(rows=st.lists(whole, min_size=5, max_size=30), data=st.data())
def test_the_order_of_the_records_changes_nothing(rows: list[Any], data: Any) -> None:
    order = data.draw(st.permutations(range(len(rows))))
    first = masked(people(rows), numbers="range").frame.rows()
    second = masked(people([rows[i] for i in order]), numbers="range").frame.rows()
    assert [first[i] for i in order] == second


def test_a_number_is_cut_at_its_median_until_groups_are_small() -> None:
    ages = [20, 21, 22, 23, 40, 41, 50, 90]
    assert ranked(ages, k=2, numbers="range") == [
        text for text in ("20 to 21", "22 to 23", "40 to 41", "50 to 90") for _ in range(2)
    ]
    assert ranked(ages, k=4, numbers="range") == ["20 to 23"] * 4 + ["40 to 90"] * 4
    assert ranked(ages, k=4) == [22] * 4 + [55] * 4  # 21.5 and 55.25, rounded in a column of whole numbers
    assert ranked(ages, k=5, numbers="median") == [32] * 8  # 31.5


def test_equal_values_stay_together_and_the_cut_moves_beside_the_median() -> None:
    assert ranked([1, 1, 5, 5, 5, 5, 5, 5], k=2) == [1, 1, *[5] * 6]
    assert ranked([1, 5, 5, 5, 5, 5, 5, 5], k=2, numbers="range") == ["1 to 5"] * 8


def test_each_box_is_cut_by_the_key_in_which_it_spreads_widest() -> None:
    frame = pl.DataFrame({"far": [0.0, 1.0, 0.0, 1.0, 9.0, 10.0, 9.0, 10.0], "near": [4.0, 4.0, 5.0, 5.0] * 2})
    data = Microdata(frame, Schema.infer(frame).with_kinds(continuous=["far", "near"]))
    after = LocalRecoding(columns=("far", "near"), k=2).mask(data, np.random.default_rng())
    assert after.frame["far"].to_list() == [0.5] * 4 + [9.5] * 4
    assert after.frame["near"].to_list() == [4, 4, 5, 5] * 2


def test_a_hierarchy_is_cut_between_its_branches() -> None:
    rows = [(30, "good", town, "cook", "flu") for town in ("Pisa", "Lucca", "Siena", "Rome", "Rieti", "Rome")]
    after = masked(people(rows), columns=("town",), hierarchies={"town": PLACES}, k=3)
    assert after.frame["town"].to_list() == ["Tuscany"] * 3 + ["Lazio"] * 3
    assert masked(people(rows), columns=("town",), k=6).frame["town"].unique().to_list() == ["*"]


def test_gaps_that_are_enough_are_released_by_themselves() -> None:
    assert ranked([None, None, 20, 21, 40, 41], k=2, numbers="range") == [
        None, None, "20 to 21", "20 to 21", "40 to 41", "40 to 41"
    ]  # fmt: skip


def test_a_lone_gap_makes_its_box_lose_the_key() -> None:
    assert ranked([None, 20, 40, 41], k=2, numbers="range") == [None, None, "40 to 41", "40 to 41"]


def test_a_key_that_no_box_recodes_stays_as_it_was() -> None:
    rows = [(30, health, "Pisa", "cook", "flu") for health in HEALTH for _ in range(3)]
    after = masked(people(rows))
    assert after.schema["health"] == SCHEMA["health"]
    assert after.frame["health"].to_list() == [row[1] for row in rows]


def test_whole_numbers_of_pandas_that_lose_a_value_become_nullable() -> None:
    frame = pd.DataFrame({"age": [1, 2, 3, 4], "size": pd.array([None, 5, 8, 9], dtype="Int64")})
    after = LocalRecoding(columns=("size",), k=2).mask(
        Microdata(frame, Schema.infer(frame).with_kinds(continuous=["size"])), np.random.default_rng()
    )
    assert after.frame["size"].isna().tolist() == [True, True, False, False]
    assert after.frame["size"].dtype == "Int64"


def test_codes_and_groups_that_mix_numbers_and_text_come_back_as_text() -> None:
    schema = Schema(variables=(Variable(name="code", kind=Kind.NOMINAL),))
    data = Microdata(pl.DataFrame({"code": [1, 1, 2, 3]}), schema)
    after = masked(data, columns=("code",), k=2, hierarchies={"code": {"low": [1], "high": [2, 3]}})
    assert after.frame["code"].to_list() == ["1", "1", "high", "high"]


def test_a_recipe_comes_back_as_it_was() -> None:
    step = LocalRecoding(columns=KEYS, hierarchies={"town": PLACES}, numbers="range")
    recipe = Recipe(steps=[step], seed=1)
    assert Recipe.from_yaml(recipe.to_yaml()) == recipe


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"k": 9}, DataError, "LocalRecoding.k must be at most 4, the number of records"),
        (
            {"sensitive": "illness"},
            ParameterError,
            "needs both sensitive and l, or neither; got only sens",
        ),
        ({"l": 2}, ParameterError, "needs both sensitive and l, or neither; got only l"),
        ({"sensitive": "illness", "l": 2}, DataError, "'illness' has 1 different value in the file"),
        ({"sensitive": "town", "l": 2}, DataError, "'town' is one of the keys"),
        ({"columns": ("job",), "sensitive": "age", "l": 2}, KindError, "'age' is continuous; expected a"),
        ({"hierarchies": {"age": PLACES}}, ParameterError, "'age' is continuous, and is cut by its numbers; leave it"),
        ({"hierarchies": {"town": {"Lazio": ["Rome"]}}}, DataError, "that of 'town' lacks 1 category"),
    ],
)
def test_what_cannot_be_done_is_said(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        masked(people([(age, "bad", "Pisa", "cook", "flu") for age in range(20, 24)]), **changes)
