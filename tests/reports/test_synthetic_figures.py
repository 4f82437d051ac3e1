"""Pictures of an original and a synthetic file."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from matplotlib.patches import Rectangle

from sfumato.data import Microdata, Schema
from sfumato.reports.column_shares import MIN_RECORDS, column_shares
from sfumato.reports.synthetic_figures import plot_columns, plot_pairs

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
    assert shares.labels == ("baker", "clerk", "other (2 categories)", "missing")


def test_few_whole_numbers_have_a_bar_each_and_codes_for_no_answer_a_share_each() -> None:
    counts = [0] * 60 + [1] * 20 + [3] * 20 + [-9] * 150 + [-8] * 30 + [None] * 2
    schema = Schema.from_yaml("variables: {children: {kind: continuous, missing_codes: [-9, -8]}}")
    file = Microdata(pl.DataFrame({"children": counts}), schema)
    shares = column_shares(file, file, "children")
    assert shares.edges.tolist() == [-0.5, 0.5, 1.5, 3.5]
    assert shares.labels == ("-8", "-9")  # two blanks are too few to be told
    assert shares.original == pytest.approx([100 * count / 282 for count in (60, 20, 20, 30, 150)])
    bars = [bar for bar in plot_columns(file, file, ("children",)).axes[0].patches if isinstance(bar, Rectangle)]
    assert [bar.get_height() for bar in bars] == pytest.approx(
        [100 * count / 282 for count in (60, 20, 10)]
    )  # the last one is twice as wide


def test_the_largest_value_is_no_edge_of_a_bar() -> None:
    shares = column_shares(ORIGINAL, SYNTHETIC, "income")
    assert shares.edges[-1] < np.sort(ORIGINAL.frame["income"].drop_nulls())[-3]


def test_each_column_and_each_pair_has_its_place() -> None:
    names = ("income", "job", "age")
    figure = plot_columns(ORIGINAL, SYNTHETIC, names)
    assert [axes.get_title(loc="left") for axes in figure.axes] == list(names)
    assert len(plot_pairs(ORIGINAL, SYNTHETIC, names).axes[0].texts) == 6


def test_dates_stand_below_their_bars_as_dates() -> None:
    days = pl.Series([date(1990, 1, 1) + timedelta(days=int(day)) for day in RNG.integers(0, 9000, 200)])
    files = [Microdata(pl.DataFrame({"born": part})) for part in (days[:120], days[80:])]
    figure = plot_columns(files[0], files[1], ("born",))
    figure.to_svg()
    texts = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert all(date(1980, 1, 1) < date.fromisoformat(text) < date(2025, 1, 1) for text in texts)
