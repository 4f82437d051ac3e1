"""Which intruders a file is safe against, and which not: what each of them finds or learns."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from sfumato.contracts import ControlledRisk, Measurement
from sfumato.contracts.figure_ends import NOTHING_PROVEN, leaves_much, lower_end
from sfumato.data import role
from sfumato.display import format_compact, format_count, format_percent
from sfumato.keys.findings.found_households import persons_found
from sfumato.reports.release.chapters.demands import KEY_ALARMS
from sfumato.reports.release.chapters.intruders import list_names, unprotected_variables
from sfumato.reports.release.chapters.told_shares import learnt_in_words, share_text
from sfumato.reports.release.figure import in_sentence
from sfumato.reports.release.learnt_numbers import interval_disclosure_by_chance
from sfumato.reports.release.measured_release import KeyRisk, MeasuredRelease
from sfumato.reports.release.words.bound_words import ON_AVERAGE, bound_class, hardly_proven
from sfumato.reports.release.words.measure_words import words_of
from sfumato.reports.release.words.trial_words import comparisons_in_words, rounded_count, tried_words
from sfumato.risk import BestSubsetLinkage, Inference, IntervalDisclosure, WorstCaseLinkage
from sfumato.risk.synthetic.inference import COMMONEST

BORDER = 0.1  # of the cut: figures so near are called borderline


IN_FILE_UNKNOWN = "does not tell who is in the file"
LEARNT_UNTESTED = " what is learnt of confidential values was not tested"


MAX_FOUND = 10.0  # percent: the chance or share up to which the table calls the file safe against somebody


class Standing(StrEnum):
    """What the verdict says of an intruder: the label of the row that they stand in."""

    SAFE = "Measured: safe against"
    ON_CONDITION = "Measured: safe only if nobody knows what was taken out"
    NOT_SAFE = "Measured: NOT safe against"
    OPEN = "Measured, not judged"


class Judged(NamedTuple):
    """An intruder: who it is and what they find, how the file stands against them, and what a headline says of it.

    The headline is empty where that of the report says it anyway.
    """

    words: str
    standing: Standing
    headline: str = ""


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
            finds = f"finds {share_text(measured, found.value, for_all=for_all)} of the records"
            names = ", ".join(measure.common_columns(measured.original, measured.released))
            who = f"a holder of exact numbers, who has those of {names} that help most to find the nearest record"
            yield Judged(
                f"{who}: {finds}{_borderline(found.value)}",
                _standing(found.value),
                f"a holder of exact numbers, who {finds}",
            )
        elif isinstance(measure, WorstCaseLinkage):
            share = share_text(measured, found.value, for_all=for_all)
            is_told = share == format_percent(found.value)
            finds = f"finds {lower_end(found.value, found.bound) if is_told else ''}{share} of the records"
            left = "" if found.value > MAX_FOUND else proven_words(found)
            who = "the worst intruder that was tried"
            yield Judged(
                f"{who}, who has everybody's original values in the compared columns and the recipe: {finds}"
                f"{_borderline(found.value)}{left}",
                standing_against_worst(found),
                f"{who}, who {finds}{proven_words(found)}",
            )
    if measured.attribute is not None:
        right, guessed = measured.attribute.value, measured.attribute.parts["ADB"]
        shares = [share_text(measured, value, for_all=for_all) for value in (right, guessed)]
        yield Judged(
            f"somebody who knows the keys and asks for a confidential answer: guesses it right for {shares[0]} of the "
            f"persons, without the file for {shares[1]}",
            _standing(right - guessed),
            f"somebody who asks for a confidential answer, who by the keys guesses {shares[0]} right, without the file "
            f"{shares[1]}",
        )
    if measured.learnt is not None:
        most = measured.learnt.most
        beyond = most.by_keys - most.by_chance
        shares = [share_text(measured, value, for_all=for_all) for value in (most.by_keys, most.by_chance)]
        number = most.name if len(measured.learnt.columns) > 1 else "it"
        yield Judged(
            f"somebody who knows the keys and asks for a confidential number: is within 10 % of it "
            f"{learnt_in_words(measured, measured.learnt, for_all=for_all)}{_borderline(beyond)}",
            _standing(beyond),
            f"somebody who asks for a confidential number, who by the keys is within 10 % of {number} with a chance of "
            f"{shares[0]}, against {shares[1]} without them",
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
                Standing.OPEN,
            )
    for measure, found in measured.attacks:
        if found.shows_leak is not None:
            words = in_sentence(words_of(type(measure)).label)
            yield Judged(
                f"{words} beside a control: {tried_words(found)}".rstrip("."),
                Standing.NOT_SAFE if found.shows_leak else Standing.SAFE,
                f"{words}, which finds more than in a control",
            )
        elif isinstance(measure, Inference):
            commonest = next((rate for name, rate in found.parts.items() if name.endswith(COMMONEST)), 0.0)
            shares = [share_text(measured, value, for_all=for_all) for value in (found.value, commonest)]
            yield Judged(
                f"somebody who knows all but one of a person's values, and guesses that one from the file: right for "
                f"{shares[0]} of the persons in the column that is guessed best, while the commonest value is right "
                f"for {shares[1]}; not judged, as what all other values tell is mostly true of everybody, and without "
                f"a control nobody knows how much",
                Standing.OPEN,
            )


def _borderline(percent: float) -> str:
    """Return that a figure is near the cut, where it is."""
    is_near = abs(percent - MAX_FOUND) <= BORDER * MAX_FOUND
    return f" (borderline: the cut is {format_compact(MAX_FOUND)} %)" if is_near else ""


def _by_keys(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> Iterator[Judged]:
    """Yield who looks for persons by the keys."""
    k, strict = int(after.report["k"]), int(after.report["strict_k"])
    chance = f"a chance of up to {format_percent(100 / max(k, 1))}"
    standing = Standing.NOT_SAFE
    if k_in_doubt(measured):
        found = "other columns, gaps or households tell more than the keys that were counted, so that some fit fewer"
    elif k >= measured.k:
        standing = _standing(100 / k)
        if standing is Standing.SAFE and 100 / strict > MAX_FOUND:
            standing = Standing.ON_CONDITION
        strictly = _read_strictly(measured, after, for_all=for_all)
        found = (
            f"by the keys alone every record fits at least {k}, {chance}{strictly}"
            f"{left_by_other_columns(measured, after)}"
        )
    elif for_all or k > 1:
        found = f"some records fit fewer than {measured.k}"
    else:
        found = "some records stand alone and are found"
    told = chance if k >= measured.k and not k_in_doubt(measured) else found
    learnt = " what they learn without finding it is judged separately" if measured.tells_answers else LEARNT_UNTESTED
    yield Judged(
        f"an acquaintance who knows a person's keys and looks for the record: {found};{learnt}",
        standing,
        f"an acquaintance who knows a person's keys: {told}",
    )
    mean, largest = after.report["global_risk"], after.report["largest_risk"]
    shares = [
        share_text(measured, value, for_all=for_all, figure=name)
        for name, value in (("global_risk", mean), ("largest_risk", largest))
    ]
    others = unprotected_variables(measured)
    lacks = f" and which lacks {list_names(measured.released, others)}" if others else ""
    has_households = bool(measured.released.select(role("household")))
    silent_on = "tells neither who is in the file nor who lives together" if has_households else IN_FILE_UNKNOWN
    yield Judged(
        f"somebody with a register of everybody's keys and nothing else, which {silent_on}{lacks}: recognises a "
        f"record with a probability that is {shares[0]} on average, and {shares[1]} for the one at most risk",
        _standing(largest),
        f"somebody with a register of everybody's keys, who recognises a record at up to {shares[1]}",
    )
    if has_households:
        count = persons_found(measured.released, after.keys) or 0
        told = "fewer than k persons" if for_all and 0 < count < measured.k else format_count(count, "person")
        who = "somebody who knows the keys of a whole household"
        if any(not measured.released.observed(name).all() for name in after.keys):
            who += ", and which of them were taken out of whom"
        finds = f"finds {told} of {measured.released.n:,}"
        yield Judged(f"{who}: {finds}", _standing(100 * count / max(measured.released.n, 1)), f"{who}, who {finds}")


def left_by_other_columns(measured: MeasuredRelease, after: KeyRisk) -> str:
    """Return how many persons are left to whoever reads other columns too, which is counted up to the k asked for."""
    if measured.equal_records:
        return f"; by all released columns together, too, at least {measured.equal_records}"
    if after.findings is None:
        return "; what other columns tell of the keys was not looked for"
    return f"; by what was looked for in other columns too, at least {measured.k}"


def _read_strictly(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> str:
    """Return how many records fit fewer where a gap is read as a value; nothing where none does."""
    told = {one.name: int(one.value) for one in after.report.figures}
    fewer, alone = told.get("strict_violations", 0), told.get("strict_uniques", 0)
    if not fewer:
        strict = told["strict_k"]
        return f" where a gap fits every value; read as a value of its own, {strict}" if strict < told["k"] else ""
    counts = ["fewer than k records" if for_all and 0 < n < measured.k else f"{n:,}" for n in (fewer, alone)]
    nobody = f", {counts[1]} of them nobody else" if alone else ""
    surely = ", at up to 100 %" if alone else " more surely"
    return (
        f" where a gap fits every value; read as a value of its own, {counts[0]} fit fewer than {measured.k}{nobody}: "
        f"who knows what was taken out of whom finds these{surely}"
    )


def _traces(measured: MeasuredRelease, *, for_all: bool) -> Judged:
    """Return what attacks beside a control found of a synthetic file."""
    control = measured.question.control
    if control is None or not measured.assessment.leak_verdict:
        return Judged(
            "somebody who looks for traces of persons: it was not tested, as no control was given", Standing.NOT_SAFE
        )
    words = f"somebody who looks for traces of persons: {in_sentence(measured.assessment.leak_verdict.rstrip('.'))}"
    words += f". There were {comparisons_in_words(measured.assessment.measurements)}"
    if reached := reach_of_attacks(measured):
        told = ", ".join(
            f"{in_sentence(label)} {bound_class(high) if for_all else format_percent(high)}"
            for label, high in reached.items()
        )
        tested = [
            in_sentence(words_of(type(measure)).label)
            for measure, found in measured.assessment.by_room("risk")
            if found.shows_leak is not None and words_of(type(measure)).label not in reached
        ]
        others = f"; for {' and '.join(tested)} no such interval was computed" if tested else ""
        words += (
            f". Beside a control of {rounded_count(control.n)} records leaks are not ruled out, with 95 % confidence "
            f"in all together, up to{', rounded up' if for_all else ''}: {told}{others}"
        )
    return Judged(words, Standing.NOT_SAFE if measured.assessment.shows_leak else Standing.SAFE)


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


def k_in_doubt(measured: MeasuredRelease) -> bool:
    """Tell whether something else in the file tells keys, so that a k that was counted does not hold.

    The assessment looks for it by the k of the recipe; a limit may ask for more, and is held against its own.
    """
    if any(alarm in KEY_ALARMS for alarm in measured.assessment.alarms):
        return True
    findings = None if measured.after is None else measured.after.findings
    if findings is None:
        return False
    fewest = findings.fewest(is_strict=False)
    return findings.is_uncounted or (fewest is not None and fewest < measured.k)
