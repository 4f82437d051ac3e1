"""A file of which whole records are equal: the page says what is proven, and nothing that such a file makes idle."""

from collections import Counter
from functools import cache

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable
from sfumato.reports.counted_file import GAPS_REMARK
from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.build import build_report
from sfumato.reports.release.chapters.provenance import Provenance
from sfumato.reports.release.chapters.untested import OTHER_VARIABLES
from sfumato.reports.release.question import Edition, ReleaseQuestion
from tests.reports.release.chapters.test_plain_verdict import headline, rows
from tests.reports.release.surveys import survey


@cache
def equal_in_groups() -> Microdata:
    data = survey()
    gaps = pl.when(pl.int_range(pl.len()) % 7 == 0).then(None).otherwise(pl.col("town")).alias("town")
    with_gaps = Microdata(data.frame.with_columns(gaps), data.schema)
    return sf.RecordMicroaggregation(columns=data.schema.names, k=6).mask(with_gaps, np.random.default_rng(1))


@cache
def reported(edition: str) -> ReleaseReport:
    return sf.report(survey(), equal_in_groups(), same_order=True, edition=edition)


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_that_nobody_links_more_than_one_in_so_many_is_said_first(edition: str) -> None:
    smallest = min(Counter(equal_in_groups().frame.iter_rows()).values())
    assert smallest >= 6
    report = reported(edition)
    assert f"equal to at least {smallest - 1} others in every column" in headline(report)
    assert f"links more than 1 in {smallest} records" in headline(report)
    assert "an order of the records that tells nothing" in rows(report)["Rests on"]
    assert "each person having one record" in rows(report)["Rests on"]


@pytest.mark.parametrize(
    ("is_shuffled", "told"),
    [
        (True, "order of the records: that is proven"),
        (False, "theirs is that of the original"),
        (None, "nothing tells whether theirs was"),
    ],
)
def test_it_is_called_proven_only_of_records_in_an_order_drawn_at_random(is_shuffled: bool | None, told: str) -> None:
    moved = equal_in_groups().take_rows(np.random.default_rng(5).permutation(survey().n))
    file = equal_in_groups() if is_shuffled is False else moved
    question = ReleaseQuestion(survey(), file, is_shuffled=is_shuffled)
    report = build_report(question, Edition.INTERNAL, Provenance(date="2026-01-01"), "Report")
    assert told in headline(report)
    assert ("what is proven of equal records" in rows(report)["Promised"].lower()) == (is_shuffled is True)
    drawn = {True: "yes", False: "no, ", None: "nothing tells it"}[is_shuffled]
    assert f"an order drawn at random: {drawn}" in str(report.sections[1])


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_what_other_columns_tell_of_keys_is_no_open_question_of_such_a_file(edition: str) -> None:
    report = reported(edition)
    page = report.to_html()
    assert "was not looked for" not in page
    assert OTHER_VARIABLES not in page
    assert "that are marked as keys;" not in rows(report)["Not known"]
    assert GAPS_REMARK[1:] not in page
    assert any(not equal_in_groups().observed(name).all() for name in ("sex", "town"))


def test_a_single_record_that_differs_takes_the_promise_away() -> None:
    frame = equal_in_groups().frame
    first = pl.int_range(pl.len()) == 0
    other = frame.with_columns(pl.when(first).then(pl.col("rent") + 1).otherwise(pl.col("rent")).alias("rent"))
    report = sf.report(survey(), Microdata(other, survey().schema), same_order=True)
    assert "equal to at least" not in headline(report)
    assert "equal to at least" not in rows(report)["Promised"]


def test_notes_on_a_page_name_no_figure_as_the_command_does() -> None:
    rare = pl.int_range(pl.len()) % 50 == 0
    gaps = pl.when(rare).then(None).otherwise(pl.col("town")).alias("town")
    weight = Variable(name="weight", kind="continuous", role="weight")
    weights = (30.0 + pl.int_range(pl.len()) % 3).alias("weight")
    schema = Schema(variables=(*survey().schema.variables, weight))
    before, after = (Microdata(survey().frame.with_columns(weights, *some), schema) for some in ([], [gaps]))
    notes = sf.report(before, after, same_order=True).to_html().partition("Notes, to be read")[2].partition("<h2")[0]
    assert "a gap fits every value" in notes
    assert "population_uniques" not in notes


def test_a_limit_on_k_does_not_warn_of_whoever_knows_more_where_whole_records_are_equal() -> None:
    recipe = sf.Recipe(steps=[sf.RecordMicroaggregation(columns=survey().schema.names, k=6)], seed=1)
    limited = sf.report(survey(), recipe.run(survey()), recipe=recipe, limits=["k>=3"])["verdict/limits/k"].sentence
    assert "whoever knows more is left with as many" in limited
    assert "may be left with fewer" not in limited
