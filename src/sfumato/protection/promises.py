"""What a protection promises by design, counted again in the protected file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato import risk
from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Microdata
from sfumato.display import format_compact
from sfumato.errors import SfumatoError
from sfumato.keys.classes import MissingKeys
from sfumato.keys.combinations import KeyCombination
from sfumato.protection.plan import Plan
from sfumato.risk import KAnonymity

if TYPE_CHECKING:
    from sfumato.risk import LDiversity, TCloseness


@dataclass(frozen=True)
class Promise:
    """What was asked of a file, and what is found in it by each reading of gaps.

    Parameters
    ----------
    asked
        What was asked, in words.
    found
        The smallest group, the fewest values of a group or its largest distance, by what a gap counts as.
    violations
        How many records are not so protected, by what a gap counts as.
    readings
        What a gap may count as for the promise to hold.
    """

    asked: str
    found: Mapping[MissingKeys, float]
    violations: Mapping[MissingKeys, int]
    readings: tuple[MissingKeys, ...]

    @property
    def is_kept(self) -> bool:
        """Whether it holds by each reading for which it was given."""
        return not any(self.violations[reading] for reading in self.readings)


def count_promises(masked: Microdata, shown: tuple[str, ...], plan: Plan) -> tuple[Promise, ...]:
    """Return what the plan promises, counted in the masked file by the keys that it still shows."""
    readings = tuple(MissingKeys) if plan.strict else (MissingKeys.WILDCARD,)
    observed = tuple(name for name in masked.schema.names if masked.observed(name).any())
    columns = observed if plan.whole_records else shown
    anonymity = KAnonymity(columns=columns, k=plan.k, combinations=combinations_shown(plan.combinations, shown))
    by_reading = anonymity.by_reading(masked)
    promises = [_promise(anonymity_words(plan), "KAS", by_reading, readings)]
    sensitive = " and ".join(plan.sensitive)
    if plan.l is not None:
        diversity = risk.LDiversity(columns=shown, sensitive=plan.sensitive, l=plan.l)
        words = f"l = {plan.l}, the different values of {sensitive} in each group"
        promises.append(_promise(words, "LDS", _by_reading(diversity, masked), readings))
    if plan.t is not None:
        closeness = risk.TCloseness(columns=shown, sensitive=plan.sensitive, t=plan.t)
        words = f"t = {format_compact(plan.t)} as the distance of each group from the file in {sensitive}"
        promises.append(_promise(words, "TCL", _by_reading(closeness, masked), (MissingKeys.CATEGORY,)))
    return tuple(promises)


def check_promises(promises: tuple[Promise, ...]) -> None:
    """Refuse a masked file that does not keep what was promised: that is a mistake of this program."""
    for promise in promises:
        if not promise.is_kept:
            raise SfumatoError(
                f"protect: the masked file does not meet {promise.asked}; do not release it, and report this"
            )


def anonymity_words(plan: Plan) -> str:
    """Return the k-anonymity that is asked for in words."""
    if plan.whole_records:
        return f"k = {plan.k} by all columns that are released"
    if not plan.combinations:
        return f"k = {plan.k} by all keys"
    words = []
    for one in plan.combinations:
        named = ", ".join(one.columns if isinstance(one.columns, tuple) else ())
        words.append(f"k = {one.k or plan.k} by " + (f"any {one.key_count} of {named}" if one.key_count else named))
    return "; ".join(words)


def combinations_shown(combinations: tuple[KeyCombination, ...], shown: tuple[str, ...]) -> tuple[KeyCombination, ...]:
    """Return the combinations, their columns named, without the keys of which the file shows nothing."""
    found = []
    for one in combinations:
        names = tuple(name for name in shown if isinstance(one.columns, tuple) and name in one.columns)
        found += [one.replace(columns=names)] if names else []
    return tuple(found)


def _by_reading(measure: "LDiversity | TCloseness", masked: Microdata) -> dict[MissingKeys, Measurement]:
    found: dict[MissingKeys, FileRisk] = {missing: measure.replace(missing=missing) for missing in MissingKeys}
    return {missing: one.of(masked) for missing, one in found.items()}


def _promise(
    asked: str, part: str, found: Mapping[MissingKeys, Measurement], readings: tuple[MissingKeys, ...]
) -> Promise:
    return Promise(
        asked,
        {missing: one.parts[part] for missing, one in found.items()},
        {missing: int((one.per_record > 0).sum()) for missing, one in found.items() if one.per_record is not None},
        readings,
    )
