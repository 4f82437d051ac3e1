"""What a board signs, in plain words: what is promised, what was measured, what was lost, and what nobody knows."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import NamedTuple

from sfumato.contracts import ControlledRisk
from sfumato.contracts.limited_figures import NOTHING_PROVEN
from sfumato.data import role
from sfumato.display import format_compact, format_count, format_percent
from sfumato.keys.found_households import persons_found
from sfumato.reports.release.chapters.compared_statistics import compare_means
from sfumato.reports.release.chapters.demands import KEY_ALARMS, CheckedDemand
from sfumato.reports.release.chapters.intruders import list_names
from sfumato.reports.release.figure import in_sentence
from sfumato.reports.release.measured_release import KeyRisk, MeasuredRelease
from sfumato.reports.release.sections import Audience, Form, WordTable
from sfumato.reports.release.words.alarms import calm
from sfumato.reports.release.words.measure_words import words_of
from sfumato.risk import DistanceLinkage, WorstCaseLinkage

TITLE = "What this comes to"
HEADINGS = ("", "in plain words")
MAX_FOUND = 10.0  # percent of the records that an intruder may find whom the table calls the file safe against
HOW_JUDGED = (
    f"Safe against means here: nobody stands out by the keys, or the intruder finds at most "
    f"{format_compact(MAX_FOUND)} % of the records. The board may ask for less, by limits. Every intruder is taken to "
    f"have the file, as if it were open to everybody: no contract, secure room or training of users is counted on."
)
HOW_TRACES_ARE_JUDGED = (
    "Safe against means here: no attack finds more about the persons behind the file than about those of the control, "
    "beyond what chance gives over all attacks. A single interval a little above 0 is no leak by itself, as several "
    "attacks are tried. Every intruder is taken to have the file, as if it were open to everybody."
)
NOTHING_PROMISED = "Nothing: no limit that was set is met beyond doubt, and nothing is proven of the methods."
MORE_TOLD = "Not all that somebody may learn from this file is in the figures below."
NOBODY = "None of the intruders that were tried."
ALWAYS_UNKNOWN = (
    "what other files or tables about the same persons add, and whether somebody knows more of a person than "
    "the variables that are marked as keys; the section on what was not tested lists all"
)
DECISION = Form(
    "Decision of the board",
    (
        "Released, released under conditions, or refused",
        "To whom, for which purpose, until when",
        "Conditions, and who answers for them",
        "Name and office",
        "Date and signature",
    ),
)
LOSSES = {
    "contingency_table_loss": "in tables of the categorical variables {} of the records count in another cell",
    "categorical_distance": "categories were changed in {} of the values, ordered ones counted by how far",
    "suppressions": "{} of the values were taken out",
}


COARSE = ((5.0, "at most 5 %"), (20.0, "at most 20 %"), (inf, "more than 20 %"))
"""How far means moved, as everybody may read it."""


class Judged(NamedTuple):
    """An intruder: who it is and what they find, and whether the file is safe against them."""

    words: str
    is_safe: bool


def plain_verdict(measured: MeasuredRelease, demands: Sequence[CheckedDemand], *, for_all: bool) -> WordTable:
    """Return the table of what the report comes to.

    Parameters
    ----------
    measured, demands
        What was measured, and the limits with what came of them.
    for_all
        Whether it is for everybody: no count or share that stands for fewer than k records.
    """
    judged = [*_judged(measured, for_all=for_all)]
    safe = [one.words for one in judged if one.is_safe]
    unsafe = [one.words for one in judged if not one.is_safe]
    warned = MORE_TOLD if for_all else f"{' '.join(map(calm, measured.assessment.alarms))} See the notes on the risk."
    rows = (
        ("Promised", _sentences(_promised(measured, demands)) or NOTHING_PROMISED),
        ("Measured: safe against", _sentences(safe) or NOBODY),
        ("Measured: NOT safe against", _sentences(unsafe) or NOBODY),
        *([("Warning", warned)] if measured.assessment.alarms else []),
        ("Lost", _sentences(_lost(measured, for_all=for_all)) or "See the section on utility."),
        ("Not known", _sentences([*_unknown(measured), ALWAYS_UNKNOWN])),
        ("Rests on", _sentences(_assumptions(measured))),
    )
    return WordTable(TITLE, HEADINGS, rows, Audience.PUBLIC if for_all else Audience.HOUSE)


def _sentences(passages: Iterable[str]) -> str:
    """Return passages as one sentence each."""
    return " ".join(f"{passage[:1].upper()}{passage[1:]}." for passage in passages)


def _promised(measured: MeasuredRelease, demands: Sequence[CheckedDemand]) -> Iterator[str]:
    """Yield what holds for every record or is proven, whoever tries."""
    met = [one for one in demands if one.is_met]
    if met:
        several = f"{len(met)} of {len(demands)} limits" if len(demands) > 1 else "the limit"
        yield f"{several} that {'were' if len(demands) > 1 else 'was'} set for this release {_are(len(met))} met"
    if measured.is_synthetic:
        yield "no record is that of a person: all were drawn from models"
        return
    if measured.after is not None and (k := int(measured.after.report["k"])) >= measured.k and not k_in_doubt(measured):
        yield f"by the keys every record fits at least {k} records, so that nobody stands out by them; all were counted"
    for found in measured.assessment.measurements:
        if found.name == WorstCaseLinkage.name() and found.bound is not None and found.bound < NOTHING_PROVEN:
            most = format_percent(found.bound)
            yield f"nobody, whatever they try, finds more than {most} of the records on average by the compared columns"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _judged(measured: MeasuredRelease, *, for_all: bool) -> Iterator[Judged]:
    """Yield the intruders that were tried, and what they find."""
    if measured.is_synthetic:
        yield _traces(measured)
        return
    if measured.after is not None:
        yield from _by_keys(measured, measured.after, for_all=for_all)
    for measure, who in (
        (DistanceLinkage, "a holder of exact numbers, such as a bank, who has those that tell most"),
        (WorstCaseLinkage, "the worst intruder that was tried, who has everybody's original values and the recipe"),
    ):
        for one in measured.assessment.measurements:
            if one.name == measure.name():
                most = max((one.value, *(one.parts.values() if measure is DistanceLinkage else ())))
                share = _share(measured, most, for_all=for_all)
                yield Judged(f"{who}: finds {share} of the records", most <= MAX_FOUND)
    if measured.attribute is not None:
        found, guessed = measured.attribute.value, measured.attribute.parts["ADB"]
        shares = [_share(measured, value, for_all=for_all) for value in (found, guessed)]
        yield Judged(
            f"somebody who knows the keys and asks for a confidential answer: guesses it right for {shares[0]} of the "
            f"persons, without the file for {shares[1]}",
            found - guessed <= MAX_FOUND,
        )


def _by_keys(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> Iterator[Judged]:
    """Yield who looks for persons by the keys."""
    k = int(after.report["k"])
    if k_in_doubt(measured):
        found = "other columns, gaps or households tell more than the keys that were counted, so that some fit fewer"
    elif k >= measured.k:
        found = f"every record fits at least {k}"
    elif for_all or k > 1:
        found = f"some records fit fewer than {measured.k}"
    else:
        found = "some records stand alone and are found"
    yield Judged(f"an acquaintance who knows a person's keys: {found}", k >= measured.k and not k_in_doubt(measured))
    mean, largest = after.report["global_risk"], after.report["largest_risk"]
    shares = [_share(measured, value, for_all=for_all) for value in (mean, largest)]
    yield Judged(
        f"somebody with a register of everybody's keys who does not know who is in the file: recognises a record with "
        f"a probability of {shares[0]} on average, and {shares[1]} at most",
        largest <= MAX_FOUND,
    )
    if measured.released.select(role("household")):
        count = persons_found(measured.released, after.keys) or 0
        told = "fewer than k persons" if for_all and 0 < count < measured.k else format_count(count, "person")
        words = f"somebody who knows the keys of a whole household: finds {told} of {measured.released.n:,}"
        yield Judged(words, 100 * count <= MAX_FOUND * measured.released.n)


def _traces(measured: MeasuredRelease) -> Judged:
    """Return what attacks beside a control found of a synthetic file."""
    if measured.question.control is None or not measured.assessment.leak_verdict:
        return Judged("who looks for traces of persons: it was not tested, as no control was given", is_safe=False)
    words = f"who looks for traces of persons: {in_sentence(measured.assessment.leak_verdict.rstrip('.'))}"
    reached = [
        (found.interval[1], words_of(type(measure)).label)
        for measure, found in zip(measured.assessment.measures, measured.assessment.measurements, strict=True)
        if isinstance(measure, ControlledRisk) and found.interval is not None
    ]
    if reached:
        high, label = max(reached)
        words += (
            f". The 95 % intervals of the attacks reach up to {format_percent(high)} ({in_sentence(label)}): with "
            f"these numbers of records a smaller leak cannot be ruled out"
        )
    return Judged(words, not measured.assessment.shows_leak)


def how_judged(measured: MeasuredRelease) -> str:
    """Return what it means that a file is safe against somebody."""
    return HOW_TRACES_ARE_JUDGED if measured.is_synthetic else HOW_JUDGED


def _lost(measured: MeasuredRelease, *, for_all: bool) -> Iterator[str]:
    """Yield what users lose."""
    gone = [name for name in measured.original.schema.names if name not in measured.released.schema]
    if gone and not for_all:
        yield f"{format_count(len(gone), 'variable')} of {len(measured.original.schema.names)} not released"
    missing = measured.original.n - measured.released.n
    if missing > 0 and not measured.is_synthetic and not for_all:
        yield f"{format_count(missing, 'record')} of {measured.original.n:,} not released"
    if means := compare_means(measured.original, measured.released):
        moved = abs(means[0].change)
        told = format_percent(moved) if not for_all else next(text for most, text in COARSE if moved <= most)
        yield (
            "no mean moved"
            if moved < 0.005
            else f"means moved by {told} of their spread{'' if for_all else ' at most'}"
        )
    for one in measured.assessment.measurements:
        if one.name in LOSSES and one.value > 0:
            yield LOSSES[one.name].format(_share(measured, one.value, for_all=for_all))


def _unknown(measured: MeasuredRelease) -> Iterator[str]:
    """Yield what the assessment leaves open, the most important first."""
    worst = [one for one in measured.assessment.measurements if one.name == WorstCaseLinkage.name()]
    if measured.is_synthetic and measured.question.control is None:
        yield "whether the file leaks: no control was given"
    elif not measured.is_synthetic and not worst:
        yield "what an intruder finds who has everybody's original values and the recipe: it was not tried"
    elif worst and (worst[0].bound is None or worst[0].bound >= NOTHING_PROVEN) and worst[0].value < NOTHING_PROVEN:
        yield "how many records a cleverer intruder than those tried would find: nothing is proven"
    if not measured.is_synthetic and not measured.tells_answers:
        yield "whether keys tell a confidential answer: it was not measured"


def _assumptions(measured: MeasuredRelease) -> Iterator[str]:
    """Yield what must be true for the figures to mean what they say."""
    if measured.after is not None:
        keys = list_names(measured.released, measured.after.keys)
        yield f"others may know of a person {keys}, and nothing else, where a figure speaks of keys"
    if measured.question.methods:
        yield "the recipe given here made the file, and nobody outside has its seed"
    if measured.is_synthetic and measured.question.control is not None:
        yield "the control is of the same population, and nobody of it helped to make the file"
    elif measured.original.select(role("weight")):
        yield "the sampling weights tell how many persons a record stands for"
    yield "each record is one person or firm, and the schema says truly what each variable is"


def k_in_doubt(measured: MeasuredRelease) -> bool:
    """Tell whether something else in the file tells keys, so that a k that was counted does not hold."""
    return any(alarm in KEY_ALARMS for alarm in measured.assessment.alarms)


def _share(measured: MeasuredRelease, percent: float, *, for_all: bool) -> str:
    """Return a share or a probability; for everybody a bound in place of one that stands for fewer than k records."""
    smallest = 100 * measured.k / max(measured.released.n, 1)
    if for_all and 0 < percent < min(smallest, 100):
        return f"below {format_compact(smallest, 2)} %"
    return format_percent(percent)
