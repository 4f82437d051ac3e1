"""What is left to an acquaintance, who knows one person's keys: by the keys, and with what other columns tell."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato.display import format_count, format_percent
from sfumato.keys.findings.key_findings import KeyFindings
from sfumato.reports.release.chapters.demands import KEY_ALARMS
from sfumato.reports.release.key_risk import KeyRisk
from sfumato.reports.release.measured_release import MeasuredRelease

TOLD_MORE = "hints of other columns, gaps or households leave some persons with few records"
WITH_HINTS = "with hints of other columns, gaps or households some are left with fewer (see the verdict)"
FOUND_FOR_SURE = ", and some are found for sure"


class Left(NamedTuple):
    """How many are left at least; where it is not known from the side of the person, from that of the record alone.

    Parameters
    ----------
    records
        How many records fit the person, or the record, whom fewest fit.
    persons
        How many persons fit the record that fewest do; None where nobody knows what a person would show.
    with_columns
        How many are left to whoever reads other columns, too, counted up to k or 10; None where that was not
        looked for.
    """

    records: int
    persons: int | None
    with_columns: int | None

    @property
    def by_keys(self) -> int:
        """The smaller count by the keys alone."""
        return self.records if self.persons is None else min(self.records, self.persons)

    @property
    def fewest(self) -> int:
        """The smallest of these counts."""
        return min(one for one in self if one is not None)

    @property
    def chance(self) -> float:
        """The chance, in percent, that an acquaintance is right, at most."""
        return 100 / max(self.fewest, 1)


def left_to_acquaintance(measured: MeasuredRelease, after: KeyRisk) -> Left:
    """Return how many are left, at least."""
    if measured.equal_records and not k_in_doubt(measured):
        return Left(measured.equal_records, None, measured.equal_records)
    records, persons = int(after.report["k"]), None
    if after.sides is not None:
        records, persons = min(records, after.sides.fewest_records), after.sides.fewest_persons
    left = Left(records, persons, None)
    with_columns = after.left_by_columns
    return left if with_columns is None else left._replace(with_columns=min(with_columns, left.by_keys))


def left_in_words(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> str:
    """Return what is left to an acquaintance, and the chance; everybody reads no count below k."""
    left = left_to_acquaintance(measured, after)
    if k_in_doubt(measured):
        by_keys = _by_keys_alone(measured, after, for_all=for_all)
        side = None if after.findings is None else after.findings.exposure.side
        surely = FOUND_FOR_SURE if side is not None and side.alone else ""
        more = surely if for_all else "".join(_both_directions(after.findings))
        return f"{by_keys}{TOLD_MORE}{more}"
    if left.fewest < measured.k:
        alone = not for_all and left.fewest <= 1
        return (
            "some records stand alone and are found" if alone else f"some persons fit fewer than {measured.k} records"
        )
    chance = f"a chance of up to {format_percent(left.chance)}"
    if measured.equal_records:
        return f"{chance}: at least {measured.equal_records} records are equal in every column"
    columns = (
        "other columns were not looked at"
        if left.with_columns is None
        else f"where another column hints at a key that was taken out, at least {left.with_columns} are left; whoever "
        "knows more of a person than the keys may be left with fewer"
    )
    return f"{chance}: by the keys {by_keys_in_words(left)}; {columns}"


def hints_leave_fewer(measured: MeasuredRelease) -> bool:
    """Tell whether whoever reads other columns, too, is left with fewer records than by the keys alone."""
    after = measured.after
    return k_in_doubt(measured) and after is not None and after.sides is not None and after.sides.fewest_records > 1


def _by_keys_alone(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> str:
    """Return how many persons few records fit by the keys alone, as a clause to be gone on; everybody reads no count.

    Whoever read of the hints alone would take the keys for enough, and the hints for the cause.
    """
    if after.sides is None:
        return ""
    few, alone = (int(np.count_nonzero(after.sides.records <= most)) for most in (measured.k - 1, 1))
    if not few:
        return f"by the keys alone nobody is left with fewer than {measured.k} records; "
    if for_all:
        return f"by the keys alone some persons are left with fewer than {measured.k} records; "
    found = f", {alone:,} of them with one" if alone else ""
    persons = format_count(few, "person")
    return f"by the keys alone {persons} {_are(few)} left with fewer than {measured.k} records{found}; "


def by_keys_in_words(left: Left) -> str:
    """Return what is left by the keys alone."""
    if left.persons is None:
        return f"at least {left.records} records fit each record"
    of_person, of_record = (format_percent(100 / max(one, 1)) for one in (left.records, left.persons))
    return (
        f"at least {left.records} records fit each person ({of_person}), and {left.persons} persons each record "
        f"({of_record})"
    )


def _both_directions(found: KeyFindings | None) -> Iterator[str]:
    """Yield how many stand out by keys, gaps and hints, from a person to records and from a record to persons.

    They are two counts: few records may fit a person of whom each fits many persons, and the other way round.
    """
    side, records = (None, 0) if found is None else (found.exposure.side, _records_with_few_persons(found))
    if found is None or (not records and (side is None or not side.persons)):
        return
    if side is not None:
        persons = format_count(side.persons, "person") if side.persons else "nobody"
        alone = f", {side.alone:,} of them with one, which is theirs" if side.alone else ""
        yield (f". With them {persons} {_are(side.persons or 1)} left with fewer than {found.k} records{alone}")
    shown = f"At least {format_count(records, 'record')} {_are(records)}" if records else "No record is"
    yield f". {shown} left with fewer than {found.k} persons who may have it"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _records_with_few_persons(found: KeyFindings) -> int:
    """Return how many records, at least, fewer than k persons fit by what columns, gaps or repeated persons tell."""
    counts = [found.exposure.records or 0]
    counts += [] if found.gaps is None else [found.gaps.records]
    counts += [] if found.persons is None else [found.persons.records]
    return max(counts)


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
