"""Which intruders a file is safe against, and which not: what each of them finds or learns."""

from collections.abc import Iterator
from typing import NamedTuple

from sfumato.contracts import ControlledRisk
from sfumato.data import role
from sfumato.display import format_compact, format_count, format_percent
from sfumato.keys.findings.found_households import persons_found
from sfumato.reports.release.chapters.demands import KEY_ALARMS
from sfumato.reports.release.chapters.intruders import list_names, unprotected_variables
from sfumato.reports.release.figure import in_sentence
from sfumato.reports.release.learnt_numbers import interval_disclosure_by_chance
from sfumato.reports.release.measured_release import KeyRisk, MeasuredRelease
from sfumato.reports.release.public_edition import small_share
from sfumato.reports.release.words.measure_words import words_of
from sfumato.reports.release.words.trial_words import comparisons_in_words, rounded_count, tried_words
from sfumato.risk import DistanceLinkage, Inference, IntervalDisclosure, WorstCaseLinkage
from sfumato.risk.synthetic.inference import COMMONEST

BORDER = 0.1  # of the cut: figures so near are called borderline


LEARNT_UNTESTED = " what is learnt of confidential values was not tested"


MAX_FOUND = 10.0  # percent of the records that an intruder may find whom the table calls the file safe against


class Judged(NamedTuple):
    """An intruder: who it is and what they find, and whether the file is safe against them; None if nobody can tell."""

    words: str
    is_safe: bool | None


def judge_intruders(measured: MeasuredRelease, *, for_all: bool) -> Iterator[Judged]:
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
                share = share_text(measured, most, for_all=for_all)
                yield Judged(f"{who}: finds {share} of the records{_borderline(most)}", most <= MAX_FOUND)
    if measured.attribute is not None:
        found, guessed = measured.attribute.value, measured.attribute.parts["ADB"]
        shares = [share_text(measured, value, for_all=for_all) for value in (found, guessed)]
        yield Judged(
            f"somebody who knows the keys and asks for a confidential answer: guesses it right for {shares[0]} of the "
            f"persons, without the file for {shares[1]}",
            found - guessed <= MAX_FOUND,
        )

    if measured.learnt is not None:
        near, chance = measured.learnt.by_keys, measured.learnt.by_chance
        shares = [share_text(measured, value, for_all=for_all) for value in (near, chance)]
        yield Judged(
            f"somebody who knows the keys and asks for a confidential number: is within 10 % of it for {shares[0]} of "
            f"the persons, without the keys for {shares[1]}{_borderline(near - chance)}",
            near - chance <= MAX_FOUND,
        )
    yield from _not_judged(measured, for_all=for_all)


def _not_judged(measured: MeasuredRelease, *, for_all: bool) -> Iterator[Judged]:
    """Yield what attacks find that nobody can judge: no control tells what is true of everybody."""
    for measure, found in measured.assessment.by_room("risk"):
        if isinstance(measure, IntervalDisclosure) and measured.aligned is not None:
            chance = interval_disclosure_by_chance(measure, measured.aligned, measured.released)
            shares = [share_text(measured, value, for_all=for_all) for value in (found.value, chance)]
            yield Judged(
                f"whoever has found a record and reads a number off it: it lies near the true one, within 1 to "
                f"10 % of the ranks, for {shares[0]} of the numbers, and for {shares[1]} by chance; it matters where "
                f"records are found",
                None,
            )
    for measure, found in measured.attacks:
        if found.shows_leak is not None:
            words = in_sentence(words_of(type(measure)).label)
            yield Judged(f"{words} beside a control: {tried_words(found)}".rstrip("."), not found.shows_leak)
        elif isinstance(measure, Inference):
            commonest = next((rate for name, rate in found.parts.items() if name.endswith(COMMONEST)), 0.0)
            shares = [share_text(measured, value, for_all=for_all) for value in (found.value, commonest)]
            yield Judged(
                f"who knows all values of a person but one, and guesses it from the file: right for {shares[0]} of the "
                f"persons in the column that is guessed best, where the commonest value is right for {shares[1]}; how "
                f"much of that is true of everybody cannot be told without a control",
                None,
            )


def _borderline(percent: float) -> str:
    """Return that a figure is near the cut, where it is."""
    is_near = abs(percent - MAX_FOUND) <= BORDER * MAX_FOUND
    return f" (borderline: the cut is {format_compact(MAX_FOUND)} %)" if is_near else ""


def _by_keys(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> Iterator[Judged]:
    """Yield who looks for persons by the keys."""
    k = int(after.report["k"])
    if k_in_doubt(measured):
        found = "other columns, gaps or households tell more than the keys that were counted, so that some fit fewer"
    elif k >= measured.k:
        found = f"every record fits at least {k}{_read_strictly(measured, after, for_all=for_all)}"
    elif for_all or k > 1:
        found = f"some records fit fewer than {measured.k}"
    else:
        found = "some records stand alone and are found"
    learnt = " what is learnt all the same stands apart" if measured.tells_answers else LEARNT_UNTESTED
    yield Judged(
        f"an acquaintance who knows a person's keys and looks for the record: {found};{learnt}",
        k >= measured.k and not k_in_doubt(measured),
    )
    mean, largest = after.report["global_risk"], after.report["largest_risk"]
    shares = [
        share_text(measured, value, for_all=for_all, figure=name)
        for name, value in (("global_risk", mean), ("largest_risk", largest))
    ]
    others = unprotected_variables(measured)
    lacks = f" and which lacks {list_names(measured.released, others)}" if others else ""
    yield Judged(
        f"somebody with a register of everybody's keys, which does not tell who is in the file{lacks}: recognises a "
        f"record with a probability of {shares[0]} on average, and {shares[1]} at most",
        largest <= MAX_FOUND,
    )
    if measured.released.select(role("household")):
        count = persons_found(measured.released, after.keys) or 0
        told = "fewer than k persons" if for_all and 0 < count < measured.k else format_count(count, "person")
        words = f"somebody who knows the keys of a whole household: finds {told} of {measured.released.n:,}"
        yield Judged(words, 100 * count <= MAX_FOUND * measured.released.n)


def _read_strictly(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> str:
    """Return how many records fit fewer where a gap is read as a value; nothing where none does."""
    told = {one.name: int(one.value) for one in after.report.figures}
    fewer, alone = told.get("strict_violations", 0), told.get("strict_uniques", 0)
    if not fewer:
        return ""
    counts = ["fewer than k records" if for_all and 0 < n < measured.k else f"{n:,}" for n in (fewer, alone)]
    return (
        f" where a gap fits every value; read as a value of its own, {counts[0]} fit fewer than {measured.k}, "
        f"{counts[1]} of them nobody else: who knows what was taken out of whom finds these"
    )


def _traces(measured: MeasuredRelease) -> Judged:
    """Return what attacks beside a control found of a synthetic file."""
    if measured.question.control is None or not measured.assessment.leak_verdict:
        return Judged("who looks for traces of persons: it was not tested, as no control was given", is_safe=False)
    words = f"who looks for traces of persons: {in_sentence(measured.assessment.leak_verdict.rstrip('.'))}"
    reached = [
        (found.trials.joint_interval[1], words_of(type(measure)).label)
        for measure, found in zip(measured.assessment.measures, measured.assessment.measurements, strict=True)
        if isinstance(measure, ControlledRisk) and found.trials is not None and found.trials.joint_interval is not None
    ]
    words += f". Tested were {comparisons_in_words(measured.assessment.measurements)}"
    if reached:
        control = 0 if measured.question.control is None else measured.question.control.n
        told = ", ".join(f"{in_sentence(label)} {format_percent(high)}" for high, label in sorted(reached)[::-1])
        words += (
            f". Intervals that hold together with 95 % confidence reach up to: {told}. Beside a control of "
            f"{rounded_count(control)} records smaller leaks cannot be ruled out"
        )
    return Judged(words, not measured.assessment.shows_leak)


def k_in_doubt(measured: MeasuredRelease) -> bool:
    """Tell whether something else in the file tells keys, so that a k that was counted does not hold."""
    return any(alarm in KEY_ALARMS for alarm in measured.assessment.alarms)


def share_text(measured: MeasuredRelease, percent: float, *, for_all: bool, figure: str = "") -> str:
    """Return a share or a probability; for everybody a bound in place of one that stands for fewer than k records.

    The bound is no looser than a limit on the figure that it is within.
    """
    limits = [one for one in measured.question.limits if one.figure == figure and not one.is_lower]
    ceiling = min((one.number for one in limits if one.is_met(percent)), default=None)
    hidden = small_share(percent, measured.released.n, measured.k, ceiling) if for_all else ""
    return hidden or format_percent(percent)
