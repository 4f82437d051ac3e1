"""Results as tables that fit the console."""

from collections import Counter
from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from sfumato.catalogue import describe, entry_snippet, recipe_snippet
from sfumato.contracts import Improver, MaskingMethod
from sfumato.display import Column, Table, format_compact, text_column
from sfumato.jobs.describe import DescribeResult
from sfumato.jobs.improve import ImproveResult
from sfumato.jobs.methods import LISTINGS, MethodEntry, MethodsResult
from sfumato.jobs.papers import PapersResult
from sfumato.papers import Figure
from sfumato.tables import Protection, Rule

WITH_SYMBOLS = ("risk", "loss")


def description_table(result: DescribeResult) -> Table:
    """Return what a file holds, a row for each column."""
    missing = [f"{100 * column.missing / result.records:.1f} %" if column.missing else "" for column in result.columns]
    return Table(
        columns=(
            *map(text_column, ("column", "kind", "role")),
            Column("missing"),
            *map(text_column, ("what it holds", "label")),
        ),
        rows=tuple(
            (column.name, column.kind, column.role, percent, column.content, column.label)
            for column, percent in zip(result.columns, missing, strict=True)
        ),
        title=result.title,
    )


def improvement_table(result: ImproveResult) -> Table:
    """Return the figures before and after an improvement."""
    digits = {True: ".4g", False: ".2f"}  # E is small
    return Table(
        columns=(text_column("figure"), Column("before"), Column("after"), text_column("what it is")),
        rows=tuple(
            (change.symbol, f"{change.before:{form}}", f"{change.after:{form}}", change.meaning)
            for change in result.figures
            for form in [digits[change.symbol == "E"]]
        ),
        title=result.improver.name(),
    )


def method_listing(result: MethodsResult) -> Iterator[RenderableType | Table]:
    """Yield a table for each listing, or one record in full."""
    if result.name is not None:
        yield from _in_full(result.entries[0])
        return
    for room in LISTINGS:
        symbol = ("symbol",) if room in WITH_SYMBOLS else ()
        described = [describe(entry.record) for entry in result.entries if entry.room == room]
        rows = tuple(
            (one.name, *([one.symbol] if symbol else []), one.family, ", ".join(one.kinds), one.summary)
            for one in described
        )
        yield Table(tuple(map(text_column, ("name", *symbol, "family", "kinds", "what it does"))), rows, title=room)
        yield ""
    yield "sfumato methods NAME shows one in full."


def paper_tables(result: PapersResult) -> Iterator[RenderableType | Table]:
    """Yield the figures of each paper; notes that several figures share stand below its table, once."""
    for name, figures in result.papers.items():
        notes = [note for note, count in Counter(figure.note for figure in figures).items() if note and count > 1]
        yield _figure_table(name, figures, notes)
        for number, note in enumerate(notes, start=1):
            yield f"({number}) {note}"
        yield ""


def _figure_table(name: str, figures: tuple[Figure, ...], notes: list[str]) -> Table:
    rows = tuple(
        (
            figure.figure.removeprefix(name).lstrip(",: "),
            figure.kind,
            format_compact(figure.printed),
            format_compact(figure.ours),
            format_compact(figure.tolerance) if figure.tolerance else "",
            figure.verdict if figure.agrees else f"{figure.verdict} (!)",
            f"({notes.index(figure.note) + 1})" if figure.note in notes else figure.note,
        )
        for figure in figures
    )
    numbers = map(Column, ("printed", "ours", "tolerance"))
    texts = map(text_column, ("figure", "kind", "verdict", "note"))
    return Table((next(texts), next(texts), *numbers, *texts), rows, title=name)


def _in_full(entry: MethodEntry) -> Iterator[RenderableType | Table]:
    record, description = entry.record, describe(entry.record)
    symbol = f", {description.symbol}" if description.symbol else ""
    yield Text.assemble((description.title, "bold"), f" ({description.name}{symbol}): {description.summary}\n")
    if description.details:
        yield Text(f"{description.details}\n")
    if entry.origin:
        yield Text(f"From the package {entry.origin}.\n")
    yield Table(
        columns=tuple(map(text_column, ("name", "range", "default", "meaning"))),
        rows=tuple((one.name, one.range, one.default or "", one.text) for one in description.parameters),
        title="Parameters",
    )
    for heading, text in description.sections.items():
        yield Text(f"\n{heading}", style="bold")
        yield Text(f"  {text}")
    if issubclass(record, MaskingMethod | Improver):
        yield Text("\nIn a recipe", style="bold")
        yield Text(recipe_snippet(record))
    if issubclass(record, Protection | Rule):
        yield Text("\nIn a specification of tables", style="bold")
        yield Text(entry_snippet(record, entry.room))
