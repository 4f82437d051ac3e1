"""List everything that has a name in YAML, or find one by its name."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from sfumato.catalogue import describe, entry_snippet, recipe_snippet, sample_values
from sfumato.contracts import Improver, MaskingMethod, Named
from sfumato.contracts.named import ColumnRecord
from sfumato.display import Table, header_column, join_parts, text_column, wrap_text
from sfumato.errors import SfumatoError, did_you_mean
from sfumato.execution.folders import way
from sfumato.jobs.result import JobResult
from sfumato.plugins import ALL_TABLES, origin_of
from sfumato.scores import SCORES
from sfumato.tables import PROTECTIONS, RULES, Protection, Rule

FUNCTIONS = wrap_text(
    "Functions for Python, such as corrected_moments and link_decisions, have no name in YAML: the page 'For users of "
    "masked data' walks through them, and the page 'Python' lists them all."
)
Listed = type[Named]
LISTINGS: dict[str, Mapping[str, Any]] = {**ALL_TABLES, "protections": PROTECTIONS, "rules": RULES}
"""Every table of records, by the heading of its listing."""


@dataclass(frozen=True)
class MethodEntry:
    """A method, measure, improver, table protection or sensitivity rule, and the listing it is in."""

    room: str
    record: Listed

    @property
    def origin(self) -> str:
        """The package that it came from; nothing for Sfumato's own."""
        return origin_of(self.record) if issubclass(self.record, ColumnRecord) else ""

    def parts(self) -> Iterator[Table | str]:
        """Yield all that it says of itself: what it does, its parameters, the sections of its docstring, its YAML."""
        description = describe(self.record)
        symbol = f", {description.symbol}" if description.symbol else ""
        yield wrap_text(f"{description.title} ({description.name}{symbol}): {description.summary}")
        yield from map(wrap_paragraph, filter(None, description.details.split("\n\n")))
        if self.origin:
            yield f"From the package {self.origin}."
        yield description.to_table()
        if issubclass(self.record, MaskingMethod):
            yield wrap_text(f"Files larger than memory: {way(self.record(**sample_values(self.record)))}.")
        for heading, text in description.sections.items():
            yield _section(heading, wrap_text(text))
        if issubclass(self.record, MaskingMethod | Improver):
            yield _section("In a recipe", recipe_snippet(self.record))
        if issubclass(self.record, Protection | Rule):
            yield _section("In a specification of tables", entry_snippet(self.record, self.room))

    def to_dict(self) -> dict[str, Any]:
        """Return what the listing says of it."""
        description = describe(self.record)
        return {
            "name": self.record.name(),
            "room": self.room,
            "family": description.family,
            "kinds": list(description.kinds),
            "layout": description.layout or None,
            "symbol": description.symbol or None,
            "summary": description.summary,
            "parameters": self.record.model_json_schema(),
            "source": description.sections.get("Source", ""),
            "package": self.origin or None,
        }


@dataclass(frozen=True, kw_only=True)
class MethodsResult(JobResult):
    """Everything that has a name, or the one that was asked for."""

    entries: tuple[MethodEntry, ...]
    name: str | None = None

    def to_dict(self) -> Any:
        """Return a list of all, or the one that was asked for."""
        plain = [entry.to_dict() for entry in self.entries]
        return plain if self.name is None else plain[0]

    def __str__(self) -> str:
        return join_parts(self.parts())

    def parts(self) -> Iterable[Table | str]:
        """Return a table for each listing, or the one that was asked for in full."""
        if self.name is not None:
            return self.entries[0].parts()
        return (*self.to_tables(), _score_table(), "sfumato methods NAME shows one in full.", FUNCTIONS)

    def to_tables(self) -> tuple[Table, ...]:
        """Return a table for each listing."""
        return tuple(_listing(room, self.entries) for room in LISTINGS)


def methods(name: str | None = None) -> MethodsResult:
    """List every method, measure, improver, protection and rule, or find one by its name or symbol."""
    entries = [MethodEntry(room, record) for room, records in LISTINGS.items() for record in records.values()]
    if name is None:
        return MethodsResult(entries=tuple(entries))
    for entry in entries:
        if name in (entry.record.name(), getattr(entry.record, "symbol", "")):
            return MethodsResult(entries=(entry,), name=name)
    if name in SCORES or name in {score.symbol for score in SCORES.values()}:
        raise SfumatoError(f"'{name}' is a score, with a formula and no parameters: see the end of sfumato methods")
    nearest = did_you_mean(name, [entry.record.name() for entry in entries]) or ": see sfumato methods"
    raise SfumatoError(f"there is no method, measure, improver, protection or rule '{name}'{nearest}")


def wrap_paragraph(text: str) -> str:
    r"""Return a paragraph in lines of the usual width; each item of a list begins on a line of its own.

    Examples
    --------
    >>> wrap_paragraph("- one,\n  which goes on\n- two")
    '- one, which goes on\n- two'
    """
    if not text.startswith("- "):
        return wrap_text(text)
    items = [wrap_text(" ".join(item.split())) for item in re.split(r"\n(?=- )", text)]
    return "\n".join(item.replace("\n", "\n  ") for item in items)


def _score_table() -> Table:
    """Return the scores with their formulas."""
    return Table(
        (header_column("name"), *map(text_column, ("symbol", "formula", "source"))),
        tuple((score.name, score.symbol, score.formula, score.source) for score in SCORES.values()),
        title="scores",
    )


def _listing(room: str, entries: Iterable[MethodEntry]) -> Table:
    """Return the table of one listing; only measures have symbols."""
    described = [describe(entry.record) for entry in entries if entry.room == room]
    symbols = any(one.symbol for one in described)
    return Table(
        (
            header_column("name"),
            *map(text_column, (*(["symbol"] if symbols else []), "family", "kinds", "what it does")),
        ),
        tuple(
            (one.name, *([one.symbol] if symbols else []), one.family, ", ".join(one.kinds), one.summary)
            for one in described
        ),
        title=room,
    )


def _section(heading: str, text: str) -> str:
    return f"{heading}\n{indent(text, '  ')}"
