"""Torra (2013), Masking methods, slides: rank swapping of Census and EIA with windows from 2 to 20 percent.

Masked records are held against the nearest original one, but for RSLD and PLD: the reading under which the printed
figures come out. PLD of EIA, seven times ten links one to one of 4092 records, is left out: it would take minutes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sfumato.assessment import assess
from sfumato.contracts import Correspondence, Measure
from sfumato.data import Microdata, numeric
from sfumato.loss import InformationLoss
from sfumato.masking import RankSwapping
from sfumato.papers.draws import draws
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files
from sfumato.risk import DistanceLinkage, IntervalDisclosure, ProbabilisticLinkage, RankIntervalLinkage
from sfumato.scores.published import overall_score

SYMBOLS = ("IL", "RSLD", "DLD", "PLD", "ID", "Score")
CENSUS = {  # by window: IL, RSLD, DLD, PLD, ID, Score
    2: (3.89, 77.73, 73.52, 71.28, 93.98, 42.63),
    4: (6.54, 66.65, 58.40, 42.92, 83.09, 36.67),
    6: (10.57, 54.65, 43.76, 22.49, 72.12, 31.93),
    8: (16.54, 41.28, 32.13, 11.74, 62.11, 29.16),
    10: (20.18, 29.21, 23.64, 6.03, 53.28, 26.31),
    12: (23.46, 19.87, 18.96, 3.46, 47.17, 24.77),
    14: (28.93, 16.14, 15.63, 2.06, 43.39, 25.86),
    16: (35.16, 13.81, 13.59, 1.29, 40.78, 27.97),
    18: (32.52, 12.21, 11.50, 0.83, 38.90, 25.81),
    20: (35.12, 10.88, 10.87, 0.59, 37.33, 26.55),
}
EIA = {
    2: (4.24, 43.27, 21.71, 16.85, 93.10, 28.06),
    4: (9.67, 12.54, 10.61, 4.79, 82.09, 21.89),
    6: (14.63, 7.69, 7.40, 2.03, 72.21, 21.42),
    8: (18.71, 6.12, 5.98, 1.12, 63.90, 21.61),
    10: (22.87, 5.60, 5.19, 0.69, 57.09, 22.37),
    12: (26.60, 5.39, 4.87, 0.51, 51.64, 23.25),
    14: (29.42, 5.28, 4.55, 0.32, 47.49, 23.91),
    16: (32.38, 5.19, 4.54, 0.23, 44.19, 24.82),
    18: (34.22, 5.20, 4.54, 0.22, 41.42, 25.28),
    20: (36.27, 5.15, 4.36, 0.18, 38.97, 25.87),
}

DRAWS = 3
MAX_KEYS = 7
MEAN = f"the mean of {DRAWS} draws"


@dataclass(frozen=True)
class Asked:
    """What agreement is asked of a column: so many points or such a share of the printed figure, judged or not."""

    points: float = 0.0
    share: float = 0.0
    kind: FigureKind = FigureKind.STATISTICAL
    note: str = MEAN

    def tolerance(self, printed: float) -> float:
        """Return how far ours may be from the printed figure."""
        return round(self.points or self.share * printed, 2)


NOISY = Asked(
    share=0.25,
    kind=FigureKind.REPORT,
    note=f"{MEAN}; one record in a hundred makes about a third of the change of values, so that draws differ much",
)
RANK_LINKAGE = Asked(
    points=2.5,
    kind=FigureKind.REPORT,
    note=f"{MEAN}, of links to the true record; which links the slides count as right is not printed",
)
WEIGHED = Asked(
    points=5.0,
    kind=FigureKind.REPORT,
    note="one draw, links with equal weights to the true record; the slides do not say how they weigh",
)
UNTOLD = Asked(kind=FigureKind.REPORT, note=f"{MEAN}; the linkage as it is printed does not give the figures of EIA")
ASKED = {
    "Census": {"IL": NOISY, "RSLD": RANK_LINKAGE, "DLD": Asked(points=2.5), "PLD": WEIGHED, "ID": Asked(points=3.0)},
    "EIA": {"IL": Asked(share=0.12), "RSLD": RANK_LINKAGE, "DLD": UNTOLD, "ID": Asked(points=0.5)},
}
SCORED = "from the printed parts, with RSLD left out of DR; neither formula for DR gives the printed scores"


def slides_rank_swapping(files: Files, seed: int) -> Iterator[Figure]:
    """Yield the table of rank swapping: loss, risks and scores of each file and window."""
    for name, data, table in (("Census", files.census, CENSUS), ("EIA", files.eia, EIA)):
        for window, line in table.items():
            printed = dict(zip(SYMBOLS, line, strict=True))
            masked = list(draws(RankSwapping(columns=numeric, window=window), data, seed, DRAWS))
            found = mean_figures(data, masked, window)
            if "PLD" in ASKED[name]:
                found["PLD"] = equal_weight_linkage(data, masked[0])
            for symbol, asked in ASKED[name].items():
                yield Figure(
                    f"slides, rank swapping {window}, {name}: {symbol}",
                    asked.kind,
                    printed[symbol],
                    round(found[symbol], 2),
                    asked.tolerance(printed[symbol]),
                    asked.note,
                )
            ours = round(overall_score.score(printed), 2)
            figure = f"slides, rank swapping {window}, {name}: Score"
            yield Figure(figure, FigureKind.REPORT, printed["Score"], ours, note=SCORED)


def mean_figures(data: Microdata, masked: list[Microdata], window: float) -> dict[str, float]:
    """Return the mean of each figure over the draws."""
    nearest = Correspondence.NEAREST_RECORD
    measures: list[Measure] = [
        InformationLoss(columns=numeric, correspondence=nearest),
        RankIntervalLinkage(columns=numeric, window=window),
        DistanceLinkage(columns=numeric, correspondence=nearest),
        IntervalDisclosure(columns=numeric, correspondence=nearest),
    ]
    found = [assess(data, file, measures, []).values for file in masked]
    return {symbol: float(np.mean([values[symbol] for values in found])) for symbol in found[0]}


def equal_weight_linkage(data: Microdata, masked: Microdata) -> float:
    """Return the percent linked by equal weights, the mean over the first one to seven columns."""
    return ProbabilisticLinkage(columns=data.schema.names, max_keys=MAX_KEYS).measure(data, masked).value
