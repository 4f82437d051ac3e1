"""The output checker's page: what needs eyes and why, then everything else; no figure but the shown ones."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sfumato.display import (
    Cell,
    Table,
    bullet_list,
    detail_column,
    format_count,
    header_column,
    heading,
    paragraph,
    render_page,
    text_column,
)
from sfumato.outputs.shown_table import ShownTable
from sfumato.storage.atomic import write_text

if TYPE_CHECKING:
    from sfumato.outputs.project import Entry, Project

PAGE = "review.html"
MAX_REASONS = 2  # that the line of an output says
STYLES = {"safe": "good", "protected": "good", "review": "bad", "unsafe": "bad"}


def write_page(project: "Project") -> None:
    """Write the page of a project."""
    write_text(project.folder / PAGE, render_review(project.entries, project))


def render_review(entries: Iterable["Entry"], project: "Project") -> str:
    """Return the page as HTML."""
    every = list(entries)
    logs = len({entry.plain["log"] for entry in every})
    eyes = [entry for entry in every if entry.needs_eyes]
    rules = ", ".join(f"{name} {value}" for name, value in project.rules.to_plain().items()) or "the defaults"
    notice = f"{format_count(len(eyes), 'output')} to look at" if eyes else ""
    parts = [
        *([] if eyes else [paragraph("No output needs a closer look.")]),
        paragraph(
            f"{format_count(len(every), 'output')} of {format_count(logs, 'log')}. Each was audited together with all "
            f"others. A dash stands for a figure that is hidden. Rules: {rules}."
        ),
        overview(every).to_html(),
    ]
    others = [entry for entry in every if not entry.needs_eyes]
    for title, chosen in (("To look at", eyes), ("All others" if eyes else "All outputs", others)):
        if chosen:
            parts += [heading(title), *(part for entry in chosen for part in _entry(entry))]
    return render_page(f"Outputs of {project.folder.name}", parts, notice=notice)


def overview(entries: Iterable["Entry"]) -> Table:
    """Return a line for each output; one alone says all its reasons."""
    every = list(entries)
    columns = (header_column("output"), text_column("status"), text_column("decision"), detail_column("why"))
    rows = tuple(
        (
            entry.name,
            Cell(entry.plain["status"], style=STYLES[entry.plain["status"]]),
            entry.decision,
            _in_short(entry.plain["reasons"]) if len(every) > 1 else "; ".join(entry.plain["reasons"]),
        )
        for entry in every
    )
    return Table(columns, rows)


def _in_short(reasons: Sequence[str]) -> str:
    """Return the first reasons, and how many more there are; the section of the output has them all."""
    more = [f"and {len(reasons) - MAX_REASONS} more"] if len(reasons) > MAX_REASONS else []
    return "; ".join([*reasons[:MAX_REASONS], *more])


def _entry(entry: "Entry") -> Iterator[str]:
    plain = entry.plain
    yield heading(f"{entry.name}: {plain['status']}", 3)
    yield paragraph(plain["request"])
    if plain["exception"]:
        yield paragraph(f"Exception asked for by {plain['log']}: {plain['exception']}")
    if plain["reasons"]:
        yield bullet_list(plain["reasons"])
    yield ShownTable.from_dict(plain["shown"]).to_display("").to_html()
    decision = plain["decision"]
    if decision["is"] != "waiting":
        reason = f": {decision['reason']}" if decision["reason"] else ""
        yield paragraph(f"{decision['is'].capitalize()} by {decision['by']}{reason}")
