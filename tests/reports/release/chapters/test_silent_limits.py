"""A limit on k that is met says in command, page and report alike that it is silent on amounts that are told."""

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.assessment.release_notes import MEANS_TOLD
from sfumato.reports.release.chapters.demands import SILENT_ON_AMOUNTS


def test_command_page_and_report_say_beside_a_limit_on_k_that_amounts_are_told() -> None:
    rng = np.random.default_rng(3)
    legacy = np.zeros(400)
    legacy[7] = 9e6  # one amount, which no group hides
    frame = pl.DataFrame({"town": rng.choice([*"AB"], 400), "sex": rng.choice([*"fm"], 400), "legacy": legacy})
    schema = sf.Schema.infer(frame).with_kinds(continuous=["legacy"])
    data = sf.Microdata(frame, schema.with_roles(key=["town", "sex"], confidential=["legacy"]))
    found = sf.protect(data, k=3, limits=["k=3"], seed=1)
    assert found.after.meets_limits
    assert MEANS_TOLD in found.alarms
    text, page = (" ".join(one.split()) for one in (str(found), found.to_html()))
    first_lines, limit = text.partition("Limit k >= 3")[0], text.partition("Limit k >= 3")[2][:300]
    assert MEANS_TOLD in first_lines
    assert "it says nothing of amounts, and some are told" in limit
    assert "it says nothing of amounts, and some are told" in page
    report = sf.report(data, found.data, recipe=found.recipe, limits=["k=3"])
    assert SILENT_ON_AMOUNTS in report["verdict/limits/k"].remark
    assert report.meets_limits
    told = " ".join(report.to_html().split())
    assert "nearly the amount of one" in told
    assert SILENT_ON_AMOUNTS in told
