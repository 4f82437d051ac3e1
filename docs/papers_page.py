"""Write what is computed on the page about the papers, its tables and pictures; `make papers` runs it."""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sfumato.display import Column, Table, format_compact, text_column
from sfumato.papers import PAPERS, Figure, FigureKind, Files
from sfumato.papers.figure import FAILS, HOLDS, UNDECIDED
from sfumato.papers.headline import expected_alarms, headline
from sfumato.papers.inventory import INVENTORY, Item, ItemKind
from sfumato.papers.outliers.drawing import write_pictures
from sfumato.papers.outliers.lines import mean_pictures
from sfumato.papers.outliers.runs import outlier_runs
from sfumato.papers.power import STATISTICAL
from sfumato.papers.spread import SPREADS

PAGE = Path(__file__).parent / "papers.md"
PICTURES = Path(__file__).parent / "papers"
MARKS = {
    name: (f"<!-- {name}: made by `make papers` -->\n", f"<!-- end of {name} -->\n") for name in ("contents", "figures")
}
SEED = 0


def main() -> None:
    """Compute all figures of all papers with the seed of the command, and write them to the page."""
    files = Files()
    figures = {name: list(paper(files, SEED)) for name, paper in PAPERS.items()}
    write_pictures(mean_pictures(list(outlier_runs(files, SEED))), PICTURES)
    page = with_block(PAGE.read_text(encoding="utf-8"), "contents", contents(figures))
    PAGE.write_text(with_block(page, "figures", all_figures(figures)), encoding="utf-8")


def with_block(page: str, name: str, text: str) -> str:
    """Return the page with this text between the two marks of a name."""
    begin, end = MARKS[name]
    before, mark, rest = page.partition(begin)
    _, last, after = rest.partition(end)
    if not (mark and last):
        sys.exit(f"the page needs the line '{begin.strip()}' and, below it, '{end.strip()}'")
    return f"{before}{mark}\n{text}\n{end}{after}"


def all_figures(figures: Mapping[str, Iterable[Figure]]) -> str:
    """Return the tables of all papers."""
    return "\n".join(paper_table(name, part) for name, part in figures.items())


def paper_table(name: str, figures: Iterable[Figure]) -> str:
    """Return the figures of a paper as a Markdown table under its name."""
    columns = (*map(text_column, ("Figure", "Kind")), *map(Column, ("Printed", "Here", "Tolerance")))
    columns += (text_column("Verdict"), text_column("Note"))
    rows = tuple(_row(figure, figure.figure.removeprefix(name).lstrip(",: ")) for figure in figures)
    return f"### {name[0].upper()}{name[1:]}\n\n{Table(columns, rows).to_markdown()}\n"


def contents(figures: Mapping[str, Sequence[Figure]]) -> str:
    """Return what is judged, and the table of all that the papers have."""
    every = [figure for part in figures.values() for figure in part]
    columns = tuple(map(text_column, ("What", "Kind", "Where", "Verdict", "Note")))
    tables = [
        f"**{paper[0].upper()}{paper[1:]}**\n\n"
        + Table(columns, tuple(_item_row(item, every) for item in items)).to_markdown()
        + "\n"
        for paper, items in INVENTORY.items()
    ]
    return "\n".join(
        [
            f"{headline(every)} {rates_that_come_out(every)}\n",
            drawn_table(figures),
            *tables,
        ]
    )


def rates_that_come_out(figures: Sequence[Figure]) -> str:
    """Return how many of all that could be judged come out: what does not is not among what is judged."""
    judged = [figure for figure in figures if figure.kind is FigureKind.STATISTICAL]
    outside = [figure for figure in figures if figure.kind is FigureKind.OUTSIDE and figure.is_steady]
    steady = judged + outside
    come_out = [figure for figure in judged if figure.agrees]
    unsteady = sum(figure.kind is FigureKind.OUTSIDE for figure in figures) - len(outside)
    own, of_own = (sum(not figure.follows for figure in some) for some in (come_out, steady))
    sentences = Counter(figure.ours for figure in figures if figure.printed == HOLDS)
    return (
        f"Of {len(steady)} drawn figures that are steady {len(come_out)} are judged and come out "
        f"({100 * len(come_out) / max(len(steady), 1):.0f} %), of those of their own {own} of {of_own} "
        f"({100 * own / max(of_own, 1):.0f} %); {unsteady} more that are outside are not steady; of "
        f"{sentences.total()} sentences, judged or not, {sentences[HOLDS]} hold, {sentences[FAILS]} do not, and "
        f"{sentences[UNDECIDED]} cannot be told apart. Had the papers printed other runs of the same, "
        f"{expected_alarms(figures):.1f} of the judged figures would be expected outside their tolerances by chance; "
        "this is not a chance over our seeds, which hardly move them."
    )


def drawn_table(figures: Mapping[str, Sequence[Figure]]) -> str:
    """Return for each part how many figures are drawn, and what becomes of them."""
    headings = ("Drawn", "Judged", "Of their own", "Following", "Tell half the noise too", "Outside", "Not judged")
    rows = [(name, *_counts(figures[name])) for name in STATISTICAL if name in figures]
    rows.append(("all", *(sum(counts) for counts in zip(*(row[1:] for row in rows), strict=True))))
    shown = tuple((name, *map(str, counts)) for name, *counts in rows)
    return f"{Table((text_column('Part'), *map(Column, headings)), shown).to_markdown()}\n"


def _counts(figures: Sequence[Figure]) -> tuple[int, ...]:
    drawn = [figure for figure in figures if figure.runs]
    judged = [figure for figure in drawn if figure.kind is FigureKind.STATISTICAL]
    own = sum(not figure.follows for figure in judged)
    two_sided = sum(SPREADS[figure.figure].is_two_sided(len(figure.runs)) for figure in judged)
    outside = sum(figure.kind is FigureKind.OUTSIDE for figure in drawn)
    return len(drawn), len(judged), own, len(judged) - own, two_sided, outside, len(drawn) - len(judged) - outside


def _item_row(item: Item, figures: Sequence[Figure]) -> tuple[str, ...]:
    is_computed = item.kind is ItemKind.FIGURES and item.standing is None
    where = "below" if is_computed else ", ".join(f"`{name}`" for name in item.where)
    return (item.text, item.kind.value, where, item.outcome(figures), item.note)


def _row(figure: Figure, name: str) -> tuple[str, ...]:
    tolerance = format_compact(figure.tolerance) if figure.tolerance else ""
    numbers = (format_compact(figure.printed), format_compact(figure.ours), tolerance)
    return (name, figure.kind, *numbers, figure.verdict, figure.remark)


if __name__ == "__main__":
    main()
