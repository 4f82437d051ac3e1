"""What is proven where whole records are equal: whoever knows anything of a person cannot tell these apart."""

import numpy as np

from sfumato.data import role
from sfumato.display import format_count, format_percent
from sfumato.keys.findings.equal_records import equal_groups
from sfumato.reports.release.chapters.acquaintance import k_in_doubt
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.risk import WorstCaseLinkage

COMMON_IS_TOLD = "this does not hide what equal records have in common: of a number, about the mean of these persons"
UNKNOWN = (
    "what other files or tables about the same persons add; nor who, beside the worst intruder that was tried, knows "
    "enough of a person to tell which equal records the person is among; the section on what was not tested lists all"
)
IF_SHUFFLED = {
    None: "that would be proven of an order drawn at random, and nothing tells whether theirs was",
    False: "that would be proven of an order drawn at random, and theirs is that of the original",
}
"""What is said of equal records whose order may tell whose each is."""
ALL_RIGHT = 99.95  # percent, shown as all
RESTS_ON = (
    "that equal records cannot be told apart does not depend on what anybody knows of a person, but on each person "
    "having one record, and on an order of the records that tells nothing"
)
SOURCES = (
    "Sources that nobody thought of: they do not help to tell equal records apart, but may tell which ones a person is "
    "among. Figures on keys count the variables that the schema says others may know."
)


def proven_of_equals(measured: MeasuredRelease) -> str:
    """Return in words that nobody links more than one in so many records; nothing where records differ, or may repeat.

    Everybody who has the released file can count its equal records, so that every edition says how many there are. It
    is proven of records in an order that was drawn at random: any other may tell which equal record is whose.
    """
    equal = measured.equal_records
    if not equal or k_in_doubt(measured):
        return ""
    return (
        f"each record is equal to at least {format_count(equal - 1, 'other')} in every column that is released, gaps "
        f"included, so that nobody, whatever they know, links more than 1 in {equal} records "
        f"({format_percent(100 / equal)}) to the right person, on average over the order of the records: "
        f"{'that is proven' if measured.is_shuffled else IF_SHUFFLED[measured.is_shuffled]}"
    )


def is_proven_of_equals(measured: MeasuredRelease) -> bool:
    """Tell whether that holds beyond doubt: by the order of the records, too."""
    return bool(proven_of_equals(measured)) and measured.is_shuffled is True


def households_of_equals(measured: MeasuredRelease) -> int | None:
    """Return of how many households equal records are, at least; None where nobody knows, or records differ."""
    aligned = measured.aligned
    names = () if aligned is None else aligned.select(role("household"))
    if not measured.equal_records or aligned is None or len(names) != 1:
        return None
    homes = np.unique(np.stack([equal_groups(measured.released), aligned.numbers(names[0])]), axis=1)
    return int(np.bincount(homes[0]).min())


def share_in_right_group(measured: MeasuredRelease) -> float | None:
    """Return of how many persons, in percent, the worst intruder tells the group of equal records; None if not tried.

    Whoever puts everybody into the right group finds one of each group, on average over the order of its records.
    """
    worst = [one.value for one in measured.assessment.measurements if one.name == WorstCaseLinkage.name()]
    if not worst or not proven_of_equals(measured):
        return None
    return min(worst[0] * measured.released.n / measured.equal_sizes.size, 100.0)


def right_group_words(measured: MeasuredRelease) -> str:
    """Return of how many persons the worst intruder that was tried tells the group of equal records, as a clause."""
    share = share_in_right_group(measured)
    if not share:
        return ""
    low, high = int(measured.equal_sizes.min()), int(measured.equal_sizes.max())
    group = f"group of {low:,} equal records" if low == high else f"group of {low:,} to {high:,} equal records"
    if share >= ALL_RIGHT:
        return f"it puts everybody into the right {group} and reads what these have in common"
    return (
        f"it finds as many as it would if {format_percent(share)} of the persons were put into the right {group}, and "
        f"the others into wrong ones"
    )
