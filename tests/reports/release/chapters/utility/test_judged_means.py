"""Means are judged by one rule: the worse of both counts, of the spread and of themselves, in the verdict and below."""

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.data import Microdata
from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.sections import Prose
from tests.reports.release.chapters.test_plain_verdict import rows


def capital() -> Microdata:
    """Return a file in which hardly anybody has capital, and some of these very much."""
    rng = np.random.default_rng(4)
    amounts = np.where(rng.random(400) < 0.1, rng.lognormal(6, 2, 400), 0.0).round(2)
    frame = pl.DataFrame({"sex": ["f", "m"] * 200, "capital": amounts, "age": rng.integers(18, 80, 400).astype(float)})
    schema = Microdata(frame).schema.with_kinds(continuous=["capital", "age"])
    return Microdata(frame, schema.with_roles(key=["sex"], confidential=["capital"]))


def means_words(report: ReleaseReport) -> str:
    parts = next(one for one in report.sections if one.key == "utility").parts
    return next(part.text for part in parts if isinstance(part, Prose) and part.text.startswith("Changed most: the me"))


def test_a_mean_that_lost_half_in_a_wide_spread_is_not_reliable_wherever_the_page_speaks_of_it() -> None:
    data = capital()
    half = Microdata(data.frame.with_columns(pl.col("capital") * 0.5, pl.col("age") + 2.0), data.schema)
    change = 50 * data.frame["capital"].mean() / data.frame["capital"].std(ddof=0)
    moved = 200 / data.frame["age"].std(ddof=0)
    assert change < moved < 20  # by the spread alone the age moved farther
    report = sf.report(data, half, same_order=True)
    words = means_words(report)
    assert "the mean of capital fell" in words
    assert "by 50 % of itself" in words
    assert words.endswith("1 not reliable, 1 with care, by whichever of the two is worse.")
    assert "hardly anybody" not in words
    for edition in ("internal", "public"):
        told = sf.report(data, half, same_order=True, edition=edition)
        assert "most that of capital (not reliable)" in rows(told)["Lost"]
