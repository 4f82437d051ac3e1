"""The section on utility: what users of the release will find changed."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sfumato.data import Schema
from sfumato.display import format_count, format_number
from sfumato.numerics.arrays import FloatMatrix
from sfumato.reports.column_classes import MIN_RECORDS
from sfumato.reports.release.chapters.measure_figures import measure_rows
from sfumato.reports.release.chapters.utility.amounts import amounts_of
from sfumato.reports.release.chapters.utility.column_pictures import MAX_PICTURES, column_pictures
from sfumato.reports.release.chapters.utility.compared_regression import compare_regression
from sfumato.reports.release.chapters.utility.compared_statistics import (
    MAX_CORRELATED,
    ComparedMean,
    ComparedTable,
    FileWeights,
    compare_group_means,
    compare_means,
    compare_tables,
    correlations,
    numbers_of_both,
    weights_of_both,
)
from sfumato.reports.release.chapters.utility.group_precision import precision_parts
from sfumato.reports.release.chapters.utility.means_and_totals import (
    NO_AMOUNTS,
    counted_by,
    kept_back_words,
    mean_figures,
    mean_table,
    means_in_words,
    population_figures,
    total_table,
    whole_figures,
)
from sfumato.reports.release.chapters.utility.regression_part import fit_figures, fit_table, regression_notes
from sfumato.reports.release.chapters.utility.uses import THRESHOLDS, uses_table
from sfumato.reports.release.chapters.variable_gaps import takes_values_out
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
from sfumato.reports.release.words.variable_names import name_with_label

ALL = Audience.ALL
MAX_TABLES = 8
NOT_AT_RANDOM = (
    "Values are not taken out at random: rare categories and rare combinations lose most, and a category of few "
    "persons may be gone."
)
RARE_MAY_BE_LOST = "Rare categories may be rarer than in the original, or gone."
MOVED = Words(
    "Records in another cell",
    "In the table of these two variables {value} of the records count in another cell.",
    "Below 5 %.",
    "Above 20 %: single cells of the table need care.",
    "Half the sum of the differences between the shares of the cells of both tables, weighted where both files have "
    "the weight; gaps are a cell of their own.",
    "distributions",
)
CORRELATION = Words(
    "Largest change of a correlation",
    "The correlation that changed most changed by {value}.",
    "Below 0.05.",
    "Above 0.2: relations between numbers are lost or made.",
    "The largest difference between the correlations of two numbers in both files.",
    "correlation",
)


def utility_section(measured: MeasuredRelease) -> Draft:
    """Return the section."""
    original, released = measured.original, measured.released
    figures: list[ReportFigure] = []
    weights = weights_of_both(original, released)
    means, groups = compare_means(original, released), compare_group_means(original, released)
    tables = compare_tables(original, released)
    fit = compare_regression(original, released)
    names = numbers_of_both(original, released)[:MAX_CORRELATED]
    related = _correlations(measured, names) if len(names) > 1 else None
    change = None if related is None else related.change
    parts: list[Part] = [
        *uses_table(measured, means, groups, tables, names, change, fit),
        Prose(THRESHOLDS, audience=ALL),
    ]
    parts.append(Prose(counted_by(original, weights, for_all=False)))
    parts.append(Prose(counted_by(original, weights, for_all=True), audience=Audience.PUBLIC))
    if (whole := measured.question.whole) is not None:
        for for_all, audience in ((False, Audience.HOUSE), (True, Audience.PUBLIC)):
            parts.append(Prose(kept_back_words(whole, original, for_all=for_all), audience=audience))
    if measured.is_synthetic or takes_values_out(measured):
        parts.append(Prose(RARE_MAY_BE_LOST if measured.is_synthetic else NOT_AT_RANDOM, audience=ALL))
    precision, precision_figures = precision_parts(groups)
    figures += precision_figures
    parts += precision
    measures = measure_rows(measured, "loss")
    figures += measures.figures
    if measures.rows:
        parts += [
            Subheading("How much was lost", ALL),
            FigureTable("", ("overall", "outliers"), measures.rows, ALL, public_columns=(0,)),
        ]
    parts += _pictures(measured)
    if means:
        schema = original.schema
        has_totals = not measured.is_synthetic
        amounts = amounts_of(original, released, tuple(one.name for one in means))
        for mean in means:
            has_total = has_totals and mean.name in amounts
            figures += mean_figures(schema, mean, is_weighted=weights is not None, has_total=has_total)
        for mean in () if whole is None else compare_means(whole, released):
            figures += whole_figures(schema, mean)
        figures += population_figures(weights) if has_totals and weights is not None else ()
        parts += [
            Subheading("Means and totals"),
            Prose(means_in_words(schema, means)),
            mean_table(schema, means, whole),
            *(_totals(schema, [one for one in means if one.name in amounts], weights) if has_totals else ()),
        ]
    if related is not None:
        figures.append(related.largest)
        row = FigureRow(CORRELATION.label, (related.largest.path,), related.largest.path)
        parts += [Subheading("Correlations"), FigureTable("", ("change",), (row,)), related.chart]
    if tables:
        shown = tables[:MAX_TABLES]
        figures += map(_table_figure, shown)
        rows = tuple(FigureRow(_by(measured, one), (_table_path(one),)) for one in shown)
        first = _table_figure(tables[0])
        parts += [
            Subheading("Tables of two variables"),
            Prose(
                f"Changed most: {_by(measured, tables[0])}. {first.sentence} Good: {in_sentence(MOVED.good)} "
                f"Bad: {in_sentence(MOVED.bad)}"
            ),
            FigureTable("Tables that changed most", ("records in another cell",), rows),
        ]
    if fit is not None:
        figures += fit_figures(fit)
        parts += [Subheading("A regression"), Prose(regression_notes(fit)), fit_table(original.schema, fit)]
    return draft("utility", "Utility: what was lost", parts, figures)


def _totals(schema: Schema, amounts: Sequence[ComparedMean], weights: FileWeights | None) -> Iterator[Part]:
    """Yield the table of totals: of amounts, and of the persons that the records stand for."""
    if amounts or weights is not None:
        yield total_table(schema, amounts, weights)
    if not amounts:
        yield Prose(NO_AMOUNTS)


def _pictures(measured: MeasuredRelease) -> Iterator[Part]:
    definition = (
        f"Percent of the records in classes of each variable. No bar of the original stands for fewer than "
        f"{MIN_RECORDS} records: rarer categories are joined, or left out where there is no other to join, and wider "
        f"bars of a number have their percent spread over their width; they reach over both files but for a percent, "
        f"or ten records, at each end, which the outermost hold, too. At most {MAX_PICTURES} variables."
    )
    yield Subheading("Variable by variable", ALL)
    yield Chart(
        ChartKind.COLUMNS,
        "utility/variables",
        "Each variable before and after",
        "Hatched grey is the original, plain blue, or the line, the released file; where they cover each other "
        "nothing was lost. A variable in other classes than before has two pictures.",
        "Small pictures, one for each variable, with the percent of records in its classes in both files.",
        PERCENT,
        definition,
        {"pictures": column_pictures(measured.original, measured.released)},
    )
    yield Chart(
        ChartKind.COLUMNS,
        "utility/variables",
        "Each variable of the released file",
        "Percent of the released records in classes of each variable, not weighted.",
        "Small pictures, one for each variable, with the percent of released records in its classes.",
        PERCENT,
        definition,
        {"pictures": column_pictures(None, measured.released)},
        Audience.PUBLIC,
    )


class _Correlations(NamedTuple):
    """The map of correlations, how far each moved, and the one that moved most."""

    chart: Chart
    change: FloatMatrix
    largest: ReportFigure


def _correlations(measured: MeasuredRelease, names: tuple[str, ...]) -> _Correlations:
    before, after = (correlations(data, names) for data in (measured.original, measured.released))
    change = np.abs(after - before)
    largest = float(np.nanmax(change)) if not np.isnan(change).all() else 0.0
    one, other = np.unravel_index(int(np.nanargmax(change)), change.shape) if largest > 0 else (0, 1)
    pair = f"{names[int(one)]} and {names[int(other)]}"
    sentence = "No correlation changed by 0.005 or more."
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
        "Pearson's correlation over the records that have both values, each counted once: 1 both rise together, -1 one "
        "falls as the other rises.",
        {"names": list(names), "before": _plain(before), "after": _plain(after)},
    )
    figure = make_figure(
        "utility/correlations/largest", largest, "correlation", CORRELATION, Origin("correlation", Side.BOTH, names)
    )
    return _Correlations(chart, change, figure)


def _plain(matrix: FloatMatrix) -> list[list[float | None]]:
    return [[None if value != value else value for value in row] for row in matrix.tolist()]


def _by(measured: MeasuredRelease, table: ComparedTable) -> str:
    return " by ".join(name_with_label(measured.original.schema, name) for name in table.names)


def _table_path(table: ComparedTable) -> str:
    return f"utility/tables/{'/'.join(table.names)}"


def _table_figure(table: ComparedTable) -> ReportFigure:
    return make_figure(_table_path(table), table.moved, PERCENT, MOVED, Origin("table", Side.BOTH, table.names))
