"""The section on utility: what users of the release will find changed."""

from collections.abc import Iterator

import numpy as np

from sfumato.display import format_compact, format_count, format_number
from sfumato.numerics.arrays import FloatMatrix
from sfumato.reports.column_classes import MIN_RECORDS
from sfumato.reports.release.chapters.column_pictures import MAX_PICTURES, column_pictures
from sfumato.reports.release.chapters.compared_statistics import (
    MAX_CORRELATED,
    ComparedMean,
    ComparedRegression,
    ComparedTable,
    compare_means,
    compare_regression,
    compare_tables,
    correlations,
    numbers_of_both,
)
from sfumato.reports.release.chapters.measure_figures import measure_rows
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, Words, in_sentence, make_figure
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import (
    Audience,
    Chart,
    ChartKind,
    FigureRow,
    FigureTable,
    Part,
    Prose,
    Subheading,
)

MAX_TABLES = 8
NOT_AT_RANDOM = (
    "Values are not taken out at random: rare categories and rare combinations lose most, and a category "
    "of few persons "
    "may be gone. Means, tables and the regression below count records, not weights, unless they say otherwise."
)
RARE_MAY_BE_LOST = (
    "Rare categories may be rarer than in the original, or gone. Errors computed as if these were all real records are "
    "too small where there are more of them than original ones."
)
OWN_UNIT = "in the variable's own unit"
MEAN = ("The mean is {value}.", "Mean", "The mean of all records that have a value, weighted where there is a weight.")
SPREAD = ("The standard deviation is {value}.", "Standard deviation", "The spread of the values around their mean.")
CHANGE = Words(
    "Change of the mean",
    "The mean moved by {value} of the standard deviation.",
    "Below 5 %: hardly anybody will notice.",
    "Above 20 %: conclusions about averages may change.",
    "The difference of the means of both files, in percent of the standard deviation in the original.",
    "information loss",
)
MOVED = Words(
    "Records in another cell",
    "In the table of these two variables {value} of the records count in another cell.",
    "Below 5 %.",
    "Above 20 %: single cells of the table need care.",
    "Half the sum of the differences between the shares of the cells of both tables; gaps are a cell of their own.",
    "distributions",
)
CORRELATION = Words(
    "Largest change of a correlation",
    "The correlation that changed most did so by {value}.",
    "Below 0.05.",
    "Above 0.2: relations between numbers are lost or made.",
    "The largest difference between the correlations of two numbers in both files.",
    "correlation",
)
COEFFICIENT = Words(
    "Coefficient",
    "The coefficient is {value}.",
    "As in the original.",
    "Of another sign or size.",
    "How much the explained variable changes with this one, the others staying as they are; least squares.",
    "information loss",
)
OVERLAP = Words(
    "Common part of the confidence intervals",
    "The 95 % confidence intervals of this coefficient from both files have {value} in common.",
    "Above 80 %: the same conclusion.",
    "Below 0 %: the intervals do not meet, and conclusions differ.",
    "The common part of two 95 % confidence intervals in percent of their widths; negative where a gap lies between.",
    "distributions",
)


def utility_section(measured: MeasuredRelease) -> Draft:
    """Return the section."""
    original, released = measured.original, measured.released
    figures: list[ReportFigure] = []
    parts: list[Part] = [*_pictures(measured)]
    parts.append(Prose(NOT_AT_RANDOM if not measured.is_synthetic else RARE_MAY_BE_LOST, audience=Audience.ALL))
    measures = measure_rows(measured, "loss")
    figures += measures.figures
    if measures.rows:
        parts += [
            Subheading("How much was lost", Audience.ALL),
            FigureTable("", ("overall", "outliers"), measures.rows, Audience.ALL, public_columns=(0,)),
        ]
    means = compare_means(original, released)
    if means:
        figures += [figure for mean in means for figure in _mean_figures(mean)]
        parts += [Subheading("Means"), Prose(_means_in_words(means)), _mean_table(means)]
    names = numbers_of_both(original, released)[:MAX_CORRELATED]
    if len(names) > 1:
        chart, largest = _correlations(measured, names)
        figures.append(largest)
        row = FigureRow(CORRELATION.label, (largest.path,), largest.path)
        parts += [Subheading("Correlations"), chart, FigureTable("", ("change",), (row,))]
    tables = compare_tables(original, released)[:MAX_TABLES]
    if tables:
        figures += map(_table_figure, tables)
        rows = tuple(FigureRow(" by ".join(one.names), (_table_path(one),)) for one in tables)
        first = _table_figure(tables[0])
        parts += [
            Subheading("Tables of two variables"),
            Prose(
                f"Changed most: {' by '.join(tables[0].names)}. {first.sentence} Good: {in_sentence(MOVED.good)} "
                f"Bad: {in_sentence(MOVED.bad)}"
            ),
            FigureTable("Tables that changed most", ("records in another cell",), rows),
        ]
    fit = compare_regression(original, released)
    if fit is not None:
        figures += _fit_figures(fit)
        parts += [Subheading("A regression"), Prose(_fit_in_words(fit)), _fit_table(fit)]
    return draft("utility", "Utility: what was lost", parts, figures)


def _pictures(measured: MeasuredRelease) -> Iterator[Part]:
    definition = (
        f"Percent of the records in classes of each variable. No bar stands for fewer than {MIN_RECORDS} records: "
        f"rarer categories are joined, and wider bars of a number have their percent spread over their width; the "
        f"outermost hold all that lies beyond. At most {MAX_PICTURES} variables."
    )
    yield Subheading("Variable by variable", Audience.ALL)
    yield Chart(
        ChartKind.COLUMNS,
        "utility/variables",
        "Each variable before and after",
        "Grey is the original, blue the released file; where they cover each other nothing was lost. A variable "
        "in other classes than before has two pictures.",
        "Small pictures, one for each variable, with the percent of records in its classes in both files.",
        PERCENT,
        definition,
        {"pictures": column_pictures(measured.original, measured.released)},
    )
    yield Chart(
        ChartKind.COLUMNS,
        "utility/variables",
        "Each variable of the released file",
        "Percent of the released records in classes of each variable.",
        "Small pictures, one for each variable, with the percent of released records in its classes.",
        PERCENT,
        definition,
        {"pictures": column_pictures(None, measured.released)},
        Audience.PUBLIC,
    )


def _mean_figures(mean: ComparedMean) -> Iterator[ReportFigure]:
    path = f"utility/means/{mean.name}"
    values = {
        ("before", "mean"): mean.before,
        ("after", "mean"): mean.after,
        ("before", "deviation"): mean.deviation_before,
        ("after", "deviation"): mean.deviation_after,
    }
    for (when, what), value in values.items():
        sentence, label, definition = MEAN if what == "mean" else SPREAD
        words = Words(label, sentence, "As in the original.", "Far from the original.", definition, "information loss")
        origin = Origin(what, Side.ORIGINAL if when == "before" else Side.RELEASED, (mean.name,))
        yield make_figure(f"{path}/{what}/{when}", value, OWN_UNIT, words, origin)
    yield make_figure(f"{path}/change", mean.change, PERCENT, CHANGE, Origin("mean", Side.BOTH, (mean.name,), "change"))


def _mean_table(means: list[ComparedMean]) -> FigureTable:
    columns = ("mean/before", "mean/after", "change", "deviation/before", "deviation/after")
    headings = ("mean before", "mean after", "change, in % of the spread", "spread before", "spread after")
    rows = tuple(
        FigureRow(one.name, tuple(f"utility/means/{one.name}/{column}" for column in columns)) for one in means
    )
    return FigureTable("Means and standard deviations (spread)", headings, rows)


def _means_in_words(means: list[ComparedMean]) -> str:
    """Return in a sentence or two how the means changed."""
    moved = [one for one in means if abs(one.change) >= 0.005]
    if not moved:
        return "No mean changed."
    first = moved[0]
    way = "rose" if first.after > first.before else "fell"
    return (
        f"Changed most: the mean of {first.name} {way} from {_number(first.before)} to {_number(first.after)}, by "
        f"{format_number(abs(first.change), 1)} % of its standard deviation. Of {format_count(len(means), 'mean')}, "
        f"{sum(abs(one.change) >= 5 for one in means):,} moved by 5 % or more. Good: {in_sentence(CHANGE.good)} "
        f"Bad: {in_sentence(CHANGE.bad)}"
    )


def _number(value: float) -> str:
    return format_number(value, 1) if abs(value) >= 1000 else format_compact(value, 4)


def _correlations(measured: MeasuredRelease, names: tuple[str, ...]) -> tuple[Chart, ReportFigure]:
    before, after = (correlations(data, names) for data in (measured.original, measured.released))
    change = np.abs(after - before)
    largest = float(np.nanmax(change)) if not np.isnan(change).all() else 0.0
    one, other = np.unravel_index(int(np.nanargmax(change)), change.shape) if largest > 0 else (0, 1)
    pair = f"{names[int(one)]} and {names[int(other)]}"
    sentence = "No correlation changed."
    if largest >= 0.005:
        sentence = (
            f"Changed most: that of {pair}, from {format_number(float(before[one, other]))} to "
            f"{format_number(float(after[one, other]))}."
        )
    chart = Chart(
        ChartKind.CORRELATIONS,
        "utility/correlations",
        "Correlations of the numbers, before and after",
        sentence,
        f"Two maps of the correlations of {format_count(len(names), 'number')}, original and released. {sentence}",
        "correlation",
        "Pearson's correlation over the records that have both values: 1 both rise together, -1 one falls as the other "
        "rises.",
        {"names": list(names), "before": _plain(before), "after": _plain(after)},
    )
    figure = make_figure(
        "utility/correlations/largest", largest, "correlation", CORRELATION, Origin("correlation", Side.BOTH, names)
    )
    return chart, figure


def _plain(matrix: FloatMatrix) -> list[list[float | None]]:
    return [[None if value != value else value for value in row] for row in matrix.tolist()]


def _table_path(table: ComparedTable) -> str:
    return f"utility/tables/{'/'.join(table.names)}"


def _table_figure(table: ComparedTable) -> ReportFigure:
    return make_figure(_table_path(table), table.moved, PERCENT, MOVED, Origin("table", Side.BOTH, table.names))


def _fit_figures(fit: ComparedRegression) -> Iterator[ReportFigure]:
    for one in fit.coefficients:
        for when, value in (("before", one.before), ("after", one.after)):
            side = Side.ORIGINAL if when == "before" else Side.RELEASED
            yield make_figure(_fit_path(one.name, when), value, OWN_UNIT, COEFFICIENT, _fit_origin(fit, one.name, side))
        origin = _fit_origin(fit, one.name, Side.BOTH)
        yield make_figure(_fit_path(one.name, "overlap"), one.overlap, PERCENT, OVERLAP, origin)


def _fit_path(name: str, what: str) -> str:
    return f"utility/regression/{name}/{what}"


def _fit_origin(fit: ComparedRegression, name: str, side: Side) -> Origin:
    return Origin("linear_regression", side, (), name, {"formula": fit.formula})


def _fit_table(fit: ComparedRegression) -> FigureTable:
    rows = tuple(
        FigureRow(one.name, tuple(_fit_path(one.name, what) for what in ("before", "after", "overlap")))
        for one in fit.coefficients
    )
    headings = ("original", "released", "common part of the intervals")
    return FigureTable(f"Least squares: {fit.formula}", headings, rows)


def _fit_in_words(fit: ComparedRegression) -> str:
    met = sum(one.overlap > 0 for one in fit.coefficients)
    turned = sum(one.before * one.after < 0 for one in fit.coefficients)
    return (
        f"The regression {fit.formula}, as a user might run it, on both files: of "
        f"{format_count(len(fit.coefficients), 'coefficient')}, {met:,} have 95 % confidence intervals that meet, and "
        f"{turned:,} changed sign. Good: {in_sentence(OVERLAP.good)} Bad: {in_sentence(OVERLAP.bad)}"
    )
