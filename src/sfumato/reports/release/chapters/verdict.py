"""The verdict: two sentences, and each limit with whether it is met."""

from collections.abc import Iterator, Sequence

from sfumato.assessment.release_notes import HOUSEHOLDS_FOUND as HOUSEHOLDS_ALARM
from sfumato.contracts.figure_ends import lower_end
from sfumato.display import as_sentence, format_compact, format_percent
from sfumato.keys.findings.found_households import PERSONS_ONE_BY_ONE
from sfumato.parameters.limits import LOWER_LIMITED, Limit
from sfumato.reports.release.chapters.demands import CheckedDemand
from sfumato.reports.release.chapters.headline import k_in_words, keys_in_words, silent_limits
from sfumato.reports.release.chapters.judged_intruders import (
    MAX_FOUND,
    Standing,
    judge_intruders,
    proven_words,
    reach_of_attacks,
)
from sfumato.reports.release.chapters.plain_verdict import DECISION, NO_DECISION, how_judged, plain_verdict
from sfumato.reports.release.chapters.utility.lost_analyses import lost_analyses
from sfumato.reports.release.chapters.verdict_warnings import alarm_details, alarms_without_limit
from sfumato.reports.release.chapters.whole_records import proven_of_equals
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.figure import (
    PERCENT,
    ReportFigure,
    in_sentence,
)
from sfumato.reports.release.measured_release import MeasuredRelease, recipe_is_doubted
from sfumato.reports.release.sections import Audience, Emphasis, FigureRow, FigureTable, LimitOutcome, Part, Prose
from sfumato.reports.release.words.alarms import calm
from sfumato.reports.release.words.bound_words import bound_class
from sfumato.reports.release.words.trial_words import rounded_count
from sfumato.risk import WorstCaseLinkage

NO_LIMIT = (
    "No limit was given to this report, so that it has figures and no verdict: the board has to say how much risk it "
    "accepts."
)
NO_LIMIT_TOLD = (
    "This edition was given no limits: it has figures, and does not tell what the board asked for or whether the "
    "release meets it."
)


HOUSEHOLDS_FOUND = (
    "k counts persons one by one: whoever knows the keys of a whole household may find it, as the file tells who lives "
    "together."
)
NOT_TO_BE_PUBLISHED = (
    "A limit is not met, or not shown to be: this page is for everybody only once the release itself is decided."
)
RECIPE_DOUBTED = (
    "The recipe does not seem to have made this file as it is: the attacks run it with draws of their own, and "
    "values of this file moved otherwise than in those runs. It was changed since, or another recipe or another "
    "version of Sfumato made it. The recipe was not run with its own seed, which alone would settle it: verify the "
    "file by its manifest, or make it anew."
)
WORST = "the worst intruder that was tried"
CAPITALS = {LimitOutcome.NOT_MET: "NOT MET", LimitOutcome.NOT_SHOWN: "NOT SHOWN to be met"}
OUTCOMES_MEAN = (
    "Met: the figure is within the limit; where an attack is limited, it is proven that no other one exceeds it. "
    "Not met: a figure, or an attack that was tried, exceeds the limit. Not shown to be met: no attack that was tried "
    "exceeds the limit, but nothing proves that none does; the board decides whether that is enough."
)


def verdict_section(measured: MeasuredRelease, demands: Sequence[CheckedDemand]) -> Draft:
    """Return the section."""
    parts: list[Part] = [
        *_about_limits(measured, demands),
        Prose(_what_holds(measured), Emphasis.VERDICT),
        Prose(_what_holds_for_all(measured), Emphasis.VERDICT, Audience.PUBLIC),
    ]
    for for_all in (False, True):
        if unsafe := _not_safe(measured, for_all=for_all):
            parts.append(Prose(unsafe, Emphasis.VERDICT, Audience.PUBLIC if for_all else Audience.HOUSE))
    if households := [one for one in measured.assessment.remarks if one.startswith(PERSONS_ONE_BY_ONE)]:
        if HOUSEHOLDS_ALARM not in measured.assessment.alarms:  # else the headline and the alarms say it
            parts.append(Prose(as_sentence(households[0]), Emphasis.NOTICE))
        parts.append(Prose(HOUSEHOLDS_FOUND, Emphasis.NOTICE, Audience.PUBLIC))
    if recipe_is_doubted(measured):
        parts.append(Prose(RECIPE_DOUBTED, Emphasis.NOTICE))
    if any(not one.is_met for one in demands):
        parts.append(Prose(NOT_TO_BE_PUBLISHED, Emphasis.NOTICE, Audience.PUBLIC))
    if measured.assessment.alarms:
        alarms = " ".join(map(calm, measured.assessment.alarms))
        more = [alarms, *alarm_details(measured), *alarms_without_limit(measured)]
        words = f"The file tells more than the figures say. {' '.join(more)} See the notes in the section on risk."
        parts.append(Prose(words, Emphasis.NOTICE))
    analyses = lost_analyses(measured)
    parts += [
        *(plain_verdict(measured, demands, analyses, for_all=for_all) for for_all in (False, True)),
        *_what_k_is(measured),
        Prose(how_judged(measured), audience=Audience.ALL),
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
    parts.append(DECISION)
    return draft("verdict", "Verdict", parts, [one.figure for one in demands])


def _about_limits(measured: MeasuredRelease, demands: Sequence[CheckedDemand]) -> Iterator[Prose]:
    """Yield whether the limits are met; a public edition without limits cannot know that the board set none."""
    words = limit_sentence(demands, silent_limits(measured))
    yield Prose(words, Emphasis.VERDICT, Audience.ALL if demands else Audience.HOUSE)
    if not demands:
        yield Prose(NO_LIMIT_TOLD, Emphasis.VERDICT, Audience.PUBLIC)


def limit_sentence(demands: Sequence[CheckedDemand], silent: str = "") -> str:
    """Return whether the limits are met, in a sentence.

    Parameters
    ----------
    demands
        The limits, with what came of them.
    silent
        What none of them is on.
    """
    if not demands:
        return NO_LIMIT
    if all(one.is_met for one in demands):
        words = "; ".join(in_sentence(_limit_words(one.limit, one.figure, ",")) for one in demands)
        several = "Both limits" if len(demands) == 2 else f"All {len(demands)} limits"
        met = f"The one limit set is met: {words}" if len(demands) == 1 else f"{several} set are met: {words}"
        nothing = f"{'It says' if len(demands) == 1 else 'They say'} nothing on {silent}."
        return f"{met}. {nothing}" if silent else f"{met}."
    sentences = []
    for outcome in (LimitOutcome.NOT_MET, LimitOutcome.NOT_SHOWN):
        some = [in_sentence(one.figure.label) for one in demands if one.outcome is outcome]
        if some:
            count = f"{len(some)} of {len(demands)} limits" if len(demands) > 1 else "The one limit set"
            verb = "is" if len(some) == 1 else "are"
            sentences.append(f"{count} {verb} {CAPITALS[outcome]}: {'; '.join(some)}.")
    return " ".join(sentences)


def _what_k_is(measured: MeasuredRelease) -> Iterator[Prose]:
    """Yield what k is and who asked for it, for each edition, where persons are looked for by keys."""
    if measured.after is not None:
        yield Prose(k_in_words(measured, for_all=False))
        yield Prose(k_in_words(measured, for_all=True), audience=Audience.PUBLIC)


def _limit_words(limit: Limit, figure: ReportFigure, mark: str = ":") -> str:
    unit = " %" if figure.unit == PERCENT else ""
    bound = "at least" if limit.figure in LOWER_LIMITED else "at most"
    return f"{figure.label}{mark} {bound} {format_compact(limit.number)}{unit}"


def _what_holds(measured: MeasuredRelease) -> str:
    """Return in a sentence what an acquaintance and the strongest intruder find."""
    if measured.is_synthetic:
        return _what_attacks_leave_open(measured) or (
            "The records are synthetic and come from nobody; whether they carry traces of persons was not tested, "
            "as no control was given."
        )
    if proven := proven_of_equals(measured):
        return as_sentence(f"{proven}.")
    sentences = [] if measured.after is None else [*keys_in_words(measured, measured.after, for_all=False)]
    for found in measured.assessment.measurements:
        if found.name == WorstCaseLinkage.name() and found.value <= MAX_FOUND:
            lower = lower_end(found.value, found.bound)
            told = f"{WORST} finds {lower}{format_percent(found.value)} of the records{proven_words(found)}."
            sentences.append(f"{told[:1].upper()}{told[1:]}")
    return " ".join(sentences) or "What the measures found stands in the sections below."


def _not_safe(measured: MeasuredRelease, *, for_all: bool) -> str:
    """Return in a sentence each whom the file is not safe against, or on a condition only; nothing without either."""
    judged = [one for one in judge_intruders(measured, for_all=for_all) if one.headline]
    unsafe = "; ".join(one.headline for one in judged if one.standing is Standing.NOT_SAFE)
    on_condition = "; ".join(one.headline for one in judged if one.standing is Standing.ON_CONDITION)
    sentences = [f"NOT safe against {unsafe}."] if unsafe else []
    if on_condition:
        sentences.append(f"Safe only if nobody knows what was taken out of whom, against {on_condition}.")
    return " ".join(sentences)


def _what_attacks_leave_open(measured: MeasuredRelease) -> str:
    """Return what attacks beside a control found, and up to where none rules out a leak; empty without a control."""
    verdict, reached = measured.assessment.leak_verdict, reach_of_attacks(measured)
    if not verdict or not reached or measured.assessment.shows_leak:
        return verdict
    label, high = next(iter(reached.items()))
    control = 0 if measured.question.control is None else measured.question.control.n
    return (
        f"{verdict} Beside a control of {rounded_count(control)} records leaks up to {bound_class(high)}, rounded "
        f"up, are not ruled out ({in_sentence(label)})."
    )


def _what_holds_for_all(measured: MeasuredRelease) -> str:
    """Return what everybody may read of it: no figure that counts fewer than k."""
    if proven := proven_of_equals(measured):
        return as_sentence(f"{proven}.")
    if measured.is_synthetic or measured.after is None:
        return (
            _what_holds(measured) if measured.is_synthetic else "What the measures found stands in the sections below."
        )
    return " ".join([*keys_in_words(measured, measured.after, for_all=True), *_found_for_all(measured)])


def _found_for_all(measured: MeasuredRelease) -> Iterator[str]:
    """Yield what the strongest intruder finds, where that is not so little that it stands for fewer than k records."""
    for one in measured.assessment.measurements:
        if one.name == WorstCaseLinkage.name() and one.value <= MAX_FOUND:
            is_told = one.value * measured.released.n / 100 >= measured.k
            found = f"{lower_end(one.value, one.bound)}{format_percent(one.value)}" if is_told else "hardly any"
            yield f"{WORST[:1].upper()}{WORST[1:]} finds {found} of the records{proven_words(one)}."
