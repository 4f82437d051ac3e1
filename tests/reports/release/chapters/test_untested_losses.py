"""What was not measured of the loss stands in a list of its own, in both editions."""

from functools import cache

import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable
from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.chapters.untested_losses import OTHER_RULES, TITLE
from sfumato.reports.release.sections import Bullets, Subheading
from tests.reports.release.surveys import made


def losses(report: ReleaseReport) -> str:
    parts = next(section for section in report.sections if section.key == "untested").parts
    place = next(place for place, part in enumerate(parts) if isinstance(part, Subheading) and part.text == TITLE)
    listed = parts[place + 1]
    assert isinstance(listed, Bullets)
    return " ".join(listed.entries)


@cache
def of_households(edition: str) -> ReleaseReport:
    frame = pl.DataFrame(
        {
            "house": [str(place // 2) for place in range(60)],
            "town": ["A", "B", "C"] * 20,
            "pay": [float(place % 13) for place in range(60)],
            "weight": [10.0 + place % 7 for place in range(60)],
        }
    )
    variables = (
        Variable(name="house", kind="nominal", role="household"),
        Variable(name="town", kind="nominal", role="key"),
        Variable(name="pay", kind="continuous", role="confidential"),
        Variable(name="weight", kind="continuous", role="weight"),
    )
    data = Microdata(frame, Schema(variables=variables))
    recipe = sf.Recipe(steps=[sf.Rounding(columns=("weight",), base=5.0)], seed=1)
    return sf.report(data, recipe.run(data), recipe=recipe, edition=edition)


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_a_recoded_variable_is_named_among_what_was_not_measured(edition: str) -> None:
    told = losses(made(edition))
    assert "in other classes than before: town (Town of residence)" in told
    assert OTHER_RULES in told
    assert "Households" not in told  # the file has none


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_a_changed_weight_and_households_are_not_passed_over_in_silence(edition: str) -> None:
    told = losses(of_households(edition))
    assert "no figure on the loss looks at, though they were changed: weight." in told
    assert "Households: the file tells who lives together" in told
    assert "other classes" not in told
