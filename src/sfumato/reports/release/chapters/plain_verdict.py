"""What a board signs, in plain words: what is promised, what was measured, what was lost, and what nobody knows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sfumato.assessment.release_notes import LEARNT_FOUND, MEANS_TOLD
from sfumato.contracts.figure_ends import NO_BOUND_AT, NOTHING_PROVEN
from sfumato.data import role
from sfumato.display import format_compact, format_percent
from sfumato.reports.release.chapters.acquaintance import by_keys_in_words, k_in_doubt, left_to_acquaintance
from sfumato.reports.release.chapters.demands import CheckedDemand
from sfumato.reports.release.chapters.judging.judged_intruders import judge_intruders
from sfumato.reports.release.chapters.judging.standing import MAX_FOUND, Standing
from sfumato.reports.release.chapters.lost_in_words import lost_in_words
from sfumato.reports.release.chapters.own_amounts import own_amounts_in_words
from sfumato.reports.release.chapters.utility.lost_analyses import LostAnalysis
from sfumato.reports.release.chapters.verdict_warnings import list_warnings
from sfumato.reports.release.chapters.whole_records import (
    COMMON_IS_TOLD,
    RESTS_ON,
    UNKNOWN,
    is_proven_of_equals,
    proven_of_equals,
)
from sfumato.reports.release.measured_release import MeasuredRelease, recipe_is_doubted
from sfumato.reports.release.question import Standard
from sfumato.reports.release.sections import Audience, Form, WordTable
from sfumato.reports.release.words.bound_words import ON_AVERAGE, hardly_proven
from sfumato.risk import WorstCaseLinkage

TITLE = "What this comes to"
KEEP_SECRET, THIS_EDITION = "Keep secret", "this edition and its JSON"
HEADINGS = ("", "in plain words")
INTRUDER_HEADINGS = ("intruder", "the file is", "what they find")
ORDER = (
    Standing.NOT_SAFE,
    Standing.ON_CONDITION,
    Standing.ON_AVERAGE,
    Standing.SAFE_AS_TRIED,
    Standing.SAFE,
    Standing.UNTESTED,
    Standing.OPEN,
)
WHO_FINDS = "Whom the file is safe against"
CUT = format_compact(MAX_FOUND)
HOW_JUDGED = (
    f"Safe means here: by the attacks that were tried a person is found with a chance of at most {CUT} %, or at most "
    f"{CUT} % of the records are found; for a confidential answer or number the keys add at most {CUT} points to the "
    f"chance of guessing it, on average over persons. A better attack may find more. That cut is Sfumato's; a board "
    f"may set lower limits. Every intruder is taken to have the file, as if it were open to everybody."
)
NOT_JUDGED = " Not judged: nobody can say without a control how much of it is true of everybody."
NEARLY_SURE = " {who} is nearly sure of those they find: against them the file is NOT safe, however few these are."
SURE = {LEARNT_FOUND: "learns", MEANS_TOLD: "reads amounts off means"}
"""What somebody does who is nearly sure of those they find, by the alarm that it is possible."""
HOW_TRACES_ARE_JUDGED = (
    "No leak found means: no attack finds more about the persons behind the file than chance explains, beside persons "
    "of the control; another attack may find more. Every intruder is taken to have the file, as if it were open to "
    "everybody."
)
NOTHING_PROMISED = "Nothing: no limit that was set is met beyond doubt. {proven}"
NO_LIMIT_GIVEN = "Nothing: this report was given no limits. {proven}"
NOTHING_OF_METHODS = "Of the methods nothing is proven."
NO_LEAK_FOUND = "no leak found (safety not shown)"
ALWAYS_UNKNOWN = (
    "what other files or tables about the same persons add, such as other releases of the same original, "
    "and whether somebody knows more of a person than the variables that are marked as keys; the section on what was "
    "not tested lists all"
)
OTHERS_KNOWN = "Other releases from this original, or of the same persons, that the house knows of"
KEYS_CHOSEN = "Keys and roles of the variables chosen by"
LIMITS_CHOSEN = "Limits chosen by, because"
DECISION = Form(
    "Decision of the board: not yet taken",
    (
        OTHERS_KNOWN,
        "Released, released under conditions, or refused",
        "To whom, for which purpose, until when",
        "Conditions, and who answers for them",
        KEYS_CHOSEN,
        LIMITS_CHOSEN,
        "Report made by",
        "Name and office",
        "Date and signature",
    ),
)
NO_DECISION = (
    "This page says what was measured. Whether, to whom and on what conditions the data are released is the decision "
    "of the house, which is not on it."
)


def plain_verdict(
    measured: MeasuredRelease, demands: Sequence[CheckedDemand], analyses: Sequence[LostAnalysis], *, for_all: bool
) -> WordTable:
    """Return the table of what the report comes to.

    Parameters
    ----------
    measured, demands
        What was measured, and the limits with what came of them.
    analyses
        What users lose in analyses, the worst first.
    for_all
        Whether it is for everybody: no count or share that stands for fewer than k records.
    """
    warned = " ".join([*list_warnings(measured, for_all=for_all), *_high_bound(measured)])
    rows = (
        (
            "Promised",
            _sentences(_promised(measured, demands, for_all=for_all))
            or _nothing_promised(measured, is_limited=bool(demands)),
        ),
        *([("Warning", warned)] if warned else []),
        ("Lost", _lines(lost_in_words(measured, analyses, for_all=for_all)) or "See the section on utility."),
        ("Not known", _sentences([*_unknown(measured), UNKNOWN if proven_of_equals(measured) else ALWAYS_UNKNOWN])),
        ("Rests on", _sentences(_assumptions(measured, for_all=for_all))),
        *([] if for_all else [(KEEP_SECRET, _secrets(measured))]),
    )
    return WordTable(TITLE, HEADINGS, rows, Audience.PUBLIC if for_all else Audience.HOUSE)


def _secrets(measured: MeasuredRelease) -> str:
    """Return what must not leave the house, or the file is not protected as this report says."""
    control = " and the control" if measured.question.control is not None else ""
    leads = "" if measured.is_synthetic else ", which leads from records to persons,"
    return f"The original{control}; the manifest{leads} and the seed; the recipe with its parameters; {THIS_EDITION}."


def decision_form(measured: MeasuredRelease, other_releases: Sequence[str]) -> Form:
    """Return what the board fills in and signs; the other releases that were found stand there already."""
    told = {}
    if other_releases:
        told[OTHERS_KNOWN] = f"{OTHERS_KNOWN} (found beside the files: {', '.join(other_releases)}; any more?)"
    if Standard.HIPAA in measured.question.standards:
        threshold = format_percent(measured.question.threshold)
        told[LIMITS_CHOSEN] = f"Limits and the threshold of HIPAA ({threshold}) chosen by, because"
    return replace(DECISION, fields=tuple(told.get(one, one) for one in DECISION.fields))


def intruder_table(measured: MeasuredRelease, *, for_all: bool) -> WordTable:
    """Return a line for each intruder: how the file stands against them, and what they find; the worst first."""
    judged = sorted(judge_intruders(measured, for_all=for_all), key=lambda one: ORDER.index(one.standing))
    safe = NO_LEAK_FOUND if measured.is_synthetic else str(Standing.SAFE)
    rows = tuple((one.who, safe if one.standing is Standing.SAFE else str(one.standing), one.found) for one in judged)
    return WordTable(WHO_FINDS, INTRUDER_HEADINGS, rows, Audience.PUBLIC if for_all else Audience.HOUSE)


def _lines(groups: Iterable[Sequence[str]]) -> str:
    """Return groups of passages, each group as a line of sentences."""
    return "\n".join(f"\u2013 {_sentences(some)}" for some in groups)


def _sentences(passages: Iterable[str]) -> str:
    """Return passages as one sentence each."""
    return " ".join(f"{passage[:1].upper()}{passage[1:]}." for passage in passages)


def _promised(measured: MeasuredRelease, demands: Sequence[CheckedDemand], *, for_all: bool) -> Iterator[str]:
    """Yield what holds for every record or is proven, whoever tries."""
    met = [one for one in demands if one.is_met]
    if met:
        several = f"{len(met)} of {len(demands)} limits" if len(demands) > 1 else "the limit"
        yield f"{several} that {'were' if len(demands) > 1 else 'was'} set for this release {_are(len(met))} met"
    if measured.is_synthetic:
        yield "no released record as a whole was taken over from the original: all were drawn from models"
        yield own_amounts_in_words(measured, for_all=for_all)
        return
    if proven_of_equals(measured):
        if is_proven_of_equals(measured):
            yield f"what is proven of equal records, above; {COMMON_IS_TOLD}"
        return
    after = measured.after
    if after is not None and not k_in_doubt(measured):
        left = left_to_acquaintance(measured, after)
        if left.fewest >= measured.k:
            yield f"by the keys alone {by_keys_in_words(left)}"
    if (bound := _bound(measured)) is not None and bound <= MAX_FOUND:
        yield (
            f"nobody, whatever they try, finds more than {format_percent(bound)} of the records by the compared "
            f"columns, {ON_AVERAGE}"
        )


def _bound(measured: MeasuredRelease) -> float | None:
    """Return how many records nobody exceeds, in percent, where that rules something out."""
    bounds = [one.bound for one in measured.assessment.measurements if one.name == WorstCaseLinkage.name()]
    return next((one for one in bounds if one is not None and one < NOTHING_PROVEN), None)


def _high_bound(measured: MeasuredRelease) -> Iterator[str]:
    """Yield what is proven of the worst case where it is no promise, as it leaves more than the cut."""
    if (bound := _bound(measured)) is not None and bound > MAX_FOUND:
        yield (
            f"That nobody finds more than {format_percent(bound)} of the records, whatever they try, is proven, "
            f"{ON_AVERAGE}: {_one_in(bound)} can be put to its person."
        )


def _one_in(percent: float) -> str:
    """Return a share of records as people say it.

    Examples
    --------
    >>> _one_in(17.5), _one_in(50), _one_in(72)
    ('about one record in 6', 'about one record in 2', '72 % of the records')
    """
    return (
        f"about one record in {round(100 / percent)}" if percent <= 50 else f"{format_percent(percent)} of the records"
    )


def _nothing_promised(measured: MeasuredRelease, *, is_limited: bool) -> str:
    """Return that nothing is promised, and what is proven all the same, which rules out hardly anything."""
    words = NOTHING_PROMISED if is_limited else NO_LIMIT_GIVEN
    bounds = [one.bound for one in measured.assessment.measurements if one.name == WorstCaseLinkage.name()]
    bound = next((one for one in bounds if one is not None and one < NO_BOUND_AT), None)
    proven = NOTHING_OF_METHODS if bound is None else f"Of the worst case {hardly_proven(bound)}."
    if _bound(measured) is not None:
        proven = "What is proven of the worst case is no promise: see the warning."
    return words.format(proven=proven)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def how_judged(measured: MeasuredRelease) -> str:
    """Return what it means that a file is safe against somebody."""
    if measured.is_synthetic:
        return HOW_TRACES_ARE_JUDGED
    is_open = any(one.standing is Standing.OPEN for one in judge_intruders(measured, for_all=False))
    sure = " or ".join(words for alarm, words in SURE.items() if alarm in measured.assessment.alarms)
    nearly_sure = NEARLY_SURE.format(who=f"Whoever {sure}") if sure else ""
    return f"{HOW_JUDGED}{nearly_sure}{NOT_JUDGED * is_open}"


def _unknown(measured: MeasuredRelease) -> Iterator[str]:
    """Yield what the assessment leaves open, the most important first."""
    worst = [one for one in measured.assessment.measurements if one.name == WorstCaseLinkage.name()]
    if measured.is_synthetic and measured.question.control is None:
        yield "whether the file leaks: no control was given"
    elif not measured.is_synthetic and not worst:
        yield "what an intruder finds who has everybody's original values and the recipe: it was not tried"
    elif worst and (worst[0].bound is None or worst[0].bound >= NOTHING_PROVEN) and worst[0].value < NOTHING_PROVEN:
        bound = NO_BOUND_AT if worst[0].bound is None else worst[0].bound
        yield f"how many records a cleverer intruder than those tried would find: {hardly_proven(bound)}"
    if not measured.is_synthetic and not measured.tells_answers:
        yield "whether keys tell a confidential value: it was not measured"


def _assumptions(measured: MeasuredRelease, *, for_all: bool) -> Iterator[str]:
    """Yield what must be true for the figures to mean what they say."""
    if measured.after is not None:
        keys = ", ".join(measured.after.keys)
        yield f"others may know of a person {keys}, and nothing else, where a figure speaks of keys"
    if proven_of_equals(measured):
        yield RESTS_ON
    if measured.question.methods:
        made = "methods named here, whose parameters are not on this page," if for_all else "recipe given here"
        doubted = " (which this page doubts, see above)" if recipe_is_doubted(measured) else ""
        yield f"the {made} made the file{doubted}, and nobody outside has its seed"
    if measured.is_synthetic and measured.question.control is not None:
        totals = any(getattr(step, "weight_total", None) is not None for step in measured.question.steps)
        yield (
            "the control is of the same population, and nobody of it helped to make the file"
            f"{', but for totals that the recipe holds, which are of the whole file' if totals else ''}"
        )
    elif measured.original.select(role("weight")):
        yield "the sampling weights tell how many persons a record stands for"
    record = "original record" if measured.is_synthetic else "record"
    yield f"each {record} is one person or firm, and the schema says truly what each variable is"
