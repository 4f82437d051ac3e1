"""`sfumato papers`: the figures of the classic papers, beside those that come out here."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import typer

from sfumato.cli.console import messages, print_json, results, table
from sfumato.errors import ParameterError
from sfumato.papers import PAPERS, Figure, FigureKind, Files, Verdict

NUMBERS = ("printed", "ours", "tolerance")


def run_papers(data: Path | None, *, seed: int, only: str, as_json: bool) -> None:
    """Compute the figures, show them, and exit with 1 if one came out otherwise than its kind asks."""
    named = [name for name in PAPERS if only.lower() in name.lower()]
    if not named:
        raise ParameterError([f"--only must be a word of one of {'; '.join(PAPERS)}; got '{only}'"])
    found = dict(papers(named, Files(data), seed))
    figures = [figure for part in found.values() for figure in part]
    if as_json:
        print_json([figure.to_dict() for figure in figures])
    else:
        for name, part in found.items():
            show(name, part)
        results().print(summary(figures), markup=False, soft_wrap=True)
    if not all(figure.agrees for figure in figures):
        raise typer.Exit(1)


def papers(named: list[str], files: Files, seed: int) -> Iterator[tuple[str, list[Figure]]]:
    """Yield the figures of the named papers, one paper after the other."""
    told = messages()
    for name in named:
        start = perf_counter()
        told.print(f"{name} ...", markup=False)
        part = list(PAPERS[name](files, seed))
        told.print(f"{name}: {len(part)} figures in {perf_counter() - start:.1f} s", markup=False)
        yield name, part


def show(name: str, figures: list[Figure]) -> None:
    """Print the figures of a paper as a table; notes that several figures share stand below it, once."""
    made = table(name, "figure", "kind", "printed", "ours", "tolerance", "verdict", "note", numbers=NUMBERS)
    shared = [note for note, count in Counter(figure.note for figure in figures).items() if note and count > 1]
    for figure in figures:
        made.add_row(
            figure.figure.removeprefix(name).lstrip(",: "),
            figure.kind,
            _shown(figure.printed),
            _shown(figure.ours),
            _shown(figure.tolerance) if figure.tolerance else "",
            figure.verdict if figure.agrees else f"{figure.verdict} (!)",
            f"({shared.index(figure.note) + 1})" if figure.note in shared else figure.note,
        )
    console = results()
    console.print(made)
    for number, note in enumerate(shared, start=1):
        console.print(f"({number}) {note}", markup=False)
    console.print()


def summary(figures: list[Figure]) -> str:
    """Return how many figures there are of each verdict, and how many came out otherwise than asked."""
    verdicts = Counter(figure.verdict for figure in figures)
    counted = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in Verdict)
    reported = sum(figure.kind is FigureKind.REPORT for figure in figures)
    wrong = sum(not figure.agrees for figure in figures)
    judged = f"{wrong} not as asked" if wrong else "all as asked"
    return f"{len(figures)} figures: {counted}. Of these {reported} are only reported; of the others {judged}."


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"
