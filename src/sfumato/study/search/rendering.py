"""The result of a search: in words, with the best candidates in a table."""

from sfumato.display import Column, Table, format_count, header_column, paragraph, render_notebook
from sfumato.parameters.limits import format_limits
from sfumato.study.candidate import Candidate
from sfumato.study.limits import describe_figure
from sfumato.study.rendering import candidate_row, improver_notes, lower_end_notes
from sfumato.study.search.results import Search, SearchEnding

MAX_ROWS = 10
MAX_FAILURES = 3  # failures that are listed one by one


def render_text(search: Search) -> str:
    """Return the result as readable lines: how many were tried, the best, and those next to it."""
    return f"{_title(search)}\n{_table(search).to_text()}"


def render_html(search: Search) -> str:
    """Return the result as HTML that stands alone."""
    return render_notebook([paragraph(_title(search)), _table(search).to_html()])


def verdict(search: Search) -> str:
    """Return one sentence: the best candidate, or which comes nearest to the limits and what is too much."""
    best, symbols = search.best, search.objective.minimise
    within = f" within {format_limits(search.objective.limits)}" if search.objective.limits else ""
    if best is not None and len(symbols) == 1:
        return f"best by {symbols[0]}{within}: {best.label}"
    if best is not None:
        count = f"{len(search.front)} on the front of {' and '.join(symbols)}{within}"
        return f"{count}; the most balanced: {best.label}"
    nearest = search.nearest
    return (
        f"no candidate keeps to {format_limits(search.objective.limits)}; the nearest is '{nearest.label}' with "
        f"{', '.join(describe_figure(nearest, limit) for limit in search.objective.limits)}; "
        f"allow more, try more candidates, or give the search stronger methods"
    )


def _title(search: Search) -> str:
    tried, candidates = len(search.tried), len(search.study.candidates)
    failed = sum(candidate.error is not None for candidate in search.study.candidates)
    counts = [
        f"{format_count(tried, 'trial')} of {format_count(candidates, 'candidate')}",
        f"{len(search.meeting)} meet the limits",
    ]
    return ", ".join([*counts, *([f"{failed} failed"] if failed else [])])


def _best_candidates(search: Search) -> list[Candidate]:
    """Return the candidates of the table: the front of two figures, the best by one, or the first where none meets."""
    first = search.objective.minimise[0]
    if len(search.objective.minimise) > 1 and search.front:
        return list(search.front)
    known = [candidate for candidate in search.study.candidates if candidate.mean(first) is not None]
    among = search.meeting or sorted(known, key=lambda candidate: candidate is not search.nearest)[:1]
    return sorted(among, key=lambda candidate: candidate.mean(first) or 0.0)[:MAX_ROWS]


def _table(search: Search) -> Table:
    symbols = list(dict.fromkeys([*search.objective.symbols, *search.study.titles]))
    titles = search.study.titles
    return Table(
        columns=(header_column("candidate"), *(Column(symbol, hint=titles.get(symbol, "")) for symbol in symbols)),
        rows=tuple(candidate_row(candidate, symbols) for candidate in _best_candidates(search)),
        title=verdict(search),
        notes=tuple(_notes(search)),
    )


def _notes(search: Search) -> list[str]:
    notes = [
        f"{symbol}: {title}" for symbol, title in search.study.titles.items() if symbol in search.objective.symbols
    ]
    notes += improver_notes(_best_candidates(search), search.study.symbols)
    notes += lower_end_notes(_best_candidates(search), search.study.symbols)
    if search.unfinished:
        why = "the time was up" if search.ended is SearchEnding.TIME else "interrupted"
        notes.append(f"{why}: {format_count(search.unfinished, 'trial')} not done")
    notes.extend(f"left out: {why}" for why in search.left_out)
    failures = [candidate for candidate in search.study.candidates if candidate.error is not None]
    notes.extend(f"failed: {candidate.label}: {candidate.error}" for candidate in failures[:MAX_FAILURES])
    if len(failures) > MAX_FAILURES:
        notes.append(f"failed: {len(failures) - MAX_FAILURES} more, in the table of trials")
    return notes
