"""The public edition of a report: only what is marked for everybody, without parameters, remarks and small counts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sfumato.display import format_compact
from sfumato.parameters.public_parameters import PUBLIC_PARAMETERS
from sfumato.reports.release.draft import Draft
from sfumato.reports.release.figure import (
    CHANCE,
    COUNTS,
    PERCENT,
    ReportFigure,
    format_value,
    round_as_shown,
)
from sfumato.reports.release.question import Edition
from sfumato.reports.release.sections import Audience, Chart, ChartKind, FigureTable, Part, Section
from sfumato.reports.release.words.bound_words import bound_class, bound_step

MOST = " Where most is found"
"""How the sentence on the worst of several attacks begins, which may stand for fewer than k records."""
WORST_OF_SEVERAL = re.compile(rf"{MOST} it is ([\d.]+) %\.")
RATES = " In the file it is"
"""How the sentence on both rates of an attack begins, whose difference would tell what is hidden."""
INTERVAL = "95 % confidence interval"
NOT_RULED_OUT = "not ruled out"
MIN_TOLD = 10  # persons behind a rate of an attack: rates of fewer are not told, nor intervals to the digit
ALL_OF_IT = 100.0  # percent: the highest step that figures are rounded up to
READERS = {
    Edition.INTERNAL: (Audience.HOUSE, Audience.ALL),
    Edition.PUBLIC: (Audience.ALL, Audience.PUBLIC),
}


def make_edition(drafts: Sequence[Draft], edition: Edition, *, records: int, k: int) -> tuple[Draft, ...]:
    """Return the sections as an edition shows them; none that has nothing to show.

    Parameters
    ----------
    drafts
        The sections with all their parts and figures.
    edition
        The edition.
    records, k
        How many records are released, and how many share the keys of each: no smaller count is told to everybody.
    """
    made = []
    known = _with_ceilings([figure for one in drafts for figure in one.figures])
    for one in drafts:
        parts = [part for part in one.section.parts if part.audience in READERS[edition]]
        figures = one.figures
        if edition is Edition.PUBLIC:
            parts = [shown for part in parts if (shown := _for_everybody(part, records, k)) is not None]
            named = dict.fromkeys(path for part in parts for path in _paths(part))
            own = {figure.path for figure in one.figures}
            figures = tuple(_without_secrets(known[path], records, k) for path in named if path in own)
        if parts:
            made.append(Draft(Section(one.section.key, one.section.title, tuple(parts)), figures))
    return tuple(made)


def _for_everybody(part: Part, records: int, k: int) -> Part | None:
    """Return a part without columns that are for the house; None where nothing is left."""
    if isinstance(part, Chart):
        return replace(part, data=_without_small_shares(part, records, k))
    if not isinstance(part, FigureTable):
        return part
    rows = []
    for row in part.rows:
        paths = tuple(row.paths[place] for place in part.public_columns)
        if any(paths):
            rows.append(replace(row, paths=paths, explained=row.explained if row.explained in paths else ""))
    headings = tuple(part.headings[place] for place in part.public_columns)
    return replace(part, headings=headings, rows=tuple(rows)) if rows else None


def _paths(part: Part) -> Iterator[str]:
    if isinstance(part, FigureTable):
        yield from (path for row in part.rows for path in row.paths if path)


def _without_secrets(figure: ReportFigure, records: int, k: int) -> ReportFigure:
    """Return a figure without what its measure remarks, parameters that help an intruder, and a small count."""
    parameters = {name: value for name, value in figure.origin.parameters.items() if name in PUBLIC_PARAMETERS}
    plain = _rounded(replace(figure, remark="", origin=replace(figure.origin, parameters=parameters)))
    hidden = _hidden_text(figure, records, k)
    if not hidden and figure.fewest is not None and figure.fewest < max(k, MIN_TOLD):
        return _without_ends(replace(plain, sentence=plain.sentence.partition(RATES)[0]))
    if not hidden:
        return _without_ends(plain)
    sentence = plain.sentence
    if hidden.startswith("below"):
        sentence = sentence.replace(f"probability of {plain.text}", f"probability {hidden}")
    sentence = sentence.replace(f"for {plain.text}", f"for {hidden.replace('below', 'less than')}")
    most = WORST_OF_SEVERAL.search(sentence)
    told = most is not None and not small_share(float(most[1]), records, k)
    sentence = (
        sentence.replace(f"{plain.text}, at least", hidden)
        .replace(plain.text, hidden)
        .partition(MOST)[0]
        .partition(RATES)[0]
    )
    sentence += most[0] if most is not None and told else ""
    sentence = f"{sentence[:1].upper()}{sentence[1:]}"
    return _without_ends(replace(plain, value=None, withheld=hidden, sentence=sentence))


def _rounded(figure: ReportFigure) -> ReportFigure:
    """Return a figure with the digits that the page shows: more would tell the counts behind it."""
    if figure.value is None or figure.value != figure.value:
        return figure
    interval = None if figure.interval is None else (round(figure.interval[0], 2), round(figure.interval[1], 2))
    value = round_as_shown(figure.value, figure.unit)
    if format_value(value, figure.unit) != figure.text:  # so little that the page only says that it is less
        return replace(figure, value=None, withheld=figure.text, interval=interval)
    return replace(figure, value=value, interval=interval)


def _without_ends(figure: ReportFigure) -> ReportFigure:
    """Return a figure with the upper end of its interval rounded up, as both ends to the digit tell counts."""
    if figure.interval is None:
        return figure
    sentence = figure.sentence.partition(INTERVAL)[0].rstrip()
    if NOT_RULED_OUT not in sentence and bound_step(figure.interval[1]) < ALL_OF_IT:  # 100 % says nothing
        sentence = f"{sentence} With 95 % confidence it is at most {bound_class(figure.interval[1])}."
    return replace(figure, sentence=sentence, interval=None)


def _with_ceilings(figures: Sequence[ReportFigure]) -> dict[str, ReportFigure]:
    """Return the figures by path, each with the smallest limit that it is within and the persons behind its measure."""
    ceilings: dict[tuple[str, str, str], float] = {}
    for one in figures:
        if one.ceiling is not None:
            name = one.origin.measure, one.origin.part, one.origin.side
            ceilings[name] = min(one.ceiling, ceilings.get(name, one.ceiling))
    persons = {one.origin.measure: one.persons for one in figures if one.persons is not None}
    return {
        one.path: replace(
            one,
            ceiling=ceilings.get((one.origin.measure, one.origin.part, one.origin.side)),
            persons=persons.get(one.origin.measure),
        )
        for one in figures
    }


def small_share(percent: float, records: int, k: int, ceiling: float | None = None) -> str:
    """Return what is told in place of a share that stands for fewer than k records; nothing where it may be told.

    Parameters
    ----------
    percent, records, k
        The share, of how many records it is, and the smallest count that is told.
    ceiling
        A limit that the share is within: no looser bound is told.

    Examples
    --------
    >>> small_share(0.4, 500, 10), small_share(0.4, 500, 10, ceiling=1), small_share(4, 500, 10)
    ('below 2 %', 'at most 1 %', '')
    """
    smallest = min(100 * k / max(records, 1), 100.0)
    if not 0 < percent < smallest:
        return ""
    if ceiling is not None and percent <= ceiling < smallest:
        return f"at most {format_compact(ceiling)} %"
    return f"below {format_compact(smallest, 2)} %"


def _hidden_text(figure: ReportFigure, records: int, k: int) -> str:
    """Return what is told in place of a count below k, or of a share that stands for one; nothing where it may be."""
    value = figure.value
    if value is None or not value > 0 or figure.origin.part == CHANCE:
        return ""
    if figure.is_rounded_up:
        return f"up to {bound_class(value)}" if value <= ALL_OF_IT else f"more than {bound_class(ALL_OF_IT)}"
    if figure.is_one_over_count:
        return f"more than {format_value(100 / k, PERCENT)}" if round(100 / value) < k else ""
    if figure.persons is not None and figure.persons < k:
        return "some"
    if figure.unit in COUNTS and figure.unit not in ("variables", "columns") and value < k:
        if figure.ceiling is not None and value <= figure.ceiling < k:
            return f"at most {format_compact(figure.ceiling)} {figure.unit}"
        return f"fewer than {k} {figure.unit}"
    if figure.unit != PERCENT:
        return ""
    ends = [] if figure.interval is None else [bound_step(figure.interval[1])]
    ceiling = min([*([] if figure.ceiling is None else [figure.ceiling]), *ends], default=None)
    return small_share(value, records if figure.base is None else figure.base, k, ceiling)


def _without_small_shares(chart: Chart, records: int, k: int) -> Mapping[str, Any]:
    """Return the numbers of a chart, those that stand for fewer than k records left out."""
    if chart.kind is ChartKind.CLASSES:
        return {**chart.data, "after": _hide(chart.data["after"], records, k)}
    if chart.kind is ChartKind.COLUMNS:
        pictures = [
            {**picture, "after": {**picture["after"], "shares": _hide(picture["after"]["shares"], records, k)}}
            for picture in chart.data["pictures"]
        ]
        return {**chart.data, "pictures": pictures}
    return chart.data


def _hide(shares: Sequence[float | None], records: int, k: int) -> list[float | None]:
    limit = 100 * k / max(records, 1)
    return [None if share is None or 0 < share < limit - 1e-9 else share for share in shares]
