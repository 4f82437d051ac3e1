"""The three questions of Opinion 05/2014 (WP216), each with an answer in a line and all figures of the report on it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from sfumato.assessment.release_notes import (
    DROPPED_COMPUTED,
    GAPS_TOLD,
    HOUSEHOLDS_FOUND,
    HOUSEHOLDS_TOLD,
    K_FAILS,
    LEARNT_FOUND,
    MEANS_TOLD,
    PERSONS_FOUND,
    PERSONS_REPEATED,
    RARE_VALUES,
    VALUES_COMPUTED,
)
from sfumato.display import format_percent
from sfumato.reports.release.chapters.answer_figures import LEARNT
from sfumato.reports.release.chapters.judging.judged_intruders import (
    judge_intruders,
    no_bound_words,
    reach_text,
    without_bound,
)
from sfumato.reports.release.chapters.judging.standing import (
    INFERENCE,
    LINKABILITY,
    MAX_FOUND,
    SINGLING_OUT,
    Judged,
    Standing,
)
from sfumato.reports.release.chapters.judging.told_amounts import FINDS, WHO
from sfumato.reports.release.chapters.verdict_warnings import IN_THE_TABLE, words_for_everybody
from sfumato.reports.release.chapters.whole_records import proven_of_equals, right_group_words
from sfumato.reports.release.figure import ReportFigure, in_sentence
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import Audience, FigureRow, FigureTable, Part, Prose, Subheading
from sfumato.reports.release.words.alarms import calm
from sfumato.reports.release.words.bound_words import bound_class
from sfumato.reports.release.words.measure_words import words_of
from sfumato.reports.release.words.trial_words import rounded_count

YES, NOT_ANSWERED, UNTOLD = "Answer: yes", "Answer: NOT answered", "it cannot be told without a control"
OF_EXCESS = (
    " What is not ruled out is an excess over the control, in percent of the largest that there could be; of telling "
    "who took part, the share that is named where 1 % of the others are."
)
MAY_FIND_MORE = "another attack may find more."
SEE_RISK = "Explained in the section on risk"
WITHIN = (Standing.ON_AVERAGE, Standing.SAFE_AS_TRIED, Standing.SAFE)
TITLE = "Opinion 05/2014 (WP216): three questions"


class Question(NamedTuple):
    """A question of the opinion by name and in full, the figures that answer it, and the alarms that bear on it."""

    name: str
    text: str
    paths: tuple[str, ...]
    alarms: tuple[str, ...]


QUESTIONS = (
    Question(
        SINGLING_OUT,
        "Singling out: is it still possible to single out an individual?",
        (
            "risk/measures/SO",
            "risk/measures/SR",
            "risk/keys/uniques/after",
            "risk/keys/strict_uniques/after",
            "risk/keys/k/after",
            "risk/households/found/after",
            "risk/measures/repU",
        ),
        (K_FAILS, PERSONS_REPEATED, PERSONS_FOUND, LEARNT_FOUND, GAPS_TOLD, RARE_VALUES, HOUSEHOLDS_FOUND),
    ),
    Question(
        LINKABILITY,
        "Linkability: is it still possible to link records relating to an individual?",
        (
            "risk/measures/LINK",
            "risk/measures/DLD",
            "risk/measures/BSLD",
            "risk/measures/WCL",
            "risk/measures/WCL/WCB",
        ),
        (HOUSEHOLDS_TOLD,),
    ),
    Question(
        INFERENCE,
        "Inference: can information be inferred concerning an individual?",
        (
            "risk/measures/INF",
            "risk/measures/AD",
            "risk/measures/AD/certain",
            "risk/keys/single_valued/after",
            "risk/keys/strict_single_valued/after",
            "risk/measures/DiSCO",
            "risk/measures/learnt_numbers",
            "risk/measures/learnt_numbers/by_fit",
            "risk/measures/ID",
            "risk/measures/learnt_numbers/of_record",
            "risk/measures/SDID",
        ),
        (VALUES_COMPUTED, DROPPED_COMPUTED, MEANS_TOLD),
    ),
)
BESIDE = Question(
    "membership inference",
    "Beside these questions: can it be told who took part?",
    ("risk/measures/MIA", "risk/measures/HMIA"),
    (),
)
"""What the opinion does not ask, and attacks on synthetic files tell."""


def wp216_answers(measured: MeasuredRelease, known: Mapping[str, ReportFigure], new: Collection[str]) -> Iterator[Part]:
    """Yield the questions with what the report found on each.

    Parameters
    ----------
    measured
        What was measured.
    known
        The figures of the report by path, those of the attacks that the opinion asks for among them.
    new
        The paths of these attacks where no other section explains them.
    """
    yield Subheading(TITLE, Audience.ALL)
    held = (
        "without a control, so that what is true of everybody counts as found, too"
        if measured.question.control is None
        else "beside a control"
    )
    yield Prose(
        f"Attacks were tried {held}. The baseline is what chance, or the control, gives."
        f"{'' if measured.question.control is None else OF_EXCESS}",
        audience=Audience.ALL,
    )
    given: dict[bool, list[str]] = {False: [], True: []}
    for question in (*QUESTIONS, BESIDE):
        paths = [path for path in question.paths if path in known]
        if question is BESIDE and not paths:
            continue
        if not paths:
            yield Prose(f"{question.text} No figure of this report answers it.", audience=Audience.ALL)
            continue
        yield Subheading(question.text, Audience.ALL)
        for for_all in (False, True):
            answer = " ".join(_answer(measured, question, for_all=for_all))
            given[for_all] += [answer] if question is not BESIDE else []
            yield Prose(answer, audience=Audience.PUBLIC if for_all else Audience.HOUSE)
        for title, some in (
            ("", [one for one in paths if one in new]),
            (SEE_RISK, [one for one in paths if one not in new]),
        ):
            rows = tuple(
                FigureRow(known[path].label, (path, _baseline(path, known)), path if path in new else "")
                for path in some
            )
            if rows:
                yield FigureTable(title, ("found", "baseline"), rows, Audience.ALL, public_columns=(0, 1))
    for for_all, answers in given.items():
        yield Prose(closing_words(answers), audience=Audience.PUBLIC if for_all else Audience.HOUSE)


def closing_words(answers: Sequence[str]) -> str:
    """Return what the answers come to by the opinion; the questions that could not be answered count as open.

    Examples
    --------
    >>> closing_words([f"{YES}, for an acquaintance.", "Answer: not shown to be possible."])[:44]
    'Of the 2 questions 1 is answered yes. By the'
    """
    yes = sum(answer.startswith(YES) for answer in answers)
    known = sum(answer.startswith(f"{YES}, but only") for answer in answers)
    only = f" ({known:,} only where something else is known, too)" if known else ""
    if yes:
        return (
            f"Of the {len(answers)} questions {yes} {'is' if yes == 1 else 'are'} answered yes{only}. By the opinion "
            f"the file is then not anonymous unless an assessment of the risk that remains shows that nobody is likely "
            f"to be identified; that assessment is not on this page."
        )
    left = sum(NOT_ANSWERED in answer or UNTOLD in answer for answer in answers)
    counts = {"not shown to be possible": len(answers) - left, "NOT answered": left}
    told = ", ".join(f"{count} {words}" for words, count in counts.items() if count)
    return (
        f"Of the {len(answers)} questions none is answered yes: {told}. That does not show that the file is anonymous: "
        f"read what each answer leaves open."
    )


def _baseline(path: str, known: Mapping[str, ReportFigure]) -> str:
    """Return the path of the baseline of a figure; what is told of confidential numbers has one for all."""
    paths = (f"{path}/baseline", f"{LEARNT}/baseline" if path.startswith(LEARNT) else "")
    return next((one for one in paths if one in known), "")


def _answer(measured: MeasuredRelease, question: Question, *, for_all: bool) -> Iterator[str]:
    """Yield the answer in a line, and what the file tells beside the figures."""
    if measured.is_synthetic:
        yield _of_attack(measured, question, for_all=for_all)
    else:
        yield _of_intruders(measured, question, for_all=for_all)
    alarms = [alarm for alarm in measured.assessment.alarms if alarm in question.alarms and alarm not in IN_THE_TABLE]
    if alarms:
        told = " ".join(words_for_everybody(alarm) if for_all else calm(alarm) for alarm in alarms)
        yield f"Beside the figures: {told}"


def _of_intruders(measured: MeasuredRelease, question: Question, *, for_all: bool) -> str:
    """Return for whom it is possible, each with what they find; by the cut of the verdict."""
    judged = [one for one in judge_intruders(measured, for_all=for_all) if one.question == question.name]
    found = {
        each: "; ".join(f"{in_sentence(one.who)}, who {_finds(one)}" for one in judged if one.standing is each)
        for each in Standing
    }
    known = f"where it is known what was taken out of whom, for {found[Standing.ON_CONDITION]}"
    is_known = bool(found[Standing.ON_CONDITION])
    if found[Standing.NOT_SAFE]:
        answer = f"yes, for {found[Standing.NOT_SAFE]}{f'; and {known}' if is_known else ''}"
    elif is_known:
        answer = f"yes, but only {known}"
    elif question.name != INFERENCE and proven_of_equals(measured):
        answer = _of_equals(measured, question)
    elif some := "; ".join(filter(None, map(found.get, WITHIN))):
        answer = f"not shown to be possible, by at most {MAX_FOUND:.0f} %: {some}"
    else:
        answer = UNTOLD
    judged_by = " without a control" if question.name == INFERENCE else ""
    more = f" Not judged{judged_by}: {found[Standing.OPEN]}." if found[Standing.OPEN] else ""
    more += f" Not tested: {found[Standing.UNTESTED]}." if found[Standing.UNTESTED] else ""
    return f"Answer: {answer}.{more}"


def _of_equals(measured: MeasuredRelease, question: Question) -> str:
    """Return what equal records leave open: no record is linked, and whole groups may be."""
    equal = f"at least {measured.equal_records} records are equal in every column"
    groups = right_group_words(measured) if question.name == LINKABILITY else ""
    if not groups:
        return f"not shown to be possible; {equal}"
    return (
        f"not shown to be possible of single records, as {equal}; yes, of groups, for the worst intruder that was "
        f"tried: {groups}"
    )


def _finds(one: Judged) -> str:
    """Return what an intruder finds, as a clause goes on; which means tell amounts stands in the verdict."""
    if one.who == WHO:
        return f"{FINDS} (see the verdict)"
    return f"has {one.found}" if one.found.startswith("a chance") else one.found


def _of_attack(measured: MeasuredRelease, question: Question, *, for_all: bool) -> str:
    """Return what attacks found beside a control, where one was given; too small a control answers nothing."""
    attacks = [*measured.attacks, *measured.assessment.by_room("risk")]
    taken = [found for _, found in attacks if found.name.replace("_", " ") == question.name]
    control = measured.question.control
    if not taken or taken[0].shows_leak is None or control is None:
        return f"Answer: {UNTOLD}."
    found = taken[0]
    if found.shows_leak:
        return f"{YES}; the attack finds more than in the control, beyond chance."
    no_bound = no_bound_words(
        label for label, symbol in without_bound(measured) if f"risk/measures/{symbol}" in question.paths
    )
    open_attacks = [
        f"{label} ({'' if for_all else f'estimate {format_percent(value)}, '}up to {reach_text(high, for_all=for_all)} "
        f"not ruled out)"
        for label, value, high in _reaches(measured, question)
        if high > MAX_FOUND
    ]
    if open_attacks:
        return (
            f"{NOT_ANSWERED}; a control of {rounded_count(control.n)} records is too small to rule out more than "
            f"{MAX_FOUND:.0f} %, above which this page gives no answer: {'; '.join(open_attacks)}{no_bound}. "
            f"No leak was found beyond chance; {MAY_FIND_MORE}"
        )
    joint = None if found.trials is None else found.trials.joint_interval
    reach = "" if joint is None else f"; up to {bound_class(joint[1])}, rounded up, is not ruled out of this attack"
    return f"Answer: not shown to be possible beyond chance, beside this control{reach}{no_bound}; {MAY_FIND_MORE}"


def _reaches(measured: MeasuredRelease, question: Question) -> Iterator[tuple[str, float, float]]:
    """Yield the attacks of a question beside a control: what each is, finds, and does not rule out."""
    taken = dict(measured.attacks) | dict(measured.assessment.by_room("risk"))
    for measure, found in taken.items():
        joint = None if found.trials is None else found.trials.joint_interval
        if joint is not None and f"risk/measures/{found.symbol}" in question.paths:
            yield in_sentence(words_of(type(measure)).label), found.value, joint[1]
