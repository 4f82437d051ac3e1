"""Show what a search found: in words, with the best candidates in a table."""

from html import escape

from sfumato.study.candidate import Candidate
from sfumato.study.limits import told
from sfumato.study.search.found import Ended, Search

MOST_SHOWN = 10
MOST_TOLD = 3  # failures that are told one by one


def as_text(search: Search) -> str:
    """Return what was found as readable lines: how many were tried, the best, and those next to it."""
    rows = _rows(search)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]
    return "\n".join([_title(search), verdict(search), "", *lines, *_notes(search)])


def as_html(search: Search) -> str:
    """Return what was found as an HTML table that stands alone; all text is escaped."""
    head, *rows = _rows(search)
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    notes = "".join(f"<p>{escape(note)}</p>" for note in _notes(search) if note)
    caption = f"{escape(_title(search))}<br>{escape(verdict(search))}"
    return f"<table><caption>{caption}</caption><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>{notes}"


def verdict(search: Search) -> str:
    """Return one sentence: the best candidate, or which comes nearest to the limits and what is too much."""
    best, symbols = search.best, search.question.minimise
    within = f" within {told(search.question.limits)}" if search.question.limits else ""
    if best is not None and len(symbols) == 1:
        return f"best by {symbols[0]}{within}: {best.label}"
    if best is not None:
        count = f"{len(search.front)} on the front of {' and '.join(symbols)}{within}"
        return f"{count}; the most balanced: {best.label}"
    nearest = search.nearest
    return (
        f"no candidate keeps to {told(search.question.limits)}; the nearest is '{nearest.label}' with "
        f"{', '.join(_miss(nearest, symbol, limit) for symbol, limit in search.question.limits.items())}; "
        f"allow more, try more candidates, or name a space with stronger methods"
    )


def _miss(candidate: Candidate, symbol: str, limit: float) -> str:
    mean = candidate.mean(symbol)
    if mean is None or mean != mean:
        return f"{symbol} unknown"
    return f"{symbol} {mean:.4g}" + (f", {mean - limit:.3g} too much" if mean > limit else "")


def _title(search: Search) -> str:
    tried, candidates = len(search.tried), len(search.study.candidates)
    failed = sum(candidate.error is not None for candidate in search.study.candidates)
    counts = [
        f"{_counted(tried, 'trial')} of {_counted(candidates, 'candidate')}",
        f"{len(search.meeting)} meet the limits",
    ]
    return ", ".join([*counts, *([f"{failed} failed"] if failed else [])])


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _shown(search: Search) -> list[Candidate]:
    """Return the candidates of the table: the front of two figures, the best by one, or the first where none meets."""
    first = search.question.minimise[0]
    if len(search.question.minimise) > 1 and search.front:
        return list(search.front)
    known = [candidate for candidate in search.study.candidates if candidate.mean(first) is not None]
    among = search.meeting or sorted(known, key=lambda candidate: candidate is not search.nearest)[:1]
    return sorted(among, key=lambda candidate: candidate.mean(first) or 0.0)[:MOST_SHOWN]


def _rows(search: Search) -> list[tuple[str, ...]]:
    symbols = [*search.question.symbols]
    symbols += [symbol for symbol in search.study.titles if symbol not in symbols]
    rows = [tuple(_figure(candidate, symbol) for symbol in symbols) for candidate in _shown(search)]
    labels = [candidate.label for candidate in _shown(search)]
    return [("candidate", *symbols), *((label, *row) for label, row in zip(labels, rows, strict=True))]


def _figure(candidate: Candidate, symbol: str) -> str:
    mean, deviation = candidate.mean(symbol), candidate.deviation(symbol)
    if mean is None:
        return "-"
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} ± {deviation:.2f}"


def _notes(search: Search) -> list[str]:
    notes = [f"{symbol}: {title}" for symbol, title in search.study.titles.items() if symbol in search.question.symbols]
    if search.unfinished:
        why = "the time was up" if search.ended is Ended.TIME else "interrupted"
        notes.append(f"{why}: {_counted(search.unfinished, 'trial')} not done")
    notes.extend(f"left out: {why}" for why in search.left_out)
    failures = [candidate for candidate in search.study.candidates if candidate.error is not None]
    notes.extend(f"failed: {candidate.label}: {candidate.error}" for candidate in failures[:MOST_TOLD])
    if len(failures) > MOST_TOLD:
        notes.append(f"failed: {len(failures) - MOST_TOLD} more, in the table of trials")
    return ["", *notes] if notes else []
