"""What is counted beside the keys where k is claimed: other columns, gaps, households, persons of several records."""

from collections.abc import Collection
from dataclasses import dataclass
from math import inf

from sfumato.data import Microdata
from sfumato.keys.findings.causes import (
    FEW_UNITS,
    GAPS,
    LEARNING,
    ONE_SIDE,
    READ_OFF,
    REPEATED,
    TOGETHER,
    Cause,
)
from sfumato.keys.findings.equal_records import are_equal_in_groups
from sfumato.keys.findings.exposure import Exposure, telling_exposure
from sfumato.keys.findings.found_households import FoundHouseholds, found_households
from sfumato.keys.findings.groups_of_units import GroupsOfUnits, groups_of_units
from sfumato.keys.findings.repeated_persons import RepeatedPersons, repeated_persons
from sfumato.keys.gaps.suppressed_values import GapExposure, gap_exposure
from sfumato.keys.learning.learnt_intruder import LearntIntruder, learnt_intruder

NOBODY = FoundHouseholds()


@dataclass(frozen=True)
class KeyFindings:
    """What a file tells beside its keys, as far as a limit on k is held against it.

    Parameters
    ----------
    names, k
        The keys of which some record has a value, and how many persons should fit what each record shows.
    exposure
        Whom those find who read keys, or parts of them, off other columns.
    gaps
        Whom gaps of the keys expose; None where the file before masking is not known.
    households
        Who is found by the keys of a whole household.
    persons
        How many persons the groups hold, where some have several records.
    learnt
        Whom somebody finds who learns from other records what goes with what; None where nothing can be learnt.
    groups
        Of how many persons and households groups are, where each record is equal to k - 1 others.
    """

    names: tuple[str, ...]
    k: int
    exposure: Exposure
    gaps: GapExposure | None = None
    households: FoundHouseholds = NOBODY
    persons: RepeatedPersons | None = None
    learnt: LearntIntruder | None = None
    groups: tuple[GroupsOfUnits, ...] = ()

    def fewest(self, *, is_strict: bool) -> int | None:
        """Return the fewest persons, records or households left to somebody who reads all that; None if unknown.

        Parameters
        ----------
        is_strict
            Whether a gap is a value of its own in the groups of persons with several records.
        """
        return min((fewest for _, fewest in self._counts(is_strict=is_strict)), default=None)

    def causes(self, k: int, *, is_strict: bool) -> tuple[Cause, ...]:
        """Return what leaves fewer than `k`, each once."""
        found = [cause for cause, fewest in self._counts(is_strict=is_strict) if fewest < k]
        return tuple(dict.fromkeys([READ_OFF, *found] if self.is_uncounted else found))

    def found_records(self, causes: Collection[Cause]) -> float:
        """Return how many records, or persons, some causes leave with fewer than k; infinity where one is not counted.

        What several leave is added up.
        """
        counts: dict[Cause, float | None] = {
            GAPS: None if self.gaps is None else self.gaps.records,
            READ_OFF: self.exposure.records,
            ONE_SIDE: None if self.exposure.side is None else self.exposure.side.persons,
            FEW_UNITS: sum(one.records for one in self.groups),
        }
        known = [counts.get(cause) for cause in causes]
        return sum(inf if count is None else max(count, 1.0) for count in known)

    def _counts(self, *, is_strict: bool) -> list[tuple[Cause, int]]:
        """Return how few each thing that a file tells leaves, as far as that is known."""
        counts: list[tuple[Cause, int | None]] = [(TOGETHER, self.households.fewest)]
        if self.gaps is not None:
            counts.append((GAPS, self.gaps.fewest))
        if self.exposure.records:
            counts.append((READ_OFF, self.exposure.smallest))
        if self.exposure.side is not None:
            counts.append((ONE_SIDE, self.exposure.side.fewest))
        if self.persons is not None:
            counts.append((REPEATED, self.persons.strict_smallest if is_strict else self.persons.smallest))
        counts += [(FEW_UNITS, one.fewest) for one in self.groups]
        if self.learnt is not None and self.learnt.breaks_k:
            counts.append((LEARNING, self.learnt.fewest))
        return [(cause, fewest) for cause, fewest in counts if fewest is not None]

    @property
    def is_uncounted(self) -> bool:
        """Whether other columns tell a key, and nothing tells whom that exposes."""
        return bool(self.exposure.found) and self.exposure.records is None


def find_key_findings(
    original: Microdata | None,
    masked: Microdata,
    names: tuple[str, ...],
    k: int,
    *,
    exposure: Exposure | None = None,
    knows_all_keys: bool = True,
) -> KeyFindings:
    """Return what a released file tells beside its keys.

    Parameters
    ----------
    original, masked
        The file as it was, or None where it is not known which record is which, and as it is released; in the same
        order.
    names, k
        The keys, and how many persons should fit what each record shows.
    exposure
        Whom other columns expose, where that is known already.
    knows_all_keys
        Whether k is claimed against somebody who knows all keys: only then it is tried what that one can learn.
    """
    shown = tuple(name for name in names if masked.observed(name).any())
    if exposure is None:
        exposure = telling_exposure(masked, shown, k, original)
    if original is None:
        return KeyFindings(shown, k, exposure, households=found_households(masked, shown)._replace(fewest=None))
    if are_equal_in_groups(masked, k):
        persons, groups = repeated_persons(original, masked, shown, k), groups_of_units(original, masked, k)
        return KeyFindings(shown, k, exposure, persons=persons, groups=groups)
    return KeyFindings(
        shown,
        k,
        exposure,
        gap_exposure(original, masked, shown, k),
        found_households(masked, shown, original),
        repeated_persons(original, masked, shown, k),
        learnt_intruder(original, masked, shown, k) if knows_all_keys and shown else None,
    )
