"""Compute the figures of the classic papers, and compare them with the printed ones."""

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from sfumato.datasets.reference import FOLDER_VARIABLE
from sfumato.display import Column, Table, format_compact, header_column, join_parts, text_column
from sfumato.errors import FileError, ParameterError
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.papers import PAPERS, Figure, Files
from sfumato.papers.headline import headline


@dataclass(frozen=True, kw_only=True)
class PapersResult(JobResult):
    """The figures of each paper, by its name."""

    papers: dict[str, tuple[Figure, ...]]

    @property
    def figures(self) -> list[Figure]:
        """The figures of all papers."""
        return [figure for part in self.papers.values() for figure in part]

    def to_dict(self) -> list[dict[str, Any]]:
        """Return every figure."""
        return [figure.to_dict() for figure in self.figures]

    def __str__(self) -> str:
        return join_parts(self.parts())

    def parts(self) -> tuple[Table | str, ...]:
        """Return the figures of each paper, and how many came out."""
        return (*self.to_tables(), self.verdict)

    def to_tables(self) -> tuple[Table, ...]:
        """Return the figures of each paper."""
        return tuple(_figure_table(name, figures) for name, figures in self.papers.items())

    @property
    def verdict(self) -> str:
        """How many figures there are, how many of them can fail, and how they came out."""
        return headline(self.figures)


def papers(
    data: str | Path | None = None, *, seed: int = 0, only: str = "", on_progress: OnProgress = ignore_progress
) -> PapersResult:
    """Compute the figures of the papers; it fails where one came out otherwise than its kind asks.

    Parameters
    ----------
    data
        The folder of the reference files census.csv and eia.csv; that of `SFUMATO_DATA` when not given. With neither,
        what needs no file is run, and a notice names the rest.
    seed
        Where all random draws begin.
    only
        Only the papers, or parts of papers, with this word in their name.
    on_progress
        Called before each paper.
    """
    names = [name for name in PAPERS if only.lower() in name.lower()]
    if not names:
        raise ParameterError([f"only must be a word of one of {'; '.join(PAPERS)}; got '{only}'"])
    files, found, notices = Files(None if data is None else Path(data)), {}, []
    lacking: list[str] = []
    reason = ""
    for number, name in enumerate(names):
        start = perf_counter()
        on_progress(Stage(name, number, len(names)))
        try:
            found[name] = tuple(PAPERS[name](files, seed))
        except FileError as error:
            if data is not None or os.environ.get(FOLDER_VARIABLE):
                raise
            lacking.append(name)
            reason = str(error)
            continue
        notices.append(f"{name}: {len(found[name])} figures in {perf_counter() - start:.1f} s")
    if not found:
        raise FileError(reason)
    if lacking:
        notices.append(f"NOT RUN, as they need the reference files: {'; '.join(lacking)}. {reason}.")
    agree = all(figure.agrees for part in found.values() for figure in part)
    return PapersResult(papers=found, notices=tuple(notices), ending=JobEnding.DONE if agree else JobEnding.FAILED)


def _figure_table(name: str, figures: tuple[Figure, ...]) -> Table:
    """Return the figures of a paper; a note that several of them share stands below the table, once."""
    notes = [note for note, count in Counter(figure.remark for figure in figures).items() if note and count > 1]
    rows = tuple(
        (
            figure.figure.removeprefix(name).lstrip(",: "),
            figure.kind,
            format_compact(figure.printed),
            format_compact(figure.ours),
            format_compact(figure.tolerance) if figure.tolerance else "",
            figure.verdict if figure.agrees else f"{figure.verdict} (!)",
            f"({notes.index(figure.remark) + 1})" if figure.remark in notes else figure.remark,
        )
        for figure in figures
    )
    numbers = map(Column, ("printed", "ours", "tolerance"))
    return Table(
        (header_column("figure"), text_column("kind"), *numbers, *map(text_column, ("verdict", "note"))),
        rows,
        title=name,
        notes=tuple(f"({number}) {note}" for number, note in enumerate(notes, start=1)),
    )
