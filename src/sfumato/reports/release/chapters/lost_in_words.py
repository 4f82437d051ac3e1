"""What users lose, in a clause each: for the house with figures, for everybody in steps."""

from collections.abc import Iterator, Sequence

from sfumato.data import Microdata, role
from sfumato.display import format_compact, format_count, format_percent
from sfumato.loss import Suppressions
from sfumato.reports.release.chapters.judging.told_amounts import averaged_numbers
from sfumato.reports.release.chapters.told_shares import share_text
from sfumato.reports.release.chapters.utility.compared_statistics import (
    ROUNDING,
    ComparedMean,
    compare_means,
)
from sfumato.reports.release.chapters.utility.judged_means import judgement, worst_mean
from sfumato.reports.release.chapters.utility.kept_structure import changed_amount_shares
from sfumato.reports.release.chapters.utility.lost_analyses import LostAnalysis
from sfumato.reports.release.chapters.utility.uses import recoded_variables
from sfumato.reports.release.chapters.variable_gaps import count_gaps, filled_gaps
from sfumato.reports.release.measured_release import MeasuredRelease

MAX_ANALYSES = 3  # that the verdict names; the section on utility has all
STEPS = (5.0, 20.0)  # percent: how far statistics moved at most, as everybody may read it
FAR = STEPS[-1]


def lost_in_words(
    measured: MeasuredRelease, analyses: Sequence[LostAnalysis], *, for_all: bool
) -> Iterator[tuple[str, ...]]:
    """Yield what users lose, some clauses a line: what is gone, analyses, means, the spread.

    Parameters
    ----------
    measured
        What was measured.
    analyses
        What users lose in analyses, the worst first.
    for_all
        Whether everybody reads it: steps in place of figures.
    """
    means = compare_means(measured.original, measured.released)
    lines = (
        _gone(measured, for_all=for_all),
        (one.public_words if for_all else one.words for one in analyses[:MAX_ANALYSES]),
        _means(measured, means, for_all=for_all),
        _spread(measured, means, for_all=for_all),
    )
    yield from filter(None, map(tuple, lines))


def _gone(measured: MeasuredRelease, *, for_all: bool) -> Iterator[str]:
    """Yield what is not there any more, in other classes than before, or made up."""
    gone = [name for name in measured.original.schema.names if name not in measured.released.schema]
    if gone and not for_all:
        yield f"{format_count(len(gone), 'variable')} of {len(measured.original.schema.names)} not released"
    missing = measured.original.n - measured.released.n
    if missing > 0 and not measured.is_synthetic and not for_all:
        yield f"{format_count(missing, 'record')} of {measured.original.n:,} not released"
    if recoded := recoded_variables(measured.original, measured.released):
        verb = "is" if len(recoded) == 1 else "are"
        yield f"{format_count(len(recoded), 'variable')} {verb} in other classes: {', '.join(recoded)}"
    for _, taken in measured.assessment.by_room("loss"):
        if taken.name == Suppressions.name() and taken.value > 0:
            yield _taken_out(measured, taken.value, for_all=for_all)
    if filled := filled_gaps(measured):
        yield f"records with a gap in the original show a value in {', '.join(filled)} (how many: see what is released)"
    if averaged := averaged_numbers(measured):
        yield f"numbers that are means of small groups: {', '.join(averaged)}"


def _means(measured: MeasuredRelease, means: Sequence[ComparedMean], *, for_all: bool) -> Iterator[str]:
    if not means:
        return
    by_spread = [abs(one.change) for one in means]
    by_itself = [abs(one.relative_change) for one in means]
    if max(by_spread) < 0.005:
        yield "no mean of the whole file moved by 0.01 % of its spread or more"
    else:
        of_spread, of_itself = (_how_far(moved, for_all=for_all) for moved in (by_spread, by_itself))
        worst = worst_mean(means)
        yield (
            f"means moved: {of_spread} of their spread; {of_itself} of themselves; most that of {worst.name} "
            f"({judgement(worst)})"
        )
    if (whole := measured.question.whole) is not None:
        yield _from_whole(whole, measured.released, for_all=for_all)


def _spread(measured: MeasuredRelease, means: Sequence[ComparedMean], *, for_all: bool) -> Iterator[str]:
    """Yield how far spreads shrank, and of which number many more or fewer have an amount."""
    shrunk = [100 - _spread_kept(one) for one in means]
    if shrunk and max(shrunk) >= 1:
        most = means[shrunk.index(max(shrunk))].name
        yield f"the spread (standard deviation) shrank: {_how_far(shrunk, for_all=for_all)}, most that of {most}"
    changed = changed_amount_shares(measured.original, measured.released, means)
    if changed and for_all:
        names = ", ".join(one.name for one in changed)
        yield f"the share that has an amount other than 0 lost or gained more than half of itself: {names}"
    elif changed:
        told = [
            f"{one.name}, {format_percent(one.before)} before and {format_percent(one.after)} after" for one in changed
        ]
        yield f"the share that has an amount other than 0 lost or gained more than half of itself: {'; '.join(told)}"


def _from_whole(whole: Microdata, released: Microdata, *, for_all: bool) -> str:
    """Return how far means are from those of a file of which records were kept back."""
    means = compare_means(whole, released)
    moved = [abs(one.relative_change) for one in means]
    worst = means[moved.index(max(moved))].name
    return (
        f"beside the whole original, of which records were kept back as a control, means moved: "
        f"{_how_far(moved, for_all=for_all)} of themselves, most that of {worst}; no other loss of keeping them back "
        f"is in these figures"
    )


def _how_far(moved: Sequence[float], *, for_all: bool) -> str:
    """Return how far statistics moved at most, and how many far; everybody reads the most in three steps.

    Examples
    --------
    >>> _how_far([1.0, 30.0, 50.5], for_all=True), _how_far([1.0, 30.0, 50.5], for_all=False)
    ('2 of 3 by more than 20 %', '2 of 3 by more than 20 %, at most by 50.5 %')
    >>> _how_far([1.0, 3.0], for_all=True), _how_far([1.0, 3.0], for_all=False)
    ('by at most 5 %', 'by at most 3 %')
    """
    most, far = max(moved), sum(one > FAR for one in moved)
    many = f"{far} of {len(moved)} by more than {format_compact(FAR)} %" if far else ""
    if for_all:
        return many or f"by at most {next(format_compact(step) for step in STEPS if most <= step)} %"
    return f"{many}, at most by {format_percent(most)}" if many else f"by at most {format_percent(most)}"


def _taken_out(measured: MeasuredRelease, percent: float, *, for_all: bool) -> str:
    """Return how many values were taken out: of the keys, and of all compared variables where others lost some, too."""
    of_all = f"{share_text(measured, percent, for_all=for_all)} of the values of all compared variables"
    if not measured.suppressed:
        return f"{of_all} were taken out"
    of_keys = f"{share_text(measured, measured.suppressed, for_all=for_all)} of the values of the keys"
    others = [name for name in measured.original.schema.names if name not in measured.original.select(role("key"))]
    if any(name in measured.released.schema and count_gaps(measured, name).made for name in others):
        return f"{of_keys} and {of_all} were taken out"
    return f"{of_keys} were taken out, and none of other variables"


def _spread_kept(mean: ComparedMean) -> float:
    """Return the standard deviation of a released number in percent of what it was."""
    varied = mean.deviation_before > ROUNDING * abs(mean.before)
    return 100 * mean.deviation_after / mean.deviation_before if varied else 100.0
