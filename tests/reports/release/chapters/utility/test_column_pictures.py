"""Small pictures show where the released values are, and of no few records what they have."""

import numpy as np
import polars as pl

from sfumato.data import Microdata
from sfumato.reports.release.chapters.utility.column_pictures import column_pictures


def files(common: float) -> tuple[Microdata, Microdata]:
    """Return a file in which few have an amount, all large, and a release in which many have one number."""
    rng = np.random.default_rng(2)
    before = np.zeros(1000)
    before[:90] = rng.uniform(4_000, 60_000, 90)
    after = before.copy()
    after[:30], after[200:600] = rng.uniform(500, 3_000, 30), common
    original, released = (Microdata(pl.DataFrame({"pay": one})) for one in (before, after))
    return original, released


def test_a_number_that_many_released_records_have_is_in_no_bar_of_others() -> None:
    original, released = files(35.5)
    (picture,) = column_pictures(original, released)
    sides = picture["before"], picture["after"]
    labels, bins = sides[0]["labels"], len(sides[0]["edges"]) - 1
    place = bins + labels.index("35.5")
    assert labels == ["0", "35.5"]
    assert sides[1]["shares"][place] == 40.0
    assert sides[0]["shares"][place] is None  # none or few have it: which is not told
    assert sum(sides[1]["shares"][:bins]) == 9.0


def test_the_axis_reaches_down_to_released_values_below_those_of_the_original() -> None:
    original, released = files(35.5)
    (picture,) = column_pictures(original, released)
    edges, shares = picture["after"]["edges"], picture["after"]["shares"]
    made = np.sort(released.values("pay")[:30])
    assert edges[0] <= made[10]
    assert all(edge % 500 == 0 for edge in edges)  # round numbers, as before
    below = sum(share for share, end in zip(shares, edges[1:], strict=False) if end <= 4_000)
    assert below < 3.0  # joined with the first original records where a bar of none would tell


def test_few_original_records_with_a_number_of_many_released_ones_stay_in_their_bin() -> None:
    original, released = files(35.5)
    values = original.values("pay").copy()
    values[900:904] = 35.5
    few = Microdata(pl.DataFrame({"pay": values}))
    (picture,) = column_pictures(few, released)
    bins = len(picture["before"]["edges"]) - 1
    assert sum(picture["before"]["shares"][:bins]) == 9.4
    assert picture["before"]["shares"][bins:] == [90.6, None]


def test_a_number_of_many_released_records_stands_apart_also_where_the_release_has_few_numbers() -> None:
    original, released = files(35.5)
    values = released.values("pay").copy()
    values[:90] = np.repeat([2_000.0, 20_000.0, 50_000.0], 30)
    (picture,) = column_pictures(original, Microdata(pl.DataFrame({"pay": values}), original.schema))
    assert picture["after"]["labels"] == ["0", "35.5"]
