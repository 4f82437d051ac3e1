"""Show a study: as plain text, and as a table for notebooks. Figures are rounded here and nowhere else."""

from html import escape

from sfumato.study.axes import usual_loss, usual_risk
from sfumato.study.candidate import Candidate
from sfumato.study.results import Study

FRONT_SIGN = "*"
MEAN_OF_TWO = "Disclosure risk"  # how the title of DR begins, unless a score of that symbol was asked for


def as_text(study: Study) -> str:
    """Return the study as a readable table, one line per candidate, and why candidates failed."""
    rows = [("candidate", *study.titles), *_rows(study)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [[row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in rows]
    table = ["  ".join(line).rstrip() for line in lines]
    return "\n".join([_title(study), "", *table, *([""] if _notes(study) else []), *_notes(study)])


def as_html(study: Study) -> str:
    """Return the study as an HTML table that stands alone; all text is escaped."""
    head = "".join(f'<th title="{escape(title)}">{escape(symbol)}</th>' for symbol, title in study.titles.items())
    rows = "".join(_as_row(row) for row in _rows(study))
    notes = "".join(f"<p>{escape(note)}</p>" for note in _notes(study))
    return (
        f"<table><caption>{escape(_title(study))}</caption><thead><tr><th>candidate</th>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>{notes}"
    )


def _title(study: Study) -> str:
    return f"{_counted(len(study.candidates), 'candidate')}, {_counted(study.replications, 'replication')}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _rows(study: Study) -> list[tuple[str, ...]]:
    front = _front_labels(study)
    return [
        (_marked(candidate.label, candidate.label in front), *(_figure(candidate, symbol) for symbol in study.titles))
        for candidate in study.candidates
    ]


def _front_labels(study: Study) -> set[str]:
    if _axes(study) is None:
        return set()
    return {candidate.label for candidate in study.front_members()}


def _axes(study: Study) -> tuple[str, str] | None:
    """Return the risk and the loss of the front, where the study has both."""
    risk, loss = usual_risk(study.symbols), usual_loss(study.symbols)
    return None if risk is None or loss is None else (risk, loss)


def _marked(label: str, on_front: bool) -> str:
    return f"{label} {FRONT_SIGN}" if on_front else label


def _figure(candidate: Candidate, symbol: str) -> str:
    mean, deviation = candidate.mean(symbol), candidate.deviation(symbol)
    if mean is None:
        return "-"
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} ± {deviation:.2f}"


def _notes(study: Study) -> list[str]:
    notes = []
    if (axes := _axes(study)) is not None:
        is_mean = study.titles.get(axes[0], "").startswith(MEAN_OF_TWO)
        meaning = f"; {axes[0]} is the mean of DLD and ID" if is_mean else ""
        notes.append(f"{FRONT_SIGN} on the Pareto front of {' and '.join(axes)}{meaning}")
    if study.unfinished:
        notes.append(f"interrupted: {_counted(study.unfinished, 'run')} not done")
    if study.replications > 1 and study.symbols:
        notes.append("mean ± standard deviation over the replications")
    failures = (candidate for candidate in study.candidates if candidate.error is not None)
    return [*notes, *(f"failed: {candidate.label}: {candidate.error}" for candidate in failures)]


def _as_row(row: tuple[str, ...]) -> str:
    figures = "".join(f'<td style="text-align:right;white-space:nowrap">{escape(cell)}</td>' for cell in row[1:])
    return f'<tr><td style="text-align:left">{escape(row[0])}</td>{figures}</tr>'
