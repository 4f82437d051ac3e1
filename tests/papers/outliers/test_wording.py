"""The words of the outliers paper as rules: each with a case that fits it and one that just does not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.papers.outliers import wording as findings
from sfumato.papers.outliers.lines import mean_line
from tests.papers.outliers.examples import line, picture


def test_higher_and_lower_go_by_the_mean_over_the_parameters() -> None:
    above = line([10, 10, 10], [9, 9, 13])
    assert findings.outliers_higher(above).holds
    assert not findings.outliers_lower(above).holds
    assert findings.outliers_lower(line([10, 10], [9, 10])).holds


@pytest.mark.parametrize(
    ("gap", "is_similar", "is_very_far"), [(10, True, False), (11, False, False), (21, False, True)]
)
@pytest.mark.parametrize("sign", [1, -1])
def test_similar_is_a_tenth_of_the_height_and_very_large_a_fifth(
    gap: float, is_similar: bool, is_very_far: bool, sign: int
) -> None:
    apart = line([40, 40], [40 + sign * gap, 40 + sign * gap])
    assert findings.outliers_similar(apart).holds == is_similar
    assert findings.outliers_very_far(apart).holds == is_very_far
    assert findings.similar([40, 40 + sign * gap], 100.0).holds == is_similar


@pytest.mark.parametrize(("gap", "holds"), [(-1, False), (0, False), (1, True), (10, True), (11, False)])
def test_a_bit_higher_is_higher_and_similar(gap: float, holds: bool) -> None:
    assert findings.outliers_a_bit_higher(line([40], [40 + gap])).holds == holds


def test_much_is_a_factor_of_two() -> None:
    assert findings.much_higher(line([20]), line([10])).holds
    assert not findings.much_higher(line([19]), line([10])).holds
    assert findings.outliers_much_lower(line([20], [10])).holds
    assert not findings.outliers_much_lower(line([20], [11])).holds
    assert findings.great_influence(line([10, 20])).holds
    assert not findings.great_influence(line([10, 19])).holds


def test_who_is_higher_depends_on_the_parameter_when_both_happen() -> None:
    assert findings.outliers_on_both_sides(line([5, 5], [4, 6])).holds
    assert not findings.outliers_on_both_sides(line([5, 5], [6, 7])).holds
    assert not findings.outliers_on_both_sides(line([5, 5], [4, 5])).holds


def test_differences_are_compared_whatever_their_direction() -> None:
    assert findings.farther_apart(line([10], [4]), line([10], [15])).holds
    assert not findings.farther_apart(line([10], [15]), line([10], [4])).holds


def test_lower_is_by_the_mean_and_always_lower_by_all() -> None:
    assert findings.lower(line([1, 9]), line([6, 6])).holds
    assert not findings.always_lower(line([1, 9]), line([6, 6])).holds
    assert findings.always_lower(line([1, 5]), line([6, 6])).holds


def test_highest_and_lowest_families_are_beyond_each_of_the_others() -> None:
    seen = picture(J=line([5]), R=line([7]), M=line([6]))
    assert findings.highest("R", seen).holds
    assert findings.highest("R M", seen).holds
    assert not findings.highest("R J", seen).holds
    assert findings.lowest("J", seen).holds
    assert not findings.lowest("M", seen).holds


def test_the_highest_at_low_parameters_is_the_highest_of_all() -> None:
    assert findings.highest_at_low_parameters("J", picture(J=line([9, 5, 1]), R=line([8, 8, 8]))).holds
    assert not findings.highest_at_low_parameters("J", picture(J=line([9, 5, 1]), R=line([8, 8, 9]))).holds
    assert not findings.highest_at_low_parameters("J", picture(J=line([8, 9, 1]), R=line([1, 1, 1]))).holds


def test_low_steady_and_close_to_the_maximum_are_so_at_every_parameter() -> None:
    assert findings.stays_low(line([1, 25])).holds
    assert not findings.stays_low(line([1, 26])).holds
    assert not findings.stays_low(line([1, 25]), findings.VERY_LOW).holds
    assert findings.steady(line([60, 85])).holds
    assert not findings.steady(line([60, 86])).holds
    assert findings.close_to_maximum(line([99, 90])).holds
    assert not findings.close_to_maximum(line([99, 89])).holds


def test_a_line_falls_or_rises_by_thirds() -> None:
    assert findings.falls(line([9, 10, 5, 6, 1, 2])).holds
    assert findings.rises(line([2, 1, 6, 5, 10, 9])).holds
    assert not findings.falls(line([9, 5, 6])).holds
    assert not findings.rises(line([1, 6, 5])).holds


def test_ranges_narrow_from_group_to_group() -> None:
    wide, middle, narrow = line([0, 90]), line([0, 40]), line([30, 35])
    assert findings.ranges_narrow([wide], [middle], [narrow]).holds
    assert findings.ranges_narrow([wide, middle], [narrow]).holds
    assert not findings.ranges_narrow([wide, narrow], [middle]).holds


def test_findings_hold_together_or_mostly() -> None:
    yes, no = findings.Finding(True, "1"), findings.Finding(False, "2")
    assert findings.in_all([yes, yes]).holds
    assert not findings.in_all([yes, no]).holds
    assert findings.in_most([yes, yes, no]).holds
    assert not findings.in_most([yes, no]).holds


@given(st.integers(3, 40))
def test_the_thirds_make_the_line_and_differ_by_one_at_most(size: int) -> None:
    whole = line(range(size))
    thirds = (whole.low(), whole.medium(), whole.high())
    assert np.array_equal(np.concatenate([third.overall for third in thirds]), whole.overall)
    assert np.ptp([third.overall.size for third in thirds]) <= 1
    assert np.array_equal(whole.up_to_medium().overall, np.r_[thirds[0].overall, thirds[1].overall])
    assert np.array_equal(whole.from_medium().overall, np.r_[thirds[1].overall, thirds[2].overall])


def test_the_upper_half_of_twenty_parameters_begins_at_eleven() -> None:
    assert line(range(20)).upper_half().parameters.tolist() == list(range(11, 21))


def test_a_mean_line_averages_figures_and_heights() -> None:
    mean = mean_line([line([1, 3], [2, 4], 10.0), line([3, 5], [4, 8], 30.0)])
    assert (mean.overall.tolist(), mean.outliers.tolist(), mean.height) == ([2, 4], [3, 6], 20.0)
