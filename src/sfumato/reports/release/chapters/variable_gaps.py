"""What a released variable lacks: values that were taken out, gaps of the original, and categories that are gone."""

from typing import NamedTuple

import numpy as np

from sfumato.data import CATEGORICAL, Microdata
from sfumato.data.column_recoding import labelled_text, text_of
from sfumato.display import format_percent
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.public_edition import small_share

FILLED = "; gaps of the original show a value"
MAX_GONE = 20  # categories: more are no list that anybody reads
MAX_LISTED = 6  # categories that a list names
MIN_PERSONS = 10  # who had a category that everybody is told is gone


class Gaps(NamedTuple):
    """How many records of the release have no value of a variable, and of how many of these protection took it out.

    And how many show a value where the original has none.
    """

    found: int
    made: int
    filled: int = 0


def count_gaps(measured: MeasuredRelease, name: str) -> Gaps:
    """Return the gaps of a released variable; of records that are not matched, more than before count as made."""
    gaps = ~measured.released.observed(name)
    if measured.aligned is not None:
        had = measured.aligned.observed(name)
        return Gaps(int(gaps.sum()), int((gaps & had).sum()), int((~gaps & ~had).sum()))
    before = float((~measured.original.observed(name)).mean()) * len(gaps)
    return Gaps(int(gaps.sum()), max(round(float(gaps.sum()) - before), 0))


def takes_values_out(measured: MeasuredRelease) -> bool:
    """Tell whether protection left gaps where the original has values."""
    names = [name for name in measured.original.schema.names if name in measured.released.schema]
    return any(count_gaps(measured, name).made for name in names)


def filled_gaps(measured: MeasuredRelease) -> list[str]:
    """Return the variables that show a value in at least k records where the original has a gap."""
    names = [name for name in measured.original.schema.names if name in measured.released.schema]
    return [name for name in names if count_gaps(measured, name).filled >= measured.k]


def taken_out_words(measured: MeasuredRelease, name: str, *, for_all: bool) -> str:
    """Return in how many records protection took a value out; nothing where it took none.

    Everybody can count the gaps of the release: what they are told does not leave fewer than k to the original.
    """
    found, made, _ = count_gaps(measured, name)
    if not made:
        return ""
    is_hidden = for_all and 0 < found - made < measured.k
    share = _share(measured, found if is_hidden else made, for_all=for_all)
    return f"taken out in {'at most ' if is_hidden else ''}{share} of the records"


def gap_words(measured: MeasuredRelease, name: str, *, for_all: bool) -> str:
    """Return how many records have no value beside those that protection took out; nothing where there is none."""
    found, made, filled = count_gaps(measured, name)
    told = f"{FILLED} in {_share(measured, filled, for_all=for_all)} of the records" if filled else ""
    if (found == made and not measured.is_synthetic) or not found:
        return told
    share = _share(measured, found, for_all=for_all)
    if measured.is_synthetic:
        return f"; gaps in {share} of the records, drawn as values are"
    if for_all and made > 0 and found - made < measured.k:
        return told
    return f"; gaps in {share} of the records, {'with those of the original' if made else 'in the original too'}{told}"


def gone_categories(before: Microdata, after: Microdata, name: str, smallest: int = 1) -> str:
    """Return which categories no released record has; nothing where there is none.

    Parameters
    ----------
    before, after, name
        Both files, and the variable.
    smallest
        How many original records must have had a category that is named.
    """
    if before.schema[name].kind not in CATEGORICAL or after.schema[name].kind is not before.schema[name].kind:
        return ""
    held = {text_of(one) for one in after.codes(name)[1]}
    codes, categories = before.codes(name)
    counts = np.bincount(codes[codes >= 0], minlength=len(categories))
    labels = before.schema[name].value_labels
    lost = [
        labelled_text(one, labels)
        for one, count in zip(categories, counts.tolist(), strict=True)
        if text_of(one) not in held and count >= smallest
    ]
    return f"; no released record has {list_categories(lost)}" if lost and len(lost) <= MAX_GONE else ""


def smallest_named(measured: MeasuredRelease) -> int:
    """Return how many persons must have had a category that everybody is told is gone."""
    return max(measured.k, MIN_PERSONS)


def list_categories(names: list[str]) -> str:
    """Return some categories, the first of many."""
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return f"{', '.join(names[:MAX_LISTED])}{more}"


def _share(measured: MeasuredRelease, count: int, *, for_all: bool) -> str:
    percent = 100 * count / max(measured.released.n, 1)
    hidden = small_share(percent, measured.released.n, measured.k) if for_all else ""
    return hidden.replace("below", "less than") or format_percent(percent)
