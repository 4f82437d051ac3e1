"""What users lose, in a clause each: for the house with figures, for everybody in steps."""

from collections.abc import Iterator, Sequence

from sfumato.data import Microdata, role
from sfumato.display import format_compact, format_count, format_percent
from sfumato.loss import CategoricalDistance, ContingencyTableLoss, Suppressions
from sfumato.reports.release.chapters.told_shares import share_text
from sfumato.reports.release.chapters.utility.compared_statistics import (
    ROUNDING,
    ComparedMean,
    compare_means,
)
from sfumato.reports.release.chapters.utility.judged_means import judgement, worst_mean
from sfumato.reports.release.chapters.utility.lost_analyses import LostAnalysis
from sfumato.reports.release.chapters.utility.uses import recoded_variables
from sfumato.reports.release.chapters.variable_gaps import count_gaps
from sfumato.reports.release.measured_release import MeasuredRelease

LOSSES = {
    "information_loss": "values, means, variances and correlations of the numbers changed by {} of what they were, on "
    "average",
    "contingency_table_loss": "in tables of the categorical variables {} of the records count in another cell",
    "categorical_distance": "{} of the values of the categorical variables were changed or taken out, ordered ones "
    "counted by how far",
}


OF_CATEGORIES = (CategoricalDistance.name(), ContingencyTableLoss.name())
STEPS = (5.0, 20.0)  # percent: how far statistics moved at most, as everybody may read it
FAR = STEPS[-1]


def lost_in_words(measured: MeasuredRelease, analyses: Sequence[LostAnalysis], *, for_all: bool) -> Iterator[str]:
    """Yield what users lose, a clause each.

    Parameters
    ----------
    measured
        What was measured.
    analyses
        What users lose in analyses, the worst first.
    for_all
        Whether everybody reads it: steps in place of figures.
    """
    gone = [name for name in measured.original.schema.names if name not in measured.released.schema]
    if gone and not for_all:
        yield f"{format_count(len(gone), 'variable')} of {len(measured.original.schema.names)} not released"
    missing = measured.original.n - measured.released.n
    if missing > 0 and not measured.is_synthetic and not for_all:
        yield f"{format_count(missing, 'record')} of {measured.original.n:,} not released"
    yield from (one.public_words if for_all else one.words for one in analyses)
    if means := compare_means(measured.original, measured.released):
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
        shrunk = [100 - _spread_kept(one) for one in means]
        if max(shrunk) >= 1:
            most = means[shrunk.index(max(shrunk))].name
            yield f"the spread (standard deviation) shrank: {_how_far(shrunk, for_all=for_all)}, most that of {most}"
    recoded = recoded_variables(measured.original, measured.released)
    if recoded:
        verb = "is" if len(recoded) == 1 else "are"
        yield f"{format_count(len(recoded), 'variable')} {verb} in other classes: {', '.join(recoded)}"
    for _, taken in measured.assessment.by_room("loss"):
        one = taken
        if recoded and one.name in OF_CATEGORIES:
            if one.symbol not in measured.without_recoded:
                continue
            one = measured.without_recoded[one.symbol][1]
        if one.name in LOSSES and one.value > 0:
            words = LOSSES[one.name].format(share_text(measured, one.value, for_all=for_all))
            yield f"{words}{', of those that kept their classes' if recoded and one.name in OF_CATEGORIES else ''}"
        elif one.name == Suppressions.name() and one.value > 0:
            yield _taken_out(measured, one.value, for_all=for_all)


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
