"""What is proven where whole records are equal: whoever knows anything of a person cannot tell these apart."""

from sfumato.display import format_count, format_percent
from sfumato.reports.release.chapters.acquaintance import k_in_doubt
from sfumato.reports.release.measured_release import MeasuredRelease

COMMON_IS_TOLD = "this does not hide what equal records have in common: of a number, about the mean of these persons"
UNKNOWN = (
    "what other files or tables about the same persons add, and who knows enough of a person to tell which equal "
    "records the person is among; the section on what was not tested lists all"
)
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

    Everybody who has the released file can count its equal records, so that every edition says how many there are.
    """
    equal = measured.equal_records
    if not equal or k_in_doubt(measured):
        return ""
    return (
        f"each record is equal to at least {format_count(equal - 1, 'other')} in every column that is released, gaps "
        f"included, so that nobody, whatever they know, links more than 1 in {equal} records "
        f"({format_percent(100 / equal)}) to the right person, on average over the order of the records: that is proven"
    )
