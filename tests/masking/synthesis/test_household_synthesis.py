"""Households are drawn whole: sizes, composition and likeness of members as they were, and none that cannot be."""

from collections import Counter
from functools import cache

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking import HouseholdSynthesis
from sfumato.masking.synthesis._households.copied_households import copied_households
from sfumato.masking.synthesis._households.household_sizes import SizeClasses
from sfumato.masking.synthesis._sequential.weights import OriginalWeights
from tests.masking.synthesis.made_households import COLUMNS, households, impossible

CHILDREN_ARE_YOUNGER = "max(age[relation == 'child']) + 15 <= min(age[relation == 'head' or relation == 'spouse'])"


def synthetic(data: Microdata, *columns: str, seed: int = 1, **parameters: object) -> Microdata:
    return run_step(HouseholdSynthesis(columns=columns or COLUMNS, **parameters), data, seed=seed, step=0)


@cache
def original() -> Microdata:
    return households(2500)


@cache
def made() -> pl.DataFrame:
    frame: pl.DataFrame = synthetic(original(), relation="relation", conditions=(CHILDREN_ARE_YOUNGER,)).frame
    return frame


def couples(frame: pl.DataFrame, other: str) -> pl.DataFrame:
    """Return heads beside those of another relation in the same household."""
    first, second = (frame.filter(pl.col("relation") == relation) for relation in ("head", other))
    return first.join(second, on="home", suffix="_other")


def compositions(frame: pl.DataFrame) -> Counter[str]:
    return Counter(frame.group_by("home").agg(pl.col("relation").sort().str.join(" "))["relation"].to_list())


def distance(one: Counter[str], two: Counter[str]) -> float:
    """Return half the sum of the differences between the shares of two tables."""
    return sum(abs(one[key] / one.total() - two[key] / two.total()) for key in one | two) / 2


def test_no_household_is_impossible() -> None:
    assert impossible(original().frame) == 0
    assert impossible(made()) == 0
    assert impossible(synthetic(original()).frame) > 0  # what the rules are for


def test_members_share_what_belongs_to_the_household() -> None:
    differing = made().group_by("home").agg(pl.col("region", "rooms").n_unique()).select("region", "rooms").max()
    assert differing.row(0) == (1, 1)


def test_households_are_composed_as_in_another_sample_of_the_population() -> None:
    before = compositions(original().frame)
    assert distance(before, compositions(made())) < 1.5 * distance(before, compositions(households(2500, 2).frame))


def test_members_are_as_alike_as_they_were() -> None:
    for other, column, at_most in (("spouse", "age", 0.02), ("spouse", "income", 0.1), ("child", "age", 0.2)):
        found = [
            couples(frame, other).select(pl.corr(column, f"{column}_other", method="spearman")).item()
            for frame in (original().frame, made())
        ]
        assert found[1] == pytest.approx(found[0], abs=at_most)
        assert found[0] > 0.3
    assert couples(made(), "spouse").select((pl.col("sex") != pl.col("sex_other")).mean()).item() > 0.97


def test_household_columns_go_with_the_members() -> None:
    rooms = [
        frame.group_by("home").agg(pl.len(), pl.col("rooms").first()).select(pl.corr("len", "rooms")).item()
        for frame in (original().frame, made())
    ]
    assert rooms[1] == pytest.approx(rooms[0], abs=0.05)


def test_members_are_drawn_head_first_in_whatever_order_the_file_has_them() -> None:
    shuffled = original().take_rows(np.random.default_rng(3).permutation(original().n))
    frame = synthetic(shuffled, relation="relation", conditions=(CHILDREN_ARE_YOUNGER,)).frame
    assert impossible(frame) == 0
    assert couples(frame, "spouse").select(pl.corr("age", "age_other")).item() > 0.9


def test_what_one_large_household_has_in_common_does_not_come_out() -> None:
    frame = original().frame
    home = frame.group_by("home").len().filter(pl.col("len") >= 6)["home"].min()
    rare = frame.with_columns(
        sex=pl.when(pl.col("home") == home).then(pl.lit("x")).otherwise("sex"),
        income=pl.when(pl.col("home") == home).then(777_777.0).otherwise("income"),
        region=pl.when(pl.col("home") == home).then(pl.lit("nowhere")).otherwise("region"),
    )
    data = Microdata(rare, original().schema)
    frames = pl.concat([synthetic(data, relation="relation", seed=seed).frame for seed in range(3)])
    told = HouseholdSynthesis(columns=COLUMNS, relation="relation").remarks(data)
    assert any("1 category of region, of " in remark and " in 1 household, is too rare" in remark for remark in told)
    assert "x" not in frames["sex"].unique()
    assert "nowhere" not in frames["region"].unique()
    assert 777_777.0 not in frames["income"].to_list()


def test_sizes_of_few_households_are_pooled_and_told() -> None:
    frame = original().frame
    sizes = Counter(frame.group_by("home").len()["len"].to_list())
    assert any(count < 5 for count in sizes.values())
    assert made().height == pytest.approx(frame.height, rel=0.05)
    assert "too rare to be drawn as they are" in HouseholdSynthesis(columns=COLUMNS).remarks(original())[0]


@pytest.mark.parametrize("sizes", [[1] * 9 + [2] * 2 + [3] * 7 + [8, 9, 10], [4, 5], [1] * 3 + [2] * 6])
def test_classes_of_sizes_hold_enough_households_and_keep_the_mean_of_those_nearly_as_large(sizes: list[int]) -> None:
    found = SizeClasses.of(np.array(sizes), 5)
    counts = np.bincount(found.classes)
    assert counts.min() >= min(5, len(sizes))
    assert (np.diff(found.classes[np.argsort(sizes)]) >= 0).all()
    for number in range(counts.size):
        theirs = np.array(sizes)[found.classes == number]
        assert found.means[number] == pytest.approx(np.minimum(theirs, 2 * theirs.min()).mean())


def test_how_large_one_household_is_does_not_show() -> None:
    means = [SizeClasses.of(np.array([1] * 40 + [2] * 30 + [3] * 12 + [4] * 6 + [largest]), 5) for largest in (12, 90)]
    assert means[0].means.tolist() == means[1].means.tolist()


def test_drawn_sizes_have_the_mean_of_their_class() -> None:
    classes = SizeClasses.of(np.array([1] * 6 + [2] * 4 + [7]), 5)
    drawn = classes.draw(np.ones(4000, dtype=np.int64), np.random.default_rng(1))
    assert set(drawn.tolist()) <= {2, 3, 4, 5}
    assert drawn.mean() == pytest.approx(classes.means[1], abs=4 * 0.5 / np.sqrt(4000))


def test_copies_of_whole_households_are_found_as_by_brute_force() -> None:
    rng = np.random.default_rng(5)
    first, second = ({"a": rng.integers(0, 3, n).astype(float), "b": rng.integers(0, 2, n) + 0.0} for n in (60, 90))
    sizes, others = np.full(30, 2), np.tile([1, 2], 30)

    def homes(values: dict[str, np.ndarray], members: np.ndarray) -> list[tuple[tuple[float, ...], ...]]:
        rows = list(zip(*values.values(), strict=True))
        ends = np.cumsum(members)
        return [tuple(sorted(rows[end - size : end])) for end, size in zip(ends, members, strict=True)]

    before = homes(first, sizes)
    single = {home: place for place, home in enumerate(before) if before.count(home) == 1}
    found, count = copied_households(first, sizes, second, others)
    assert found.tolist() == [single.get(home, -1) for home in homes(second, others)]
    assert count == len(single) > 0


def test_no_more_unique_households_come_out_whole_than_another_sample_has() -> None:
    names = ("region", "relation", "sex", "age")

    def homes(data: Microdata) -> Counter[tuple[object, ...]]:
        frame = data.frame.with_columns(pl.col("age") // 10 * 10)
        by_home = frame.select("home", *names).sort("home", *names).partition_by("home")
        return Counter(tuple(home.select(names).rows()) for home in by_home)

    data = original()
    coarse = Microdata(data.frame.with_columns(pl.col("age") // 10 * 10), data.schema)
    unique = {home for home, count in homes(data).items() if count == 1}
    hits = [
        len(unique & homes(other).keys())
        for other in (synthetic(coarse, *names, relation="relation"), households(2500, 2))
    ]
    assert 0 < hits[0] <= hits[1] + 3 * np.sqrt(hits[1])


def test_any_number_of_households_and_releases_comes_out_with_numbers_and_ids_of_their_own() -> None:
    data = households(200)
    frame = data.frame.with_columns(pl.col("home").cast(pl.String), person=pl.int_range(pl.len()))
    schema = data.schema.with_more(Variable(name="person", kind=Kind.NOMINAL, role="identifier"))
    masked = synthetic(Microdata(frame, schema), size=40, releases=2)
    assert masked.frame.group_by("release").agg(pl.col("home").n_unique())["home"].to_list() == [40, 40]
    assert masked.frame["home"].n_unique() == 80  # no two releases share a number
    assert masked.frame["home"].dtype == pl.String
    assert "person" not in masked.frame.columns
    assert np.unique(masked.row_ids).size == masked.n
    assert not masked.is_numbered_as(data)


def test_records_without_a_household_number_live_alone() -> None:
    frame = households(100).frame.with_columns(home=pl.when(pl.col("relation") == "head").then("home"))
    sizes = synthetic(Microdata(frame, households(100).schema), size=60).frame.group_by("home").len()["len"]
    assert set(sizes.to_list()) == {1}


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("count(relation == 'pet') == 0", "number 1 compares .relation. with what is none of its categories"),
        ("max(wage) < 10", "number 1 reads 'wage', which is neither in columns nor in given"),
    ],
)
def test_refuses_conditions_that_cannot_be_read(rule: str, said: str) -> None:
    with pytest.raises(DataError, match=f"HouseholdSynthesis.conditions: {said}"):
        synthetic(households(60), conditions=(rule,))


@pytest.mark.parametrize("rule", ["max() < 3", "open('x') == 1", "mean(age) < 3", "count(age) < 3", "max(age[1]) < 3"])
def test_refuses_what_is_no_condition(rule: str) -> None:
    with pytest.raises(ParameterError, match=r"HouseholdSynthesis\.conditions"):
        HouseholdSynthesis(columns=("age",), conditions=(rule,))


def test_a_condition_that_no_household_can_meet_is_refused() -> None:
    with pytest.raises(DataError, match="50 of 50 households still do not meet a condition after 100 draws"):
        synthetic(households(60), "relation", "age", size=50, conditions=("count() > 40",))


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"columns": ("home", "age")}, "'home' tells the households"),
        ({"columns": ("age",), "relation": "relation"}, "'relation' must be in columns"),
        ({"columns": ("age", "sex"), "relation": "age"}, "'age' must be a categorical column"),
        ({"columns": ("age", "region"), "household_columns": ("age",)}, "members differ in 'age'"),
        ({"columns": ("age",), "household_columns": ("region",)}, "'region' is not among the columns"),
        ({"columns": ("age", "region"), "age": "region"}, "'region' must be in columns, and differ between members"),
        ({"columns": ("age", "sex"), "age": "sex"}, "'sex' must be a number or a date"),
        ({"columns": ("age", "relation"), "age": "age", "relation": "relation"}, "'relation' must come before 'age'"),
        ({"columns": ("age",), "age": "age", "models": {"age": "linear"}}, "leave one out"),
    ],
)
def test_refuses_columns_that_do_not_fit(parameters: dict[str, object], said: str) -> None:
    with pytest.raises(DataError, match=said):
        HouseholdSynthesis(**parameters).mask(households(60), np.random.default_rng(1))


def test_refuses_a_file_that_does_not_tell_households() -> None:
    data = Microdata(pl.DataFrame({"age": np.arange(50)}), Schema(variables=(Variable(name="age", kind="continuous"),)))
    with pytest.raises(DataError, match="no column has the role household"):
        synthetic(data, "age")


def test_how_far_the_income_of_one_household_lies_beyond_all_others_does_not_show() -> None:
    frame = households(300).frame
    largest = []
    for income in (1e6, 1e9):
        rich = frame.with_columns(income=pl.when(pl.int_range(pl.len()) == 0).then(income).otherwise(pl.col("income")))
        largest.append(synthetic(Microdata(rich, original().schema), relation="relation").frame["income"].max())
    assert largest[0] == largest[1] < 2 * frame["income"].max()


def test_relations_of_few_households_are_listed() -> None:
    some = households(300)
    homes = some.frame.filter(pl.col("relation") == "parent")["home"].n_unique()
    assert 5 <= homes < 30
    method = HouseholdSynthesis(columns=COLUMNS, relation="relation")
    assert any(f"may not fit those of the head: parent ({homes});" in remark for remark in method.remarks(some))
    assert not any("those of the head" in remark for remark in method.remarks(original()))


def test_weights_add_up_to_what_they_did_however_many_households_are_made() -> None:
    some = households(300)
    weight = (some.frame["home"] % 7 + 3).cast(pl.Float64) + 0.25
    variables = (*some.schema.variables, Variable(name="weight", kind=Kind.CONTINUOUS, role=Role.WEIGHT))
    weighted = Microdata(some.frame.with_columns(weight=weight), Schema(variables=variables))
    for size in (100, 1000):
        made = synthetic(weighted, *COLUMNS, "weight", size=size).frame
        assert made["weight"].sum() == pytest.approx(weight.sum(), rel=0.001)
        assert made["weight"].round(2).equals(made["weight"])
        assert made.group_by("home").agg(pl.col("weight").n_unique())["weight"].max() == 1
    method, first = HouseholdSynthesis(columns=(*COLUMNS, "weight"), size=40), pl.col("home") == 1
    assert not any("weight" in remark for remark in method.remarks(weighted))
    totals = []
    for largest in (2_000.0, 90_000.0):  # all members of a household have it
        some = Microdata(
            weighted.frame.with_columns(weight=pl.when(first).then(largest).otherwise("weight")), weighted.schema
        )
        assert "fewer than 5 weights of weight lie far beyond all others" in method.remarks(some)[-1]
        totals.append(OriginalWeights(some, some.frame["home"].to_numpy(), 5).total("weight"))
    assert totals == pytest.approx([totals[0]] * 2)
    assert totals[0] == pytest.approx(weight.sum(), rel=0.05)
