"""Which intruders a file is safe against, and which not: what each of them finds or learns, in one line."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from sfumato.contracts import ControlledRisk, Measurement
from sfumato.contracts.figure_ends import NOTHING_PROVEN, leaves_much, lower_end
from sfumato.data import role
from sfumato.display import format_compact, format_count, format_percent
from sfumato.keys.findings.found_households import persons_found
from sfumato.reports.release.chapters.acquaintance import k_in_doubt, left_in_words, left_to_acquaintance
from sfumato.reports.release.chapters.told_shares import share_text
from sfumato.reports.release.figure import in_sentence
from sfumato.reports.release.key_risk import KeyRisk
from sfumato.reports.release.learnt_numbers import LearntNumbers, interval_disclosure_by_chance
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.public_edition import small_share
from sfumato.reports.release.words.bound_words import ON_AVERAGE, bound_class, hardly_proven
from sfumato.reports.release.words.measure_words import words_of
from sfumato.reports.release.words.trial_words import rounded_count
from sfumato.risk import BestSubsetLinkage, Inference, IntervalDisclosure, WorstCaseLinkage
from sfumato.risk.synthetic.inference import COMMONEST

BORDER = 0.1  # of the cut: figures so near are called borderline
MAX_FOUND = 10.0  # percent: the chance or share up to which the table calls the file safe against somebody


SINGLING_OUT, LINKABILITY, INFERENCE = "singling out", "linkability", "inference"


class Standing(StrEnum):
    """What the verdict says of a file and an intruder."""

    SAFE = "safe"
    ON_CONDITION = "safe only if nobody knows what was taken out of whom"
    NOT_SAFE = "NOT safe"
    OPEN = "not judged"


class Judged(NamedTuple):
    """An intruder: who it is, what they find, how the file stands against them, and what a headline calls them.

    The headline names nobody whom the file is not judged against. The question is that of the law: singling out,
    linkability or inference.
    """

    who: str
    found: str
    standing: Standing
    short: str = ""
    question: str = SINGLING_OUT


def _standing(percent: float) -> Standing:
    return Standing.SAFE if percent <= MAX_FOUND else Standing.NOT_SAFE


def standing_against_worst(found: Measurement) -> Standing:
    """Return how a file stands against the worst intruder: safe only where it is proven that nobody finds more."""
    if found.value > MAX_FOUND:
        return Standing.NOT_SAFE
    return Standing.SAFE if found.bound is not None and found.bound <= MAX_FOUND else Standing.OPEN


def judge_intruders(measured: MeasuredRelease, *, for_all: bool) -> Iterator[Judged]:
    """Yield the intruders that were tried, and what they find."""
    if measured.is_synthetic:
        yield _traces(measured, for_all=for_all)
        return
    if measured.after is not None:
        yield from _by_keys(measured, measured.after, for_all=for_all)
    for measure, found in measured.assessment.by_room("risk"):
        if isinstance(measure, BestSubsetLinkage):
            yield Judged(
                "A holder of exact numbers",
                f"finds {share_text(measured, found.value, for_all=for_all)} of the records{_borderline(found.value)}",
                _standing(found.value),
                "a holder of exact numbers",
                LINKABILITY,
            )
        elif isinstance(measure, WorstCaseLinkage):
            yield _worst(measured, found, for_all=for_all)
    if measured.attribute is not None:
        right, guessed = measured.attribute.value, measured.attribute.parts["ADB"]
        shares = [share_text(measured, value, for_all=for_all) for value in (right, guessed)]
        yield Judged(
            "Somebody who asks for a confidential answer",
            f"guesses {shares[0]} of the answers right by the keys, {shares[1]} without the file",
            _standing(right - guessed),
            "somebody who asks for a confidential answer",
            INFERENCE,
        )
    if measured.learnt is not None:
        yield _number(measured, measured.learnt, for_all=for_all)
    yield from _not_judged(measured, for_all=for_all)


def _worst(measured: MeasuredRelease, found: Measurement, *, for_all: bool) -> Judged:
    """Return the worst intruder, and what is proven of a cleverer one where few records are found."""
    share = share_text(measured, found.value, for_all=for_all)
    least = lower_end(found.value, found.bound) if share == format_percent(found.value) else ""
    left = "" if found.value > MAX_FOUND else proven_words(found)
    return Judged(
        "The worst intruder that was tried, who has everybody's original values and the recipe",
        f"finds {least}{share} of the records{_borderline(found.value)}{left}",
        standing_against_worst(found),
        "the worst intruder that was tried",
        LINKABILITY,
    )


def _number(measured: MeasuredRelease, learnt: LearntNumbers, *, for_all: bool) -> Judged:
    """Return who asks for a confidential number: by the keys alone, and knowing what became of them."""
    known, most = learnt.most, learnt.most_by_fit
    by_fit = most.by_keys if most.by_fit is None else most.by_fit
    shares = [
        share_text(measured, value, for_all=for_all)
        for value in (by_fit, most.by_chance, known.by_keys, known.by_chance)
    ]
    standing, more = _standing(most.beyond), ""
    if most.by_fit is not None and _standing(known.by_keys - known.by_chance) is Standing.NOT_SAFE:
        standing = Standing.ON_CONDITION if standing is Standing.SAFE else standing
        more = f"; knowing what was taken out, too, of {known.name} with {shares[2]}, against {shares[3]}"
    who = "Somebody who knows the keys" if most.by_fit is not None else "Somebody who knows what became of the keys"
    return Judged(
        f"{who} and asks for a confidential number",
        f"is within 10 % of {most.name} with a chance of {shares[0]}, against {shares[1]} without them"
        f"{_borderline(most.beyond)}{more}",
        standing,
        "somebody who asks for a confidential number",
        INFERENCE,
    )


def _not_judged(measured: MeasuredRelease, *, for_all: bool) -> Iterator[Judged]:
    """Yield what attacks find that nobody can judge: no control tells what is true of everybody."""
    for measure, found in measured.assessment.by_room("risk"):
        if isinstance(measure, IntervalDisclosure) and measured.aligned is not None:
            chance = interval_disclosure_by_chance(measure, measured.aligned, measured.released)
            shares = [share_text(measured, value, for_all=for_all) for value in (found.value, chance)]
            yield Judged(
                "Whoever has found a record and reads a number off it",
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


def _by_keys(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> Iterator[Judged]:
    """Yield who looks for persons by the keys."""
    left, strict = left_to_acquaintance(measured, after), int(after.report["strict_k"])
    standing = Standing.NOT_SAFE
    if not k_in_doubt(measured) and left.fewest >= measured.k:
        standing = _standing(left.chance)
        if standing is Standing.SAFE and 100 / strict > MAX_FOUND and not measured.equal_records:
            standing = Standing.ON_CONDITION
    yield Judged(
        "An acquaintance, who knows a person's keys",
        left_in_words(measured, after, for_all=for_all),
        standing,
        "an acquaintance",
    )
    yield from _learning(measured, after, for_all=for_all)
    largest, n = after.report["largest_risk"], measured.released.n
    is_estimated = bool(measured.released.select(role("weight")))
    if not is_estimated:  # the file counts as all there are, of whom the acquaintance finds as few by the keys
        largest = max(largest, 100 / max(left.by_keys, 1))
    hidden = small_share(largest, n, measured.k, _ceiling(measured, largest)) if for_all else ""
    yield Judged(
        "Somebody with a register of everybody's keys, which does not tell who is in the file",
        f"recognises each record with a{'n estimated' if is_estimated else ''} probability "
        f"{hidden or f'of at most {format_percent(largest)}'}",
        _standing(largest),
        "somebody with a register",
    )
    if measured.released.select(role("household")):
        yield _household(measured, after, for_all=for_all)
    elif measured.original.select(role("household")) and not measured.equal_records:
        yield Judged(
            "Somebody who knows a whole household",
            "was not counted, as the file does not say who lives together",
            Standing.OPEN,
        )


def _household(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> Judged:
    """Return who knows the keys of a whole household: alone, and with what was taken out."""
    n, known = measured.released.n, persons_found(measured.released, after.keys) or 0
    alone = known if after.found_by_fit is None else after.found_by_fit
    told = ["fewer than k persons" if for_all and 0 < one < measured.k else f"{one:,}" for one in (alone, known)]
    more = f"; knowing what was taken out of whom, too, {told[1]}" if alone < known else ""
    standing = _standing(100 * alone / max(n, 1))
    if standing is Standing.SAFE and 100 * known / max(n, 1) > MAX_FOUND:
        standing = Standing.ON_CONDITION
    found = told[0] if told[0].startswith("fewer") else format_count(alone, "person")
    return Judged(
        "Somebody who knows the keys of a whole household",
        f"finds {found} of {n:,}{more}",
        standing,
        "somebody who knows a whole household",
    )


def _learning(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> Iterator[Judged]:
    """Yield who learns from several columns together, where some are found so."""
    learnt = None if after.findings is None else after.findings.learnt
    if learnt is not None and learnt.is_found:
        yield Judged(
            "Somebody who learns from other records which columns go with which keys",
            "is left with fewer than k persons, and right, in some cases"
            if for_all
            else f"is left with fewer than {measured.k} persons, and right, in {learnt.right:,} of "
            f"{learnt.tried:,} records that were tried",
            Standing.NOT_SAFE,
            "somebody who learns from several columns together",
        )


def _ceiling(measured: MeasuredRelease, largest: float) -> float | None:
    """Return the smallest limit on the largest risk that it is within."""
    limits = [one for one in measured.question.limits if one.figure == "largest_risk" and not one.is_lower]
    return min((one.number for one in limits if one.is_met(largest)), default=None)


def _traces(measured: MeasuredRelease, *, for_all: bool) -> Judged:
    """Return what attacks beside a control found of a synthetic file."""
    who, short = "Somebody who looks for traces of persons", "somebody who looks for traces of persons"
    control = measured.question.control
    if control is None or not measured.assessment.leak_verdict:
        return Judged(who, "was not tried: no control was given", Standing.NOT_SAFE, short)
    if measured.assessment.shows_leak:
        return Judged(who, in_sentence(measured.assessment.leak_verdict.rstrip(".")), Standing.NOT_SAFE, short)
    reached = reach_of_attacks(measured)
    told = "; ".join(f"{in_sentence(label)} {reach_text(high, for_all=for_all)}" for label, high in reached.items())
    return Judged(
        who,
        f"leaks that a control of {rounded_count(control.n)} records does not rule out, with 95 % confidence in all "
        f"together: up to {told}",
        Standing.SAFE,
        short,
    )


def reach_text(high: float, *, for_all: bool) -> str:
    """Return up to where an interval reaches; for everybody rounded up, as to the digit it would tell counts."""
    return bound_class(high) if for_all else format_percent(high)


def reach_of_attacks(measured: MeasuredRelease) -> dict[str, float]:
    """Return up to where the intervals of attacks beside a control reach that hold together, the widest first."""
    reached = [
        (found.trials.joint_interval[1], words_of(type(measure)).label)
        for measure, found in zip(measured.assessment.measures, measured.assessment.measurements, strict=True)
        if isinstance(measure, ControlledRisk) and found.trials is not None and found.trials.joint_interval is not None
    ]
    return {label: high for high, label in sorted(reached)[::-1]}


def proven_words(found: Measurement) -> str:
    """Return what is proven of the most that anybody finds, as a sentence goes on; nothing where all are found."""
    bound = found.bound
    if bound is None or found.value >= NOTHING_PROVEN:
        return ""
    if bound < NOTHING_PROVEN:
        only = "only " if leaves_much(found.value, bound) else ""
        return f", and it is proven {only}that nobody finds more than {format_percent(bound)} {ON_AVERAGE}"
    return f", and how many a cleverer one would find is not known: {hardly_proven(bound)}"
