"""The verdict: whether each limit is met, and whom the file is safe against, in a sentence each and a table."""

from collections.abc import Iterator, Sequence

from sfumato.display import as_sentence, format_compact
from sfumato.parameters.limits import LOWER_LIMITED, Limit
from sfumato.reports.release.chapters.demands import KEY_ALARMS, CheckedDemand
from sfumato.reports.release.chapters.headline import k_in_words, lax_limit_words
from sfumato.reports.release.chapters.judging.judged_intruders import (
    judge_intruders,
    no_bound_words,
    reach_of_attacks,
    reach_text,
    without_bound,
)
from sfumato.reports.release.chapters.judging.standing import Standing
from sfumato.reports.release.chapters.plain_verdict import (
    NO_DECISION,
    decision_form,
    how_judged,
    intruder_table,
    plain_verdict,
)
from sfumato.reports.release.chapters.provenance import others_in_words
from sfumato.reports.release.chapters.utility.lost_analyses import lost_analyses
from sfumato.reports.release.chapters.verdict_warnings import IN_THE_TABLE
from sfumato.reports.release.chapters.whole_records import proven_of_equals
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.figure import PERCENT, ReportFigure, in_sentence
from sfumato.reports.release.measured_release import MeasuredRelease, recipe_is_doubted
from sfumato.reports.release.sections import Audience, Emphasis, FigureRow, FigureTable, LimitOutcome, Part, Prose
from sfumato.reports.release.words.alarms import calm
from sfumato.reports.release.words.trial_words import base_of_reach, comparisons_in_words, rounded_count

NO_LIMIT = "No limit was set, so that nothing is passed or failed. What was found:"
NO_LIMIT_TOLD = "This edition was given no limits, so that nothing is passed or failed. What was found:"
NOT_TO_BE_PUBLISHED = (
    "A limit is not met, or not shown to be: this page is for everybody only once the release itself is decided."
)
RECIPE_DOUBTED = (
    "The recipe does not seem to have made this file as it is: the attacks run it with draws of their own, and "
    "values of this file moved otherwise than in those runs. It was changed since, or another recipe or another "
    "version of Sfumato made it. The recipe was not run with its own seed, which alone would settle it: verify the "
    "file by its manifest, or make it anew."
)
METHODS_DOUBTED = (
    "The methods named here do not seem to have made this file as it is: values moved otherwise than these methods "
    "move them. What the page says of an intruder who knows the methods may not hold."
)
NOT_TESTED = (
    "The records are synthetic and come from nobody; whether they carry traces of persons was not tested, as no "
    "control was given."
)
TRACE_FOUND = "found a trace"
WHERE_OPEN = {
    Standing.NOT_SAFE: "NOT safe against",
    Standing.ON_CONDITION: "Safe only if nobody knows what was taken out of whom, against",
    Standing.ON_AVERAGE: "Safe on average over persons, and not for each, against",
    Standing.SAFE: "Safe against",
    Standing.SAFE_AS_TRIED: "Safe by the attacks that were tried, which a better one may exceed, against",
    Standing.UNTESTED: "NOT TESTED against",
}
"""What the headline says of the intruders of each standing, the worst first."""
CAPITALS = {LimitOutcome.NOT_MET: "NOT MET", LimitOutcome.NOT_SHOWN: "NOT SHOWN to be met"}
OUTCOMES_MEAN = (
    "Met: the figure is within the limit; where an attack is limited, it is proven that no other one exceeds it. "
    "Not met: a figure, or an attack that was tried, exceeds the limit. Not shown to be met: no attack that was tried "
    "exceeds the limit, but nothing proves that none does; the board decides whether that is enough."
)


def verdict_section(
    measured: MeasuredRelease, demands: Sequence[CheckedDemand], other_releases: Sequence[str] = ()
) -> Draft:
    """Return the section.

    Parameters
    ----------
    measured, demands
        What was measured, and the limits with what came of them.
    other_releases
        Other releases of the same original, by the manifests beside the files.
    """
    told = [_whom(measured, for_all=for_all) for for_all in (False, True)]
    limits, whom = list(_about_limits(demands)), list(_about_intruders(told))
    is_open = any(WHERE_OPEN[Standing.NOT_SAFE] in one for one in told)
    is_met = bool(demands) and all(one.is_met for one in demands)  # which says less than whom the file is not safe from
    parts: list[Part] = [*whom, *limits] if is_open and is_met else [*limits, *whom]
    if recipe_is_doubted(measured):
        parts.append(Prose(RECIPE_DOUBTED, Emphasis.NOTICE))
        parts.append(Prose(METHODS_DOUBTED, Emphasis.NOTICE, Audience.PUBLIC))
    if any(not one.is_met for one in demands):
        parts.append(Prose(NOT_TO_BE_PUBLISHED, Emphasis.NOTICE, Audience.PUBLIC))
    if words := _not_covered(measured):
        parts.append(Prose(words, Emphasis.NOTICE))
    if other_releases:
        parts.append(Prose(others_in_words(other_releases), Emphasis.NOTICE))
    analyses = lost_analyses(measured)
    for for_all in (False, True):
        parts.append(intruder_table(measured, for_all=for_all))
    parts += [Prose(how_judged(measured), audience=Audience.ALL), *_what_k_is(measured)]
    parts += [
        *(plain_verdict(measured, demands, analyses, for_all=for_all) for for_all in (False, True)),
        Prose(NO_DECISION, audience=Audience.PUBLIC),
    ]
    if demands:
        rows = tuple(
            FigureRow(_limit_words(one.limit, one.figure), (one.figure.path,), one.figure.path, one.outcome)
            for one in demands
        )
        parts.append(FigureTable("Limits that were set", ("found",), rows, Audience.ALL, public_columns=(0,)))
        if any(one.outcome is LimitOutcome.NOT_SHOWN for one in demands):
            parts.append(Prose(OUTCOMES_MEAN, audience=Audience.ALL))
    parts.append(decision_form(measured, other_releases))
    return draft("verdict", "Verdict", parts, [one.figure for one in demands])


def _not_covered(measured: MeasuredRelease) -> str:
    """Return what the file tells and neither a limit nor an intruder of the table covers; for the house."""
    alarms = [one for one in measured.assessment.alarms if one not in IN_THE_TABLE]
    if not alarms:
        return ""
    told = " ".join(map(calm, alarms))
    begins = "No limit covers the following:" if measured.question.limits else "Beside the figures:"
    if any(alarm in KEY_ALARMS for alarm in alarms):
        begins = "The file tells more than the keys:"
    return f"{begins} {told} See the notes in the section on risk."


def _about_limits(demands: Sequence[CheckedDemand]) -> Iterator[Prose]:
    """Yield whether the limits are met; a public edition without limits cannot know that the board set none."""
    yield Prose(limit_sentence(demands), Emphasis.VERDICT, Audience.ALL if demands else Audience.HOUSE)
    if not demands:
        yield Prose(NO_LIMIT_TOLD, Emphasis.VERDICT, Audience.PUBLIC)


def _about_intruders(told: Sequence[str]) -> Iterator[Prose]:
    """Yield whom the file is safe against, in the words for the house and for everybody."""
    house, everybody = told
    if house == everybody:
        yield Prose(house, Emphasis.VERDICT, Audience.ALL)
    else:
        yield Prose(house, Emphasis.VERDICT)
        yield Prose(everybody, Emphasis.VERDICT, Audience.PUBLIC)


def limit_sentence(demands: Sequence[CheckedDemand]) -> str:
    """Return whether the limits are met, in a sentence."""
    if not demands:
        return NO_LIMIT
    if all(one.is_met for one in demands):
        words = "; ".join(in_sentence(_limit_words(one.limit, one.figure, ",")) for one in demands)
        return f"Limit met: {words}." if len(demands) == 1 else f"All {len(demands)} limits met: {words}."
    sentences = []
    for outcome in (LimitOutcome.NOT_MET, LimitOutcome.NOT_SHOWN):
        some = [in_sentence(one.figure.label) for one in demands if one.outcome is outcome]
        if some:
            count = f"{len(some)} of {len(demands)} limits" if len(demands) > 1 else "Limit"
            sentences.append(f"{count} {CAPITALS[outcome]}: {'; '.join(some)}.")
    return " ".join(sentences)


def _what_k_is(measured: MeasuredRelease) -> Iterator[Prose]:
    """Yield what k is and who asked for it, for each edition, where persons are looked for by keys."""
    if measured.after is not None:
        yield Prose(k_in_words(measured, for_all=False))
        yield Prose(k_in_words(measured, for_all=True), audience=Audience.PUBLIC)
        if told := lax_limit_words(measured):
            yield Prose(told, audience=Audience.ALL)


def _limit_words(limit: Limit, figure: ReportFigure, mark: str = ":") -> str:
    unit = " %" if figure.unit == PERCENT else ""
    bound = "at least" if limit.figure in LOWER_LIMITED else "at most"
    return f"{figure.label}{mark} {bound} {format_compact(limit.number)}{unit}"


def _whom(measured: MeasuredRelease, *, for_all: bool) -> str:
    """Return in a sentence or two whom the file is safe against, and whom not; the table says why."""
    if measured.is_synthetic:
        return _what_attacks_leave_open(measured, for_all=for_all)
    proven = proven_of_equals(measured)
    judged = [one for one in judge_intruders(measured, for_all=for_all) if one.short]
    named = {each: "; ".join(one.short for one in judged if one.standing is each) for each in Standing}
    sentences = [as_sentence(f"{proven}.")] if proven else []
    sentences += [f"{WHERE_OPEN[each]} {named[each]}." for each in WHERE_OPEN if named[each]]
    return " ".join(sentences) or "What the measures found stands in the sections below."


def _what_attacks_leave_open(measured: MeasuredRelease, *, for_all: bool) -> str:
    """Return what attacks beside a control found, and up to where none rules out a leak."""
    verdict, control = measured.assessment.leak_verdict, measured.question.control
    if not verdict or control is None:
        return NOT_TESTED
    if measured.assessment.shows_leak or TRACE_FOUND in verdict:
        return verdict
    reached = reach_of_attacks(measured)
    compared = comparisons_in_words(measured.assessment.measurements)
    told = f"No attack could be told from chance: {compared}, which is how often a safe file would be accused."
    if not reached:
        return told
    most = reached[0]
    unbound = [label for label, _ in without_bound(measured)]
    attacks = f"{len(reached)} of these attacks" if unbound else "these attacks"
    return (
        f"{told} With a control of {rounded_count(control.n)} records leaks by {attacks} of up to "
        f"{reach_text(most.high, for_all=for_all)} ({base_of_reach(most.label)}) are not ruled out"
        f"{no_bound_words(unbound)}, and another attack may find more: that the file is safe is not shown."
    )
