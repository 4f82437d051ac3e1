"""List everything that has a name in YAML, or find one by its name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.catalogue import describe
from sfumato.contracts import Named
from sfumato.contracts.named import ColumnRecord
from sfumato.errors import SfumatoError, did_you_mean
from sfumato.jobs.result import JobResult
from sfumato.plugins import ALL_TABLES, origin_of
from sfumato.tables import PROTECTIONS, RULES

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
        return "\n".join(f"{entry.record.name()}: {describe(entry.record).summary}" for entry in self.entries)


def methods(name: str | None = None) -> MethodsResult:
    """List every method, measure, improver, protection and rule, or find one by its name or symbol."""
    entries = [MethodEntry(room, record) for room, records in LISTINGS.items() for record in records.values()]
    if name is None:
        return MethodsResult(entries=tuple(entries))
    for entry in entries:
        if name in (entry.record.name(), getattr(entry.record, "symbol", "")):
            return MethodsResult(entries=(entry,), name=name)
    nearest = did_you_mean(name, [entry.record.name() for entry in entries]) or ": see sfumato methods"
    raise SfumatoError(f"there is no method, measure, improver, protection or rule '{name}'{nearest}")
