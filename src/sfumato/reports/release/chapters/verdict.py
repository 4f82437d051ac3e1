"""The verdict: two sentences, and each limit with whether it is met."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from sfumato.assessment.release_notes import GAPS_TOLD, HOUSEHOLDS_TOLD, K_FAILS, PERSONS_REPEATED
from sfumato.contracts import ControlledRisk, Measure, Measurement, hold_limit
from sfumato.contracts.limited_figures import NOTHING_PROVEN
from sfumato.display import as_sentence, format_compact, format_count, format_percent
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.keys.found_households import PERSONS_ONE_BY_ONE
from sfumato.parameters.limits import LOWER_LIMITED, Limit
from sfumato.reports.release.chapters.compared_statistics import compare_means
from sfumato.reports.release.chapters.measure_figures import parameters_of
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.figure import (
    PERCENT,
    Origin,
    ReportFigure,
    Side,
    Words,
    format_value,
    in_sentence,
    make_figure,
    set_value,
)
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import Audience, Emphasis, FigureRow, FigureTable, LimitOutcome, Part, Prose
from sfumato.reports.release.words.key_words import KEY_WORDS, MEASURES
from sfumato.reports.release.words.measure_words import words_of, words_of_bound
from sfumato.reports.risk_figures import FIGURES
from sfumato.risk import DistanceLinkage, WorstCaseLinkage

NO_LIMIT = (
    "No limit was set for this release, so that this report gives figures and no verdict: the board has to say "
    "how much risk it accepts."
)


SUPPRESSED = "suppressed"
SUPPRESSED_KEYS = Words(
    "Values of keys taken out",
    "{value} of the values of the keys were taken out.",
    "Within the limit.",
    "Above the limit: users lose cases.",
    "The share of the original values of all released keys that are missing in the released file.",
    "suppression",
)
KEY_ALARMS = (K_FAILS, PERSONS_REPEATED, HOUSEHOLDS_TOLD, GAPS_TOLD)
"""What makes a k that was counted not hold."""
ONLY_COUNTED = "The count is within the limit, and the limit is not met all the same:"
K_IN_DOUBT = "The count alone does not decide: what else the file shows tells more of the keys than the count sees."
"""What everybody reads in place of the alarms, which say where to look."""


HOUSEHOLDS_FOUND = (
    "The promise of k is for persons one by one: whoever knows the keys of a whole household may find it, as the file "
    "tells who lives together."
)
CAPITALS = {LimitOutcome.NOT_MET: "NOT MET", LimitOutcome.NOT_SHOWN: "NOT SHOWN to be met"}
OUTCOMES_MEAN = (
    "Met: the figure is within the limit; where an attack is limited, it is proven that no other one exceeds it. "
    "Not met: a figure, or an attack that was tried, exceeds the limit. Not shown to be met: no attack that was tried "
    "exceeds the limit, but nothing proves that none does; the board decides whether that is enough."
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
    problems = [
        f"there is no figure '{limit.figure}'{did_you_mean(limit.figure, known) or '; there are ' + ', '.join(known)}"
        for limit in measured.question.limits
        if limit.figure not in known
    ]
    if problems:
        raise ParameterError(problems)
    by_keys = {} if measured.after is None else {one.limit.figure: one for one in measured.after.report.limits}
    checked = []
    for limit in measured.question.limits:
        if limit.figure == SUPPRESSED:
            checked.append(_suppressed(measured, limit))
        elif limit.figure in FIGURES:
            if limit.figure not in by_keys:
                raise DataError(
                    f"the limit on {limit.figure} cannot be checked: no variable of the released file has the role "
                    f"key, or its records come from nobody"
                )
            found = by_keys[limit.figure]
            checked.append(_by_keys(measured, limit, found.figure, found.unit or "records"))
        else:
            checked.append(_by_measure(measured, limit, values, names))
    return tuple(checked)


def _by_keys(measured: MeasuredRelease, limit: Limit, value: float, unit: str) -> CheckedDemand:
    """Return a limit on the keys; one on k is not met where other columns, gaps or households tell the keys."""
    origin = Origin(MEASURES[limit.figure], Side.RELEASED, measured.after.keys if measured.after else (), limit.figure)
    told = " ".join(alarm for alarm in measured.assessment.alarms if limit.is_lower and alarm in KEY_ALARMS)
    remark = f"{ONLY_COUNTED} {told}" if told and limit.is_met(value) else told
    figure = make_figure(f"verdict/limits/{limit.figure}", value, unit, KEY_WORDS[limit.figure], origin, remark=remark)
    return CheckedDemand(limit, figure, _outcome(is_met=limit.is_met(value) and not told))


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
    words, unit = words_of(type(measure)), found.unit
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


def verdict_section(measured: MeasuredRelease, demands: Sequence[CheckedDemand]) -> Draft:
    """Return the section."""
    parts: list[Part] = [
        Prose(limit_sentence(demands), Emphasis.VERDICT, Audience.ALL),
        Prose(_what_holds(measured), Emphasis.VERDICT),
        Prose(_what_holds_for_all(measured), Emphasis.VERDICT, Audience.PUBLIC),
    ]
    if households := [one for one in measured.assessment.remarks if one.startswith(PERSONS_ONE_BY_ONE)]:
        parts.append(Prose(as_sentence(households[0]), Emphasis.NOTICE))
        parts.append(Prose(HOUSEHOLDS_FOUND, Emphasis.NOTICE, Audience.PUBLIC))
    if measured.assessment.alarms:
        alarms = " ".join(measured.assessment.alarms)
        parts.append(Prose(f"The file tells more than the figures say. {alarms} See the notes.", Emphasis.NOTICE))
    if demands:
        rows = tuple(
            FigureRow(_limit_words(one.limit, one.figure), (one.figure.path,), one.figure.path, one.outcome)
            for one in demands
        )
        parts.append(FigureTable("Limits that were set", ("found",), rows, Audience.ALL, public_columns=(0,)))
        if any(one.outcome is LimitOutcome.NOT_SHOWN for one in demands):
            parts.append(Prose(OUTCOMES_MEAN, audience=Audience.ALL))
    return draft("verdict", "Verdict", parts, [one.figure for one in demands])


def limit_sentence(demands: Sequence[CheckedDemand]) -> str:
    """Return whether the limits are met, in a sentence."""
    if not demands:
        return NO_LIMIT
    if all(one.is_met for one in demands):
        return "The limit set for this release is met." if len(demands) == 1 else f"All {len(demands)} limits are met."
    sentences = []
    for outcome in (LimitOutcome.NOT_MET, LimitOutcome.NOT_SHOWN):
        some = [in_sentence(one.figure.label) for one in demands if one.outcome is outcome]
        if some:
            verb = "is" if len(some) == 1 else "are"
            sentences.append(
                f"{len(some)} of {format_count(len(demands), 'limit')} {verb} {CAPITALS[outcome]}: {'; '.join(some)}."
            )
    return " ".join(sentences)


def _limit_words(limit: Limit, figure: ReportFigure) -> str:
    unit = " %" if figure.unit == PERCENT else ""
    bound = "at least" if limit.figure in LOWER_LIMITED else "at most"
    return f"{figure.label}: {bound} {format_compact(limit.number)}{unit}"


def _what_holds(measured: MeasuredRelease) -> str:
    """Return in a sentence what the strongest intruders find, and how far means moved."""
    if measured.is_synthetic:
        return f"{measured.assessment.leak_verdict} {_widest_interval(measured)}".strip() or (
            "The records are synthetic and come from nobody; whether they carry traces of persons was not tested, "
            "as no control was given."
        )
    passages = []
    if measured.after is not None:
        k = int(measured.after.report["k"])
        doubt = ", but other columns, gaps or households tell more (see below)" if _is_k_in_doubt(measured) else ""
        passages.append(
            f"by the keys every record fits at least {k} records{doubt}"
            if k > 1
            else "by the keys some records stand alone, so that an acquaintance finds them"
        )
    for measure in (WorstCaseLinkage, DistanceLinkage):
        found = [one for one in measured.assessment.measurements if one.name == measure.name()]
        if found:
            who = "the worst intruder that was tried" if measure is WorstCaseLinkage else "a holder of exact numbers"
            passages.append(f"{who} finds {format_percent(found[0].value)} of the records{_proven(found[0].bound)}")
            break
    means = compare_means(measured.original, measured.released)
    if means:
        moved = abs(means[0].change)
        told = "no mean moved" if moved < 0.005 else f"means moved by at most {format_percent(moved)} of their spread"
        passages.append(told)
    if not passages:
        return "What the measures found stands in the sections below."
    sentence = "; ".join(passages)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _proven(bound: float | None) -> str:
    if bound is None:
        return ""
    if bound < NOTHING_PROVEN:
        return f", and it is proven that nobody finds more than {format_percent(bound)} on average"
    return ", and how many a cleverer one would find is not known"


def _what_holds_for_all(measured: MeasuredRelease) -> str:
    """Return what everybody may read of it: no figure that counts fewer than k."""
    if measured.is_synthetic or measured.after is None:
        return (
            _what_holds(measured) if measured.is_synthetic else "What the measures found stands in the sections below."
        )
    k = int(measured.after.report["k"])
    if k >= measured.k:
        doubt = f" {K_IN_DOUBT}" if _is_k_in_doubt(measured) else ""
        return f"By the keys, what any record shows fits at least {measured.k} records.{doubt}"
    return f"By the keys some records fit fewer than {measured.k} records."


def _is_k_in_doubt(measured: MeasuredRelease) -> bool:
    return any(alarm in KEY_ALARMS for alarm in measured.assessment.alarms)


def _widest_interval(measured: MeasuredRelease) -> str:
    """Return how large a leak the attacks beside a control leave possible."""
    reached = [
        (found.interval[1], words_of(type(measure)).label)
        for measure, found in zip(measured.assessment.measures, measured.assessment.measurements, strict=True)
        if isinstance(measure, ControlledRisk) and found.interval is not None
    ]
    if not reached or measured.question.control is None:
        return ""
    high, label = max(reached)
    return (
        f"The 95 % intervals of the attacks reach up to {format_percent(high)} ({in_sentence(label)}): with these "
        f"numbers of records a smaller leak cannot be ruled out."
    )
