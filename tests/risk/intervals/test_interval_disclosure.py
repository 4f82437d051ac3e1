"""Interval disclosure by ranks, checked against plain loops over the definition."""

from math import isnan

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import Measurement, RankTies
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import ParameterError
from sfumato.numerics.arrays import FloatMatrix
from sfumato.risk import IntervalDisclosure
from tests.matrices import microdata, names_of

NAN = float("nan")


def measured(original: FloatMatrix, masked: FloatMatrix, **parameters: object) -> Measurement:
    return IntervalDisclosure(columns=names_of(original), **parameters).measure(microdata(original), microdata(masked))


def plain_share(original: list[float], masked: list[float], percent: float, ties: RankTies) -> list[float | None]:
    """Tell for each record whether its original value lies among masked values of near rank; None: nothing to tell."""
    known = sorted(value for value in masked if not isnan(value))
    answer: list[float | None] = []
    for before, after in zip(original, masked, strict=True):
        if isnan(before):
            answer.append(None)
            continue
        if isnan(after):
            answer.append(0.0)
            continue
        ranks = [rank for rank, value in enumerate(known, start=1) if value == after]
        low, high = (ranks[0], ranks[-1]) if ties is RankTies.RANGE else (sum(ranks) / len(ranks),) * 2
        reach = max(percent * len(known) / 100, 1)
        near = [known[r - 1] for r in range(1, len(known) + 1) if low - reach <= r <= high + reach] + [after]
        answer.append(float(min(near) <= before <= max(near)))
    return answer


def plain_disclosure(original: FloatMatrix, masked: FloatMatrix, widths: range, ties: RankTies) -> list[float]:
    """Return the percent of original values inside, by column."""
    by_column = []
    for before, after in zip(original.T.tolist(), masked.T.tolist(), strict=True):
        cells = [cell for width in widths for cell in plain_share(before, after, width, ties) if cell is not None]
        by_column.append(100 * sum(cells) / len(cells) if cells else 0.0)
    return by_column


def example(n: int = 70) -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(12)
    original = rng.lognormal(size=(n, 3))
    return original, original * rng.lognormal(sigma=0.1, size=(n, 3))


def test_a_small_file_has_intervals_of_a_rank_on_either_side() -> None:
    original = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]])
    assert measured(original, original[[1, 0, 3, 2, 4]]).value == 100.0
    assert measured(original, original[[3, 4, 0, 1, 2]]).value == 0.0


@pytest.mark.parametrize("ties", RankTies)
def test_equals_plain_loops_over_the_definition(ties: RankTies) -> None:
    original, masked = example()
    found = measured(original, masked, ties=ties)
    assert list(found.parts.values()) == pytest.approx(plain_disclosure(original, masked, range(1, 11), ties))
    assert found.value == pytest.approx(np.mean(list(found.parts.values())))


@pytest.mark.parametrize("ties", RankTies)
def test_equals_plain_loops_with_equal_and_missing_values(ties: RankTies) -> None:
    original, masked = (np.rint(4 * matrix) for matrix in example())
    rng = np.random.default_rng(5)
    original[rng.random(original.shape) < 0.1] = NAN
    masked[rng.random(masked.shape) < 0.2] = NAN
    found = measured(original, masked, ties=ties)
    assert list(found.parts.values()) == pytest.approx(plain_disclosure(original, masked, range(1, 11), ties))


digits = st.lists(st.sampled_from([0.0, 1.0, 2.0, 5.0, NAN]), min_size=6, max_size=6)


@given(before=digits, after=digits, ties=st.sampled_from(RankTies), width=st.sampled_from([10, 20, 50, 100]))
def test_equals_plain_loops_on_any_small_file(
    before: list[float], after: list[float], ties: RankTies, width: int
) -> None:
    original = np.array([*before, 0.0]).reshape(-1, 1)  # the last record sees that both columns have a value
    masked = np.array([*after, 5.0]).reshape(-1, 1)
    found = measured(original, masked, ties=ties, widths=(float(width),))
    assert found.value == pytest.approx(plain_disclosure(original, masked, range(width, width + 1), ties)[0])


def test_an_unmasked_file_discloses_everything() -> None:
    original, _ = example()
    assert measured(original, original).value == 100.0


def test_values_far_outside_disclose_nothing() -> None:
    original, _ = example()
    assert measured(original, original[::-1] + 1e6).value == 0.0


def test_a_random_exchange_discloses_about_twice_the_mean_width() -> None:
    rng = np.random.default_rng(3)
    original = rng.normal(size=(20_000, 1))
    # a window of p % on both sides holds 2 p - p^2 / 100 % of the ranks on average, the file having ends
    expected = np.mean([2 * p - p * p / 100 for p in range(1, 11)])
    assert measured(original, rng.permutation(original)).value == pytest.approx(expected, abs=1.0)


def test_seven_percent_of_a_hundred_records_are_seven_ranks() -> None:
    original = np.arange(100.0).reshape(-1, 1)
    shifted = np.roll(original, 7, axis=0)  # all but the first seven get the value seven ranks below
    assert measured(original, shifted, widths=(7.0,)).value == 93.0
    assert measured(original, shifted, widths=(6.9,)).value == 0.0


def test_equal_masked_values_widen_the_interval_only_under_range() -> None:
    masked = np.array([1.0, 5.0, 5.0, 5.0, 5.0, 5.0, 9.0, 10.0]).reshape(-1, 1)
    original = np.array([1.0, 9.0, 5.0, 5.0, 5.0, 1.0, 9.0, 10.0]).reshape(-1, 1)
    by_range = measured(original, masked, widths=(12.5,))  # one rank
    by_middle = measured(original, masked, widths=(12.5,), ties="mid")
    assert by_range.per_record is not None
    assert by_middle.per_record is not None
    assert by_range.per_record.tolist() == [100.0] * 8
    assert by_middle.per_record.tolist() == [100.0, 0.0, 100.0, 100.0, 100.0, 0.0, 100.0, 100.0]


def test_a_suppressed_value_discloses_nothing_and_a_missing_one_is_left_out() -> None:
    original = np.array([[1.0, NAN], [2.0, NAN], [3.0, 7.0]])
    masked = np.array([[NAN, 1.0], [2.0, 2.0], [3.0, 7.0]])
    found = measured(original, masked, widths=(1.0,))
    assert dict(found.parts) == pytest.approx({"v0": 200 / 3, "v1": 100.0})
    assert found.per_record is not None
    assert found.per_record.tolist() == [0.0, 100.0, 100.0]


def test_the_figure_per_record_averages_over_columns_and_widths() -> None:
    original, masked = example()
    found = measured(original, masked)
    assert found.per_record is not None
    assert found.per_record.mean() == pytest.approx(found.value)
    cells = [
        plain_share(original[:, j].tolist(), masked[:, j].tolist(), width, RankTies.RANGE)[8]
        for j in range(3)
        for width in range(1, 11)
    ]
    assert found.per_record[8] == pytest.approx(100 * np.mean(np.array(cells, dtype=float)))


def test_holds_values_against_the_nearest_record_when_asked() -> None:
    original = np.array([[0.0, 40.0], [10.0, 30.0], [20.0, 20.0], [30.0, 10.0], [40.0, 0.0], [50.0, 50.0]])
    exchanged = original[[2, 3, 4, 5, 0, 1]]  # each masked record is another's original, two ranks away or more
    assert measured(original, exchanged, widths=(1.0,)).value == 0.0
    assert measured(original, exchanged, widths=(1.0,), correspondence="nearest_record").value == 100.0


def test_ordinal_columns_count_by_their_category() -> None:
    levels = ("none", "school", "college", "university")
    schema = Schema(variables=(Variable(name="education", kind=Kind.ORDINAL, categories=levels),))
    original = Microdata(pl.DataFrame({"education": ["none", "school", "college", "university"]}), schema)
    masked = Microdata(pl.DataFrame({"education": ["school", "none", "college", "none"]}), schema)
    codes = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([[1.0], [0.0], [2.0], [0.0]])
    found = IntervalDisclosure(columns=("education",), widths=(25.0,)).measure(original, masked)
    assert found.value == measured(*codes, widths=(25.0,)).value == 75.0


@pytest.mark.parametrize("widths", [(), (0.0,), (1.0, 101.0)])
def test_refuses_widths_that_are_no_percent(widths: tuple[float, ...]) -> None:
    with pytest.raises(ParameterError, match=r"IntervalDisclosure.widths"):
        IntervalDisclosure(columns=("v0",), widths=widths)
