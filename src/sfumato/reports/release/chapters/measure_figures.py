"""The figures of an assessment: one for each measure, its named parts, outliers apart, and what chance gives."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sfumato.assessment.recoded_variables import OF_CATEGORIES, recoded_of
from sfumato.contracts import Measure, Measurement
from sfumato.display import format_count, format_number, format_percent
from sfumato.loss import Suppressions
from sfumato.numerics.arrays import FloatColumn
from sfumato.reports.release.chapters.answer_figures import BASELINE, attribute_rows, learnt_rows
from sfumato.reports.release.figure import CHANCE, PERCENT, Origin, ReportFigure, Side, Words, make_figure
from sfumato.reports.release.learnt_numbers import interval_disclosure_by_chance
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import FigureRow
from sfumato.reports.release.words.bound_words import (
    words_of_attack,
    words_of_bound,
)
from sfumato.reports.release.words.measure_words import words_of, words_without_control
from sfumato.reports.release.words.trial_words import interval_words, remark_on_page, tried_words
from sfumato.risk import (
    BestSubsetLinkage,
    Disco,
    DistanceLinkage,
    HouseholdMembership,
    Inference,
    IntervalDisclosure,
    KAnonymity,
    MembershipInference,
    ReplicatedUniques,
    SharedRecords,
    SinglingOut,
    WorstCaseLinkage,
)
from sfumato.risk.synthetic.inference import COMMONEST
from sfumato.risk.synthetic.singling_out import KINDS

INSIDE, OUTSIDE = " (original)", " (control)"  # what names of parts of attacks end with
ALL_TRIED = "All records were tried."
NOTHING = "nothing to try"
NOTHING_TO_TRY = "Nothing to try: no description that was drawn fits exactly one released record."
COMMONEST_VALUE = replace(
    BASELINE,
    sentence="Who guesses the commonest value of the released file for everybody is right for {value} of the persons.",
    definition="The share of the persons whose value is the commonest one of the released file.",
)
ONE_PERCENT = replace(
    BASELINE,
    sentence="Who guesses finds {value}, as it is the share of the others who are taken for participants.",
    definition="The share of those who did not take part and whom the attack may take for participants.",
)
CONTROL_RATE = replace(
    BASELINE,
    sentence="Of the control, whom the file was not made from, it is {value}.",
    definition="The same figure of the control, persons whom the file was not made from.",
)
SAME_CLASSES = "/same_classes"
"""Behind the path of a measure of categories: the same without variables in other classes than before."""
PLACES = {"risk": "risk/measures", "loss": "utility/measures"}
BY_CHANCE = (DistanceLinkage, BestSubsetLinkage, WorstCaseLinkage)


class MeasureRows(NamedTuple):
    """The rows of a table of measures, and their figures."""

    rows: tuple[FigureRow, ...]
    figures: tuple[ReportFigure, ...]


def measure_rows(measured: MeasuredRelease, room: str) -> MeasureRows:
    """Return a row for each measure of a room: overall, outliers, and for risks the baseline."""
    rows: list[FigureRow] = []
    figures: list[ReportFigure] = []
    for measure, found in measured.assessment.by_room(room):
        if isinstance(measure, KAnonymity) and measured.after is not None:
            continue  # the table of keys has it
        row, made = _of_measure(measured, measure, found, f"{PLACES[room]}/{found.symbol}", has_baseline=room == "risk")
        rows += row
        figures += made
        if room == "loss" and found.symbol in measured.without_recoded:
            row, made = _same_classes(measured, *measured.without_recoded[found.symbol])
            rows += row
            figures += made
    if room == "risk" and measured.attribute is not None:
        row, made = attribute_rows(measured.attribute)
        rows += row
        figures += made
    if room == "risk" and measured.learnt is not None:
        row, made = learnt_rows(measured.learnt)
        rows += row
        figures += made
    return MeasureRows(tuple(rows), tuple(figures))


def figure_of_measure(
    path: str, measure: Measure, found: Measurement, columns: tuple[str, ...], *, has_control: bool
) -> ReportFigure:
    """Return the figure of a measure, with its interval and what it remarks."""
    words = words_of(type(measure)) if has_control else words_without_control(words_of(type(measure)))
    interval = None if isinstance(measure, WorstCaseLinkage) else found.interval
    made = make_figure(
        path,
        found.value,
        found.unit or "index",
        words_of_attack(words, found),
        _origin(measure, columns),
        interval=interval,
        remark=remark_on_page(found.remark, columns),
    )
    if isinstance(measure, DistanceLinkage) and len(found.parts) > 1:
        most = format_percent(max(found.parts.values()))
        made = replace(made, sentence=f"{made.sentence} Where most is found it is {most}.")
    if isinstance(measure, WorstCaseLinkage):  # the interval is of other persons, the bound of what the recipe draws
        return replace(made, sentence=f"{made.sentence} {ALL_TRIED}")
    if isinstance(measure, SinglingOut) and interval is None:
        return replace(made, value=None, withheld=NOTHING, sentence=NOTHING_TO_TRY, remark="")
    sentences = [made.sentence]
    if isinstance(measure, SinglingOut):
        by = KINDS[_worst_descriptions(found)]
        several = min(measure.key_count, len(columns)) if columns else measure.key_count
        sentences.append(
            f"Descriptions by one column and by {several} were tried; the figure is of those by {by}, which are right "
            f"oftener, or are not too few to judge by."
        )
    sentences.append(tried_words(found))
    if compared := rates_of(measure, found):
        inside, outside = map(format_percent, compared)
        smaller = (
            " This compares as many persons of the file as of the control: among fewer persons more are unique."
            if isinstance(measure, ReplicatedUniques)
            else ""
        )
        sentences.append(f"In the file it is {inside}, in the control {outside}.{smaller}")
        made = replace(made, fewest=_fewest(found, compared))
    if isinstance(measure, (Suppressions, *OF_CATEGORIES)):
        sentences.append(f"Compared: {format_count(len(columns), 'variable')}.")
    if found.standard_error:
        sentences.append(f"Standard error {format_number(found.standard_error)}.")
    elif interval is not None:
        is_of_most = isinstance(measure, Inference | SinglingOut)
        sentences.append(interval_words(interval, found.trials, is_of_most=is_of_most))
    return replace(made, sentence=" ".join(filter(None, sentences)))


def _same_classes(
    measured: MeasuredRelease, measure: Measure, found: Measurement
) -> tuple[list[FigureRow], list[ReportFigure]]:
    """Return the row of a measure of categories without the variables in other classes, and its figures."""
    path = f"{PLACES['loss']}/{found.symbol}{SAME_CLASSES}"
    (row,), made = _of_measure(measured, measure, found, path, has_baseline=False)
    label = f"{made[0].label}, variables in the same classes only"
    return [replace(row, label=label)], [replace(made[0], label=label), *made[1:]]


def _of_measure(
    measured: MeasuredRelease, measure: Measure, found: Measurement, path: str, *, has_baseline: bool
) -> tuple[list[FigureRow], list[ReportFigure]]:
    columns = _columns(measured, measure)
    whole = figure_of_measure(path, measure, found, columns, has_control=measured.question.control is not None)
    if isinstance(measure, SharedRecords) and found.per_record is not None:
        whole = replace(whole, persons=copied_persons(measured, found.per_record, columns))
    if recoded := recoded_of(measure, measured.original, measured.pairing.masked):
        whole = replace(whole, sentence=f"{whole.sentence} {_about_recoded(len(recoded))}")
    figures, paths = [whole], [path, "", ""]
    outliers = measured.assessment.outliers
    apart = {} if outliers is None else found.among(outliers.among)
    if found.symbol in apart:
        paths[1] = f"{path}/outliers"
        words = replace(
            words_of(type(measure)),
            label=f"{whole.label}, outliers",
            sentence=f"Among the outliers: {{value}} ({whole.label.lower()}).",
        )
        figures.append(make_figure(paths[1], apart[found.symbol], whole.unit, words, whole.origin))
    if has_baseline and (baseline := baseline_of(measured, measure, found, whole)) is not None:
        paths[2] = baseline.path
        figures.append(baseline)
    row = FigureRow(whole.label, tuple(paths if has_baseline else paths[:2]), path)
    parts = [_part(measure, found, symbol, whole) for symbol in measure.part_symbols if symbol in measure.part_meanings]
    width = len(row.paths) - 1
    return [row, *(FigureRow(part.label, (part.path, *[""] * width), part.path) for part in parts)], [*figures, *parts]


def _about_recoded(count: int) -> str:
    """Return that some variables are in other classes, and what that does to a figure."""
    are = "is" if count == 1 else "are"
    return (
        f"Of these {count:,} {are} in other classes than before: each new category counts as a change, though it may "
        f"be a wider class that holds the old one."
    )


def copied_persons(measured: MeasuredRelease, copies: FloatColumn, columns: tuple[str, ...]) -> int:
    """Return how many original persons the released copies of unique records are of: equal copies are of one."""
    rows = np.flatnonzero(copies > 0)
    names = [name for name in columns if name in measured.released.schema]
    return len(measured.released.take_rows(rows).table.select(names).unique()) if rows.size else 0


def _part(measure: Measure, found: Measurement, symbol: str, whole: ReportFigure) -> ReportFigure:
    """Return the figure of a part that says what it is."""
    meaning = measure.part_meanings[symbol]
    is_bound = isinstance(measure, WorstCaseLinkage) and found.parts[symbol] == found.bound
    words = (
        words_of_bound(found.parts[symbol])
        if is_bound
        else Words(
            f"{whole.label}: {meaning}",
            f"{meaning[:1].upper()}{meaning[1:]}: {{value}}.",
            whole.good,
            whole.bad,
            f"A part of {whole.label.lower()}: {meaning}.",
            whole.term,
        )
    )
    unit = measure.part_units.get(symbol, found.unit) or "index"
    return make_figure(f"{whole.path}/{symbol}", found.parts[symbol], unit, words, replace(whole.origin, part=symbol))


def baseline_of(
    measured: MeasuredRelease, measure: Measure, found: Measurement, whole: ReportFigure
) -> ReportFigure | None:
    """Return the figure of what chance, a control or the commonest value gives; None where that is not known."""
    part, words = "baseline", BASELINE
    value: float | None
    if isinstance(measure, BY_CHANCE):
        part, value = CHANCE, 100 / measured.original.n
    elif isinstance(measure, IntervalDisclosure) and measured.aligned is not None:
        value = interval_disclosure_by_chance(measure, measured.aligned, measured.released)
    elif isinstance(measure, MembershipInference | HouseholdMembership):
        part, words, value = CHANCE, ONE_PERCENT, 1.0 if measured.question.control is not None else None
    elif isinstance(measure, Inference):
        told = [rate for name, rate in found.parts.items() if name.endswith(COMMONEST)]
        words, value = COMMONEST_VALUE, told[0] if told and measured.question.control is None else None
    elif isinstance(measure, Disco):
        value = next((found.parts.get(f"{name}{OUTSIDE}") for name in found.parts if _is_worst(found, name)), None)
        words = CONTROL_RATE
    else:
        words, value = CONTROL_RATE, None if _rates(found) else found.parts.get("control")
    if value is None:
        return None
    made = make_figure(f"{whole.path}/baseline", value, PERCENT, words, replace(whole.origin, part=part))
    return replace(made, base=control.n) if words is CONTROL_RATE and (control := measured.question.control) else made


def _fewest(found: Measurement, rates: tuple[float, float]) -> float | None:
    """Return the smallest number of persons, or of what else was tried, behind two rates; None where both are 0."""
    if found.trials is None:
        return None
    tried = found.trials.tried, found.trials.control_tried
    return min((rate * count / 100 for rate, count in zip(rates, tried, strict=True) if rate > 0), default=None)


def _is_worst(found: Measurement, name: str) -> bool:
    """Tell whether a part is the column that a figure is of."""
    return found.parts[name] == found.value and f"{name}{OUTSIDE}" in found.parts


def _worst_descriptions(found: Measurement) -> str:
    """Return the part whose descriptions the figure of singling out is of: those that single out most of equal ones."""
    return next((part for part, by in KINDS.items() if f"descriptions by {by} single" in found.remark), "SOmulti")


def rates_of(measure: Measure, found: Measurement) -> tuple[float, float] | None:
    """Return how often an attack is right in the file and in as large a control, of what its figure is of."""
    return _rates(found, _worst_descriptions(found) if isinstance(measure, SinglingOut) else "")


def _rates(found: Measurement, part: str = "") -> tuple[float, float] | None:
    """Return how often an attack is right in the file and in as large a control, where they differ most.

    Where the figure is of one part, the rates are of that, too.
    """
    names = {name.removesuffix(INSIDE) for name in found.parts if name.endswith(INSIDE)}
    names = names & {part} or names
    pairs = [(found.parts[f"{name}{INSIDE}"], found.parts.get(f"{name}{OUTSIDE}")) for name in names]
    pairs += [(found.parts["original"], found.parts.get("control"))] if "original" in found.parts else []
    known = [(inside, outside) for inside, outside in pairs if outside is not None]
    return max(known, key=lambda pair: pair[0] - pair[1], default=None)


def _origin(measure: Measure, columns: tuple[str, ...]) -> Origin:
    return Origin(measure.name(), Side.BOTH, columns, parameters=parameters_of(measure))


def parameters_of(record: Measure) -> dict[str, Any]:
    """Return the parameters of a measure but its columns, as plain values."""
    return record.model_dump(mode="json", exclude={"columns"}, exclude_none=True)


def _columns(measured: MeasuredRelease, measure: Measure) -> tuple[str, ...]:
    return measure.columns if isinstance(measure.columns, tuple) else measured.original.select(measure.columns)
