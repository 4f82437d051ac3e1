"""`sfumato methods`: every method, measure and improver, from their own docstrings."""

from typing import Any

from rich.markup import escape

from sfumato.catalogue import describe, recipe_snippet
from sfumato.cli.console import print_json, results, table
from sfumato.contracts import Improver, MaskingMethod, Measure
from sfumato.errors import SfumatoError, did_you_mean
from sfumato.plugins import ALL_TABLES, origin_of

Listed = type[MaskingMethod] | type[Measure] | type[Improver]
MEASURING = ("risk", "loss")


def run_methods(name: str | None, *, as_json: bool) -> None:
    """List all methods, measures and improvers, or show one."""
    if name is None:
        entries = [listed(room, record) for room, records in ALL_TABLES.items() for record in records.values()]
        print_json(entries) if as_json else _show_all(entries)
        return
    room, record = _found(name)
    print_json(listed(room, record)) if as_json else _show_one(record)


def listed(room: str, record: Listed) -> dict[str, Any]:
    """Return what the listing says of one method, measure or improver."""
    description = describe(record)
    return {
        "name": record.name(),
        "room": room,
        "family": record.family,
        "kinds": sorted(record.kinds),
        "layout": description.layout or None,
        "symbol": description.symbol or None,
        "summary": description.summary,
        "parameters": record.model_json_schema(),
        "source": description.sections.get("Source", ""),
        "package": origin_of(record) or None,
    }


def _found(name: str) -> tuple[str, Listed]:
    for room, records in ALL_TABLES.items():
        for record in records.values():
            if name in (record.name(), getattr(record, "symbol", "")):
                return room, record
    known = [known for records in ALL_TABLES.values() for known in records]
    nearest = did_you_mean(name, known) or ": see sfumato methods"
    raise SfumatoError(f"there is no method, measure or improver '{name}'{nearest}")


def _show_all(entries: list[dict[str, Any]]) -> None:
    for room in ALL_TABLES:
        has_symbols = room in MEASURING
        symbol = ("symbol",) if has_symbols else ()
        made = table(room, "name", *symbol, "family", "kinds", "what it does")
        for entry in entries:
            if entry["room"] == room:
                own = (entry["symbol"],) if has_symbols else ()
                made.add_row(entry["name"], *own, entry["family"], ", ".join(entry["kinds"]), entry["summary"])
        results().print(made)
        results().print()
    results().print("sfumato methods NAME shows one in full.")


def _show_one(record: Listed) -> None:
    description, console = describe(record), results()
    symbol = f", {description.symbol}" if description.symbol else ""
    console.print(f"[bold]{description.title}[/bold] ({description.name}{symbol}): {description.summary}\n")
    if description.details:
        console.print(f"{description.details}\n", markup=False)
    if origin := origin_of(record):
        console.print(f"From the package {origin}.\n", markup=False)
    made = table("Parameters", "name", "range", "default", "meaning")
    for parameter in description.parameters:
        made.add_row(*map(escape, (parameter.name, parameter.range, parameter.default or "", parameter.text)))
    console.print(made)
    for heading, text in description.sections.items():
        console.print(f"\n[bold]{heading}[/bold]")
        console.print(f"  {text}", markup=False)
    if issubclass(record, MaskingMethod | Improver):
        console.print("\n[bold]In a recipe[/bold]")
        console.print(recipe_snippet(record), markup=False)
