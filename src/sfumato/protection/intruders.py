"""Who might look for a person in a protected file, what they know, and what is promised or only measured."""

from typing import TYPE_CHECKING

from sfumato.assessment.release_notes import K_FAILS, PERSONS_REPEATED
from sfumato.assessment.rendering import format_ends
from sfumato.contracts import Measurement
from sfumato.contracts.figure_ends import NOTHING_PROVEN, leaves_much
from sfumato.display import format_number
from sfumato.keys.classes import MissingKeys
from sfumato.keys.findings.person_side import person_words
from sfumato.keys.learning.fitting_pairs import MAX_FITTING
from sfumato.loss import LOSSES
from sfumato.masking import HintSuppression
from sfumato.protection.number_limits import WORST_CASE
from sfumato.reports.risk_figures import GAPS

if TYPE_CHECKING:
    from sfumato.protection.promises import Promise
    from sfumato.protection.protected import Protected

ESTIMATES = ("global_risk", "largest_risk", "expected_reidentifications", "household_risk", "population_uniques")
RECORDS = " That counts records, and the figures on risk count persons: see the notes."
HEADING = "Who the intruder is, and what holds against them"


def intruder_sentences(protected: "Protected") -> list[str]:
    """Return for each intruder what they know, and which figures are met by design and which are measured."""
    promised = "; ".join(map(_promise_words, protected.promises))
    if protected.whole_records:
        return _sentences_on_whole_records(protected, promised)
    sentences = [
        f"By the keys: somebody who knows {_known(protected)} of a person, and that the person is in the file, and "
        f"reads the released keys. Met by design, and counted again in the released file: "
        f"{promised}.{_seen_from_persons(protected)}{RECORDS if PERSONS_REPEATED in protected.alarms else ''}",
        f"By the keys, estimated: the same intruder who does not know who is in the file. {_estimated(protected)} are "
        f"estimates; no method aims at them.",
    ]
    if any(isinstance(step, HintSuppression) for step in protected.recipe.steps):
        sentences.append(_hint_sentence(protected))
    measured = [found for found in protected.assessment.measurements if found.name not in LOSSES]
    near = [found for found in measured if found.name != WORST_CASE]
    if near:
        sentences.append(
            f"By the numbers: somebody who has exact original values and looks for the nearest record, or for a value "
            f"near its own. {_figures(near)}: measured, not promised; k says nothing about them."
        )
    worst = [found for found in measured if found.name == WORST_CASE]
    knows = (
        "The worst case: somebody who has the original values of everybody in all columns that are compared, knows how "
        "the file was masked, and tries every attack"
    )
    if worst:
        sentences.append(f"{knows}. {_figures(worst)}: {_meaning_of_ends(worst[0])}.")
    else:
        sentences.append(
            f"{knows}. Not measured here, and not promised: it can be near 100 % in a file in which nobody stands out "
            f"by the keys. assess measures it, and a limit such as {WORST_CASE}<=10 demands it."
        )
    return sentences


def _sentences_on_whole_records(protected: "Protected", promised: str) -> list[str]:
    """Return what holds where each record is equal to others in every column."""
    k, measured = protected.after.k, [one for one in protected.assessment.measurements if one.name not in LOSSES]
    near = [one for one in measured if one.name != WORST_CASE]
    sentences = [
        f"By everything: somebody who knows all about everybody in the file, how it was masked, and every draw. Met by "
        f"design, and counted again in the released file: {promised}. So nobody links more than 1 in {k} records to "
        f"the right person, {format_number(100 / k, 2)} %, on average, by whatever is released: that is proven.",
        "What is not promised: whoever knows in which group a person is learns what its records have in common, and "
        "of numbers their mean; a group in which all have one value tells it.",
    ]
    if near:
        sentences.append(
            f"By the numbers: somebody who has exact original values and looks for the nearest record, or for a value "
            f"near its own. {_figures(near)}: measured; of values that many share they tell what anybody would guess."
        )
    return sentences


def _meaning_of_ends(found: Measurement) -> str:
    """Return how the two ends of the worst case are read."""
    if found.bound is None or found.bound >= NOTHING_PROVEN:
        return (
            "so many were found by the strongest attack that was tried; nothing is proven, so that a cleverer one may "
            "find more"
        )
    if leaves_much(found.value, found.bound):
        return (
            "so many were found by the strongest attack that was tried, and only the larger figure is proven: count on "
            "that one"
        )
    return (
        "at least so many as the smaller figure says are found, as an attack was tried that finds them; that nobody "
        "finds more than the larger figure is proven, on average over the draws of the recipe"
    )


def _seen_from_persons(protected: "Protected") -> str:
    """Return how many records are left to somebody who looks for one person, where the keys of the file are masked."""
    side, k = protected.side, protected.after.k
    if side is None or not protected.knows_all_keys or PERSONS_REPEATED in protected.alarms:
        return ""
    if not side.persons:
        return (
            f" So many persons fit each record, and whoever looks for one person is left with {k} records at least, by "
            f"what was looked for in other columns and gaps too."
        )
    hides = any(isinstance(step, HintSuppression) and step.both_sides for step in protected.recipe.steps)
    advice = (
        ", whom no further gap hides: see the notes" if hides else ": a limit on k, or strict protection, hides more"
    )
    return (
        f" So many persons fit each record; but to whoever looks for one person, by what other columns and gaps tell "
        f"too, {person_words(side, k)}{advice}."
    )


def _hint_sentence(protected: "Protected") -> str:
    """Return what somebody knows who takes hints from other columns, on which columns the count rests, and what not."""
    k, columns = protected.after.k, protected.hinting
    counted = (
        f"What each of these tells of each key by itself is counted: {', '.join(columns)}"
        if columns
        else "No other column was found to tell a part of a key by itself"
    )
    who = "records, of fewer persons in some groups" if PERSONS_REPEATED in protected.alarms else "persons"
    holds = (
        f"some records then fit fewer than {k} persons: see the notes"
        if K_FAILS in protected.alarms
        else f"by what was looked for, each record then still fits {k} {who}"
    )
    return (
        f"By the keys and hints: the same intruder who also knows which values of other columns go with which keys. "
        f"{counted}; {holds}. What each value rules out is looked for, also zero against other amounts and parts of "
        f"codes; there is no end to what columns may tell. {_learnt_words(protected)} Not counted is what several "
        f"columns tell only together, but for sums, for products and ratios of two, and for amounts by a "
        f"category and a number, and what is known from elsewhere: whoever does any of that may be left with fewer "
        f"than {k}. Only whole records that are equal are proven against all of it, as protection of whole records "
        f"makes them (record_microaggregation of all released columns)."
    )


def _learnt_words(protected: "Protected") -> str:
    """Return what somebody was tried to find who learns, and whether that is more than chance."""
    found, k = protected.learnt, protected.after.k
    if found is None:
        return "What could be learnt from other records was not tried."
    if not found.tried:
        return f"What could be learnt from other records was not tried, as more than {MAX_FITTING} persons fit each."
    tried = (
        f"Tried on {found.tried:,} records that at most {MAX_FITTING} persons fit: somebody who learns from other "
        f"persons which columns go with which keys, one or two of each"
    )
    if found.is_found:
        return f"{tried}, is left with fewer than {k} persons, and right, in {found.right:,} of them: see the notes."
    return f"{tried}, is not left with fewer than {k} persons by anything to rely on, or too seldom to tell."


def _estimated(protected: "Protected") -> str:
    """Return the names of the figures that are estimates, of those that the file has."""
    names = [figure.name for figure in protected.after.figures if figure.name in ESTIMATES]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _known(protected: "Protected") -> str:
    """Return the keys, and whether all are known at once."""
    named = ", ".join(row.key for row in protected.keys)
    return named if protected.knows_all_keys else f"some of {named} together"


def _promise_words(promise: "Promise") -> str:
    """Return what was asked, and what was found by each reading of gaps."""
    found = ", ".join(f"{format_number(promise.found[missing], 2)} with {GAPS[missing]}" for missing in MissingKeys)
    if len(set(promise.found.values())) == 1 and set(promise.readings) == set(MissingKeys):
        found = f"{format_number(promise.found[MissingKeys.WILDCARD], 2)} however gaps are read"
    return f"{promise.asked} ({found.replace('.00 ', ' ')})"


def _figures(found: list[Measurement]) -> str:
    return ", ".join(f"{one.name} ({one.symbol}) {format_ends(one)} {one.unit}" for one in found)
