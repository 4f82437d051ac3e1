"""What users lose in analyses, in a sentence each: means within categories, sums, correlations and a regression."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato.display import format_compact, format_number, format_percent
from sfumato.numerics.arrays import FloatMatrix
from sfumato.reports.release.chapters.utility.compared_regression import compare_regression
from sfumato.reports.release.chapters.utility.compared_statistics import (
    MAX_CORRELATED,
    compare_group_means,
    correlations,
    numbers_of_both,
)
from sfumato.reports.release.chapters.utility.kept_structure import broken_share, find_sums
from sfumato.reports.release.chapters.utility.uses import (
    CLOSE_CORRELATION,
    FAR_CORRELATION,
    count_group_means,
    count_unreliable,
)
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.public_edition import small_share

MANY_ALIKE, STEP = 10.0, 5.0  # percent of the records that are told of, and in which steps to everybody
TINY = 1e-9


class LostAnalysis(NamedTuple):
    """What is lost of an analysis: how much of it, from 0 to 1, for the house, and as everybody may read it."""

    share: float
    words: str
    public_words: str


def lost_analyses(measured: MeasuredRelease) -> tuple[LostAnalysis, ...]:
    """Return the analyses that lost something, the worst first; equal numbers, which blur all of them, before these."""
    found = [*_groups(measured), *_sums(measured), *_correlations(measured), *_regression(measured)]
    return (*_equal_numbers(measured), *sorted(found, key=lambda one: -one.share))


def _equal_numbers(measured: MeasuredRelease) -> Iterator[LostAnalysis]:
    """Yield how many records have one and the same value in every number, where far fewer had in the original."""
    names = numbers_of_both(measured.original, measured.released)
    if len(names) < 2:
        return
    before, after = (_most_alike(data.matrix(names)) for data in (measured.original, measured.released))
    if after >= max(MANY_ALIKE, 2 * before):
        alike = (
            f"of the records have the same values in all {len(names)} numbers ({', '.join(names)}): within these the "
            f"numbers tell nothing"
        )
        least = STEP * ((after - TINY) // STEP)  # a share to the digit may be of copies of one person's record
        yield LostAnalysis(after / 100, f"{format_percent(after)} {alike}", f"more than {least:.0f} % {alike}")


def _most_alike(numbers: FloatMatrix) -> float:
    """Return the percent of the records whose numbers are those that most records have, a gap being a value."""
    _, counts = np.unique(np.nan_to_num(numbers, nan=np.inf), axis=0, return_counts=True)
    return 100 * float(counts.max()) / len(numbers)


def _groups(measured: MeasuredRelease) -> Iterator[LostAnalysis]:
    means = compare_group_means(measured.original, measured.released)
    if far := count_unreliable(means):
        verb = "is" if far == 1 else "are"
        words = f"{far:,} of {count_group_means(means)} {verb} not reliable"
        yield LostAnalysis(far / len(means), words, words)


def _sums(measured: MeasuredRelease) -> Iterator[LostAnalysis]:
    """Yield the sum between variables that is broken in most records."""
    rules = find_sums(measured.original, measured.released)
    shares = {rule: broken_share(measured.released, rule) for rule in rules}
    broken = {rule: share for rule, share in shares.items() if share > 0}
    if not broken:
        return
    worst = max(broken, key=broken.__getitem__)
    told = small_share(broken[worst], measured.released.n, measured.k) or format_percent(broken[worst])
    words = (
        f"{len(broken)} of {len(rules)} sums between variables no longer hold"
        if len(rules) > 1
        else ("a sum between variables no longer holds")
    )
    words += f": {worst.total} is not the sum of its parts in {told} of the records that have all these numbers"
    yield LostAnalysis(broken[worst] / 100, words, words)


def _correlations(measured: MeasuredRelease) -> Iterator[LostAnalysis]:
    """Yield how far the correlation moved that moved most; everybody reads a class of it."""
    names = numbers_of_both(measured.original, measured.released)[:MAX_CORRELATED]
    if len(names) < 2:
        return
    before, after = (correlations(data, names) for data in (measured.original, measured.released))
    change = np.abs(after - before)
    largest = 0.0 if np.isnan(change).all() else float(np.nanmax(change))
    if largest < CLOSE_CORRELATION:
        return
    reach = format_compact(FAR_CORRELATION)
    public = f"more than {reach}" if largest > FAR_CORRELATION else f"at most {reach}"
    words = "the correlation that changed most changed by"
    yield LostAnalysis(min(largest, 1.0), f"{words} {format_number(largest)}", f"{words} {public}")


def _regression(measured: MeasuredRelease) -> Iterator[LostAnalysis]:
    """Yield how many effects of a regression are lost, or turned their sign."""
    fit = compare_regression(measured.original, measured.released)
    clear = [] if fit is None else [one for one in fit.effects if one.is_clear_before]
    turned = sum(one.is_clear_after and one.before * one.after < 0 for one in clear)
    lost = sum(not one.is_clear_after for one in clear)
    if turned or lost:
        other = f", and {turned:,} have the other sign" if turned else ", and none of them has the other sign"
        words = f"in a regression {len(clear):,} effects could be told from 0: {lost:,} no longer can{other}"
        if len(clear) == 1:
            became = "can no longer be" if lost else "has the other sign"
            words = f"in a regression the one effect that could be told from 0 {became}"
        yield LostAnalysis((turned + lost) / len(clear), words, words)
