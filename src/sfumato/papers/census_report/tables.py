"""Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection ("Census report").

Tables 1 to 3, of the Census file: one run is printed, and stands beside the mean of ours.
"""

from collections.abc import Iterator, Mapping

from sfumato.papers.census_report import printed_tables as printed
from sfumato.papers.census_report.runs import PERCENT, losses, rates
from sfumato.papers.draws import TOO_NOISY, WIDEST, drawn_figure
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files
from sfumato.papers.rounded_parts import half_unit

Cells = Mapping[str, tuple[str, ...]]

WIDEST_LOSS = {"IL3": 0.5, "IL4": 0.45, "IL5": 0.5, "s0": 0.45, "s1": 0.25}
"""Tolerances of losses that grow with the variance of the noise, and so to the double and more with twice the noise."""
NOISE = ("add01", "add10", "mixadd01", "mixadd05", "mixadd10", "mixadd20")
RESCALED = ("scalmixadd01", "scalmixadd05", "scalmixadd10", "scalmixadd20")
NOISY_LOSSES: Cells = {  # by column, the rows that cannot be judged
    "IL2": NOISE,
    "IL3": ("rnkswp05", *NOISE, *RESCALED),
    "IL4": ("add01", *RESCALED),
    "IL5": (*NOISE, *RESCALED),
    "s0": ("rnkswp05", "add01", "mixadd01", *RESCALED),
    "s1": ("mixadd01", *RESCALED),
}
UNKEPT = "not judged: here the rescaled noise keeps the means exactly; the report rescales about the masked means"
MISPRINTED_S1 = {"add01": ".049", "add10": ".133", "mixadd20": ".197"}
KEPT = "rank swapping keeps every mean and variance"

WIDEST_RATE = 0.4
WEIGHTS = "not judged: the weights that the report links by are not printed; with equal ones ours are lower"
OTHER_WEIGHTS: Cells = {
    "d": ("mixadd10", "mixadd20", "scalmixadd20"),
    "l": ("rnkswp15", "mixadd20", "scalmixadd10", "scalmixadd20"),
}
EQUAL_WEIGHTS = "links one to one with equal weights"

LOSS_OF = {"Ascore": "s0", "Dscore": "s1", "Sscore": "s2"}
MISPRINT = "not judged: a misprint by the report's own Tables 1 and 2"
OPPOSED = (
    "not judged: as noise grows the loss rises and the rate falls, so that with twice the noise it is much the same"
)
UNJUDGED_SCORES: Mapping[str, Cells] = {
    MISPRINT: {"rnkswp05": ("Sscore d",), "rnkswp15": ("Sscore l",)},
    TOO_NOISY: {
        "rnkswp15": ("Ascore d",),
        "mixadd20": ("Ascore d", "Ascore l"),
        "scalmixadd10": ("Ascore d",),
        "scalmixadd20": ("Ascore d", "Ascore l"),
    },
    WEIGHTS: {"scalmixadd10": ("Sscore d", "Sscore l"), "scalmixadd20": ("Sscore l",)},
    OPPOSED: {
        "rnkswp15": ("Sscore d",),
        "add01": ("Ascore l", "Dscore l", "Sscore l"),
        "add10": ("Ascore d", "Dscore d", "Ascore l", "Dscore l"),
        "mixadd10": ("Ascore d", "Dscore d", "Sscore d", "Dscore l"),
        "mixadd20": ("Sscore l",),
        "scalmixadd10": ("Dscore d",),
        "scalmixadd20": ("Dscore d", "Sscore d", "Dscore l"),
    },
}


def table_1(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the information loss of each row."""
    for row, line in printed.cells(printed.TABLE_1, printed.TABLE_1_COLUMNS).items():
        found = losses(row, files, seed, strength)
        for column, text in line.items():
            figure = f"Census report, Table 1, {row}: {column}"
            if row.startswith("rnkswp") and column in ("IL2", "IL4"):
                ours = round(max(found[column]), 4)
                yield Figure(figure, FigureKind.EXACT, float(text), ours, half_unit(text), KEPT)
            else:
                widest = WIDEST_LOSS.get(column, WIDEST)
                yield drawn_figure(figure, text, found[column], unjudged=why_no_loss(row, column), widest=widest)


def why_no_loss(row: str, column: str) -> str:
    """Return why a cell of Table 1 is not judged; nothing if it is."""
    if column == "IL2" and row in RESCALED:
        return UNKEPT
    if column == "s1" and row in MISPRINTED_S1:
        return f"not judged: a misprint, the printed parts give {MISPRINTED_S1[row]}"
    return TOO_NOISY if row in NOISY_LOSSES.get(column, ()) else ""


def table_2(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the rates of re-identification of each row."""
    for row, line in printed.cells(printed.TABLE_2, printed.TABLE_2_COLUMNS).items():
        found = rates(row, files, seed, strength)
        note = EQUAL_WEIGHTS + ("; printed as add05" if row == "add01" else "")
        for column, text in line.items():
            figure = f"Census report, Table 2, {row}: {column} metric"
            unjudged = WEIGHTS if row in OTHER_WEIGHTS[column] else ""
            yield drawn_figure(figure, text, found[column], note, unjudged, WIDEST_RATE)


def table_3(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the scores of each row: the mean of a loss and a rate of the same run."""
    for row, line in printed.cells(printed.TABLE_3, printed.TABLE_3_COLUMNS).items():
        loss, rate = losses(row, files, seed, strength), rates(row, files, seed, strength)
        for column, text in line.items():
            name, metric = column.split()
            runs = [PERCENT / 2 * sum(parts) for parts in zip(loss[LOSS_OF[name]], rate[metric], strict=True)]
            unjudged = next((why for why, cells in UNJUDGED_SCORES.items() if column in cells.get(row, ())), "")
            yield drawn_figure(f"Census report, Table 3, {row}: {column} metric", text, runs, unjudged=unjudged)
