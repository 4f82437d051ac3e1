"""The limits that a release must keep to: the figure that each is on, and what came of it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from sfumato.assessment.plan import measure_of
from sfumato.assessment.release_notes import (
    AMOUNTS_TOLD,
    GAPS_TOLD,
    HOUSEHOLDS_TOLD,
    K_FAILS,
    LEARNT_FOUND,
    PERSONS_FOUND,
    PERSONS_REPEATED,
)
from sfumato.contracts import Measure, Measurement, hold_limit
from sfumato.display import as_sentence
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.parameters.limits import SMALLEST_GROUP, SMALLEST_STRICT_GROUP, SUPPRESSED, Limit
from sfumato.reports.checked_limits import CheckedLimit
from sfumato.reports.release.chapters.measure_figures import parameters_of
from sfumato.reports.release.figure import (
    PERCENT,
    Origin,
    ReportFigure,
    Side,
    Words,
    format_value,
    make_figure,
    set_value,
)
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import LimitOutcome
from sfumato.reports.release.words.alarms import calm
from sfumato.reports.release.words.bound_words import words_of_attack, words_of_bound
from sfumato.reports.release.words.key_words import KEY_WORDS, MEASURES
from sfumato.reports.release.words.measure_words import words_of
from sfumato.reports.risk_figures import FIGURES

SUPPRESSED_KEYS = Words(
    "Values of keys taken out",
    "{value} of the values of the keys were taken out.",
    "Within the limit.",
    "Above the limit: users lose cases.",
    "The share of the original values of all released keys that are missing in the released file.",
    "suppression",
)
KEY_ALARMS = (K_FAILS, PERSONS_REPEATED, HOUSEHOLDS_TOLD, GAPS_TOLD, PERSONS_FOUND)
"""What makes a k that was counted not hold."""
HELD = {
    SMALLEST_GROUP: "What is left by the keys and by hints of other columns (k)",
    SMALLEST_STRICT_GROUP: "What is left by the keys and by hints of other columns (strict k)",
}
"""What a limit on k is on, where other columns were looked at."""
LEARNERS_FIND = (
    "Whoever learns from several columns together is not counted in it, and finds some persons all the same."
)
SIZE_TELLS = "Nor is whoever knows the size of a household, which the file shows, and is left with fewer."
MAY_KNOW_MORE = "Whoever knows more of a person than the keys may be left with fewer."
SILENT_ON_AMOUNTS = "It says nothing of amounts, and some are told: see whom the file is safe against."
WHOLE_RECORDS = "As whole records are equal, whoever knows more is left with as many."
HELD_DEFINITION = (
    "The smallest of three counts, as far as the limit: records that fit a person by the keys, persons who fit a "
    "record, and those of either that are left where other columns hint at keys that were taken out."
)


class CheckedDemand(NamedTuple):
    """A limit, the figure that it is on, and what came of it."""

    limit: Limit
    figure: ReportFigure
    outcome: LimitOutcome

    @property
    def is_met(self) -> bool:
        """Whether the limit is met beyond doubt."""
        return self.outcome is LimitOutcome.MET


def check_demands(measured: MeasuredRelease) -> tuple[CheckedDemand, ...]:
    """Return each limit with its figure; refuse one on a figure that there is not."""
    values = measured.assessment.values
    names = {found.name: found.symbol for found in measured.assessment.measurements}
    known = [*FIGURES, SUPPRESSED, *values, *names]
    for limit in measured.question.limits:
        name = measure_of(limit.figure) or limit.figure
        if limit.figure not in known and name in measured.assessment.withheld:
            raise DataError(
                f"the limit on {limit.figure} cannot be checked, and is not met: {' '.join(measured.pairing.sentences)}"
            )
    problems = [
        f"there is no figure '{limit.figure}'{did_you_mean(limit.figure, known) or '; there are ' + ', '.join(known)}"
        for limit in measured.question.limits
        if limit.figure not in known
    ]
    if problems:
        raise ParameterError(problems)
    by_keys = {} if measured.after is None else {one.limit: one for one in measured.after.report.limits}
    held = {} if measured.after is None else {one.limit: one for one in measured.after.held}
    checked = []
    for limit in measured.question.limits:
        if limit.figure == SUPPRESSED:
            checked.append(_suppressed(measured, limit))
        elif limit.figure in FIGURES:
            if limit not in by_keys:
                raise DataError(
                    f"the limit on {limit.figure} cannot be checked: no variable of the released file has the role "
                    f"key, or its records come from nobody"
                )
            found = by_keys[limit]
            checked.append(_by_keys(measured, found, held.get(limit, found)))
        else:
            checked.append(_by_measure(measured, limit, values, names))
    return tuple(_with_ceiling(one) for one in checked)


def _with_ceiling(checked: CheckedDemand) -> CheckedDemand:
    """Return a limit whose figure knows that it is within it."""
    limit, figure = checked.limit, checked.figure
    is_within = checked.is_met and not limit.is_lower
    return checked._replace(figure=replace(figure, ceiling=limit.number)) if is_within else checked


def _by_keys(measured: MeasuredRelease, found: CheckedLimit, held: CheckedLimit) -> CheckedDemand:
    """Return a limit on the keys; one on k is held against what is left to whoever reads other columns, too."""
    limit = found.limit
    origin = Origin(MEASURES[limit.figure], Side.RELEASED, measured.after.keys if measured.after else (), limit.figure)
    words, told, unit = KEY_WORDS[limit.figure], "", found.unit or "records"
    if limit.is_lower and measured.after is not None and measured.after.held:
        words = replace(
            words,
            label=HELD[limit.figure],
            sentence=_held_sentence(found, held, measured),
            definition=HELD_DEFINITION,
        )
        told = " ".join(calm(alarm) for alarm in measured.assessment.alarms if alarm in KEY_ALARMS)
        if held.is_met:
            told = " ".join([told, *_not_counted(measured, held.figure)]).strip()
        if held.is_met and not AMOUNTS_TOLD.isdisjoint(measured.assessment.alarms):
            told = f"{told} {SILENT_ON_AMOUNTS}".strip()
    elif held.reason:
        told = as_sentence(f"{held.reason}.")
    figure = make_figure(f"verdict/limits/{limit.figure}", held.figure, unit, words, origin, remark=told)
    return CheckedDemand(limit, figure, _outcome(is_met=held.is_met))


def _not_counted(measured: MeasuredRelease, left: float) -> Iterator[str]:
    """Yield whom a limit on k that is met leaves out, although they are left with fewer."""
    if LEARNT_FOUND in measured.assessment.alarms:
        yield LEARNERS_FIND
    sides = None if measured.after is None else measured.after.sides_by_size
    if sides is not None and min(sides.fewest_records, sides.fewest_persons) < left:
        yield SIZE_TELLS


def _held_sentence(found: CheckedLimit, held: CheckedLimit, measured: MeasuredRelease) -> str:
    """Return what is left by all that was looked for, and how many records fit by the keys alone.

    Where whole records are equal, whoever knows more is left with no fewer.
    """
    alone = f"by the keys alone {format_value(found.figure, found.unit or 'records')} fit each record, at least"
    sides = None if measured.after is None else measured.after.sides
    if sides is not None and sides.fewest_records < found.figure:
        alone += ", and fewer fit some persons"
    if held.reason:
        return f"{as_sentence(held.reason)}. By the count {alone.removeprefix('by ')}.".replace("..", ".")
    return (
        f"At the worst somebody who looks for a person, or asks whose a record is, is left with {{value}} by the keys "
        f"and by what other columns hint of keys that were taken out; {alone}. "
        f"{WHOLE_RECORDS if measured.equal_records else MAY_KNOW_MORE}"
    )


def _suppressed(measured: MeasuredRelease, limit: Limit) -> CheckedDemand:
    if measured.suppressed is None:
        raise DataError(f"the limit on {SUPPRESSED} cannot be checked: nothing tells which record is which")
    origin = Origin(SUPPRESSED, Side.BOTH, measured.after.keys if measured.after else ())
    figure = make_figure(f"verdict/limits/{SUPPRESSED}", measured.suppressed, PERCENT, SUPPRESSED_KEYS, origin)
    return CheckedDemand(limit, figure, _outcome(is_met=limit.is_met(measured.suppressed)))


def _by_measure(
    measured: MeasuredRelease, limit: Limit, values: dict[str, float], names: dict[str, str]
) -> CheckedDemand:
    """Return a limit on a measure, on a part of one, or on a score."""
    symbol = names.get(limit.figure, limit.figure)
    value = values[symbol]
    measure, found = _measure_of(measured, symbol)
    if measure is None or found is None:
        score = next(one for one in measured.assessment.scores if one.symbol == symbol)
        words = Words(score.name, f"The score {symbol} is {{value}}.", "Low.", "High.", score.formula, "other measures")
        figure = make_figure(f"verdict/limits/{limit.figure}", value, "index", words, Origin(score.name, Side.BOTH))
        return CheckedDemand(limit, figure, _outcome(is_met=limit.is_met(value)))
    words, unit = words_of_attack(words_of(type(measure)), found), found.unit
    part = "" if symbol == found.symbol else symbol
    if part:
        unit = measure.part_units.get(part, unit)
        words = _part_words(measure, part, value)
    columns = measure.columns if isinstance(measure.columns, tuple) else measured.original.select(measure.columns)
    origin = Origin(measure.name(), Side.BOTH, columns, part, parameters_of(measure))
    figure = make_figure(f"verdict/limits/{limit.figure}", value, unit or "index", words, origin)
    if part or found.bound is None:
        return CheckedDemand(limit, figure, _outcome(is_met=limit.is_met(value)))
    proven = set_value(words_of_bound(found.bound).sentence, format_value(found.bound, unit))
    held = hold_limit(limit, found)
    if held.is_open:
        remark = as_sentence(f"{held.reason}.")
        figure = replace(figure, sentence=f"{figure.sentence} {proven}", remark=remark)
        return CheckedDemand(limit, figure, LimitOutcome.NOT_SHOWN)
    if held.is_met:
        figure = replace(figure, sentence=f"{figure.sentence} {proven}")
    return CheckedDemand(limit, figure, _outcome(is_met=held.is_met))


def _part_words(measure: Measure, part: str, value: float) -> Words:
    """Return the words of a part of a measure that is limited by itself."""
    words = words_of(type(measure))
    if part == measure.attack_symbol:
        return words
    if part == measure.bound_symbol:
        return words_of_bound(value)
    meaning = measure.part_meanings.get(part, part)
    return replace(words, label=f"{words.label}: {meaning}", sentence=f"The part {part} of it is {{value}}.")


def _outcome(*, is_met: bool) -> LimitOutcome:
    return LimitOutcome.MET if is_met else LimitOutcome.NOT_MET


def _measure_of(measured: MeasuredRelease, symbol: str) -> tuple[Measure | None, Measurement | None]:
    for measure, found in zip(measured.assessment.measures, measured.assessment.measurements, strict=True):
        if symbol == found.symbol or symbol in found.parts:
            return measure, found
    return None, None
