"""Counts in one line: what is 0 is told, what is small is not, and nothing else gives it away."""

import polars as pl

from sfumato.tables import safe_counts


def test_a_combination_that_nobody_has_is_0_and_not_suppressed() -> None:
    frame = pl.DataFrame({"a": ["x"] * 19 + ["y"] * 15, "b": ["p"] * 10 + ["q"] * 9 + ["p"] * 15})
    counts = safe_counts(frame, ["a", "b"], threshold=6)
    assert counts.filter(pl.col("a") == "y").row(0, named=True) == {"a": "y", "Total": 15, "p": 15, "q": 0}
    assert counts["Total"].dtype == pl.Int64


def test_small_counts_and_what_would_give_them_away_are_null() -> None:
    frame = pl.DataFrame({"a": ["x"] * 20 + ["y"] * 12, "b": ["p"] * 18 + ["q"] * 2 + ["p"] * 5 + ["q"] * 7})
    counts = safe_counts(frame, ["a", "b"], threshold=6)
    assert counts.select(pl.exclude("a")).null_count().sum_horizontal().item() == 4
