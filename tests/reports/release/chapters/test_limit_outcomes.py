"""A limit on the worst intruder: met where that is proven, not met where an attack exceeds it, else not shown."""

from functools import cache

import pytest

import sfumato as sf
from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.chapters.judging.judged_intruders import proven_words, standing_against_worst
from sfumato.reports.release.chapters.judging.standing import Standing
from sfumato.reports.release.figure import Words
from sfumato.reports.release.sections import FigureTable, Prose
from sfumato.reports.release.words.bound_words import words_of_attack
from tests.reports.release.surveys import survey

RECIPE = sf.Recipe(
    steps=[
        sf.DropIdentifiers(columns=("sex", "town", "age", "ill")),
        sf.AdditiveNoise(columns=("income", "rent"), scale=2.0),
    ],
    seed=4,
)


@cache
def with_limit(limit: str) -> ReleaseReport:
    return sf.report(survey(), RECIPE.run(survey()), recipe=RECIPE, limits=[limit])


@cache
def ends() -> tuple[float, float]:
    """Return what the strongest attack finds, and what nobody exceeds."""
    found = with_limit("WCL<=100")
    low, high = found["risk/measures/WCL"].value, found["risk/measures/WCL/WCB"].value
    assert low is not None
    assert high is not None
    assert 0 < low < high < 100
    return low, high


def outcome(report: ReleaseReport) -> str:
    parts = report.sections[0].parts
    (row,) = next(part for part in parts if isinstance(part, FigureTable)).rows
    return str(row.outcome)


@pytest.mark.parametrize(
    ("place", "wanted", "said"),
    [
        (1.5, "met", "Limit met: the worst intruder that was tried, at most "),
        (0.5, "not shown to be met", "Limit NOT SHOWN to be met: the worst intruder that was tried."),
        (-0.5, "not met", "Limit NOT MET: the worst intruder that was tried."),
    ],
)
def test_the_verdict_tells_proven_open_and_exceeded_apart(place: float, wanted: str, said: str) -> None:
    low, high = ends()
    report = with_limit(f"WCL<={low + place * (high - low) if place > 0 else low / 2}")
    assert outcome(report) == wanted
    assert report.meets_limits is (wanted == "met")
    prose = [part.text for part in report.sections[0].parts if isinstance(part, Prose)]
    assert prose[0].startswith(said)
    assert any(text.startswith("Met: the figure is within the limit") for text in prose) is ("shown" in wanted)


def test_a_limit_on_the_attack_alone_or_on_the_bound_alone_is_called_by_its_name() -> None:
    _, high = ends()
    assert outcome(with_limit(f"WCA<={(ends()[0] + high) / 2}")) == "met"
    assert with_limit("WCB<=100")["verdict/limits/WCB"].label == "The most that anybody could find, proven"


@pytest.mark.parametrize(
    ("found", "bound", "standing"),
    [
        (3.0, 6.0, Standing.SAFE),
        (3.0, 60.0, Standing.OPEN),
        (3.0, 100.0, Standing.OPEN),
        (3.0, None, Standing.OPEN),
        (30.0, 31.0, Standing.NOT_SAFE),
    ],
)
def test_a_file_is_safe_against_the_worst_intruder_only_where_that_is_proven(
    found: float, bound: float | None, standing: Standing
) -> None:
    measured = sf.contracts.Measurement("worst_case_linkage", "WCL", found, bound=bound)
    assert standing_against_worst(measured) is standing


def test_the_worst_intruder_finds_at_least_so_many_unless_nobody_finds_more() -> None:
    far = sf.contracts.Measurement("worst_case_linkage", "WCL", 3.0, bound=60.0)
    near = sf.contracts.Measurement("worst_case_linkage", "WCL", 3.0, bound=4.0)
    equal = sf.contracts.Measurement("worst_case_linkage", "WCL", 3.0, bound=3.0)
    words = Words("", "Somebody finds {value} of the records.", "", "", "", "")
    for found in (far, near):
        assert words_of_attack(words, found).sentence == "Somebody finds at least {value} of the records."
    assert words_of_attack(words, equal) == words
    assert "proven only that nobody" in proven_words(far)
    assert "proven that nobody" in proven_words(near)
