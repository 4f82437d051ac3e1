"""Show an assessment: as plain text, and as a small table for notebooks. Figures are rounded here and nowhere else."""

from collections.abc import Iterator, Mapping
from html import escape
from textwrap import wrap
from typing import NamedTuple

from sfumato.assessment.assessment import LOSS, RISK, Assessment
from sfumato.contracts import Measure, Measurement

WIDTH = 100
INDENT = " " * 10
UNBROKEN = "\N{NO-BREAK SPACE}"  # keeps a part's name and figure on one line while the text is wrapped
HEADINGS = {RISK: "Risk: what an intruder still learns", LOSS: "Loss: what an honest user loses"}
SCORES_HEADING = "Scores: lower is better"


class Line(NamedTuple):
    """One figure as shown: symbol, name in words, figure with its unit, what it means, and its parts."""

    symbol: str
    name: str
    figure: str
    meaning: str
    parts: tuple[str, ...]


def as_text(assessment: Assessment) -> str:
    """Return the assessment as a readable text, at most about 100 characters wide."""
    blocks = [_title(assessment)]
    for heading, lines in _sections(assessment):
        blocks.append("\n".join([heading, *(_as_lines(line) for line in lines)]))
    if assessment.not_measured:
        blocks.append("\n".join(wrap(_remark(assessment), WIDTH)))
    return "\n\n".join(blocks)


def as_html(assessment: Assessment) -> str:
    """Return the assessment as an HTML table that stands alone; all text is escaped."""
    rows = []
    for heading, lines in _sections(assessment):
        rows.append(f'<tr><th colspan="4" style="text-align:left">{escape(heading)}</th></tr>')
        rows.extend(_as_row(line) for line in lines)
    if assessment.not_measured:
        rows.append(f'<tr><td colspan="4" style="text-align:left">{escape(_remark(assessment))}</td></tr>')
    return f"<table><caption>{escape(_title(assessment))}</caption><tbody>{''.join(rows)}</tbody></table>"


def _title(assessment: Assessment) -> str:
    return (
        f"Assessment of {assessment.masked_records} masked records "
        f"against {assessment.original_records} original records"
    )


def _remark(assessment: Assessment) -> str:
    names = ", ".join(assessment.not_measured)
    return f"Not measured, as the masked file has no numbers in them: {names}."


def _sections(assessment: Assessment) -> Iterator[tuple[str, list[Line]]]:
    """Yield each heading that has something beneath it, with its lines."""
    for room, heading in HEADINGS.items():
        lines = [_line(measure, found) for measure, found in assessment.by_room(room)]
        if lines:
            yield heading, lines
    if assessment.scores:
        values = assessment.values
        yield (
            SCORES_HEADING,
            [
                Line(score.symbol, _in_words(score.name), _figure(values[score.symbol]), score.formula, ())
                for score in assessment.scores
            ],
        )


def _line(measure: Measure, found: Measurement) -> Line:
    error = "" if found.standard_error is None else f" ± {_figure(found.standard_error)}"
    figure = f"{_figure(found.value)}{error} {found.unit}".rstrip()
    return Line(found.symbol, _in_words(found.name), figure, _first_line(measure), _parts(found.parts))


def _parts(parts: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(f"{part}: {_figure(value)}" for part, value in parts.items())


def _in_words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _figure(value: float) -> str:
    return f"{value:.2f}"


def _first_line(measure: Measure) -> str:
    """Return what the measure does, as the first line of its docstring says it."""
    return (type(measure).__doc__ or "").strip().partition("\n")[0]


def _as_lines(line: Line) -> str:
    head = f"  {line.symbol:<7} {line.name:<40} {line.figure:>12}"
    parts = ", ".join(part.replace(" ", UNBROKEN) for part in line.parts)
    beneath = [text for passage in (line.meaning, parts) for text in wrap(passage, WIDTH - len(INDENT))]
    return "\n".join([head, *(INDENT + text for text in beneath)]).replace(UNBROKEN, " ")


def _as_row(line: Line) -> str:
    parts = "<br>".join(map(escape, line.parts))
    detail = f"<details><summary>by part</summary>{parts}</details>" if parts else ""
    return (
        f"<tr><td>{escape(line.symbol)}</td><td>{escape(line.name)}</td>"
        f'<td style="text-align:right;white-space:nowrap">{escape(line.figure)}</td>'
        f'<td style="text-align:left">{escape(line.meaning)}{detail}</td></tr>'
    )
