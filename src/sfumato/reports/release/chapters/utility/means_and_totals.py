"""Means, standard deviations and totals of the numbers in both files, weighted where users can weight them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sfumato.data import Microdata, Schema, role
from sfumato.display import format_compact, format_count, format_number
from sfumato.reports.release.chapters.utility.compared_statistics import ComparedMean, FileWeights
from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, Words, in_sentence, make_figure
from sfumato.reports.release.sections import FigureRow, FigureTable
from sfumato.reports.release.words.variable_names import name_with_label, unit_of, with_unit

CHANGE = Words(
    "Change of the mean",
    "The mean moved by {value} of the standard deviation.",
    "Below 5 %: hardly anybody will notice.",
    "Above 20 %: conclusions about averages may change.",
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


def mean_table(schema: Schema, means: Sequence[ComparedMean]) -> FigureTable:
    """Return the table of means and standard deviations."""
    columns = ("mean/before", "mean/after", "relative", "change", "deviation/before", "deviation/after")
    headings = (
        "mean before",
        "mean after",
        "change, in % of it",
        "in % of the spread",
        "spread before",
        "spread after",
    )
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
    first = moved[0]
    way = "rose" if first.after > first.before else "fell"
    unit = f" {schema[first.name].unit}" if schema[first.name].unit else ""
    return (
        f"Changed most: the mean of {name_with_label(schema, first.name)} {way} from {_number(first.before)} to "
        f"{_number(first.after)}{unit}, by {format_number(abs(first.change), 1)} % of its standard deviation. Of "
        f"{format_count(len(means), 'mean')}, {sum(abs(one.change) >= 5 for one in means):,} moved by 5 % or more of "
        f"the spread, {sum(abs(one.relative_change) > 10 for one in means):,} by more than 10 % of the mean. "
        f"Good: {in_sentence(CHANGE.good)} Bad: {in_sentence(CHANGE.bad)}"
    )


def _number(value: float) -> str:
    return format_number(value, 1) if abs(value) >= 1000 else format_compact(value, 4)
