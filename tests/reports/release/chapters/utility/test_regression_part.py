"""What was lost in a regression, in words that follow from the intervals."""

import polars as pl

from sfumato.data import Microdata
from sfumato.reports.release.chapters.utility.compared_regression import (
    ComparedCoefficient,
    ComparedRegression,
    compare_regression,
)
from sfumato.reports.release.chapters.utility.regression_part import regression_in_words, regression_notes
from tests.reports.release.surveys import made, survey


def fitted(*rows: tuple[float, float, float, float], after: int = 80) -> ComparedRegression:
    """Return a regression with a constant and effects: each before and after, and half of its intervals."""
    constant = ComparedCoefficient("constant", 9.0, 9.0, 100.0, 1.0, 1.0)
    effects = (ComparedCoefficient(f"x{place}", *row[:2], 50.0, *row[2:]) for place, row in enumerate(rows))
    return ComparedRegression("y ~ x", (constant, *effects), 100, after)


def test_effects_that_are_kept_lost_turned_and_new_are_counted() -> None:
    kept, lost, turned, new = (5.0, 5.0, 1.0, 2.0), (5.0, 1.0, 1.0, 2.0), (5.0, -5.0, 1.0, 2.0), (0.5, 5.0, 1.0, 2.0)
    assert regression_in_words(fitted(kept, lost, turned, new), 100) == (
        "Only 80 of 100 released records count: one with a gap in any of its variables drops out. "
        "Intervals are 2 times as wide as in the original, in the middle of all effects. In the original 3 of 4 "
        "effects can be told from 0. In the "
        "released file 1 of them can, 1 with the other sign. No longer told from 0: x1. 1 would be found there "
        "that the original does not show."
    )


def test_intervals_that_are_wide_in_the_original_are_no_loss() -> None:
    words = regression_in_words(fitted((0.5, 0.4, 1.0, 1.0), after=100), 100)
    assert words == (
        "Intervals are about as wide as in the original. In the original 0 of 1 effect can be told from 0, so that "
        "this example shows nothing."
    )


def test_an_effect_that_stays_is_told_from_those_that_never_were_clear() -> None:
    words = regression_in_words(fitted((5.0, 5.0, 1.0, 1.0), *[(0.5, 0.5, 1.0, 1.0)] * 3, after=100), 100)
    assert words.endswith(
        "In the original 1 of 4 effects can be told from 0. The intervals of the others hold 0 in the original, too. "
        "In the released file this one still can."
    )


def test_intervals_that_shrank_are_called_too_narrow() -> None:
    assert "0.5 times as wide as in the original, which is too narrow" in regression_in_words(
        fitted((5.0, 5.0, 1.0, 0.5)), 100
    )


def test_effects_without_a_row_are_named() -> None:
    fit = fitted((5.0, 5.0, 1.0, 1.0))
    assert "nor have" not in regression_notes(fit)
    assert "nor have x=a, x=b, of which a file has too few" in regression_notes(fit._replace(untold=("x=a", "x=b")))


def test_a_category_that_the_release_lost_has_no_row() -> None:
    data = survey()
    lost = pl.when(pl.col("town") == "Ely").then(None).otherwise(pl.col("town")).alias("town")
    fit = compare_regression(data, Microdata(data.frame.with_columns(lost), data.schema))
    assert fit is not None
    assert fit.untold == ("town=Ely",)
    assert "town=Ely" not in {one.name for one in fit.effects}


def test_both_editions_say_it() -> None:
    for edition in ("internal", "public"):
        assert "effects can be told from 0" in str(made(edition).to_dict()["sections"])


def test_effects_whose_intervals_are_much_wider_or_hold_0_now_are_named() -> None:
    kept, wide, lost = (5.0, 5.0, 1.0, 1.0), (5.0, 5.0, 1.0, 1.8), (5.0, 1.0, 1.0, 1.4)
    words = regression_in_words(fitted(kept, wide, lost, after=100), 100)
    assert "More than 1.5 times as wide: x1." in words
    assert "No longer told from 0: x2." in words
    many = regression_in_words(fitted(*[(5.0, 5.0, 1.0, 2.0 + place) for place in range(7)], kept, after=100), 100)
    assert "as wide: x6, x5, x4, x3, x2 and 2 more." in many
