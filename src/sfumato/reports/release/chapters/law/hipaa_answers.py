"""What HIPAA's expert determination asks, answered with the risk by the keys, from a person and from a record."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from sfumato.display import format_count, format_percent
from sfumato.reports.release.chapters.acquaintance import Left, k_in_doubt, left_to_acquaintance
from sfumato.reports.release.chapters.intruders import unprotected_variables
from sfumato.reports.release.chapters.judging.judged_by_keys import (
    WITH_SIZE,
    found_households,
    households_in_words,
    judge_by_keys,
)
from sfumato.reports.release.chapters.measure_figures import parameters_of
from sfumato.reports.release.chapters.told_shares import share_text
from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, in_sentence, make_figure
from sfumato.reports.release.key_risk import KeyRisk
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import Audience, FigureRow, FigureTable, Part, Prose, Subheading
from sfumato.reports.release.words.hipaa_words import HIPAA_WORDS
from sfumato.risk import ProsecutorRisk

TITLE = "HIPAA: expert determination (45 CFR 164.514(b)(1))"
NOTHING_ADDED = " As whole records are equal, knowing what was taken out adds nothing."
ABOUT_THE_RULE = (
    "The rule asks a named expert to determine that the risk is very small; the threshold is the choice of whoever "
    "made this report, and its author is not taken for that expert."
)


def hipaa_answers(measured: MeasuredRelease) -> tuple[list[Part], list[ReportFigure]]:
    """Return the words and the table on the risk by the keys, and its figures."""
    title = Subheading(TITLE, Audience.ALL)
    after = measured.after
    if after is None:
        why = "its records come from nobody" if measured.is_synthetic else "no variable is marked as a key"
        return [title, Prose(f"The risk by keys was not measured, as {why}.", audience=Audience.ALL)], []
    figures = [figure for when in ("before", "after") for figure in _figures(measured, when)]
    known = {figure.path: figure for figure in figures}
    rows = []
    for name, words in HIPAA_WORDS.items():
        paths = tuple(f"standards/hipaa/{name}/{when}" for when in ("before", "after"))
        rows.append(FigureRow(words.label, (paths[0] if paths[0] in known else "", paths[1]), paths[1]))
    told = [known[f"standards/hipaa/{name}/after"].value or 0.0 for name in ("largest", "above", "above_record")]
    return [
        title,
        *(
            Prose(
                _outcome(measured, after, told, for_all=for_all),
                audience=Audience.PUBLIC if for_all else Audience.HOUSE,
            )
            for for_all in (False, True)
        ),
        *(
            Prose(more, audience=Audience.PUBLIC if for_all else Audience.HOUSE)
            for for_all in (False, True)
            if (more := _found_by_more(measured, after, for_all=for_all))
        ),
        FigureTable("Risk by the keys", ("before", "after"), tuple(rows), Audience.ALL, public_columns=(1,)),
    ], figures


def _figures(measured: MeasuredRelease, when: str) -> Iterator[ReportFigure]:
    """Yield the largest risk, the mean, and the share above the threshold."""
    risk = measured.before if when == "before" else measured.after
    if risk is None:
        return
    measure = ProsecutorRisk(columns=risk.keys, max_risk=measured.question.threshold)
    values, side = _risks(measured, risk, measure, when)
    for (name, words), value in zip(HIPAA_WORDS.items(), values, strict=True):
        origin = Origin(measure.name(), side, risk.keys, name, parameters_of(measure))
        figure = make_figure(f"standards/hipaa/{name}/{when}", value, PERCENT, words, origin)
        yield replace(figure, is_one_over_count=name == "largest")


def _risks(
    measured: MeasuredRelease, risk: KeyRisk, measure: ProsecutorRisk, when: str
) -> tuple[tuple[float, ...], Side]:
    """Return the figures: by who fits whom from both sides, or by groups of records where these are equal."""
    if risk.sides is not None and not measured.equal_records:
        risks = [100 / np.maximum(one, 1) for one in risk.sides]
        means = [float(one.mean()) for one in risks]
        above = [100 * float((one > measured.question.threshold).mean()) for one in risks]
        return (max(float(one.max()) for one in risks), *means, *above), Side.BOTH
    found = measure.of(measured.original if when == "before" else measured.released)
    mean, above_threshold = found.parts["PRA"], found.parts["PRL"]
    side = Side.ORIGINAL if when == "before" else Side.RELEASED
    return (found.value, mean, mean, above_threshold, above_threshold), side


def _outcome(measured: MeasuredRelease, after: KeyRisk, found: Sequence[float], *, for_all: bool) -> str:
    """Return whether the threshold is met, from both sides, and what knowing more than the keys adds."""
    number, left, (largest, *above) = measured.question.threshold, left_to_acquaintance(measured, after), found
    threshold = format_percent(number)
    chance = largest if measured.equal_records else max(largest, left.chance)
    if chance <= number and not k_in_doubt(measured):
        risk = _one_over(measured, round(100 / largest), for_all=for_all)
        told = f"The threshold of {threshold} is met by the keys: the largest risk is {risk}."
    elif chance > number:
        persons, records = (share_text(measured, one, for_all=for_all) for one in above)
        told = (
            f"The threshold of {threshold} is NOT met: the largest risk by the keys is "
            f"{_both_sides(measured, left, for_all=for_all)}; {persons} of the persons and {records} of the records "
            f"are above it{_by_columns(measured, left, for_all=for_all)}."
        )
    else:
        told = f"The threshold of {threshold} is NOT shown to be met."
    doubt = " Other columns, gaps or households tell more than the keys, so that some persons fit fewer records."
    adds = f"{doubt * k_in_doubt(measured)}{NOTHING_ADDED * bool(measured.equal_records)}"
    return f"{told}{adds} {ABOUT_THE_RULE}"


def _both_sides(measured: MeasuredRelease, left: Left, *, for_all: bool) -> str:
    """Return the largest risk, and from which side it is."""
    if left.persons is None or left.persons == left.records:
        return _one_over(measured, left.by_keys, for_all=for_all)
    sides = "from the person to the record", "from the record to the person"
    other = _one_over(measured, max(left.records, left.persons), for_all=for_all)
    first, second = sides if left.records < left.persons else sides[::-1]
    return f"{_one_over(measured, left.by_keys, for_all=for_all)} ({first}; {other} {second})"


def _by_columns(measured: MeasuredRelease, left: Left, *, for_all: bool) -> str:
    """Return the largest risk where other columns hint at keys, if it is higher."""
    if left.fewest == left.by_keys:
        return ""
    risk = _one_over(measured, left.fewest, for_all=for_all)
    return f"; where other columns hint at keys that were taken out, it is {risk}"


def _one_over(measured: MeasuredRelease, count: int, *, for_all: bool) -> str:
    """Return one over a count, in percent; everybody is told no count below k."""
    if for_all and count < measured.k:
        return f"more than {format_percent(100 / measured.k)}"
    return format_percent(100 / max(count, 1))


def _found_by_more(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> str:
    """Return how many fit fewer where gaps are read as values, or whole households are known, and what is not counted.

    Everybody is told no count below k.
    """
    told = {one.name: int(one.value) for one in after.report.figures}
    strict = told.get("strict_violations", 0)
    passages = []
    if strict:
        alone = told.get("strict_uniques", 0)
        counts = [_count(one, "record", measured.k, for_all=for_all) for one in (strict, alone)]
        found_surely = f", {counts[1]} of them alone, at a risk of 100 %" if alone else ""
        passages.append(
            f"to whoever knows what was taken out of whom, {counts[0]} fit fewer than {measured.k}{found_surely}"
        )
    if found_households(measured, after)[1]:
        found = households_in_words(measured, after, for_all=for_all)
        passages.append(f"whoever knows the keys of a whole household {found}, each at a risk of 100 %")
    sized = next((one for one in judge_by_keys(measured, after, for_all=for_all) if one.who == WITH_SIZE), None)
    if sized is not None:
        finds = f"has {sized.found}" if sized.found.startswith("a chance") else sized.found
        passages.append(f"{in_sentence(sized.who)}, {finds}")
    if names := unprotected_variables(measured):
        passages.append(f"not counted as known: {', '.join(names)}, released as they were")
    return f"Beside this: {'; '.join(passages)}." if passages else ""


def _count(count: int, noun: str, k: int, *, for_all: bool) -> str:
    """Return a count; for everybody a bound in place of one below k."""
    return f"fewer than {k} {noun}s" if for_all and 0 < count < k else format_count(count, noun)
