"""What was lost in a regression: in plain words, and coefficient by coefficient with both intervals."""

from collections.abc import Iterator, Sequence

from sfumato.data import Schema
from sfumato.display import format_compact, format_count
from sfumato.reports.release.chapters.utility.compared_regression import ComparedRegression
from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, Words, make_figure
from sfumato.reports.release.sections import FigureRow, FigureTable
from sfumato.reports.release.words.variable_names import coefficient_name

FIT_UNIT = "units of the explained variable for each unit of this one"
MUCH_WIDER = 1.5  # times as wide as before: effects whose intervals are wider are named
MAX_NAMED = 5
AS_WIDE = 1.1  # times as wide as before, and its inverse: between these intervals are called about as wide
COEFFICIENT = Words(
    "Coefficient",
    "The coefficient is {value}.",
    "As in the original.",
    "Of another sign or size.",
    "How much the explained variable changes with this one, the others staying as they are; least squares, every "
    "record counted once.",
    "information loss",
)
REACH = Words(
    "Half of the confidence interval",
    "With 95 % confidence the coefficient is off by at most {value}.",
    "As small as in the original.",
    "As large as the coefficient, or larger: it cannot be told from 0.",
    "1.96 standard errors of the coefficient, least squares, every record counted once. The error that protection "
    "adds is not in it.",
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


def regression_in_words(fit: ComparedRegression, released: int) -> str:
    """Return what a user of the regression loses, as everybody may read it: records, precision, and effects.

    Parameters
    ----------
    fit
        The regression on both files.
    released
        How many records are released.
    """
    used = f"Only {fit.records_after:,} of {released:,} released records count: one with a gap in any of its variables "
    dropped = [f"{used}drops out."] if fit.records_after < released else []
    return " ".join([*dropped, _about_width(fit), *_name_wide(fit), *_about_effects(fit)])


def regression_notes(fit: ComparedRegression) -> str:
    """Return how the table of coefficients is to be read, and how many records of each file it rests on."""
    return (
        f"From {fit.records_before:,} original and {fit.records_after:,} released records without a gap in its "
        f"variables. Give or take is half of the 95 % confidence interval by the usual formula, which takes records "
        f"for independent and errors for equally large; members of one household, or amounts that vary more where "
        f"they are large, need other formulas. A category is compared with the first one of its variable, "
        f"which has no row{_without_row(fit)}. Intervals with more than 80 % in common "
        f"lead to the same conclusion; those that do not meet (below 0 %) to another, and so does an effect outside "
        f"the original interval."
    )


def _without_row(fit: ComparedRegression) -> str:
    """Return which other coefficients have no row, and whether their records count."""
    if not fit.untold:
        return ""
    return (
        f"; nor have {', '.join(fit.untold)}, of which a file has too few records left. Records count by the category "
        f"that their file shows, and drop out where that is a gap"
    )


def _about_width(fit: ComparedRegression) -> str:
    times = format_compact(round(fit.widening, 1))
    if fit.widening > AS_WIDE:
        return f"Intervals are {times} times as wide as in the original, in the middle of all effects."
    if fit.widening < 1 / AS_WIDE:
        return (
            f"Intervals are {times} times as wide as in the original, which is too narrow: what protection adds is "
            f"not in them."
        )
    return "Intervals are about as wide as in the original."


def _name_wide(fit: ComparedRegression) -> Iterator[str]:
    """Yield which intervals are much wider than in the original, the widest first."""
    times = {one.name: one.reach_after / one.reach_before for one in fit.effects if one.reach_before > 0}
    wide = [name for name in sorted(times, key=lambda name: -times[name]) if times[name] > MUCH_WIDER]
    if 0 < len(wide) < len(times):  # of all together the middle one is told
        yield f"More than {format_compact(MUCH_WIDER)} times as wide: {_listed(wide)}."


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return f"{', '.join(names[:MAX_NAMED])}{more}"


def _about_effects(fit: ComparedRegression) -> Iterator[str]:
    """Yield how many effects can be told from 0 in each file."""
    effects = fit.effects
    clear = [one for one in effects if one.is_clear_before]
    kept = sum(one.is_clear_after and one.before * one.after > 0 for one in clear)
    turned = sum(one.is_clear_after and one.before * one.after < 0 for one in clear)
    new = sum(one.is_clear_after for one in effects) - kept - turned
    nothing = "" if clear else ", so that this example shows nothing"
    yield f"In the original {len(clear):,} of {format_count(len(effects), 'effect')} can be told from 0{nothing}."
    if 0 < 2 * len(clear) < len(effects):
        yield "The intervals of the others hold 0 in the original, too."
    if clear:
        still = f"{kept:,} of them" if kept else "none of them"
        other = f", {turned:,} with the other sign" if turned else ""
        same = "this one still can" if len(clear) == 1 else f"the same {len(clear):,} can"
        moved = sum(one.is_outside for one in clear if one.is_clear_after and one.before * one.after > 0)
        size = f", but {moved:,} with another size, outside the original interval" if moved else ""
        yield f"In the released file {same if kept == len(clear) else f'{still} can'}{other}{size}."
        gone = [one.name for one in clear if not one.is_clear_after]
        if gone and kept:
            yield f"No longer told from 0: {_listed(gone)}."
    if new:
        yield f"{new:,} would be found there that the original does not show."


def fit_figures(fit: ComparedRegression) -> Iterator[ReportFigure]:
    """Yield the coefficients in both files, half of their intervals, and how much of these is common."""
    for one in fit.coefficients:
        values = (
            ("before", one.before, COEFFICIENT),
            ("after", one.after, COEFFICIENT),
            ("before/reach", one.reach_before, REACH),
            ("after/reach", one.reach_after, REACH),
        )
        for what, value, words in values:
            side = Side.ORIGINAL if what.startswith("before") else Side.RELEASED
            yield make_figure(_path(one.name, what), value, FIT_UNIT, words, _origin(fit, one.name, side))
        yield make_figure(_path(one.name, "overlap"), one.overlap, PERCENT, OVERLAP, _origin(fit, one.name, Side.BOTH))


def fit_table(schema: Schema, fit: ComparedRegression) -> FigureTable:
    """Return the table of the coefficients."""
    columns = ("before", "before/reach", "after", "after/reach", "overlap")
    rows = tuple(
        FigureRow(coefficient_name(schema, one.name), tuple(_path(one.name, what) for what in columns))
        for one in fit.coefficients
    )
    headings = ("original", "give or take", "released", "give or take", "common part of the intervals")
    unit = schema[fit.formula.partition(" ~ ")[0]].unit
    return FigureTable(f"Least squares: {fit.formula}{f' (in {unit})' if unit else ''}", headings, rows)


def _path(name: str, what: str) -> str:
    return f"utility/regression/{name}/{what}"


def _origin(fit: ComparedRegression, name: str, side: Side) -> Origin:
    return Origin("linear_regression", side, (), name, {"formula": fit.formula})
