"""Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection ("Census report").

Tables 1 to 3, of the Census file: one run is printed, and stands beside the mean of ours.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sfumato.papers.census_report import printed_tables as printed
from sfumato.papers.census_report.runs import losses, rates, scores
from sfumato.papers.draws import drawn_figure, runs_of
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files
from sfumato.papers.rounded_parts import half_unit

Cells = Mapping[str, tuple[str, ...]]

RESCALED = ("scalmixadd01", "scalmixadd05", "scalmixadd10", "scalmixadd20")
UNKEPT = "here the rescaled noise keeps the means exactly; the report rescales about the masked means"
MISPRINTED_S1 = {"add01": ".049", "add10": ".133", "mixadd20": ".197"}
KEPT = "rank swapping keeps every mean and variance"

WEIGHTS = (
    "the weights that the report links by are not printed; with equal ones fewer records are linked after rank "
    "swapping 15, noise of 10 % and mixtures of 10 % and more"
)
OUTSIDE_RATES: Cells = {"d": ("mixadd10", "scalmixadd10"), "l": ("scalmixadd10", "scalmixadd20")}  # rows, by column
EQUAL_WEIGHTS = "links one to one with equal weights"

MISPRINTED_SCORES = {("rnkswp05", "Sscore d"), ("rnkswp15", "Sscore l")}
MISPRINT = "by the report's own Tables 1 and 2"
OF_MISPRINT = "made from the misprinted s1 of Table 1"
OF_RATES = f"{WEIGHTS}; the score is made from that rate"
OUTSIDE_SCORES: Cells = {"Sscore d": ("add10",), "Sscore l": ("mixadd10", "mixadd20", "scalmixadd10", "scalmixadd20")}


def table_1(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the information loss of each row."""
    for row, line in printed.cells(printed.TABLE_1, printed.TABLE_1_COLUMNS).items():
        found = runs_of(lambda noise, row=row: losses(row, files, seed, noise), strength)  # type: ignore[misc]
        for column, text in line.items():
            figure = f"Census report, Table 1, {row}: {column}"
            if row.startswith("rnkswp") and column in ("IL2", "IL4"):
                ours = round(max(found[column].asked), 4)
                yield Figure(figure, FigureKind.EXACT, float(text), ours, half_unit(text), KEPT)
                continue
            drawn = drawn_figure(figure, text, found[column], outside=UNKEPT if is_unkept(row, column) else "")
            is_misprinted = column == "s1" and row in MISPRINTED_S1
            yield _as_misprint(drawn, f"the printed parts give {MISPRINTED_S1[row]}") if is_misprinted else drawn


def is_unkept(row: str, column: str) -> bool:
    """Tell whether a figure is of means after rescaling."""
    return column == "IL2" and row in RESCALED


def table_2(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the rates of re-identification of each row."""
    for row, line in printed.cells(printed.TABLE_2, printed.TABLE_2_COLUMNS).items():
        found = runs_of(lambda noise, row=row: rates(row, files, seed, noise), strength)  # type: ignore[misc]
        note = EQUAL_WEIGHTS + ("; printed as add05" if row == "add01" else "")
        for column, text in line.items():
            figure = f"Census report, Table 2, {row}: {column} metric"
            outside = WEIGHTS if row in OUTSIDE_RATES[column] else ""
            yield drawn_figure(figure, text, found[column], note, outside=outside)


def table_3(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the scores of each row: the mean of a loss and a rate of the same run."""
    for row, line in printed.cells(printed.TABLE_3, printed.TABLE_3_COLUMNS).items():
        found = runs_of(lambda noise, row=row: scores(row, files, seed, noise), strength)  # type: ignore[misc]
        for column, text in line.items():
            outside = OF_RATES if row in OUTSIDE_SCORES.get(column, ()) else ""
            figure = f"Census report, Table 3, {row}: {column} metric"
            drawn = drawn_figure(figure, text, found[column], outside=outside)
            why = why_misprinted(row, column)
            yield _as_misprint(drawn, why) if why else drawn


def why_misprinted(row: str, column: str) -> str:
    """Return why a score cannot be right in print; nothing if it can."""
    if (row, column) in MISPRINTED_SCORES:
        return MISPRINT
    return OF_MISPRINT if column.startswith("Dscore") and row in MISPRINTED_S1 else ""


def _as_misprint(figure: Figure, note: str) -> Figure:
    return replace(figure, kind=FigureKind.MISPRINT, note=f"not judged: a misprint, {note}", false_alarm=0.0)
