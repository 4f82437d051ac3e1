"""List every method, measure and improver, or find one by its name."""

from dataclasses import dataclass
from typing import Any

from sfumato.catalogue import describe
from sfumato.contracts import Improver, MaskingMethod, Measure
from sfumato.errors import SfumatoError, did_you_mean
from sfumato.jobs.result import JobResult
from sfumato.plugins import ALL_TABLES, origin_of

Listed = type[MaskingMethod] | type[Measure] | type[Improver]


@dataclass(frozen=True)
class MethodEntry:
    """A method, measure or improver, and the room it is in."""

    room: str
    record: Listed

    def to_dict(self) -> dict[str, Any]:
        """Return what the listing says of it."""
        description = describe(self.record)
        return {
            "name": self.record.name(),
            "room": self.room,
            "family": self.record.family,
            "kinds": sorted(self.record.kinds),
            "layout": description.layout or None,
            "symbol": description.symbol or None,
            "summary": description.summary,
            "parameters": self.record.model_json_schema(),
            "source": description.sections.get("Source", ""),
            "package": origin_of(self.record) or None,
        }


@dataclass(frozen=True, kw_only=True)
class MethodsResult(JobResult):
    """All methods, measures and improvers, or the one that was asked for by name."""

    entries: tuple[MethodEntry, ...]
    name: str | None = None

    def to_dict(self) -> Any:
        """Return a list of all, or the one that was asked for."""
        plain = [entry.to_dict() for entry in self.entries]
        return plain if self.name is None else plain[0]

    def __str__(self) -> str:
        return "\n".join(f"{entry.record.name()}: {describe(entry.record).summary}" for entry in self.entries)


def methods(name: str | None = None) -> MethodsResult:
    """List every method, measure and improver, or find one by its name or symbol."""
    entries = [MethodEntry(room, record) for room, records in ALL_TABLES.items() for record in records.values()]
    if name is None:
        return MethodsResult(entries=tuple(entries))
    for entry in entries:
        if name in (entry.record.name(), getattr(entry.record, "symbol", "")):
            return MethodsResult(entries=(entry,), name=name)
    nearest = did_you_mean(name, [entry.record.name() for entry in entries]) or ": see sfumato methods"
    raise SfumatoError(f"there is no method, measure or improver '{name}'{nearest}")
