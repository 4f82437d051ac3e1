"""A release report as one HTML page that stands alone. Nothing is computed here: every number comes from a figure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import singledispatch

from sfumato.display import (
    Cell,
    Column,
    Table,
    break_names,
    bullet_list,
    contents_list,
    definition_list,
    detail_column,
    framed,
    header_column,
    heading,
    paragraph,
    picture,
    pictures,
    preformatted,
    render_notebook,
    render_page,
    styled_paragraph,
    text_column,
)
from sfumato.display.table import CellValue
from sfumato.reports.release.figure import ReportFigure, in_sentence, term_link
from sfumato.reports.release.question import Edition
from sfumato.reports.release.release_report import INSIDE, OUTSIDE, ReleaseReport
from sfumato.reports.release.rendering.page_style import STYLE
from sfumato.reports.release.sections import (
    Bullets,
    CellTable,
    Chart,
    ChartKind,
    Code,
    Emphasis,
    FigureRow,
    FigureTable,
    Form,
    LimitOutcome,
    Part,
    Prose,
    Section,
    Subheading,
    WordTable,
)

Figures = Mapping[str, ReportFigure]
SHORT = ("verdict", "contents")  # the sections that a notebook shows
OUTLIERS = ", outliers"
MANY = 4  # columns of figures, beyond which they are set smaller on a narrow screen
NARROW = 3  # columns of words whose last one is prose
_OUTCOMES = {
    LimitOutcome.MET: Cell("met", style="good"),
    LimitOutcome.NOT_MET: Cell("NOT MET", style="bad"),
    LimitOutcome.NOT_SHOWN: Cell("NOT SHOWN to be met", style="bad"),
}


def render_report(report: ReleaseReport) -> str:
    """Return the page."""
    figures = {figure.path: figure for figure in report.figures}
    entries = [(section.key, section.title) for section in report.sections]
    by = f" by {report.author}" if report.author else ""
    parts = [
        styled_paragraph(f"{report.date}{by}, {report.edition} edition; sfumato {report.versions['sfumato']}", "meta"),
        contents_list(entries),
        *(part for number, section in enumerate(report.sections, 1) for part in _section(section, figures, number)),
        heading("How each figure is defined", 3, anchor="definitions"),
        definition_list(_definitions(report.figures)),
    ]
    notice = INSIDE if report.edition is Edition.INTERNAL else OUTSIDE
    return render_page(report.title, parts, style=STYLE, notice=notice)


def render_cell(report: ReleaseReport) -> str:
    """Return what a notebook shows: the verdict, and what is released."""
    figures = {figure.path: figure for figure in report.figures}
    shown = [section for section in report.sections if section.key in SHORT]
    return render_notebook(part for section in shown for part in _section(section, figures, level=3))


def _section(section: Section, figures: Figures, number: int = 0, level: int = 2) -> Iterator[str]:
    yield heading(f"{number}. {section.title}" if number else section.title, level, anchor=section.key)
    for part in section.parts:
        if section.key == "glossary" and isinstance(part, WordTable):
            yield definition_list((term_link(word).removeprefix("#"), word, meaning) for word, meaning in part.rows)
        else:
            yield _render(part, figures)


def _definitions(figures: Iterable[ReportFigure]) -> Iterator[tuple[str, str, str]]:
    """Yield how figures are defined, each label once: a hint is neither printed nor read by everybody."""
    defined: dict[str, dict[str, str]] = {}
    for figure in figures:
        if not figure.label.endswith(OUTLIERS):  # defined as the figure of all records
            defined.setdefault(figure.label, {})[figure.definition] = figure.term
    for label, definitions in sorted(defined.items()):
        words = ", ".join(sorted({*definitions.values()}))
        yield _definition_link(label).removeprefix("#"), label, f"{' '.join(definitions)} See also: {words}."


def _keep_percent(text: str) -> str:
    """Return text whose percent signs stay on the line of their number."""
    return re.sub(r"(?<=\d) %", "\u00a0%", text)


def _definition_link(label: str) -> str:
    """Return the address of the definition of a figure on the page."""
    return f"#figure-{re.sub('[^a-z0-9]+', '-', label.lower()).strip('-')}"


@singledispatch
def _render(part: Part, figures: Figures) -> str:
    """Return a part of a section as HTML."""
    raise TypeError(f"no page shows a {type(part).__name__}")


@_render.register
def _(part: Prose, figures: Figures) -> str:
    text = _keep_percent(part.text)
    return paragraph(text) if part.emphasis is Emphasis.PLAIN else styled_paragraph(text, part.emphasis)


@_render.register
def _(part: Subheading, figures: Figures) -> str:
    return heading(part.text, 3)


@_render.register
def _(part: Bullets, figures: Figures) -> str:
    return bullet_list(part.entries)


@_render.register
def _(part: Code, figures: Figures) -> str:
    return heading(part.title, 3) + preformatted(part.text)


@_render.register
def _(part: WordTable, figures: Figures) -> str:
    last = detail_column if len(part.headings) >= NARROW else text_column
    columns = (header_column(part.headings[0]), *map(text_column, part.headings[1:-1]), last(part.headings[-1]))
    rows = tuple(tuple(map(_keep_percent, row)) for row in part.rows)
    shown = break_names(Table(columns, rows, title=part.title).to_html())
    return framed(shown, "stacked") if len(part.headings) > NARROW else shown


@_render.register
def _(part: Form, figures: Figures) -> str:
    rows = tuple((field, "") for field in part.fields)
    return framed(Table((header_column(), detail_column("")), rows, title=part.title).to_html(), "form")


@_render.register
def _(part: CellTable, figures: Figures) -> str:
    columns = (*map(header_column, part.stubs), *map(Column, part.headings))
    return framed(Table(columns, part.rows, title=part.title, notes=(part.sentence,)).to_html(), "cells")


@_render.register
def _(part: FigureTable, figures: Figures) -> str:
    is_explained = any(row.explained for row in part.rows)
    has_verdict = any(row.outcome is not None for row in part.rows)
    filled = [place for place in range(len(part.headings)) if any(row.paths[place] in figures for row in part.rows)]
    columns = (
        header_column(),
        *(Column(part.headings[place]) for place in filled),
        *([text_column("limit")] if has_verdict else []),
        *([detail_column("what it says")] if is_explained else []),
    )
    shown = [replace(row, paths=tuple(row.paths[place] for place in filled)) for row in part.rows]
    rows = tuple(_row(row, figures, has_verdict=has_verdict, is_explained=is_explained) for row in shown)
    shown_rows = break_names(Table(columns, rows, title=part.title).to_html())
    if is_explained:
        return framed(shown_rows, "explained")
    return framed(shown_rows, "many") if len(filled) > MANY else shown_rows


@_render.register
def _(part: Chart, figures: Figures) -> str:
    from sfumato.reports.release.rendering.charts import draw_chart, panel_notes, panel_titles

    caption = f"{part.title}. {part.sentence} Unit: {part.unit}. {part.definition}"
    drawn = [figure.to_svg() for figure in draw_chart(part)]
    titles = panel_titles(part)
    if not titles:
        return picture(drawn[0], caption, alt=part.alt)
    alts = (f"{title}. {part.alt}" for title in titles)
    style = "small" if part.kind is ChartKind.COLUMNS else "flowing"
    return pictures(drawn, caption, alts=alts, notes=panel_notes(part), style=style)


def _row(row: FigureRow, figures: Figures, *, has_verdict: bool, is_explained: bool) -> tuple[CellValue, ...]:
    about = figures.get(row.explained) or next((figures[path] for path in row.paths if path in figures), None)
    cells: list[CellValue] = [Cell(row.label, link="" if about is None else _definition_link(about.label))]
    cells += [_figure_cell(figures.get(path)) for path in row.paths]
    if has_verdict:
        cells.append(_OUTCOMES[row.outcome] if row.outcome else Cell(""))
    if is_explained:
        explained = figures.get(row.explained)
        cells.append("" if explained is None else _explanation(explained))
    return tuple(cells)


def _figure_cell(figure: ReportFigure | None) -> Cell:
    if figure is None:
        return Cell("")
    return Cell(figure.text, hint=f"{figure.sentence} {figure.definition} ({figure.path})")


def _explanation(figure: ReportFigure) -> Cell:
    remark = f" {figure.remark.rstrip('.')}." if figure.remark else ""
    return Cell(f"{figure.sentence}{remark}", below=f"Good: {in_sentence(figure.good)} Bad: {in_sentence(figure.bad)}")
