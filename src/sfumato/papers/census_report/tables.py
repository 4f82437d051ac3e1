"""Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection ("Census report").

Tables 1 to 3, of the Census file: one run is printed, and stands beside the mean of ours.
"""

from collections.abc import Iterator
from dataclasses import replace

from sfumato.papers.census_report import printed_tables as printed
from sfumato.papers.census_report.from_print import LOSSES
from sfumato.papers.census_report.runs import DIVIDED, LOSS_OF, losses, rates, scores
from sfumato.papers.draws import drawn_figure
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files
from sfumato.papers.rounded_parts import half_unit

RESCALED = ("scalmixadd01", "scalmixadd05", "scalmixadd10", "scalmixadd20")
UNKEPT = "here the rescaled noise keeps the means exactly; the report rescales about the masked means"
MISPRINTED_S1 = {"add01": ".049", "add10": ".133", "mixadd20": ".197"}
KEPT = "not judged: rank swapping, as any exchange of values, keeps every mean and variance"

WEIGHTS = (
    "the weights that the report links by are not printed; with equal ones fewer records are linked with mixtures of "
    "10 % and more, and more by the l metric with 1 % of noise"
)
EQUAL_WEIGHTS = "links one to one with equal weights"

MISPRINTED_SCORES = {("rnkswp05", "Sscore d"), ("rnkswp15", "Sscore l")}
MISPRINT = "by the report's own Tables 1 and 2"
OF_MISPRINT = "made from the misprinted s1 of Table 1"
OF_RATES = f"{WEIGHTS}; the score is made from that rate"


def table_1(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the information loss of each row."""
    for row, line in printed.cells(printed.TABLE_1, printed.TABLE_1_COLUMNS).items():
        found = losses(row, files, seed, strength)
        for column, text in line.items():
            figure = f"Census report, Table 1, {row}: {column}"
            if row.startswith("rnkswp") and column in ("IL2", "IL4"):
                ours = round(max(found[column]), 4)
                yield Figure(figure, FigureKind.REPORT, float(text), ours, half_unit(text), KEPT)
                continue
            unkept, follows = is_unkept(row, column), parts_in_print(row, column)
            why = UNKEPT if unkept else ""
            drawn = drawn_figure(figure, text, found[column], why=why, is_outside=unkept, follows=follows)
            is_misprinted = column == "s1" and row in MISPRINTED_S1
            yield _as_misprint(drawn, f"the printed parts give {MISPRINTED_S1[row]}") if is_misprinted else drawn


def is_unkept(row: str, column: str) -> bool:
    """Tell whether a figure is of means after rescaling."""
    return column == "IL2" and row in RESCALED


def parts_in_print(row: str, column: str) -> str:
    """Return what a loss follows from in print, as `from_print` shows it; nothing for one of its own."""
    if column in LOSSES:
        return f"{', '.join(LOSSES[column][:-1])} and {LOSSES[column][-1]}"
    if column == "IL1s" and row.startswith(DIVIDED):
        return "IL1"
    if column in ("IL1s", "IL2") and row in ("mixadd01", "mixadd05", "mixadd10"):
        return f"{column} of mixadd20"
    return f"{column} of {row.removeprefix('scal')}" if column in ("IL2", "IL5") and row in RESCALED else ""


def table_2(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the rates of re-identification of each row."""
    for row, line in printed.cells(printed.TABLE_2, printed.TABLE_2_COLUMNS).items():
        found = rates(row, files, seed, strength)
        note = EQUAL_WEIGHTS + ("; printed as add05" if row == "add01" else "")
        for column, text in line.items():
            figure = f"Census report, Table 2, {row}: {column} metric"
            yield drawn_figure(figure, text, found[column], note, why=WEIGHTS)


def table_3(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the scores of each row: the mean of a loss and a rate of the same run."""
    for row, line in printed.cells(printed.TABLE_3, printed.TABLE_3_COLUMNS).items():
        found = scores(row, files, seed, strength)
        for column, text in line.items():
            figure = f"Census report, Table 3, {row}: {column} metric"
            follows = f"{LOSS_OF[column.split()[0]]} and the rate"
            drawn = drawn_figure(figure, text, found[column], why=OF_RATES, follows=follows)
            why = why_misprinted(row, column)
            yield _as_misprint(drawn, why) if why else drawn


def why_misprinted(row: str, column: str) -> str:
    """Return why a score cannot be right in print; nothing if it can."""
    if (row, column) in MISPRINTED_SCORES:
        return MISPRINT
    return OF_MISPRINT if column.startswith("Dscore") and row in MISPRINTED_S1 else ""


def _as_misprint(figure: Figure, note: str) -> Figure:
    return replace(figure, kind=FigureKind.MISPRINT, note=f"not judged: a misprint, {note}", false_alarm=0.0)
