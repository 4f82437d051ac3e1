"""Record microaggregation: whole records are equal in groups, gaps and codes for missing included."""

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.masking import RecordMicroaggregation
from sfumato.masking.microaggregation import record_microaggregation
from sfumato.masking.microaggregation.record_microaggregation import group_records

RNG = np.random.default_rng(0)
SCHEMA = Schema(
    variables=(
        Variable(name="job", kind=Kind.NOMINAL, missing_codes=("?",)),
        Variable(name="health", kind=Kind.ORDINAL, categories=("bad", "fair", "good")),
        Variable(name="income", kind=Kind.CONTINUOUS, missing_codes=(-9, -8)),
        Variable(name="born", kind=Kind.DATE),
    )
)


def people(n: int, seed: int) -> Microdata:
    """Return records with every kind of column and of gap."""
    rng = np.random.default_rng(seed)
    days = rng.integers(0, 4_000, n).tolist()
    frame = pl.DataFrame(
        {
            "job": rng.choice(np.array(["baker", "clown", "nurse", "?", None], dtype=object), n).tolist(),
            "health": rng.choice(np.array(["bad", "fair", "good", None], dtype=object), n).tolist(),
            "income": [
                [None, -9, -8, int(x)][min(int(kind) - 1, 3)] for kind, x in rng.integers(1, 10, (n, 2)) * [1, 100]
            ],
            "born": [None if day % 5 == 0 else date(1970, 1, 1) + timedelta(days=day) for day in days],
        },
        schema_overrides={"income": pl.Int64},
    )
    return Microdata(frame, SCHEMA)


def rows(data: Microdata) -> list[tuple[Any, ...]]:
    return list(data.frame.rows())


@settings(max_examples=30)
@given(n=st.integers(3, 60), k=st.integers(3, 6), seed=st.integers(0, 1_000))
def test_every_record_is_equal_to_k_minus_one_others_in_all_columns(n: int, k: int, seed: int) -> None:
    data = people(n, seed)
    assume(n >= k and all(data.observed(name).any() for name in data.schema.names))
    masked = RecordMicroaggregation(columns=data.schema.names, k=k).mask(data, RNG)
    assert min(Counter(rows(masked)).values()) >= k


@settings(max_examples=20)
@given(seed=st.integers(0, 1_000))
def test_each_group_takes_what_is_typical_of_it(seed: int) -> None:
    data = people(40, seed)
    method = RecordMicroaggregation(columns=data.schema.names, k=4, p=1e-9)  # which three amounts always meet
    masked = method.mask(data, RNG)
    groups = group_records(data, data.schema.names, 4)
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        assert 4 <= members.size <= 7
        for name in data.schema.names:
            assert masked.frame[name][int(members[0])] in typical_by_hand(data, name, members)


def typical_by_hand(data: Microdata, name: str, members: np.ndarray[Any, Any]) -> list[Any]:
    """Return what a group may take, by plain counting: one value, or equally frequent kinds of gaps."""
    cells = data.frame[name].gather(members).to_list()
    has = data.observed(name)[members]
    if name == "born":
        start, shared = period_by_hand(data.frame["born"].to_list(), 4)
        has = np.array([cell is not None and start(cell) in shared for cell in cells])
    elif name != "income":
        of_all = Counter(data.frame[name].to_list())
        has = has & np.array([of_all[cell] >= 4 for cell in cells])
    values, gaps = [cell for cell, one in zip(cells, has, strict=True) if one], Counter[Any]()
    for cell, one in zip(cells, data.observed(name)[members], strict=True):
        gaps[cell] += not one
    gaps[None] += not gaps.total()
    if len(cells) - len(values) > len(values) or (name == "income" and len(values) < 3):
        return [cell for cell, count in gaps.items() if count == max(gaps.values())]
    if name == "job":
        counts = Counter(values)
        return [min(one for one, count in counts.items() if count == max(counts.values()))]
    if name == "income":
        return [round(sum(values) / len(values))]
    middle = sorted(values)[(len(values) - 1) // 2]
    return [start(middle) if name == "born" else middle]


def period_by_hand(days: list[date | None], k: int) -> tuple[Callable[[date], date], set[date]]:
    """Return the first day of the shortest period that nearly all dates share with others, and the shared ones."""
    known = [day for day in days if day is not None]
    starts: list[Callable[[date], date]] = [
        lambda day: day,
        lambda day: day.replace(day=1),
        lambda day: date(day.year, (day.month - 1) // 3 * 3 + 1, 1),
        lambda day: date(day.year, 1, 1),
        lambda day: date(day.year // 10 * 10, 1, 1),
    ]
    for start in starts:
        counts = Counter(map(start, known))
        shared = {one for one, count in counts.items() if count >= k}
        if sum(counts[one] for one in shared) >= 0.95 * len(known):
            break
    return start, shared


@pytest.mark.parametrize(("span", "months"), [(20, 1), (400, 3), (1_500, 12), (25_000, 120)])
def test_no_date_is_shown_that_fewer_than_k_records_share(span: int, months: int) -> None:
    rng = np.random.default_rng(4)
    born = [date(1930, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, span, 60)]
    data = Microdata(pl.DataFrame({"sex": rng.choice([*"fm"], 60), "born": born}))
    method = RecordMicroaggregation(columns=("sex", "born"), k=4)
    masked = method.mask(data, RNG)
    start, shared = period_by_hand(list(born), 4)
    shown = [one for one in masked.frame["born"] if one is not None]
    assert shown
    assert set(shown) <= shared
    assert method.date_periods(data) == {"born": months}
    assert sum(start(one) == one for one in shown) == len(shown)


@pytest.mark.parametrize("largest", [4, 7, 40])
def test_files_of_several_parts_have_groups_of_k_too(largest: int) -> None:
    data = people(200, seed=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(record_microaggregation, "LARGEST_PART", largest)
        masked = RecordMicroaggregation(columns=data.schema.names, k=4).mask(data, RNG)
        groups = group_records(data, data.schema.names, 4)
    assert min(Counter(rows(masked)).values()) >= 4
    assert np.array_equal(np.unique(groups), np.arange(groups.max() + 1))


def test_the_mean_of_a_group_does_not_tell_an_amount_far_above_the_others() -> None:
    frame = pl.DataFrame({"income": [9e6, 40.0, 30.0, 20.0], "job": ["a"] * 4})
    masked = RecordMicroaggregation(columns=("income", "job"), k=4).mask(Microdata(frame), RNG)
    assert masked.frame["income"].to_list() == [32.5] * 4


def test_of_a_household_its_members_together_count_once() -> None:
    frame = pl.DataFrame({"rent": [900, 900, 900, 0, 0], "home": [1, 1, 1, 2, 3]})
    people = Microdata(frame, Schema.infer(frame).with_roles(household=["home"]).with_kinds(continuous=["rent"]))
    method = RecordMicroaggregation(columns=("rent",), household=("home",))
    masked = method.mask(people, RNG)
    assert masked.frame["rent"].to_list() == [None] * 5
    assert masked.frame["home"].to_list() == frame["home"].to_list()


def test_each_group_holds_k_households_and_those_that_did_stay_together() -> None:
    rng = np.random.default_rng(6)
    home = np.repeat(np.arange(120), rng.integers(1, 6, 120))
    town = rng.choice([*"ABCDE"], 120)[home]
    frame = pl.DataFrame({"home": home, "town": town, "age": rng.integers(0, 90, home.size)})
    people = Microdata(frame, Schema.infer(frame).with_kinds(continuous=["age"]))
    apart = group_records(people, ("town", "age"), 4)
    joined = group_records(people, ("town", "age"), 4, home)
    groups = frame.with_columns(apart=apart, joined=joined)
    assert min(groups.group_by("joined").agg(pl.col("home").n_unique())["home"].to_list()) >= 4
    assert groups.group_by("apart").agg(pl.col("joined").n_unique())["joined"].to_list() == [1] * (apart.max() + 1)
    before = groups.group_by("apart").agg(pl.col("home").n_unique(), pl.col("joined").first())
    assert min(before["home"].to_list()) < 4
    sizes = before.group_by("joined").agg(pl.len(), pl.col("home").min())
    assert set(sizes.filter(pl.col("len") > 1)["home"].to_list()) <= {1, 2, 3}  # one of those joined was too few


def test_refuses_fewer_households_than_a_group() -> None:
    frame = pl.DataFrame({"rent": [900.0, 900, 900, 950], "home": [1, 1, 1, 2]})
    people = Microdata(frame, Schema.infer(frame).with_roles(household=["home"]))
    with pytest.raises(DataError, match=r"at most the number of households.*got 3 for 2"):
        RecordMicroaggregation(columns=("rent",), household=("home",)).mask(people, RNG)


def texts(values: list[str], homes: list[int] | None = None, k: int = 3) -> list[str | None]:
    """Return what a group of one branch, of all records, shows of some texts."""
    frame = pl.DataFrame({"text": values, "home": homes or list(range(len(values)))})
    people = Microdata(frame, Schema.infer(frame).with_kinds(nominal=["text"]).with_roles(household=["home"]))
    method = RecordMicroaggregation(columns=("text",), k=k, household=("home",) if homes else ())
    shown: list[str | None] = method.mask(people, RNG).frame["text"].to_list()
    return shown


def test_a_text_that_fewer_than_k_records_have_is_never_shown() -> None:
    assert texts(["mine", "yours", "hers", "theirs"]) == [None] * 4
    assert texts(["mine", "mine", "hers", "theirs"]) == [None] * 4
    assert texts(["same", "same", "same", "theirs"]) == ["same"] * 4
    assert texts(["same", "same", "same", "theirs"], homes=[1, 1, 2, 3]) == [None] * 4
    assert texts(["same", "same", "same", "theirs"], homes=[1, 2, 3, 3]) == ["same"] * 4


def test_columns_of_which_nothing_can_be_shown_are_named_before() -> None:
    frame = pl.DataFrame({"text": ["a", "b", "c", "d"], "job": ["x"] * 4})
    method = RecordMicroaggregation(columns=("text", "job"))
    people = Microdata(frame, Schema.infer(frame).with_kinds(nominal=["text", "job"]))
    assert method.hidden_columns(people) == ("text",)
    assert "text: no text or code is that of 3 records" in method.remarks(people)[0]


def test_groups_keep_to_their_stratum_while_sums_are_found_in_the_file() -> None:
    wage, capital = [30_000.0 + 10 * row for row in range(40)], [60_564.0 if row == 7 else 0.0 for row in range(40)]
    capital[20:23] = [500.0, 700.0, 900.0]
    wage[21] = wage[22] = 0.0
    frame = pl.DataFrame({"area": [row // 4 for row in range(40)], "wage": wage, "capital": capital}).with_columns(
        total=pl.col("wage") + pl.col("capital")
    )
    people = Microdata(frame, Schema.infer(frame).with_kinds(continuous=["wage", "capital", "total"], nominal=["area"]))
    masked = RecordMicroaggregation(columns=("wage", "capital", "total"), k=4, within=("area",)).mask(people, RNG).frame
    assert masked["capital"][7] == 0
    assert masked["total"][7] == pytest.approx(masked["wage"][7])
    assert masked["wage"].n_unique() == 10


def test_a_date_that_is_text_takes_the_lower_median_of_its_group() -> None:
    admitted = Variable(name="admitted", kind=Kind.DATE, date_format="dd/mm/yyyy")
    frame = pl.DataFrame({"admitted": ["05/01/2020", "03/02/2020", "01/03/2020", "01/03/2020", None]})
    masked = RecordMicroaggregation(columns=("admitted",), k=4).mask(
        Microdata(frame, Schema(variables=(admitted,))), RNG
    )
    assert masked.frame["admitted"].to_list() == ["01/01/2020"] * 5  # of the quarter that four of them share


def test_refuses_fewer_records_than_a_group_and_groups_of_two() -> None:
    with pytest.raises(DataError, match=r"at most the number of records.*got 3 for 2"):
        RecordMicroaggregation(columns=("income",)).mask(Microdata(pl.DataFrame({"income": [1.0, 2.0]})), RNG)
    with pytest.raises(ParameterError, match=r"k must be in \[3, inf\); got 2"):
        RecordMicroaggregation(columns=("income",), k=2)
