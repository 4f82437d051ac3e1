"""Results as tables that fit the console."""

from collections import Counter
from collections.abc import Iterator

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from sfumato.catalogue import describe, entry_snippet, recipe_snippet
from sfumato.cli.console import table
from sfumato.contracts import Improver, MaskingMethod
from sfumato.jobs.describe import DescribeResult
from sfumato.jobs.improve import ImproveResult
from sfumato.jobs.methods import LISTINGS, MethodEntry, MethodsResult
from sfumato.jobs.papers import PapersResult
from sfumato.papers import Figure
from sfumato.tables import Protection, Rule

WITH_SYMBOLS = ("risk", "loss")


def description_table(result: DescribeResult) -> Table:
    """Return what a file holds, a row for each column."""
    headings = ("column", "kind", "role", "missing", "what it holds", "label")
    made = table(result.title, *headings, numbers=("missing",))
    for column in result.columns:
        percent = 100 * column.missing / max(result.records, 1)
        missing = f"{percent:.1f} %" if column.missing else ""
        made.add_row(*map(escape, (column.name, column.kind, column.role, missing, column.content, column.label)))
    return made


def improvement_table(result: ImproveResult) -> Table:
    """Return the figures before and after an improvement."""
    made = table(result.improver.name(), "figure", "before", "after", "what it is", numbers=("before", "after"))
    for change in result.figures:
        form = ".4g" if change.symbol == "E" else ".2f"
        made.add_row(change.symbol, f"{change.before:{form}}", f"{change.after:{form}}", change.meaning)
    return made


def method_listing(result: MethodsResult) -> Iterator[RenderableType]:
    """Yield a table for each listing, or one record in full."""
    if result.name is not None:
        yield from _in_full(result.entries[0])
        return
    for room in LISTINGS:
        symbol = ("symbol",) if room in WITH_SYMBOLS else ()
        made = table(room, "name", *symbol, "family", "kinds", "what it does")
        for record in (entry.record for entry in result.entries if entry.room == room):
            description = describe(record)
            own = (description.symbol,) if symbol else ()
            made.add_row(record.name(), *own, description.family, ", ".join(description.kinds), description.summary)
        yield made
        yield ""
    yield "sfumato methods NAME shows one in full."


def paper_tables(result: PapersResult) -> Iterator[RenderableType]:
    """Yield the figures of each paper; notes that several figures share stand below its table, once."""
    for name, figures in result.papers.items():
        notes = [note for note, count in Counter(figure.note for figure in figures).items() if note and count > 1]
        yield _figure_table(name, figures, notes)
        for number, note in enumerate(notes, start=1):
            yield f"({number}) {note}"
        yield ""


def _figure_table(name: str, figures: tuple[Figure, ...], notes: list[str]) -> Table:
    numbers = ("printed", "ours", "tolerance")
    made = table(name, "figure", "kind", "printed", "ours", "tolerance", "verdict", "note", numbers=numbers)
    for figure in figures:
        made.add_row(
            figure.figure.removeprefix(name).lstrip(",: "),
            figure.kind,
            _number(figure.printed),
            _number(figure.ours),
            _number(figure.tolerance) if figure.tolerance else "",
            figure.verdict if figure.agrees else f"{figure.verdict} (!)",
            f"({notes.index(figure.note) + 1})" if figure.note in notes else figure.note,
        )
    return made


def _in_full(entry: MethodEntry) -> Iterator[RenderableType]:
    record, description = entry.record, describe(entry.record)
    symbol = f", {description.symbol}" if description.symbol else ""
    yield Text.assemble((description.title, "bold"), f" ({description.name}{symbol}): {description.summary}\n")
    if description.details:
        yield Text(f"{description.details}\n")
    if entry.origin:
        yield Text(f"From the package {entry.origin}.\n")
    made = table("Parameters", "name", "range", "default", "meaning")
    for parameter in description.parameters:
        made.add_row(*map(escape, (parameter.name, parameter.range, parameter.default or "", parameter.text)))
    yield made
    for heading, text in description.sections.items():
        yield Text(f"\n{heading}", style="bold")
        yield Text(f"  {text}")
    if issubclass(record, MaskingMethod | Improver):
        yield Text("\nIn a recipe", style="bold")
        yield Text(recipe_snippet(record))
    if issubclass(record, Protection | Rule):
        yield Text("\nIn a specification of tables", style="bold")
        yield Text(entry_snippet(record, entry.room))


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"
