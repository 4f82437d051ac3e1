"""Write what is computed on the page about the papers, its tables and pictures; `make papers` runs it."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from sfumato.display import Column, Table, format_compact, text_column
from sfumato.papers import PAPERS, Figure, Files
from sfumato.papers.outliers.drawing import write_pictures
from sfumato.papers.outliers.runs import outlier_pictures

PAGE = Path(__file__).parent / "papers.md"
PICTURES = Path(__file__).parent / "papers"
BEGIN, END = "<!-- figures: made by `make papers` -->\n", "<!-- end of figures -->\n"
SEED = 0


def main() -> None:
    """Compute all figures of all papers with the seed of the command, and write them to the page."""
    files = Files()
    figures = {name: list(paper(files, SEED)) for name, paper in PAPERS.items()}
    write_pictures(outlier_pictures(files, SEED), PICTURES)
    PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")


def with_figures(page: str, figures: Mapping[str, Iterable[Figure]]) -> str:
    """Return the page with the tables of these papers between its two marks."""
    before, mark, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (mark and end):
        sys.exit(f"the page needs the line '{BEGIN.strip()}' and, below it, '{END.strip()}'")
    tables = "\n".join(paper_table(name, part) for name, part in figures.items())
    return f"{before}{mark}\n{tables}\n{end}{after}"


def paper_table(name: str, figures: Iterable[Figure]) -> str:
    """Return the figures of a paper as a Markdown table under its name."""
    columns = (*map(text_column, ("Figure", "Kind")), *map(Column, ("Printed", "Here", "Tolerance")))
    columns += (text_column("Verdict"), text_column("Note"))
    rows = tuple(_row(figure, figure.figure.removeprefix(name).lstrip(",: ")) for figure in figures)
    return f"### {name[0].upper()}{name[1:]}\n\n{Table(columns, rows).to_markdown()}\n"


def _row(figure: Figure, name: str) -> tuple[str, ...]:
    tolerance = format_compact(figure.tolerance) if figure.tolerance else ""
    numbers = (format_compact(figure.printed), format_compact(figure.ours), tolerance)
    return (name, figure.kind, *numbers, figure.verdict, figure.note)


if __name__ == "__main__":
    main()
