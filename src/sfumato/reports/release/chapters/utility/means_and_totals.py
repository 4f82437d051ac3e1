"""Means, standard deviations and totals of the numbers in both files, weighted where users can weight them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sfumato.data import Microdata, Schema, role
from sfumato.display import format_compact, format_count, format_number, format_percent
from sfumato.reports.release.chapters.utility.compared_statistics import ComparedMean, FileWeights
from sfumato.reports.release.chapters.utility.judged_means import (
    AS_BEFORE,
    NOT_RELIABLE,
    WITH_CARE,
    judgement,
    worst_mean,
)
from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, Words, make_figure
from sfumato.reports.release.sections import FigureRow, FigureTable
from sfumato.reports.release.words.trial_words import rounded_count
from sfumato.reports.release.words.variable_names import name_with_label, unit_of, with_unit

CHANGE = Words(
    "Change of the mean",
    "The mean moved by {value} of the standard deviation.",
    "Below 5 %, where the mean also moved by less than 2 % of itself.",
    "Above 20 %, or where the mean moved by more than 10 % of itself: conclusions about averages may change.",
    "The difference of the means of both files, in percent of the standard deviation in the original; below 0 where "
    "it fell.",
    "information loss",
)
RELATIVE = Words(
    "Change of the mean, relative",
    "The mean moved by {value} of what it was.",
    "Below 2 %.",
    "Above 10 %: averages in money or persons are off, even where the spread is so large that it hides it.",
    "The difference of the means of both files, in percent of the mean in the original; below 0 where it fell.",
    "information loss",
)
OF_WHOLE = Words(
    "Change of the mean from that of the whole file",
    "The released mean is {value} from that of the whole original file.",
    "Below 2 %.",
    "Above 10 %: who knows figures of the whole file finds others here.",
    "The difference of the mean of the released file and that of the whole original, records that were kept back "
    "included, in percent of the latter; below 0 where it fell.",
    "information loss",
)
TOTAL_CHANGE = Words(
    "Change of the total",
    "The total moved by {value} of what it was.",
    "Below 2 %.",
    "Above 10 %: published totals can no longer be reproduced.",
    "The difference of the totals of both files, in percent of the total in the original; below 0 where it fell. A "
    "total falls where values were taken out, even if the mean stays.",
    "information loss",
)
POPULATION = Words(
    "Persons that the records stand for",
    "The weights add up to {value}.",
    "As in the original.",
    "Far from the original: totals are too low or too high.",
    "The sum of the sampling weights of all records.",
    "weight",
)
FORMS = {
    "mean": ("Mean", "The mean of the records that have a value"),
    "deviation": ("Standard deviation", "The spread of the values around their mean (standard deviation)"),
    "total": ("Total", "The sum of the values of the records that have one"),
}
"""What each statistic is called, and how it is defined."""


NO_AMOUNTS = "No number is taken for an amount, such as an income, whose total means something."
NO_TOTALS = (
    "Totals are not compared: synthetic records are as many as somebody asked for. A total is the mean times "
    "the number of persons."
)


def counted_by(original: Microdata, weights: FileWeights | None, *, for_all: bool) -> str:
    """Return in a sentence whether figures count records or the persons that they stand for.

    Everybody is not told the name of a weight that is not released.
    """
    if weights is not None:
        return (
            f"Shares, means, totals and tables are weighted by {name_with_label(original.schema, weights.name)}, in "
            f"each file by its own weights. Quantiles, correlations and the regression count every record once."
        )
    held = original.select(role("weight"))
    if held:
        weight = "The weight" if for_all else f"The weight {name_with_label(original.schema, held[0])}"
        return (
            f"{weight} is not released, or not as positive numbers for every record: all figures on utility count "
            f"every record once, and users cannot estimate totals of the population."
        )
    return "No variable is marked as a sampling weight: all figures on utility count every record once."


def mean_figures(
    schema: Schema, mean: ComparedMean, *, is_weighted: bool, has_total: bool = True
) -> Iterator[ReportFigure]:
    """Yield the mean, the deviation and, where it is asked for, the total in both files, and how far they moved."""
    path, unit = f"utility/means/{mean.name}", unit_of(schema, mean.name)
    values = {
        ("before", "mean"): mean.before,
        ("after", "mean"): mean.after,
        ("before", "deviation"): mean.deviation_before,
        ("after", "deviation"): mean.deviation_after,
    }
    if has_total:
        values |= {("before", "total"): mean.total_before, ("after", "total"): mean.total_after}
    how = "each value times its weight" if is_weighted else "every record counted once"
    shown = f" {schema[mean.name].unit}" if schema[mean.name].unit else ""
    for (when, what), value in values.items():
        label, definition = FORMS[what]
        file = "original" if when == "before" else "released"
        words = Words(
            label,
            f"The {label.lower()} of {mean.name} in the {file} file is {{value}}{shown}.",
            "As in the original.",
            "Far from the original.",
            f"{definition}; {how}.",
            "information loss",
        )
        origin = Origin(what, Side.ORIGINAL if when == "before" else Side.RELEASED, (mean.name,))
        yield make_figure(f"{path}/{what}/{when}", value, unit, words, origin)
    both = Origin("mean", Side.BOTH, (mean.name,), "change")
    yield make_figure(f"{path}/change", mean.change, PERCENT, CHANGE, both)
    yield make_figure(f"{path}/relative", mean.relative_change, PERCENT, RELATIVE, replace(both, part="relative"))
    if has_total:
        total = Origin("total", Side.BOTH, (mean.name,), "change")
        yield make_figure(f"{path}/total/change", mean.total_change, PERCENT, TOTAL_CHANGE, total)


def population_figures(weights: FileWeights) -> Iterator[ReportFigure]:
    """Yield how many persons the records of both files stand for."""
    for when, side, values in (("before", Side.ORIGINAL, weights.before), ("after", Side.RELEASED, weights.after)):
        origin = Origin("sum_of_weights", side, (weights.name,))
        yield make_figure(f"utility/population/{when}", float(values.sum()), "persons", POPULATION, origin)


def whole_figures(schema: Schema, mean: ComparedMean) -> Iterator[ReportFigure]:
    """Yield the mean of a file of which records were kept back, and how far the released mean is from it."""
    path, unit = f"utility/means/{mean.name}", unit_of(schema, mean.name)
    words = Words(
        "Mean of the whole file",
        f"The mean of {mean.name} in the whole original file, with the records that were kept back, is {{value}}.",
        "As that of the records drawn on.",
        "Far from that of the records drawn on: keeping records back moved the mean by itself.",
        "The mean of all records that have a value.",
        "information loss",
    )
    yield make_figure(f"{path}/whole", mean.before, unit, words, Origin("mean", Side.ORIGINAL, (mean.name,), "whole"))
    both = Origin("mean", Side.BOTH, (mean.name,), "relative to the whole file")
    yield make_figure(f"{path}/whole/change", mean.relative_change, PERCENT, OF_WHOLE, both)


def kept_back_words(whole: Microdata, drawn_on: Microdata, *, for_all: bool) -> str:
    """Return that figures of the original are of the records drawn on; everybody reads rounded counts.

    Parameters
    ----------
    whole, drawn_on
        The original file, and the records of it that the release was made from.
    for_all
        Whether everybody reads it.
    """
    kept = whole.n - drawn_on.n
    if for_all:
        told = f"{rounded_count(drawn_on.n)} records that the models were made from; {rounded_count(kept)} others"
    else:
        told = f"the {drawn_on.n:,} records that the models were made from; {kept:,} others of the {whole.n:,}"
    return (
        f"Figures of the original are of {told} were kept back as a control. What keeping "
        f"them back costs is in the comparison with the whole file, and in no other figure."
    )


def mean_table(schema: Schema, means: Sequence[ComparedMean], whole: Microdata | None = None) -> FigureTable:
    """Return the table of means and spreads, beside the means of the whole file where records were kept back."""
    columns: tuple[str, ...] = (
        "mean/before",
        "mean/after",
        "relative",
        "change",
        "deviation/before",
        "deviation/after",
    )
    headings: tuple[str, ...] = (
        "mean before" if whole is None else "mean of the records drawn on",
        "mean after",
        "change, in % of it",
        "in % of the spread",
        "spread before",
        "spread after",
    )
    if whole is not None:
        columns = (*columns, "whole", "whole/change")
        headings = (*headings, f"mean of all {whole.n:,}", "mean after: change from it, in %")
    return FigureTable("Means and standard deviations (spread)", headings, _rows(schema, means, columns))


def total_table(schema: Schema, means: Sequence[ComparedMean], weights: FileWeights | None) -> FigureTable:
    """Return the table of totals, those of the population first where weights tell them."""
    columns = ("total/before", "total/after", "total/change")
    rows = _rows(schema, means, columns)
    if weights is not None:
        paths = ("utility/population/before", "utility/population/after", "")
        rows = (FigureRow(POPULATION.label, paths), *rows)
    title = "Weighted totals, estimates for the population" if weights is not None else "Totals of the records"
    title += ": numbers that are amounts"
    return FigureTable(title, ("total before", "total after", "change, in % of the total"), rows)


def _rows(schema: Schema, means: Sequence[ComparedMean], columns: tuple[str, ...]) -> tuple[FigureRow, ...]:
    return tuple(
        FigureRow(with_unit(schema, one.name), tuple(f"utility/means/{one.name}/{column}" for column in columns))
        for one in means
    )


def means_in_words(schema: Schema, means: Sequence[ComparedMean]) -> str:
    """Return in a sentence or two how the means changed."""
    moved = [one for one in means if abs(one.change) >= 0.005]
    if not moved:
        none = not any(one.change for one in means)
        return "No mean changed." if none else "No mean moved by 0.005 % of its standard deviation or more."
    first = worst_mean(moved)
    way = "rose" if first.after > first.before else "fell"
    unit = f" {schema[first.name].unit}" if schema[first.name].unit else ""
    judged = [judgement(one) for one in means]
    counted = ", ".join(
        f"{judged.count(each):,} {each}" for each in (NOT_RELIABLE, WITH_CARE, AS_BEFORE) if each in judged
    )
    return (
        f"Changed most: the mean of {name_with_label(schema, first.name)} {way} from {_number(first.before)} to "
        f"{_number(first.after)}{unit}, by {format_percent(abs(first.relative_change))} of itself and "
        f"{format_percent(abs(first.change))} of its spread (standard deviation): {judgement(first)}. Of "
        f"{format_count(len(means), 'mean')}: {counted}, by whichever of the two is worse."
    )


def _number(value: float) -> str:
    return format_number(value, 1) if abs(value) >= 1000 else format_compact(value, 4)
