"""The section on risk, before and after: by keys, linkage, the worst intruder, answers; by subgroup."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sfumato.assessment.remarks import ALARMS, SEVERAL_INTRUDERS
from sfumato.data.column_recoding import labelled_text, text_of
from sfumato.display import as_sentence, format_compact, format_percent
from sfumato.keys.findings.exposure import PARTLY, READABLE
from sfumato.keys.findings.found_households import PERSONS_ONE_BY_ONE, persons_found
from sfumato.numerics.arrays import FloatColumn
from sfumato.reports.counted_file import GAPS_REMARK
from sfumato.reports.release.chapters.acquaintance import WITH_HINTS, hints_leave_fewer
from sfumato.reports.release.chapters.judging.judged_by_keys import shows_households
from sfumato.reports.release.chapters.measure_figures import measure_rows
from sfumato.reports.release.chapters.own_amounts import own_amount_figures, own_amount_table, own_amounts
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, Words, make_figure
from sfumato.reports.release.key_risk import SAFE_COUNT, KeyRisk
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import (
    Audience,
    Bullets,
    Chart,
    ChartKind,
    FigureRow,
    FigureTable,
    Part,
    Prose,
    Subheading,
)
from sfumato.reports.release.words.alarms import calm
from sfumato.reports.release.words.key_words import (
    HOUSEHOLDS_BY_FIT,
    KEY_WORDS,
    MEASURES,
    SIDES,
    WHOLE_HOUSEHOLDS,
    words_of_keys,
)
from sfumato.reports.risk_figures import FIGURES
from sfumato.risk import IndividualRisk

EDGES = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 33.0, 50.0, 100.0)  # percent, of the classes of individual risk
HOUSEHOLDS = "risk/households/found"
BY_FIT = "risk/households/found_by_fit"
FITTING = "risk/fitting"
MIN_GROUP = 10  # records of a subgroup that is shown
GROUPS_PER_KEY = 4
SUBGROUP = Words(
    "Mean risk of a subgroup",
    "Records of this group are recognised with a probability of {value}, on average.",
    "About as low as in the whole file.",
    "Much higher than in the whole file: the group is protected less.",
    "The mean of the individual risks of the records of the group.",
    "individual risk",
)
GROUP_SIZE = Words(
    "Records of the subgroup",
    "The group has {value}.",
    "Many.",
    "So few that its mean says little.",
    "The number of released records with the category.",
    "record",
)
TOLD_BY_ASSESSMENT = (READABLE, PARTLY, PERSONS_ONE_BY_ONE)
"""What the report on the keys of a file remarks, and the assessment knows better, as it has the original."""
SAID_ELSEWHERE = ("The promise of k is for persons", "Categories in other classes than before")
"""How remarks begin whose figures stand in the verdict, or in the section on utility."""
NOT_TESTED = "Whether the file leaks was not tested: that needs a control, records kept back before it was made."
NO_KEYS = (
    "No variable is marked as a key, so that nobody could be looked for by keys: say in the schema what others "
    "may know of a person."
)


def risk_section(measured: MeasuredRelease) -> Draft:
    """Return the section."""
    parts: list[Part] = []
    figures: list[ReportFigure] = []
    if measured.is_synthetic:
        if not measured.assessment.leak_verdict:
            parts.append(Prose(NOT_TESTED, audience=Audience.ALL))
    elif measured.after is None:
        parts.append(Prose(NO_KEYS, audience=Audience.ALL))
    for when, risk in (("before", measured.before), ("after", measured.after)):
        if risk is not None and measured.after is not None:
            figures += _key_figures(risk, when, shows_homes=shows_households(measured))
            figures += _side_figures(measured, risk, when)
            figures += _household_figures(measured, risk, when)
    if measured.after is not None:
        parts += [
            Subheading("Re-identification by the keys", Audience.ALL),
            *_keys_differ(measured),
            _key_table(figures),
            _histogram(measured.before, measured.after, measured.k),
            _histogram(None, measured.after, measured.k),
        ]
    measures = measure_rows(measured, "risk")
    figures += measures.figures
    if measures.rows:
        title = (
            "Traces of those behind the file" if measured.is_synthetic else "Linkage, the worst intruder, and answers"
        )
        parts += [
            Subheading(title, Audience.ALL),
            Prose(_about_measures(measured), audience=Audience.ALL),
            FigureTable("", ("overall", "outliers", "baseline"), measures.rows, Audience.ALL, public_columns=(0, 2)),
        ]
    if amounts := own_amounts(measured):
        figures += own_amount_figures(amounts)
        parts.append(own_amount_table(amounts))
    if measured.after is not None:
        rows, made = _subgroups(measured, measured.after)
        figures += made
        if rows:
            columns = (
                "released records",
                *(("mean risk before",) if measured.aligned is not None else ()),
                "mean risk after",
            )
            parts += [
                Subheading("Risk by subgroup"),
                Prose(
                    f"The groups of each key with the highest mean risk, of those that at least "
                    f"{max(MIN_GROUP, measured.k)} released records are in."
                ),
                FigureTable("", columns, tuple(rows)),
            ]
    if notes := _notes(measured):
        parts += [Subheading("Notes, to be read with the figures"), Bullets(notes)]
    return draft("risk", "Risk, before and after", parts, figures)


def _keys_differ(measured: MeasuredRelease) -> Iterator[Part]:
    """Yield which keys only the figures before protection count, where some are not released; for the house."""
    before, after = measured.before, measured.after
    if before is not None and after is not None and (gone := [one for one in before.keys if one not in after.keys]):
        yield Prose(
            f"Figures before count all {len(before.keys)} keys of the original, those after the {len(after.keys)} that "
            f"are released; without {', '.join(gone)}, which {'is' if len(gone) == 1 else 'are'} not, the original "
            f"would show less risk, too."
        )


def _key_figures(risk: KeyRisk, when: str, *, shows_homes: bool) -> Iterator[ReportFigure]:
    """Yield the figures of the report on the keys of a file."""
    side = Side.ORIGINAL if when == "before" else Side.RELEASED
    for one in risk.report.figures:
        parameters = {"k": risk.report.k} if MEASURES[one.name] == "k_anonymity" else {}
        origin = Origin(MEASURES[one.name], side, risk.keys, one.name, parameters)
        words = words_of_keys(one.name, shows_homes=shows_homes)
        yield make_figure(f"risk/keys/{one.name}/{when}", one.value, one.unit or "records", words, origin)


def _side_figures(measured: MeasuredRelease, risk: KeyRisk, when: str) -> Iterator[ReportFigure]:
    """Yield how many records fit the persons, and persons the records, where it is known what became of keys."""
    if risk.sides is None:
        return
    few = [int(np.count_nonzero(one < SAFE_COUNT)) for one in risk.sides]
    counts = {
        "records": (risk.sides.fewest_records, "records"),
        "few": (few[0], "persons"),
        "persons": (risk.sides.fewest_persons, "persons"),
        "few_persons": (few[1], "records"),
    }
    for name, (count, unit) in counts.items():
        origin, words = Origin("sides_by_keys", Side.BOTH, risk.keys, name), SIDES[name]
        if name == "records" and hints_leave_fewer(measured):
            words = replace(words, sentence=f"{words.sentence} {as_sentence(WITH_HINTS)}.")
        yield make_figure(f"{FITTING}/{name}/{when}", count, unit, words, origin)


def _household_figures(measured: MeasuredRelease, risk: KeyRisk, when: str) -> Iterator[ReportFigure]:
    """Yield how many persons are found by the keys of their whole household, where the file tells households."""
    side, data = (Side.ORIGINAL, measured.original) if when == "before" else (Side.RELEASED, measured.released)
    found = persons_found(data, risk.keys) if shows_households(measured) else None
    if found is not None:
        origin = Origin("persons_found", side, risk.keys)
        yield make_figure(f"{HOUSEHOLDS}/{when}", found, "persons", WHOLE_HOUSEHOLDS, origin)
    if when == "after" and risk.found_by_fit is not None:
        origin = Origin("persons_found_by_fit", Side.BOTH, risk.keys)
        yield make_figure(f"{BY_FIT}/{when}", risk.found_by_fit, "persons", HOUSEHOLDS_BY_FIT, origin)


def _key_table(figures: list[ReportFigure]) -> FigureTable:
    paths = {figure.path for figure in figures}
    rows = []
    labels = {f"{FITTING}/{name}": words.label for name, words in SIDES.items()}
    labels |= {f"risk/keys/{name}": KEY_WORDS[name].label for name in FIGURES}
    labels |= {BY_FIT: HOUSEHOLDS_BY_FIT.label, HOUSEHOLDS: WHOLE_HOUSEHOLDS.label}
    for path, label in labels.items():
        both = tuple(f"{path}/{when}" for when in ("before", "after"))
        if both[1] in paths:
            rows.append(FigureRow(label, (both[0] if both[0] in paths else "", both[1]), both[1]))
    return FigureTable("", ("before", "after"), tuple(rows), Audience.ALL, public_columns=(1,))


def _histogram(before: KeyRisk | None, after: KeyRisk, k: int) -> Chart:
    """Return how many records have which risk; without the original for everybody."""
    labels = [f"{text_of(low)} to {text_of(high)}" for low, high in itertools.pairwise(EDGES)]
    data = {"labels": labels, "after": _shares(after.risks), "after_records": len(after.risks)}
    if before is not None:
        data |= {"before": _shares(before.risks), "before_records": len(before.risks)}
    high = sum(share for share, edge in zip(_shares(after.risks), EDGES, strict=False) if edge >= 10)
    return Chart(
        ChartKind.CLASSES,
        "risk/keys/histogram",
        "How many records have which individual risk",
        f"Percent of the records by the probability, in percent, that a record is recognised by somebody who knows "
        f"everybody's keys. {_above(high, after, before is None, k)} of the released records are above 10 %.",
        "Bars: percent of the records in classes of individual risk"
        + (", in the original and in the released file." if before is not None else ", in the released file."),
        PERCENT,
        "The share of records whose individual risk lies in each class; a risk on the border of two classes counts in "
        "the lower one.",
        data,
        Audience.HOUSE if before is not None else Audience.PUBLIC,
    )


def _above(percent: float, after: KeyRisk, is_for_all: bool, k: int) -> str:
    """Return a share of the records; for everybody none that stands for fewer than k."""
    smallest = 100 * k / max(len(after.risks), 1)
    return (
        f"Below {format_compact(smallest, 2)} %" if is_for_all and 0 < percent < smallest else format_percent(percent)
    )


def _shares(risks: FloatColumn) -> list[float]:
    """Return the percent of the records in each class; the upper edge belongs to a class."""
    places = np.clip(np.searchsorted(EDGES, risks, side="left") - 1, 0, len(EDGES) - 2)
    counts = np.bincount(places, minlength=len(EDGES) - 1).tolist()
    return [100 * count / max(len(risks), 1) for count in counts]


def _about_measures(measured: MeasuredRelease) -> str:
    if measured.is_synthetic:
        return (
            "Attacks are tried on the persons whom the file was made from and, where a control was given, on persons "
            "whom it was not made from; only the difference is a leak."
        )
    return (
        "These intruders have more than keys: original values of numbers, or of everything. Outliers are the 5 % "
        "of the records farthest from the average; the baseline is what chance gives."
    )


def _subgroups(measured: MeasuredRelease, after: KeyRisk) -> tuple[list[FigureRow], list[ReportFigure]]:
    """Return the mean risk of the groups of each key, before and after, the riskiest first."""
    released, rows, figures = measured.released, [], []
    before = _risks_before(measured)
    columns = ("before", "after") if before is not None else ("after",)
    for name in after.keys:
        codes, categories = released.codes(name)
        labels = released.schema[name].value_labels
        counts = np.bincount(codes + 1, minlength=len(categories) + 1)[1:]
        sums = np.bincount(codes + 1, weights=after.risks, minlength=len(categories) + 1)[1:]
        means = sums / np.maximum(counts, 1)
        shown = [
            place for place in np.argsort(-means, kind="stable").tolist() if counts[place] >= max(MIN_GROUP, measured.k)
        ]
        for place in shown[:GROUPS_PER_KEY] if len(categories) > 1 else ():
            category = categories[place]
            label = f"{name}: {labelled_text(category, labels)}"
            path = f"risk/subgroups/{name}/{text_of(category)}"
            among = codes == place
            values = {"after": float(after.risks[among].mean())}
            if before is not None:
                values["before"] = float(before[among].mean())
            origin = Origin(IndividualRisk.name(), Side.RELEASED, after.keys, parameters={"group": label})
            size = replace(origin, measure="records")
            figures.append(make_figure(f"{path}/records", float(counts[place]), "records", GROUP_SIZE, size))
            figures += [make_figure(f"{path}/{when}", values[when], PERCENT, SUBGROUP, origin) for when in columns]
            rows.append(FigureRow(label, (f"{path}/records", *(f"{path}/{when}" for when in columns))))
    return rows, figures


def _risks_before(measured: MeasuredRelease) -> FloatColumn | None:
    """Return the risk that each released record had in the original, where records are matched."""
    if measured.before is None or measured.aligned is None:
        return None
    if measured.aligned is measured.original:
        return measured.before.risks
    return measured.before.risks[measured.original.rows_of(measured.released.row_ids)]


def _notes(measured: MeasuredRelease) -> tuple[str, ...]:
    """Return what the measures and the report on keys remark, each thing once."""
    matched = [measured.question.how_matched] if measured.question.how_matched else []
    keys = [] if measured.after is None else [f"{remark}." for remark in measured.after.report.remarks]
    known = (*TOLD_BY_ASSESSMENT, *((GAPS_REMARK,) if measured.equal_records else ()))  # both ways of reading agree
    keys = [remark for remark in keys if not remark.startswith(known)]
    told = (ALARMS, SEVERAL_INTRUDERS, *filter(None, [measured.assessment.leak_verdict]))  # the verdict has these
    notes = [one for one in measured.assessment.remarks if not one.startswith(told)] + keys
    shown = [as_sentence(calm(note)) for note in notes]
    return tuple(dict.fromkeys([*matched, *(note for note in shown if not note.startswith(SAID_ELSEWHERE))]))
