"""Amounts that means of groups tell, and the intruder who reads them off."""

from collections.abc import Iterator

from sfumato.assessment.release_notes import MEANS_TOLD
from sfumato.data import Kind, Selector, role
from sfumato.keys.group_means import FEW_SHARE, NEARLY_ONE, TOLD_WITHIN
from sfumato.masking import Mdav
from sfumato.reports.release.chapters.judging.standing import INFERENCE, Judged, Standing
from sfumato.reports.release.figure import in_sentence
from sfumato.reports.release.measured_release import MeasuredRelease

TELLS_ONE = (FEW_SHARE, "largest value to within", NEARLY_ONE)
"""What remarks on means that tell a single amount say."""
REASON = ", as it is far above"
"""Where a remark on a mean says why it tells an amount, which the notes tell."""
BESIDE = ", beside those that show it"
"""What a remark on means that are nearly an amount says before it lists them."""
WHO = "Somebody who knows who shares a mean with few others"
FINDS = "reads off some means nearly the amount of one person or household, or what few of them have together"

FINDS_NONE = (
    f"reads off no mean the amount of one to within {TOLD_WITHIN} %, nor does whoever has the second largest amount "
    "behind it; who knows more of these was not tried"
)


def judge_readers_of_means(measured: MeasuredRelease, *, for_all: bool) -> Iterator[Judged]:
    """Yield who reads the amount of one off a mean, where numbers are means.

    However few these are, whoever reads one is nearly sure of it, so that the file is not safe against them.
    """
    if MEANS_TOLD not in measured.assessment.alarms:
        if averaged_numbers(measured) and measured.aligned is not None:
            yield Judged(WHO, FINDS_NONE, Standing.SAFE_AS_TRIED, question=INFERENCE)
    else:
        told = "" if for_all else "; ".join(means_of_few(measured))
        yield Judged(WHO, f"{FINDS}{': ' if told else ''}{told}", Standing.NOT_SAFE, in_sentence(WHO), INFERENCE)


def averaged_numbers(measured: MeasuredRelease) -> list[str]:
    """Return the released numbers that microaggregation made means of groups."""
    family = [step for step in measured.question.steps if step.family == Mdav.family]
    numbers = [one.name for one in measured.released.schema.variables if one.kind is Kind.CONTINUOUS]
    chosen = [
        measured.original.select(step.columns) if isinstance(step.columns, Selector) else step.columns
        for step in family
    ]
    weights = measured.original.select(role("weight"))
    return [name for name in numbers if name not in weights and any(name in columns for columns in chosen)]


def means_of_few(measured: MeasuredRelease) -> Iterator[str]:
    """Yield which means tell the amounts of single persons or households, and how many; for the house."""
    for remark in measured.assessment.remarks:
        if any(words in remark for words in TELLS_ONE):
            told, is_cut, reason = remark.partition(";")[0].partition(REASON)
            base = reason.rpartition(" (of ")[2]
            told = (
                f"nearly one's amount, or so to whoever has the second largest{told.partition(BESIDE)[2]}"
                if BESIDE in told
                else told
            )
            yield f"{told} (of {base}" if is_cut and base != reason else told
