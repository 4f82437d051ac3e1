"""Who looks for persons by the keys, alone or with what goes with them: what each of them finds, in one line."""

from collections.abc import Iterator

import numpy as np

from sfumato.data import role
from sfumato.display import format_count, format_percent
from sfumato.keys.findings.found_households import persons_found
from sfumato.keys.findings.sides_by_keys import SidesByKeys
from sfumato.reports.release.chapters.acquaintance import (
    FOUND_FOR_SURE,
    k_in_doubt,
    left_in_words,
    left_to_acquaintance,
)
from sfumato.reports.release.chapters.judging.standing import MAX_FOUND, Judged, Standing, standing_by
from sfumato.reports.release.key_risk import KeyRisk
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.public_edition import small_share

WITH_SIZE = "An acquaintance who also knows how many live in the household, which the file shows"
HOUSEHOLD = "Somebody who knows the keys of a whole household"
REGISTER = "Somebody with a register of everybody's keys, which does not tell who is in the file"
OF_PERSONS = (
    "Somebody with a register of everybody's keys that tells neither who is in the file nor who lives with whom"
)
HINTS_NOT_COUNTED = "hints of other columns are not counted here"
WHO_LEARNS = "Somebody who learns from other records which columns go with which keys"
OF_HOUSEHOLDS = "Somebody with a register that tells who lives with whom"


def judge_by_keys(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> Iterator[Judged]:
    """Yield who looks for persons by the keys."""
    left, strict = left_to_acquaintance(measured, after), int(after.report["strict_k"])
    standing = Standing.NOT_SAFE
    if not k_in_doubt(measured) and left.fewest >= measured.k:
        standing = standing_by(left.chance)
        if standing is Standing.SAFE and 100 / strict > MAX_FOUND and not measured.equal_records:
            standing = Standing.ON_CONDITION
    yield Judged(
        "An acquaintance, who knows a person's keys",
        left_in_words(measured, after, for_all=for_all),
        standing,
        "an acquaintance",
    )
    if after.sides_by_size is not None:
        yield _with_size(measured, after.sides_by_size, for_all=for_all)
    yield from _learning(measured, after, for_all=for_all)
    largest, n = after.report["largest_risk"], measured.released.n
    is_estimated = bool(measured.released.select(role("weight")))
    if not is_estimated:  # the file counts as all there are, of whom the acquaintance finds as few by the keys
        largest = max(largest, 100 / max(left.by_keys, 1))
    hidden = small_share(largest, n, measured.k, _ceiling(measured, largest)) if for_all else ""
    tells_households = shows_households(measured)
    yield Judged(
        OF_PERSONS if tells_households else REGISTER,
        f"recognises each record with a{'n estimated' if is_estimated else ''} probability "
        f"{hidden or f'of at most {format_percent(largest)}'}{_by_keys_only(measured)}",
        standing_by(largest),
        f"somebody with a register{' that tells nothing of who lives with whom' if tells_households else ''}",
    )
    if tells_households:
        yield Judged(
            OF_HOUSEHOLDS,
            "how many households of the population no other is like was not estimated",
            Standing.UNTESTED,
            "a register of households",
        )
        yield _household(measured, after, for_all=for_all)
    elif measured.original.select(role("household")) and not measured.equal_records:
        yield Judged(
            "Somebody who knows a whole household",
            "was not counted, as the file does not say who lives together",
            Standing.UNTESTED,
        )


def _by_keys_only(measured: MeasuredRelease) -> str:
    """Return that the estimate of a register counts no hints of keys, where there are some."""
    return f" by the keys alone; {HINTS_NOT_COUNTED}" if k_in_doubt(measured) else ""


def shows_households(measured: MeasuredRelease) -> bool:
    """Tell whether the released file shows who lives together."""
    return any(measured.released.observed(name).any() for name in measured.released.select(role("household")))


def _with_size(measured: MeasuredRelease, sides: SidesByKeys, *, for_all: bool) -> Judged:
    """Return who also knows the size of a household; everybody is told no count below k."""
    fewest = min(sides.fewest_records, sides.fewest_persons)
    found = f"a chance of up to {format_percent(100 / max(fewest, 1))}"
    if for_all and fewest < measured.k:
        found = f"is left with fewer than {measured.k} records of some persons, or persons of some records"
        found += FOUND_FOR_SURE if fewest <= 1 else ""
    elif fewest <= 1 and not for_all:
        persons, records = (int(np.count_nonzero(one <= 1)) for one in sides)
        hints = f", at least: {HINTS_NOT_COUNTED}" if k_in_doubt(measured) else ""
        found = (
            f"{found}: {format_count(persons, 'person')} {_are(persons)} left with one record, and "
            f"{format_count(records, 'record')} with one person{hints}"
        )
    return Judged(
        WITH_SIZE,
        found,
        standing_by(100 / max(fewest, 1)),
        "an acquaintance who also knows how many live in the household",
    )


def found_households(measured: MeasuredRelease, after: KeyRisk) -> tuple[int, int]:
    """Return how many persons are found by the keys of their household, alone and with what was taken out."""
    known = persons_found(measured.released, after.keys) or 0
    return (known if after.found_by_fit is None else after.found_by_fit), known


def households_in_words(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> str:
    """Return whom somebody finds who knows the keys of a whole household; everybody is told no count below k."""
    alone, known = found_households(measured, after)
    told = ["fewer than k persons" if for_all and 0 < one < measured.k else f"{one:,}" for one in (alone, known)]
    more = f"; knowing what was taken out of whom, too, {told[1]}" if alone < known else ""
    found = told[0] if told[0].startswith("fewer") else format_count(alone, "person")
    return f"finds {found} of {measured.released.n:,}{more}"


def _household(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> Judged:
    """Return who knows the keys of a whole household: alone, and with what was taken out."""
    shares = [100 * one / max(measured.released.n, 1) for one in found_households(measured, after)]
    standing = standing_by(shares[0])
    if standing is Standing.SAFE and shares[1] > MAX_FOUND:
        standing = Standing.ON_CONDITION
    return Judged(
        HOUSEHOLD,
        households_in_words(measured, after, for_all=for_all),
        standing,
        "somebody who knows a whole household",
    )


def _learning(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> Iterator[Judged]:
    """Yield who learns from several columns together, where that was tried.

    However few these are, whoever is told one is nearly sure of it, so that the file is not safe against them.
    """
    learnt = None if after.findings is None else after.findings.learnt
    if learnt is None or not learnt.tried:
        return
    if not learnt.is_found:
        tried = "" if for_all else f" {learnt.tried:,}"
        yield Judged(WHO_LEARNS, f"found nothing to rely on in the{tried} records tried", Standing.SAFE_AS_TRIED)
    else:
        yield Judged(
            WHO_LEARNS,
            "is nearly sure in some cases that fewer than k persons are left, and right in most of these, oftener than "
            "by chance"
            if for_all
            else f"is nearly sure in {learnt.claims:,} of {learnt.tried:,} records that were tried that fewer than "
            f"{measured.k} persons are left, and right in {learnt.right:,} of these ({learnt.by_chance:,.0f} by "
            f"chance)",
            Standing.NOT_SAFE,
            "somebody who learns from several columns together",
        )


def _ceiling(measured: MeasuredRelease, largest: float) -> float | None:
    """Return the smallest limit on the largest risk that it is within."""
    limits = [one for one in measured.question.limits if one.figure == "largest_risk" and not one.is_lower]
    return min((one.number for one in limits if one.is_met(largest)), default=None)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
