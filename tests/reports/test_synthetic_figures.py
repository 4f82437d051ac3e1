"""Pictures of an original and a synthetic file."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from matplotlib.patches import Rectangle

from sfumato.data import Microdata, Schema
from sfumato.reports.column_classes import MIN_RECORDS
from sfumato.reports.column_groups import group_column
from sfumato.reports.column_shares import column_shares
from sfumato.reports.synthetic_figures import plot_columns, plot_pairs, plot_shares

RNG = np.random.default_rng(2)


def people(n: int) -> Microdata:
    income = np.round(RNG.lognormal(10, 1, n), 2)
    income[: n // 20] = np.nan
    job = RNG.choice(np.array(["clerk", "baker", "nurse", None]), n, p=[0.6, 0.2, 0.15, 0.05])
    job[0] = "astronaut"
    return Microdata(pl.DataFrame({"income": income, "job": job, "age": RNG.integers(18, 90, n)}, nan_to_null=True))


ORIGINAL, SYNTHETIC = people(400), people(300)


@pytest.mark.parametrize("name", ["income", "job", "age"])
def test_shares_of_both_files_add_up_to_all_records(name: str) -> None:
    shares = column_shares(ORIGINAL, SYNTHETIC, name)
    assert shares.original.sum() == pytest.approx(100)
    assert shares.synthetic.sum() == pytest.approx(100)


@pytest.mark.parametrize("name", ["income", "age", "job"])
def test_no_bar_stands_for_few_people(name: str) -> None:
    shares = column_shares(ORIGINAL, SYNTHETIC, name)
    assert shares.original.min() >= 100 * MIN_RECORDS / ORIGINAL.n


def test_a_category_of_one_person_is_neither_named_nor_alone_in_a_bar() -> None:
    shares = column_shares(ORIGINAL, SYNTHETIC, "job")
    assert shares.labels == ("baker", "clerk", "nurse", "missing")  # nurses are many, and keep their name


def test_a_small_category_joins_those_of_few_and_a_large_one_never_does() -> None:
    town = ["Ash"] * 200 + ["Bow"] * 180 + ["Cod"] * 12 + ["Dow"] * 3
    file = Microdata(pl.DataFrame({"town": town}))
    assert column_shares(file, file, "town").labels == ("Ash", "Bow", "other (2 categories)")
    two = Microdata(pl.DataFrame({"town": [*town[:380], None]}))
    shares = column_shares(two, two, "town")
    assert shares.labels == ("Ash", "Bow")
    assert shares.original == pytest.approx([100 * 200 / 380, 100 * 180 / 380])  # the gap cannot be counted by them


def test_many_new_gaps_have_a_bar_though_the_original_has_too_few_for_one() -> None:
    before = Microdata(pl.DataFrame({"town": ["Ash"] * 100 + ["Bow"] * 99 + [None]}))
    after = Microdata(pl.DataFrame({"town": ["Ash"] * 80 + ["Bow"] * 80 + [None] * 40}))
    shares = column_shares(before, after, "town")
    assert shares.labels == ("Ash", "Bow", "missing")
    assert np.isnan(shares.original[2])
    assert shares.synthetic[2] == pytest.approx(20)


def test_few_whole_numbers_have_a_bar_each_and_codes_for_no_answer_a_share_each() -> None:
    counts = [0] * 60 + [1] * 20 + [3] * 20 + [-9] * 150 + [-8] * 30 + [None] * 2
    schema = Schema.from_yaml("variables: {children: {kind: continuous, missing_codes: [-9, -8]}}")
    file = Microdata(pl.DataFrame({"children": counts}), schema)
    shares = column_shares(file, file, "children")
    assert shares.edges.tolist() == [-0.5, 0.5, 1.5, 3.5]
    assert shares.labels == ("-8", "-9")  # two blanks are too few to be told
    assert shares.original == pytest.approx([100 * count / 282 for count in (60, 20, 20, 30, 150)])
    bars = [bar for bar in plot_columns(file, file, ("children",))[0].axes[0].patches if isinstance(bar, Rectangle)]
    assert [bar.get_height() for bar in bars] == pytest.approx(
        [100 * count / 282 for count in (60, 20, 10)]
    )  # the last one is twice as wide


def test_a_number_that_many_have_is_told_in_words_and_leaves_the_bars_their_height() -> None:
    pay = np.concatenate([np.zeros(300), RNG.lognormal(7, 0.4, 200)])
    file = Microdata(pl.DataFrame({"pay": pay}))
    shares = column_shares(file, file, "pay")
    assert shares.labels == ("0",)
    assert shares.original[-1] == pytest.approx(60)
    axes = plot_columns(file, file, ("pay",))[0].axes[0]
    assert [text.get_text() for text in axes.texts] == ["0: 60.0 %, synthetic 60.0"]
    assert axes.get_ylim()[1] < 15


def test_the_largest_value_is_no_edge_of_a_bar() -> None:
    shares = column_shares(ORIGINAL, SYNTHETIC, "income")
    assert shares.edges[-1] < np.sort(ORIGINAL.frame["income"].drop_nulls())[-3]


def test_each_column_and_each_pair_has_its_place() -> None:
    names = ("income", "job", "age")
    figures = plot_columns(ORIGINAL, SYNTHETIC, names)
    assert [figure.axes[0].get_title(loc="left") for figure in figures] == list(names)
    assert len(plot_pairs(ORIGINAL, SYNTHETIC, names).axes[0].texts) == 6


def test_dates_stand_below_their_bars_as_dates() -> None:
    days = pl.Series([date(1990, 1, 1) + timedelta(days=int(day)) for day in RNG.integers(0, 9000, 200)])
    files = [Microdata(pl.DataFrame({"born": part})) for part in (days[:120], days[80:])]
    figure = plot_columns(files[0], files[1], ("born",))[0]
    figure.to_svg()
    texts = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert all(date(1980, 1, 1) < date.fromisoformat(text) < date(2025, 1, 1) for text in texts)


def grouped(n: int) -> Microdata:
    sex = RNG.choice(np.array(["f", "m", "x"]), n, p=[0.6, 0.35, 0.05])
    pay = np.where(sex == "x", 0.0, np.where(RNG.random(n) < 0.3, 0.0, RNG.lognormal(7 + (sex == "m"), 0.4, n)))
    job = RNG.choice(np.array(["clerk", "baker", "nurse"]), n, p=[0.6, 0.37, 0.03])
    return Microdata(pl.DataFrame({"sex": sex, "pay": pay, "job": job}))


@pytest.mark.parametrize("name", ["pay", "job"])
def test_pictures_of_groups_have_the_same_axes_and_no_bar_of_few_people(name: str) -> None:
    original, synthetic = grouped(600), grouped(500)
    groups = group_column(original, synthetic, name, ("sex",)).groups
    axes = [figure.axes[0] for figure in plot_shares(groups, same_axes=True)]
    assert len(axes) == 3
    assert len({one.get_ylim() for one in axes}) == 1
    if name == "job":
        assert {group.labels for group in groups} == {("baker", "clerk", "nurse", "other")}
    else:
        assert len({(group.edges[0], group.edges[-1]) for group in groups}) == 1
    for group in groups:
        count = original.frame.filter(sex=group.name).height
        held = group.original[group.original > 0]
        assert held.sum() == pytest.approx(100)
        assert held.min() * count / 100 >= MIN_RECORDS - 1e-9
        assert np.nansum(group.synthetic) == pytest.approx(100)


def test_a_group_in_which_nearly_all_have_one_number_shows_no_bar_of_the_few_others() -> None:
    file = grouped(600)
    few = np.where((file.frame["sex"] == "x").to_numpy() & (np.arange(600) < 150), 900.0, file.frame["pay"].to_numpy())
    file = Microdata(file.frame.with_columns(pay=pl.Series(few)))
    assert 0 < file.frame.filter(pl.col("sex") == "x", pl.col("pay") > 0).height < MIN_RECORDS
    group = next(group for group in group_column(file, file, "pay", ("sex",)).groups if group.name == "x")
    assert group.labels == ("0 and few others",)
    assert group.original.tolist() == [0, 100]


def test_the_ends_of_a_small_group_are_no_heaps_of_what_lies_beyond() -> None:
    numbers = np.arange(400.0)
    frame = pl.DataFrame({"size": numbers, "town": ["small" if 100 <= x < 125 else "large" for x in numbers]})
    group = group_column(Microdata(frame), Microdata(frame), "size", ("town",)).groups[-1]
    shares, widths = group.original, np.diff(group.edges)
    around = (group.edges[:-1] <= 112) & (group.edges[1:] > 112)
    assert group.name == "small"
    assert (shares / widths).max() == (shares / widths)[around][0]
