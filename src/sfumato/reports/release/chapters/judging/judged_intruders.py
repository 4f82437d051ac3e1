"""Which intruders a file is safe against, and which not: what each of them finds or learns, in one line."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sfumato.contracts import ControlledRisk, Measurement
from sfumato.contracts.figure_ends import NOTHING_PROVEN, leaves_much, lower_end
from sfumato.display import format_compact, format_percent
from sfumato.reports.release.chapters.judging.judged_by_keys import judge_by_keys
from sfumato.reports.release.chapters.judging.standing import (
    INFERENCE,
    LINKABILITY,
    MAX_FOUND,
    Judged,
    Standing,
    standing_by,
)
from sfumato.reports.release.chapters.judging.told_amounts import judge_readers_of_means
from sfumato.reports.release.chapters.measure_figures import rates_of
from sfumato.reports.release.chapters.told_shares import share_text
from sfumato.reports.release.chapters.whole_records import right_group_words
from sfumato.reports.release.figure import in_sentence
from sfumato.reports.release.learnt_numbers import LearntNumbers, interval_disclosure_by_chance
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.words.bound_words import ON_AVERAGE, bound_class, hardly_proven
from sfumato.reports.release.words.measure_words import words_of
from sfumato.reports.release.words.trial_words import (
    NO_RECORD_OF_A_PERSON,
    WHO_LOOKS_FOR_PERSONS,
    base_of_reach,
    rounded_count,
)
from sfumato.risk import BestSubsetLinkage, Inference, IntervalDisclosure, WorstCaseLinkage
from sfumato.risk.synthetic.inference import COMMONEST

HAS_FOUND = "Whoever has found a record and reads a number off it"
BORDER = 0.1  # of the cut: figures so near are called borderline


def standing_against_worst(found: Measurement) -> Standing:
    """Return how a file stands against the worst intruder: safe only where it is proven that nobody finds more."""
    if standing_by(found.value) is Standing.NOT_SAFE:
        return Standing.NOT_SAFE
    return Standing.OPEN if found.bound is None else _proven_by(found.bound)


def _proven_by(bound: float) -> Standing:
    return Standing.SAFE if standing_by(bound) is Standing.SAFE else Standing.OPEN


def judge_intruders(measured: MeasuredRelease, *, for_all: bool) -> Iterator[Judged]:
    """Yield the intruders that were tried, and what they find."""
    if measured.is_synthetic:
        yield _traces(measured, for_all=for_all)
        yield Judged(WHO_LOOKS_FOR_PERSONS, NO_RECORD_OF_A_PERSON, Standing.OPEN)
        return
    if measured.after is not None:
        yield from judge_by_keys(measured, measured.after, for_all=for_all)
    for measure, found in measured.assessment.by_room("risk"):
        if isinstance(measure, BestSubsetLinkage):
            yield _holder(measured, found, for_all=for_all)
        elif isinstance(measure, WorstCaseLinkage):
            yield _worst(measured, found, for_all=for_all)
    if measured.attribute is not None:
        right, guessed = measured.attribute.value, measured.attribute.parts["ADB"]
        shares = [share_text(measured, value, for_all=for_all) for value in (right, guessed)]
        yield Judged(
            "Somebody who asks for a confidential answer",
            f"guesses {shares[0]} of the answers right by the keys, {shares[1]} without the file",
            standing_by(right - guessed),
            "somebody who asks for a confidential answer",
            INFERENCE,
        )
    if measured.learnt is not None:
        yield _number(measured, measured.learnt, for_all=for_all)
    yield from judge_readers_of_means(measured, for_all=for_all)
    yield from _not_judged(measured, for_all=for_all)


def _holder(measured: MeasuredRelease, found: Measurement, *, for_all: bool) -> Judged:
    """Return who has exact numbers: by an attack that was tried, unless a bound on the worst intruder holds for all."""
    standing, share = standing_by(found.value), share_text(measured, found.value, for_all=for_all)
    bounds = [one.bound for one in measured.assessment.measurements if one.name == WorstCaseLinkage.name()]
    bound = next((one for one in bounds if one is not None and one < NOTHING_PROVEN), None)
    proven = ""
    if standing is Standing.SAFE and (bound is None or _proven_by(bound) is not Standing.SAFE):
        standing = Standing.SAFE_AS_TRIED
        proven = "" if bound is None else f"; proven only: nobody finds more than {format_percent(bound)}"
    return Judged(
        "A holder of exact numbers",
        f"finds {share} of the records{_borderline(found.value)}{proven}",
        standing,
        "a holder of exact numbers",
        LINKABILITY,
    )


def _worst(measured: MeasuredRelease, found: Measurement, *, for_all: bool) -> Judged:
    """Return the worst intruder, and what is proven of a cleverer one where few records are found."""
    share = share_text(measured, found.value, for_all=for_all)
    least = lower_end(found.value, found.bound) if share == format_percent(found.value) else ""
    left = "" if standing_by(found.value) is Standing.NOT_SAFE else proven_words(found)
    return Judged(
        "The worst intruder that was tried, who has everybody's original values and the recipe",
        f"finds {least}{share} of the records{_borderline(found.value)}{left}{_of_groups(measured)}",
        standing_against_worst(found),
        "the worst intruder that was tried",
        LINKABILITY,
    )


def _of_groups(measured: MeasuredRelease) -> str:
    """Return what the worst intruder finds of groups of equal records, as a sentence goes on."""
    told = right_group_words(measured)
    most = format_percent(100 / max(measured.equal_records, 1))
    return (
        f"; {told}; no single record is found with a chance above {most}, the other figures are means" if told else ""
    )


def _number(measured: MeasuredRelease, learnt: LearntNumbers, *, for_all: bool) -> Judged:
    """Return who asks for a confidential number: by the keys alone, and knowing what became of them."""
    known, most = learnt.most, learnt.most_by_fit
    by_fit = most.by_keys if most.by_fit is None else most.by_fit
    shares = [
        share_text(measured, value, for_all=for_all)
        for value in (by_fit, most.by_chance, known.by_keys, known.by_chance)
    ]
    standing, more = standing_by(most.beyond), ""
    gains = max(learnt.columns, key=lambda one: one.gaining or 0.0)
    if gains.gaining:
        standing = Standing.ON_AVERAGE if standing is Standing.SAFE else standing
        some = share_text(measured, gains.gaining, for_all=for_all)
        more = f"; {some} of the persons gain more than {format_compact(MAX_FOUND)} points ({gains.name})"
    if most.by_fit is not None and standing_by(known.by_keys - known.by_chance) is Standing.NOT_SAFE:
        standing = standing if standing is Standing.NOT_SAFE else Standing.ON_CONDITION
        more += f"; knowing what was taken out, too, of {known.name} with {shares[2]}, against {shares[3]}"
    keys = "only the keys of one person" if most.by_fit is not None else "what became of a person's keys"
    return Judged(
        f"Somebody who knows {keys} and asks for a confidential number",
        f"is within 10 % of {most.name} with a chance of {shares[0]} on average, against {shares[1]} without them"
        f"{_borderline(most.beyond)}{more}{_once_found(measured, learnt, for_all=for_all)}",
        standing,
        "somebody who asks for a confidential number",
        INFERENCE,
    )


def _once_found(measured: MeasuredRelease, learnt: LearntNumbers, *, for_all: bool) -> str:
    """Return what whoever finds the record first reads off it, where records are equal to no others."""
    if measured.equal_records:
        return ""
    share = share_text(measured, learnt.of_record, for_all=for_all)
    return (
        f"; whoever finds the record first, by another line of this table, is for {share} of the confidential numbers"
    )


def _not_judged(measured: MeasuredRelease, *, for_all: bool) -> Iterator[Judged]:
    """Yield what attacks find that nobody can judge: no control tells what is true of everybody."""
    if (learnt := measured.learnt) is not None:
        shares = [share_text(measured, value, for_all=for_all) for value in (learnt.of_record, learnt.by_chance)]
        yield Judged(
            HAS_FOUND,
            f"is within 10 % of the true one for {shares[0]} of the confidential numbers, by chance for {shares[1]}",
            Standing.OPEN,
            question=INFERENCE,
        )
    for measure, found in measured.assessment.by_room("risk"):
        if isinstance(measure, IntervalDisclosure) and measured.aligned is not None and measured.learnt is None:
            chance = interval_disclosure_by_chance(measure, measured.aligned, measured.released)
            shares = [share_text(measured, value, for_all=for_all) for value in (found.value, chance)]
            yield Judged(
                HAS_FOUND,
                f"comes near the true one for {shares[0]} of the numbers, by chance for {shares[1]}",
                Standing.OPEN,
                question=INFERENCE,
            )
    for measure, found in measured.attacks:
        words = in_sentence(words_of(type(measure)).label)
        if found.shows_leak is not None:
            yield Judged(
                f"Somebody who tries {words}",
                "finds more than in the control" if found.shows_leak else "finds no more than chance explains",
                Standing.NOT_SAFE if found.shows_leak else Standing.SAFE,
                f"somebody who tries {words}",
                words,
            )
        elif isinstance(measure, Inference):
            commonest = next((rate for name, rate in found.parts.items() if name.endswith(COMMONEST)), 0.0)
            shares = [share_text(measured, value, for_all=for_all) for value in (found.value, commonest)]
            yield Judged(
                "Somebody who knows all but one of a person's values",
                f"guesses that one right for {shares[0]} by the attack that was tried, others may guess better; the "
                f"commonest value is right for {shares[1]}",
                Standing.OPEN,
                question=INFERENCE,
            )


def _borderline(percent: float) -> str:
    """Return that a figure is near the cut, where it is."""
    is_near = abs(percent - MAX_FOUND) <= BORDER * MAX_FOUND
    return f" (borderline: the cut is {format_compact(MAX_FOUND)} %)" if is_near else ""


def _traces(measured: MeasuredRelease, *, for_all: bool) -> Judged:
    """Return what attacks beside a control found of a synthetic file."""
    who, short = "Somebody who looks for traces of persons", "somebody who looks for traces of persons"
    control = measured.question.control
    if control is None or not measured.assessment.leak_verdict:
        return Judged(who, "was not tried: no control was given", Standing.NOT_SAFE, short)
    if measured.assessment.shows_leak:
        return Judged(who, in_sentence(measured.assessment.leak_verdict.rstrip(".")), Standing.NOT_SAFE, short)
    told = ";\n".join(
        f"{base_of_reach(one.label)}: up to {reach_text(one.high, for_all=for_all)}{'' if for_all else one.found}"
        for one in reach_of_attacks(measured)
    )
    return Judged(
        who,
        f"leaks by these attacks that a control of {rounded_count(control.n)} records does not rule out, with 95 % "
        f"confidence in all together{no_bound_words(label for label, _ in without_bound(measured))}; another attack "
        f"may find more:\n{told}",
        Standing.SAFE,
        short,
    )


def reach_text(high: float, *, for_all: bool) -> str:
    """Return up to where an interval reaches; for everybody rounded up, as to the digit it would tell counts."""
    return bound_class(high) if for_all else format_percent(high)


class Reach(NamedTuple):
    """Up to where the interval of an attack reaches that holds for all together, and what it found of either file."""

    high: float
    label: str
    found: str


def reach_of_attacks(measured: MeasuredRelease) -> list[Reach]:
    """Return up to where the intervals of attacks beside a control reach that hold together, the widest first."""
    reached = []
    for measure, found in zip(measured.assessment.measures, measured.assessment.measurements, strict=True):
        if isinstance(measure, ControlledRisk) and found.trials is not None and found.trials.joint_interval is not None:
            rates = rates_of(measure, found)
            told = "" if rates is None else f" (found {' against '.join(map(format_percent, rates))} of the control)"
            reached.append(Reach(found.trials.joint_interval[1], words_of(type(measure)).label, told))
    return sorted(reached, reverse=True)


def without_bound(measured: MeasuredRelease) -> Iterator[tuple[str, str]]:
    """Yield the label and the symbol of attacks that were held against a control and have no interval."""
    for measure, found in zip(measured.assessment.measures, measured.assessment.measurements, strict=True):
        if found.shows_leak is not None and (found.trials is None or found.trials.joint_interval is None):
            yield in_sentence(words_of(type(measure)).label), found.symbol


def no_bound_words(labels: Iterable[str]) -> str:
    """Return of which attacks no bound was computed, as a sentence goes on; nothing where there is none."""
    names = " and ".join(labels)
    return f"; for {names} no bound was computed" if names else ""


def proven_words(found: Measurement) -> str:
    """Return what is proven of the most that anybody finds, as a sentence goes on; nothing where all are found."""
    bound = found.bound
    if bound is None or found.value >= NOTHING_PROVEN:
        return ""
    if bound < NOTHING_PROVEN:
        only = "only " if leaves_much(found.value, bound) else ""
        return f", and it is proven {only}that nobody finds more than {format_percent(bound)} {ON_AVERAGE}"
    return f", and how many a cleverer one would find is not known: {hardly_proven(bound)}"
