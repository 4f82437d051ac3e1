"""Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection ("Census report").

Rows are named as in print: rank swapping (rnkswp), correlated noise (add), mixture noise as it is (mixadd) and rescaled
(scalmixadd), each with its window or variance ratio in percent.
"""

from collections.abc import Iterator

import numpy as np

from sfumato.assessment import assess
from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, numeric
from sfumato.loss import InformationLoss, StandardisedInformationLoss, SymmetricInformationLoss
from sfumato.masking import CorrelatedNoise, MixtureNoise, RankSwapping
from sfumato.papers.census_report import printed_tables as printed
from sfumato.papers.draws import draws, spread
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files
from sfumato.papers.rounded_parts import score_from_parts
from sfumato.risk import ProbabilisticLinkage
from sfumato.scores import WeightedScore
from sfumato.scores.published import s0, s1, s2

MASKED: dict[str, MaskingMethod] = {
    **{f"rnkswp{window:02}": RankSwapping(columns=numeric, window=window) for window in (5, 10, 15)},
    **{f"add{d:02}": CorrelatedNoise(columns=numeric, variance_ratio=d / 100) for d in (1, 10)},
    **{
        f"mixadd{d:02}": MixtureNoise(columns=numeric, variance_ratio=d / 100, along_components=True)
        for d in (1, 5, 10, 20)
    },
    **{
        f"scalmixadd{d:02}": MixtureNoise(columns=numeric, variance_ratio=d / 100, along_components=True, rescaled=True)
        for d in (1, 5, 10, 20)
    },
}

TABLE_1_DRAWS = 20
DRAWN = f"one draw is printed; ours is the mean of {TABLE_1_DRAWS}, within three standard deviations of a draw"
NOISY = "the smallest covariances decide, so that draws differ too much for a judgement"
DIVIDED = ("rnkswp", "add")
RESCALED = "here the rescaled noise keeps the means exactly; the report rescales about the masked means"
MISPRINTED_S1 = {"add01": ".049", "add10": ".133", "mixadd20": ".197"}

TABLE_2_DRAWS = 3
METRICS = {"d": "relative", "l": "logarithmic"}
LARGEST_ERROR = 0.035
RATES = f"equal weights and links one to one; the mean of {TABLE_2_DRAWS} draws"

PERCENT = 100
MISPRINTED_SCORES = {
    ("rnkswp05", "Sscore d"): "a misprint: Tables 1 and 2 give 45.66",
    ("rnkswp15", "Sscore l"): "a misprint: Tables 1 and 2 give 20.67",
}
OTHER_RATES = {"scalmixadd01": ".772", "scalmixadd05": ".163", "scalmixadd10": ".067"}
LOSS_OF = {"Ascore": "s0", "Dscore": "s1", "Sscore": "s2"}


def table_1(files: Files, seed: int) -> Iterator[Figure]:
    """Yield the information loss of each row."""
    for row, line in printed.cells(printed.TABLE_1, printed.TABLE_1_COLUMNS).items():
        found = losses(MASKED[row], files.census, seed)
        for column, text in line.items():
            yield _loss(row, column, float(text), found)


def _loss(row: str, column: str, text: float, found: dict[str, list[float]]) -> Figure:
    figures, kind, note = found[column], FigureKind.STATISTICAL, DRAWN
    if column == "s1" and row in MISPRINTED_S1:
        kind, note = FigureKind.REPORT, f"a misprint: the printed parts give {MISPRINTED_S1[row]}"
    elif column == "IL3":
        kind, note = FigureKind.REPORT, NOISY
    elif column == "IL2" and row.startswith("scalmixadd"):
        kind, note = FigureKind.REPORT, RESCALED
    elif column in ("IL1s", "s2") and row.startswith(DIVIDED):
        figures = found[f"{column} by IL1"]
        note = f"IL1s is printed as IL1 / sqrt 2 in this row, and taken so; by its formula {np.mean(found[column]):.3f}"
    ours, tolerance = round(float(np.mean(figures)), 4), round(spread(figures, unit=0.001), 4)
    return Figure(f"Census report, Table 1, {row}: {column}", kind, text, ours, tolerance, note)


def losses(method: MaskingMethod, census: Microdata, seed: int) -> dict[str, list[float]]:
    """Return the columns of Table 1 for each draw; `IL1s by IL1` is the printed form of some rows, and `s2 by IL1`."""
    measures = [
        InformationLoss(columns=numeric),
        StandardisedInformationLoss(columns=numeric),
        SymmetricInformationLoss(columns=numeric),
    ]
    found: dict[str, list[float]] = {}
    for masked in draws(method, census, seed, TABLE_1_DRAWS):
        values = assess(census, masked, measures, []).values
        by_il1 = values | {"IL1s": values["IL1sym"] / np.sqrt(2)}
        figures = values | {score.symbol: score.score(values) for score in (s0, s1, s2)}
        figures |= {"IL1": values["IL1sym"], "IL1s by IL1": by_il1["IL1s"], "s2 by IL1": s2.score(by_il1)}
        for symbol, figure in figures.items():
            found.setdefault(symbol, []).append(figure / PERCENT)
    return found


def table_2(files: Files, seed: int) -> Iterator[Figure]:
    """Yield the rates of re-identification of each row, and how far they are from the printed ones altogether."""
    table = printed.cells(printed.TABLE_2, printed.TABLE_2_COLUMNS)
    for column, metric in METRICS.items():
        measure = ProbabilisticLinkage(columns=numeric, metric=metric)
        errors = []
        for row, line in table.items():
            files_of_row = draws(MASKED[row], files.census, seed, TABLE_2_DRAWS)
            found = [measure.measure(files.census, masked).value / PERCENT for masked in files_of_row]
            rate = float(np.mean(found))
            errors.append(rate - float(line[column]))
            note = RATES + ("; printed as add05" if row == "add01" else "")
            name = f"Census report, Table 2, {row}: {column} metric"
            yield Figure(name, FigureKind.REPORT, float(line[column]), round(rate, 4), LARGEST_ERROR, note)
        yield Figure(
            f"Census report, Table 2, {column} metric: root mean square difference of the {len(errors)} rates",
            FigureKind.STATISTICAL,
            0.0,
            round(float(np.sqrt(np.mean(np.square(errors)))), 4),
            LARGEST_ERROR,
            RATES,
        )


def table_3(files: Files, seed: int) -> Iterator[Figure]:
    """Yield the scores that the printed Tables 1 and 2 give; none needs a file or a seed."""
    losses_of = printed.cells(printed.TABLE_1, printed.TABLE_1_COLUMNS)
    rates = printed.cells(printed.TABLE_2, printed.TABLE_2_COLUMNS)
    for row, line in printed.cells(printed.TABLE_3, printed.TABLE_3_COLUMNS).items():
        for column, text in line.items():
            name, metric = column.split()
            half = WeightedScore(weights={LOSS_OF[name]: PERCENT / 2, "rate": PERCENT / 2})
            parts = {LOSS_OF[name]: losses_of[row][LOSS_OF[name]], "rate": rates[row][metric]}
            note = MISPRINTED_SCORES.get((row, column), "")
            if metric == "d" and row in OTHER_RATES:
                note = f"all three scores of the row come out with the rate {OTHER_RATES[row]} instead"
            yield score_from_parts(f"Census report, Table 3, {row}: {column} metric", half, parts, text.strip(), note)
