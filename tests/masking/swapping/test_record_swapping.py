from collections import Counter, defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import DataError, KindError
from sfumato.execution import run_step
from sfumato.keys.households import group_households
from sfumato.masking import RecordSwapping

SCHEMA = Schema(
    variables=(
        Variable(name="household", kind="nominal", role="household"),
        Variable(name="country", kind="nominal"),
        Variable(name="region", kind="nominal"),
        Variable(name="town", kind="nominal"),
        Variable(name="sex", kind="nominal", role="key"),
        Variable(name="age", kind="ordinal", role="key"),
        Variable(name="income", kind="continuous"),
    )
)
AREA = ("region", "town")
METHOD = RecordSwapping(columns=AREA, percent=30, similar_on=("sex",))


def people(households: int = 1500, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    household = rng.permutation(np.repeat(np.arange(households), rng.integers(1, 6, households)))
    town = rng.integers(0, 12, households)[household]
    n = household.size
    frame = pl.DataFrame(
        {
            "household": household,
            "country": np.array(["x", "y"])[town % 2],
            "region": np.array(["n", "s", "w"])[town // 4],
            "town": [f"t{number}" for number in town],
            "sex": np.array(["f", "m"])[rng.integers(0, 2, n)],
            "age": np.minimum(rng.geometric(0.3, n), 9),
            "income": rng.normal(size=n),
        }
    )
    return Microdata(frame, SCHEMA)


DATA = people()


def masked(method: RecordSwapping = METHOD, data: Microdata = DATA) -> pl.DataFrame:
    frame = run_step(method, data, seed=3, step=0).frame
    assert isinstance(frame, pl.DataFrame)
    return frame


def composition(frame: pl.DataFrame, columns: tuple[str, ...]) -> dict[int, tuple[Any, ...]]:
    """For each household its members' areas and values in some columns, sorted."""
    members: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for number, *row in frame.select("household", *AREA, *columns).iter_rows():
        members[number].append(tuple(row))
    return {number: tuple(sorted(rows)) for number, rows in members.items()}


def moved(before: pl.DataFrame, after: pl.DataFrame) -> set[int]:
    return set(before.filter((before["region"] != after["region"]) | (before["town"] != after["town"]))["household"])


def test_areas_by_household_size_and_similar_columns_stay_as_they_were() -> None:
    before, after = composition(DATA.frame, ("sex",)), composition(masked(), ("sex",))
    assert Counter(before.values()) == Counter(after.values())


def test_households_stay_together_and_combinations_of_areas_exist() -> None:
    after = masked()
    assert after.group_by("household").agg(pl.struct(AREA).n_unique())["region"].max() == 1
    assert set(after.select(AREA).rows()) == set(DATA.frame.select(AREA).rows())


def test_the_share_of_households_is_swapped() -> None:
    assert len(moved(DATA.frame, masked())) == 450


def test_rare_households_are_swapped_first() -> None:
    counts = DATA.frame.with_columns(count=pl.len().over("region", "town", "sex", "age"))
    rarity = dict(counts.group_by("household").agg(pl.col("count").min()).iter_rows())
    method = RecordSwapping(columns=AREA, percent=10)
    swapped = moved(DATA.frame, masked(method))
    rarest = sorted(rarity.values())[: len(swapped) // 2]  # at most half the swapped are partners chosen at random
    assert sum(rarity[number] <= rarest[-1] for number in swapped) >= len(swapped) // 2
    at_random = moved(DATA.frame, masked(method.replace(key_columns=())))
    assert np.mean([rarity[n] for n in swapped]) < 0.6 * np.mean([rarity[n] for n in at_random])


def test_without_a_household_column_each_record_is_one() -> None:
    after = masked(METHOD.replace(household=()), Microdata(DATA.frame, SCHEMA))
    assert Counter(after.select(*AREA, "sex").rows()) == Counter(DATA.frame.select(*AREA, "sex").rows())
    changed = (after["town"] != DATA.frame["town"]).sum()
    assert abs(changed - DATA.n * 0.3) <= 2  # pairs are rounded at random


def test_a_household_without_a_similar_one_elsewhere_stays() -> None:
    frame = DATA.frame.with_columns(
        sex=pl.when(pl.col("household") == 7).then(pl.lit("only here")).otherwise(pl.col("sex"))
    )
    after = masked(METHOD.replace(percent=100), Microdata(frame, SCHEMA))
    assert 7 not in moved(frame, after)


def test_all_are_swapped_that_can_be_where_the_share_is_everything() -> None:
    frame = pl.DataFrame({"area": ["a"] * 30 + ["b"] * 50, "x": ["1"] * 80})
    after = masked(RecordSwapping(columns=("area",), percent=100), Microdata(frame))
    assert (after["area"] != frame["area"]).sum() == 60


def test_swaps_only_inside_strata() -> None:
    after = masked(METHOD.replace(within=("country",), columns=("town",)))
    towns = {(country, town) for country, town in DATA.frame.select("country", "town").rows()}
    assert set(after.select("country", "town").rows()) == towns
    assert (after["town"] != DATA.frame["town"]).any()


def test_a_household_that_lacks_its_area_is_not_swapped() -> None:
    frame = DATA.frame.with_columns(town=pl.when(pl.col("household") % 3 > 0).then(pl.col("town")))
    after = masked(METHOD, Microdata(frame, SCHEMA))
    assert after["town"].is_null().equals(frame["town"].is_null())
    unknown = frame["town"].is_null()
    assert after.filter(unknown)["region"].equals(frame.filter(unknown)["region"])


def test_records_without_a_household_are_swapped_one_by_one() -> None:
    lost = DATA.frame.with_columns(household=pl.when(pl.col("household") > 0).then(pl.col("household")))
    frame = lost.with_columns(town=pl.when(pl.col("household").is_null()).then(pl.lit("t1")).otherwise(pl.col("town")))
    assert masked(METHOD, Microdata(frame, SCHEMA)).height == frame.height


def test_in_small_strata_as_many_are_swapped_as_asked_for_on_average() -> None:
    n = 3000
    frame = pl.DataFrame({"mun": [f"m{i % 5}" for i in range(n)], "reg": [f"r{i // 30}" for i in range(n)]})
    schema = Schema(variables=(Variable(name="mun", kind="nominal"), Variable(name="reg", kind="nominal")))
    method = RecordSwapping(columns=("mun",), percent=5, within=("reg",), key_columns=(), household=())
    after = run_step(method, Microdata(frame, schema), seed=1, step=0).frame
    changed = (after["mun"] != frame["mun"]).mean()
    assert 0.03 < changed < 0.07  # 100 strata of 0.75 pairs each: a standard error of 0.003


def test_refuses_to_keep_what_is_to_be_swapped() -> None:
    with pytest.raises(DataError, match="similar_on must not name what is swapped"):
        masked(METHOD.replace(similar_on=("region",)))


def test_refuses_households_that_live_in_two_areas() -> None:
    frame = DATA.frame.with_columns(town=pl.Series([f"t{i % 5}" for i in range(DATA.n)]))
    with pytest.raises(
        DataError, match=r"RecordSwapping.columns: the members of [\d,]+ households differ in region, town"
    ):
        masked(METHOD, Microdata(frame, SCHEMA))


def test_refuses_strata_that_cut_households() -> None:
    with pytest.raises(DataError, match=r"RecordSwapping.within: the members of [\d,]+ households differ in sex"):
        masked(METHOD.replace(within=("sex",), similar_on=()))


def test_refuses_a_continuous_area() -> None:
    with pytest.raises(KindError, match=r"RecordSwapping.columns: 'income' is continuous"):
        masked(METHOD.replace(columns=("income",)))


@given(sizes=st.lists(st.integers(1, 4), min_size=1, max_size=20), seed=st.integers(0, 99))
def test_compositions_are_equal_where_the_members_are(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    number = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    values = rng.integers(0, 3, number.size)
    found = group_households(number).compositions(values)
    plain = [tuple(sorted(values[number == household])) for household in range(len(sizes))]
    assert all((found[i] == found[j]) == (plain[i] == plain[j]) for i in range(len(sizes)) for j in range(len(sizes)))
