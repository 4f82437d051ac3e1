"""What became of each variable of a file: dropped, recoded and how, changed and by what, or as it was."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sfumato.catalogue.descriptions import title_of
from sfumato.comparison.kept_values import KeptValues, count_kept_values
from sfumato.comparison.side_by_side import common_codes
from sfumato.contracts import MaskingMethod
from sfumato.data import CATEGORICAL, Microdata, Role, Selector
from sfumato.data.column_recoding import labelled_text, text_of
from sfumato.display import format_count, format_percent
from sfumato.errors import SfumatoError
from sfumato.masking import DropIdentifiers
from sfumato.reports.release.figure import in_sentence
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.public_edition import small_share

MAX_JOINED = 8  # new categories whose old ones are listed
MAX_GONE = 20  # categories: more are no list that anybody reads
NEW_NUMBERS = "numbered anew; the file still tells who lives together"
MAX_LISTED = 6  # old categories of a new one


class Fate(NamedTuple):
    """What became of a variable: for the house, and as everybody may read it."""

    words: str
    public_words: str


def fates(measured: MeasuredRelease) -> dict[str, Fate]:
    """Return what became of each variable of the original, and which are new."""
    original, released, aligned = measured.original, measured.released, measured.aligned
    kept = {} if aligned is None else count_kept_values(aligned, released)
    found: dict[str, Fate] = {}
    for name in original.schema.names:
        steps = _steps_of(name, measured.question.steps, original)
        if name not in released.schema:
            found[name] = Fate("not released", "not released")
        elif measured.is_synthetic:
            gone = _gone_categories(original, released, name)
            found[name] = _with_steps(
                f"drawn anew from a model of the file{gone}", steps, "drawn anew from a model of the file"
            )
        elif aligned is None:
            found[name] = _with_steps("released; not known which record is which", steps)
        else:
            found[name] = _fate(aligned, released, name, kept.get(name), steps)
        if name in released.schema and (gaps := gap_words(measured, name)):
            found[name] = Fate(f"{found[name].words}{gaps}", f"{found[name].public_words}{gaps}")
    new = [name for name in released.schema.names if name not in original.schema]
    return found | {name: Fate("new in the released file", "new in the released file") for name in new}


def takes_values_out(measured: MeasuredRelease) -> bool:
    """Tell whether protection left gaps where the original has values."""
    names = [name for name in measured.original.schema.names if name in measured.released.schema]
    return any(_gaps(measured, name).made for name in names)


class _Gaps(NamedTuple):
    """How many records of the release have no value of a variable, and how many of these had none before."""

    found: int
    made: int


def _gaps(measured: MeasuredRelease, name: str) -> _Gaps:
    """Return the gaps of a released variable; of records that are not matched, more than before count as made."""
    gaps = ~measured.released.observed(name)
    if measured.aligned is not None:
        return _Gaps(int(gaps.sum()), int((gaps & measured.aligned.observed(name)).sum()))
    before = float((~measured.original.observed(name)).mean()) * len(gaps)
    return _Gaps(int(gaps.sum()), max(round(float(gaps.sum()) - before), 0))


def gap_words(measured: MeasuredRelease, name: str) -> str:
    """Return how many records have no value of a released variable, and who made the gaps; both editions may tell."""
    found, made = _gaps(measured, name)
    if not found:
        return ""
    percent = 100 * found / max(measured.released.n, 1)
    share = small_share(percent, measured.released.n, measured.k) or format_percent(percent)
    if measured.is_synthetic:
        return f"; gaps in {share} of the records, drawn as values are"
    whose = (
        "in the original too" if not made else "made by protection" if made == found else "partly made by protection"
    )
    return f"; gaps in {share} of the records, {whose}"


def _fate(
    before: Microdata, after: Microdata, name: str, kept: KeptValues | None, steps: Sequence[MaskingMethod]
) -> Fate:
    """Return what became of a variable whose records are matched."""
    lost = int((before.observed(name) & ~after.observed(name)).sum())
    share = 100 * lost / max(int(before.observed(name).sum()), 1)
    taken_out = f"{format_percent(share)} of its values taken out" if lost else ""
    if kept is not None and not kept.differing:
        return Fate("as it was", "as it was")
    if before.schema[name].role is Role.HOUSEHOLD and not steps:
        return Fate(NEW_NUMBERS, NEW_NUMBERS)
    recoded, which = _recoding(before, after, name)
    if recoded:
        public = "; ".join(filter(None, (recoded, "some values taken out" if lost else "")))
        words = "; ".join(filter(None, (f"{recoded}{which}", taken_out)))
        return _with_steps(words, steps, public)
    gone = _gone_categories(before, after, name)
    if kept is not None and kept.kept == kept.values - lost and lost:
        return _with_steps(f"{taken_out}{_hit_most(before, after, name)}{gone}", steps, "some values taken out")
    changed = "" if kept is None else f" ({format_percent(100 * kept.kept / max(kept.values, 1))} of the values stayed)"
    words = "; ".join(filter(None, (f"values changed{changed}", taken_out))) + gone
    return _with_steps(words, steps, "values changed; some taken out" if lost else "values changed")


def _gone_categories(before: Microdata, after: Microdata, name: str) -> str:
    """Return which categories no released record has, in words for the house; nothing where there is none."""
    if before.schema[name].kind not in CATEGORICAL or after.schema[name].kind is not before.schema[name].kind:
        return ""
    held = {text_of(one) for one in after.codes(name)[1]}
    labels = before.schema[name].value_labels
    lost = [labelled_text(one, labels) for one in before.codes(name)[1] if text_of(one) not in held]
    return f"; no released record has {_list(lost)}" if lost and len(lost) <= MAX_GONE else ""


def _hit_most(before: Microdata, after: Microdata, name: str) -> str:
    """Return the category that lost the largest share of its records, where records are matched."""
    if before.schema[name].kind not in CATEGORICAL:
        return ""
    codes, categories = before.codes(name)
    lost = np.bincount(codes[(codes >= 0) & ~after.observed(name)], minlength=len(categories))
    held = np.bincount(codes[codes >= 0], minlength=len(categories))
    shares = 100 * lost / np.maximum(held, 1)
    place = int(np.argmax(shares))
    worst = labelled_text(categories[place], before.schema[name].value_labels)
    return f" (most of {worst}: {format_percent(float(shares[place]))})" if shares[place] > 0 else ""


def _recoding(before: Microdata, after: Microdata, name: str) -> tuple[str, str]:
    """Return how a variable was recoded, and which categories were joined; nothing where it was not."""
    kinds = before.schema[name].kind, after.schema[name].kind
    values = before.summary.distinct(name), after.summary.distinct(name)
    if kinds[0] is not kinds[1] and kinds[1] in CATEGORICAL:
        return f"put into {format_count(values[1], 'class')}", ""
    if kinds[0] is not kinds[1]:
        return f"now {kinds[1]} in place of {kinds[0]}", ""
    if kinds[0] not in CATEGORICAL:
        return "", ""
    joined = _joined_categories(before, after, name)
    if not joined:
        return "", ""
    listed = [f"{new} = {_list(old)}" for new, old in list(joined.items())[:MAX_JOINED]]
    more = f"; and {len(joined) - MAX_JOINED} more" if len(joined) > MAX_JOINED else ""
    return (
        f"recoded: {format_count(values[0], 'category')} became {values[1]:,}",
        f" ({'; '.join(listed)}{more})",
    )


def _joined_categories(before: Microdata, after: Microdata, name: str) -> dict[str, list[str]]:
    """Return the new categories of a variable, each with the original ones of its records."""
    try:
        old, new, categories = common_codes(before, after, name)
    except SfumatoError:
        return {}
    held = len(before.codes(name)[1])
    labels = {**after.schema[name].value_labels, **before.schema[name].value_labels}
    joined: dict[str, list[str]] = {}
    pairs = np.unique(np.stack([new, old], axis=1)[(new >= held) & (old >= 0)], axis=0)
    for after_code, before_code in pairs.tolist():
        new_text = labelled_text(categories[after_code], after.schema[name].value_labels)
        joined.setdefault(new_text, []).append(labelled_text(categories[before_code], labels))
    return joined


def _list(names: list[str]) -> str:
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return f"{', '.join(names[:MAX_LISTED])}{more}"


def _steps_of(name: str, steps: Sequence[MaskingMethod], data: Microdata) -> list[MaskingMethod]:
    """Return the methods that change a variable."""
    found = []
    for step in steps:
        columns = data.select(step.columns) if isinstance(step.columns, Selector) else step.columns
        if name in columns and not isinstance(step, DropIdentifiers):
            found.append(step)
    return found


def _with_steps(words: str, steps: Sequence[MaskingMethod], public_words: str | None = None) -> Fate:
    """Return a fate with the methods behind it; what their parameters ask for is for the house only."""
    if not steps:
        return Fate(words, public_words or words)
    titles = [in_sentence(title_of(type(step))) for step in steps]
    details = [
        f"{title} ({step.detail()})" if step.detail() else title for title, step in zip(titles, steps, strict=True)
    ]
    return Fate(f"{words}, by {_in_turn(details)}", f"{public_words or words}, by {_in_turn(titles)}")


def _in_turn(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
