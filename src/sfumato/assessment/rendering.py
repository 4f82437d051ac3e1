"""Show an assessment: as plain text, and as a small table for notebooks. Figures are rounded here and nowhere else."""

from collections.abc import Iterator
from html import escape
from textwrap import wrap
from typing import NamedTuple

from sfumato.assessment.assessment import LOSS, RISK, Assessment
from sfumato.assessment.outliers import Outliers
from sfumato.contracts import Measure, Measurement

WIDTH = 100
INDENT = " " * 10
UNBROKEN = "\N{NO-BREAK SPACE}"  # keeps a part's name and figure on one line while the text is wrapped
HEADINGS = {RISK: "Risk: what an intruder still learns", LOSS: "Loss: what an honest user loses"}
SCORES_HEADING = "Scores: lower is better"


class Line(NamedTuple):
    """One figure as shown: symbol, name in words, figure with its unit, that of the outliers, meaning and parts."""

    symbol: str
    name: str
    figure: str
    meaning: str
    parts: tuple[str, ...] = ()
    outliers: str = ""


def as_text(assessment: Assessment) -> str:
    """Return the assessment as a readable text, at most about 100 characters wide."""
    blocks = [_title(assessment)]
    apart = assessment.outliers is not None
    for heading, lines in _sections(assessment):
        head = f"{heading:<59} {'overall':>12} {'outliers':>12}" if apart and heading != SCORES_HEADING else heading
        blocks.append("\n".join([head, *(_as_lines(line) for line in lines)]))
    blocks += ["\n".join(wrap(remark, WIDTH)) for remark in _remarks(assessment)]
    return "\n\n".join(blocks)


def as_html(assessment: Assessment) -> str:
    """Return the assessment as an HTML table that stands alone; all text is escaped."""
    apart = assessment.outliers is not None
    width = 5 if apart else 4
    rows = []
    for heading, lines in _sections(assessment):
        if apart:
            rows.append(_html_heading(heading, 2) + "<th>overall</th><th>outliers</th><th></th></tr>")
        else:
            rows.append(_html_heading(heading, width) + "</tr>")
        rows.extend(_as_row(line, apart=apart) for line in lines)
    for remark in _remarks(assessment):
        rows.append(f'<tr><td colspan="{width}" style="text-align:left">{escape(remark)}</td></tr>')
    return f"<table><caption>{escape(_title(assessment))}</caption><tbody>{''.join(rows)}</tbody></table>"


def _html_heading(heading: str, columns: int) -> str:
    return f'<tr><th colspan="{columns}" style="text-align:left">{escape(heading)}</th>'


def _title(assessment: Assessment) -> str:
    return (
        f"Assessment of {assessment.masked_records} masked records "
        f"against {assessment.original_records} original records"
    )


def _remarks(assessment: Assessment) -> Iterator[str]:
    """Yield what must be read with the figures."""
    if assessment.outliers is not None:
        share, records = assessment.outliers.share, assessment.outliers.records
        yield (
            f"Outliers are the {share:g} % of the original records farthest from the mean record: {records} masked "
            f"records. Where no outlier's figure stands, the measure does not tell records apart."
        )
    yield from assessment.remarks
    if assessment.not_measured:
        names = ", ".join(assessment.not_measured)
        yield f"Not measured, as the masked file has them no more or in another kind: {names}."


def _sections(assessment: Assessment) -> Iterator[tuple[str, list[Line]]]:
    """Yield each heading that has something beneath it, with its lines."""
    for room, heading in HEADINGS.items():
        pairs = assessment.by_room(room)
        lines = [line for measure, found in pairs for line in _lines(measure, found, assessment.outliers)]
        if lines:
            yield heading, lines
    if assessment.scores:
        values = assessment.values
        yield (
            SCORES_HEADING,
            [
                Line(score.symbol, _in_words(score.name), _figure(values[score.symbol]), score.formula)
                for score in assessment.scores
            ],
        )


def _lines(measure: Measure, found: Measurement, outliers: Outliers | None) -> Iterator[Line]:
    """Yield the line of a measure, and one of the part that tells outliers apart, if it is only a part that does."""
    error = "" if found.standard_error is None else f" ± {_figure(found.standard_error)}"
    figure = f"{_figure(found.value)}{error} {found.unit}".rstrip()
    passages = [_first_line(measure), found.remark]
    if found.interval is not None:
        low, high = (_figure(end) for end in found.interval)
        passages.append(f"95 % confidence interval, for other records masked alike: {low} to {high} {found.unit}")
    apart = {} if outliers is None else found.among(outliers.among)
    shown = {symbol: f"{_figure(value)} {found.unit}".rstrip() for symbol, value in apart.items()}
    yield Line(
        found.symbol,
        _in_words(found.name),
        figure,
        "; ".join(filter(None, (passage.rstrip(".") for passage in passages))) + ".",
        tuple(f"{part}: {_figure(value)}" for part, value in found.parts.items()),
        shown.pop(found.symbol, ""),
    )
    for symbol, outlying in shown.items():
        overall = f"{_figure(found.parts[symbol])} {found.unit}".rstrip()
        yield Line(symbol, f"the part of {found.symbol} that tells records apart", overall, "", outliers=outlying)


def _in_words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _figure(value: float) -> str:
    return f"{value:.2f}"


def _first_line(measure: Measure) -> str:
    """Return what the measure does, as the first line of its docstring says it."""
    return (type(measure).__doc__ or "").strip().partition("\n")[0]


def _as_lines(line: Line) -> str:
    name = f"{line.symbol:<7} {line.name}"
    head = f"  {name:<48} {line.figure:>22} {line.outliers:>12}".rstrip()
    parts = ", ".join(part.replace(" ", UNBROKEN) for part in line.parts)
    beneath = [text for passage in (line.meaning, parts) for text in wrap(passage, WIDTH - len(INDENT))]
    return "\n".join([head, *(INDENT + text for text in beneath)]).replace(UNBROKEN, " ")


def _as_row(line: Line, *, apart: bool) -> str:
    parts = "<br>".join(map(escape, line.parts))
    detail = f"<details><summary>by part</summary>{parts}</details>" if parts else ""
    figures = [line.figure, line.outliers] if apart else [line.figure]
    cells = "".join(f'<td style="text-align:right;white-space:nowrap">{escape(figure)}</td>' for figure in figures)
    return (
        f"<tr><td>{escape(line.symbol)}</td><td>{escape(line.name)}</td>{cells}"
        f'<td style="text-align:left">{escape(line.meaning)}{detail}</td></tr>'
    )
