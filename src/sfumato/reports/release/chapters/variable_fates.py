"""What became of each variable of a file: dropped, recoded and how, changed and by what, or as it was."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sfumato.catalogue.descriptions import title_of
from sfumato.comparison.kept_values import KeptValues, count_kept_values
from sfumato.comparison.side_by_side import common_codes
from sfumato.contracts import MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata, Role, Selector
from sfumato.data.column_recoding import labelled_text
from sfumato.display import format_count, format_percent
from sfumato.errors import SfumatoError
from sfumato.masking import (
    DropIdentifiers,
    HintSuppression,
    LocalSuppression,
    RiskSuppression,
    Rounding,
    StrictLocalSuppression,
)
from sfumato.reports.release.chapters.variable_gaps import (
    gap_words,
    gone_categories,
    list_categories,
    smallest_named,
    taken_out_words,
)
from sfumato.reports.release.figure import in_sentence
from sfumato.reports.release.measured_release import MeasuredRelease

SUPPRESSING = (LocalSuppression, StrictLocalSuppression, HintSuppression, RiskSuppression)
"""The methods that take values out, and leave the others as they are."""
MAX_DETAIL = 40  # letters on the parameters of a step: longer ones stand in the recipe alone
MAX_NOW = 20  # categories that a variable has now, by name
MAX_JOINED = 8  # new categories whose old ones are listed
DRAWN, CHANGED = "drawn anew from a model of the file", "values changed"
DECIMALS = "; decimals were rounded off, which protects nothing"
FINE = 1000  # a step of rounding so many times finer than the spread protects nothing
DRAWN_HOUSEHOLDS = "numbers of the drawn households, which are none of the original"
NEW_NUMBERS = "numbered anew; the file still tells who lives together"


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
        all_steps = _steps_of(name, measured.question.steps, original)
        steps = [step for step in all_steps if not _rounds_decimals(step, original, name)]
        if name not in released.schema:
            found[name] = Fate("not released", "not released")
        elif measured.is_synthetic:
            gone = [gone_categories(original, released, name, least) for least in (1, smallest_named(measured))]
            drawn = DRAWN if steps or original.schema[name].role is not Role.HOUSEHOLD else DRAWN_HOUSEHOLDS
            found[name] = _with_steps(f"{drawn}{gone[0]}", steps, f"{drawn}{gone[1]}")
        elif aligned is None:
            found[name] = _with_steps("released; not known which record is which", steps)
        else:
            found[name] = _fate(measured, aligned, name, kept.get(name), steps)
        if name in released.schema:
            gaps = [gap_words(measured, name, for_all=for_all) for for_all in (False, True)]
            more = DECIMALS if len(steps) < len(all_steps) else ""
            found[name] = Fate(f"{found[name].words}{gaps[0]}{more}", f"{found[name].public_words}{gaps[1]}{more}")
    new = [name for name in released.schema.names if name not in original.schema]
    return found | {name: Fate("new in the released file", "new in the released file") for name in new}


def _fate(
    measured: MeasuredRelease, before: Microdata, name: str, kept: KeptValues | None, steps: Sequence[MaskingMethod]
) -> Fate:
    """Return what became of a variable whose records are matched."""
    after = measured.released
    lost = int((before.observed(name) & ~after.observed(name)).sum())
    taken_out, told = (taken_out_words(measured, name, for_all=for_all) for for_all in (False, True))
    if kept is not None and not kept.differing:
        return Fate("as it was", "as it was")
    if before.schema[name].role is Role.HOUSEHOLD and not steps:
        return Fate(NEW_NUMBERS, NEW_NUMBERS)
    recoded, which = _recoding(before, after, name)
    if recoded:
        others = [step for step in steps if not isinstance(step, SUPPRESSING)]
        now = categories_now(measured, name)
        made = _with_steps(f"{recoded}{which}{now}", others or steps, f"{recoded}{now}")
        if not taken_out:
            return made
        gaps = _with_steps(taken_out, [step for step in steps if isinstance(step, SUPPRESSING)], told)
        return Fate(*("; ".join(filter(None, pair)) for pair in zip(made, gaps, strict=True)))
    gone = gone_categories(before, after, name)
    named = "" if lost else gone_categories(before, after, name, smallest_named(measured))  # gaps would tell whose
    if kept is not None and kept.kept == kept.values - lost and lost:
        return _with_steps(f"{taken_out}{_hit_most(before, after, name)}{gone}", steps, told)
    changed = "" if kept is None else f" ({format_percent(100 * kept.kept / max(kept.values, 1))} of the values stayed)"
    words, public = ("; ".join(filter(None, pair)) for pair in ((f"{CHANGED}{changed}", taken_out), (CHANGED, told)))
    return _with_steps(f"{words}{gone}", steps, f"{public}{named}")


def categories_now(measured: MeasuredRelease, name: str) -> str:
    """Return the categories that a recoded variable has in the release, those of few persons counted only.

    Everybody can read them off the file, so that a name gives nothing away.
    """
    released = measured.released
    if released.schema[name].kind not in CATEGORICAL:
        return ""
    codes, categories = released.codes(name)
    counts = np.bincount(codes[codes >= 0], minlength=len(categories))
    labels, least = released.schema[name].value_labels, smallest_named(measured)
    named = [labelled_text(categories[place], labels) for place in np.flatnonzero(counts >= least).tolist()]
    few = int(np.count_nonzero((counts > 0) & (counts < least)))
    if not named or len(named) > MAX_NOW:
        return ""
    rare = f" and {format_count(few, 'category')} of fewer than {least} records" if few else ""
    return f"; now {', '.join(named)}{rare}"


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
    listed = [f"{new} = {list_categories(old)}" for new, old in list(joined.items())[:MAX_JOINED]]
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


def _steps_of(name: str, steps: Sequence[MaskingMethod], data: Microdata) -> list[MaskingMethod]:
    """Return the methods that change a variable."""
    found = []
    for step in steps:
        columns = data.select(step.columns) if isinstance(step.columns, Selector) else step.columns
        if name in columns and not isinstance(step, DropIdentifiers):
            found.append(step)
    return found


def _rounds_decimals(step: MaskingMethod, original: Microdata, name: str) -> bool:
    """Tell whether a step rounds so finely that nobody is protected by it."""
    if not isinstance(step, Rounding) or step.base is None or original.schema[name].kind is not Kind.CONTINUOUS:
        return False
    return FINE * step.base < original.summary.deviation(name)


def _with_steps(words: str, steps: Sequence[MaskingMethod], public_words: str | None = None) -> Fate:
    """Return a fate with the methods behind it; what their parameters ask for is for the house only."""
    if not steps:
        return Fate(words, public_words or words)
    titles = [in_sentence(title_of(type(step))) for step in steps]
    details = [
        f"{title} ({step.detail()})" if 0 < len(step.detail()) <= MAX_DETAIL else title
        for title, step in zip(titles, steps, strict=True)
    ]
    told = words if public_words is None else public_words
    return Fate(f"{words}, by {_in_turn(details)}", f"{told}, by {_in_turn(titles)}" if told else "")


def _in_turn(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
