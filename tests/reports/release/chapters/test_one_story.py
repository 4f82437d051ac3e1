"""What a page says in one place it does not deny in another: a doubted recipe, and a bound that rules out little."""

from dataclasses import replace

import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment import release_notes
from sfumato.assessment.release_notes import LEARNT_FOUND, MEANS_TOLD
from sfumato.contracts.limited_figures import hold_limit
from sfumato.data import Microdata
from sfumato.parameters.limits import read_limits
from sfumato.reports.release.chapters.demands import check_demands
from sfumato.reports.release.chapters.judging.judged_intruders import judge_intruders
from sfumato.reports.release.chapters.judging.standing import Standing
from sfumato.reports.release.chapters.plain_verdict import how_judged
from sfumato.reports.release.chapters.verdict import METHODS_DOUBTED, RECIPE_DOUBTED, verdict_section
from sfumato.reports.release.chapters.verdict_warnings import TELLS_MORE, words_for_everybody
from sfumato.reports.release.learnt_numbers import LearntColumn, LearntNumbers
from sfumato.reports.release.measured_release import MeasuredRelease, measure_release
from sfumato.reports.release.question import ReleaseQuestion
from sfumato.risk import WorstCaseLinkage
from tests.reports.release.surveys import RECIPE, released, survey

DOUBTED = "which this page doubts"


def with_bound(measured: MeasuredRelease, value: float, bound: float) -> MeasuredRelease:
    """Return what was measured with another worst case."""
    found = tuple(
        replace(one, value=value, bound=bound) if one.name == WorstCaseLinkage.name() else one
        for one in measured.assessment.measurements
    )
    return replace(measured, assessment=replace(measured.assessment, measurements=found))


@pytest.mark.parametrize(
    ("bound", "told"), [(99.8, "the bound that is proven, 99.8 %, rules out hardly anything"), (100.0, "no bound is")]
)
def test_a_bound_near_all_records_is_told_as_one_that_rules_out_hardly_anything(bound: float, told: str) -> None:
    measured = with_bound(measure_release(ReleaseQuestion(survey(), released(), methods=RECIPE.parts)), 8, bound)
    section = str(verdict_section(measured, check_demands(measured)).section)
    assert section.count(told) >= 2  # in the headline, and in the table
    other = "no bound is proven" if bound < 100 else "rules out hardly anything"
    assert other not in section
    assert bound == 100 or "nothing is proven" not in section.lower()


def test_a_limit_is_held_against_a_bound_that_is_proven_however_high_it_is() -> None:
    measured = measure_release(ReleaseQuestion(survey(), released(), methods=RECIPE.parts))
    worst = next(one for one in measured.assessment.measurements if one.name == WorstCaseLinkage.name())
    (limit,) = read_limits(["WCL<=10"], "limits")
    assert (
        "proven only that nobody links more than 99.80 %"
        in hold_limit(limit, replace(worst, value=8, bound=99.8)).reason
    )
    assert "no bound is proven" in hold_limit(limit, replace(worst, value=8, bound=100)).reason


@pytest.mark.parametrize(
    ("bound", "standing"), [(8.0, Standing.SAFE), (60.0, Standing.SAFE_AS_TRIED), (100.0, Standing.SAFE_AS_TRIED)]
)
def test_a_holder_of_numbers_is_one_that_the_file_is_safe_from_only_by_a_proof(
    bound: float, standing: Standing
) -> None:
    measured = with_bound(measure_release(ReleaseQuestion(survey(), released(), methods=RECIPE.parts)), 8, bound)
    few = tuple(replace(one, value=2.0) for one in measured.assessment.measurements if one.symbol == "BSLD")
    rest = tuple(few[0] if one.symbol == "BSLD" else one for one in measured.assessment.measurements)
    measured = replace(measured, assessment=replace(measured.assessment, measurements=rest))
    (found,) = [one for one in judge_intruders(measured, for_all=False) if one.who == "A holder of exact numbers"]
    assert found.standing is standing
    assert ("proven only: nobody finds more than 60 %" in found.found) == (bound == 60)


@pytest.mark.parametrize("for_all", [False, True])
def test_numbers_are_judged_by_the_one_that_keys_tell_most_of(for_all: bool) -> None:
    measured = measure_release(ReleaseQuestion(survey(), released(), methods=RECIPE.parts))
    for near, standing in ((28.0, Standing.NOT_SAFE), (19.0, Standing.SAFE)):
        columns = (LearntColumn("income", near, 10, near, 10, 240), LearntColumn("rent", 10, 10, 10, 10, 240))
        judged = judge_intruders(replace(measured, learnt=LearntNumbers(columns)), for_all=for_all)
        (found,) = [one for one in judged if "confidential number" in one.who]
        assert found.standing is standing  # on average 9 and 4.5 points above chance
        assert f"within 10 % of income with a chance of {near:.0f} % on average, against 10 % without" in found.found


def test_a_recipe_that_the_attacks_doubt_is_doubted_wherever_the_page_speaks_of_it() -> None:
    moved = released().frame.with_columns((pl.col("income") * 3 + 7).alias("income"))
    changed = Microdata(moved, released().schema)
    for file, is_doubted in ((released(), False), (changed, True)):
        page = str(sf.report(survey(), file, recipe=RECIPE, same_order=True).sections[0])
        assert (RECIPE_DOUBTED in page) == is_doubted
        assert (DOUBTED in page) == is_doubted
        public = str(sf.report(survey(), file, recipe=RECIPE, same_order=True, edition="public").sections[0])
        assert (METHODS_DOUBTED in public) == is_doubted
        assert (DOUBTED in public) == is_doubted
    assert "was not run with its own seed" in RECIPE_DOUBTED


@pytest.mark.parametrize(
    ("alarms", "who"),
    [
        ((), ""),
        ((MEANS_TOLD,), "Whoever reads amounts off means is"),
        ((MEANS_TOLD, LEARNT_FOUND), "Whoever learns or reads amounts off means is"),
    ],
)
def test_only_whoever_finds_something_is_said_to_be_nearly_sure(alarms: tuple[str, ...], who: str) -> None:
    measured = measure_release(ReleaseQuestion(survey(), released(), methods=RECIPE.parts))
    told = how_judged(replace(measured, assessment=replace(measured.assessment, alarms=alarms)))
    assert who in told
    assert ("nearly sure" in told) == bool(who)


def test_everybody_reads_what_each_alarm_is_about() -> None:
    words = [value for name, value in vars(release_notes).items() if name.isupper() and isinstance(value, str)]
    alarms = [one for one in words if one.endswith(".")]  # whole sentences; others begin a remark
    assert release_notes.GROUPS_OF_FEW_HOUSEHOLDS in alarms
    assert [one for one in alarms if words_for_everybody(one) == TELLS_MORE] == []
