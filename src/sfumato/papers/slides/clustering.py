"""Torra (2013), Masking methods, slides: clusters of Census after microaggregation of three variables at a time.

The last row, correlations with aPIL, follows from the printed ones above it. Those ones cannot be judged: k-means ends
in one of many optima, and the printed groups are not ours in every detail. The correlations over 215 and 162 masked
files are left out, as the files are not listed.
"""

from collections.abc import Iterator

import numpy as np

from sfumato.data import numeric
from sfumato.execution import run_step
from sfumato.loss import ClusteringLoss, ProbabilisticInformationLoss
from sfumato.masking import Mdav
from sfumato.numerics.arrays import FloatColumn
from sfumato.papers.draws import report_figure
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files

CLUSTERS, COLUMNS_AT_A_TIME = 15, 3
HEADINGS = ("Rand", "Jaccard", "Adjusted Rand", "Wallace", "Mantaras", "aPIL")
TABLE = {  # by group size
    3: (0.943, 0.454, 0.594, 0.625, 0.416, 15.189),
    4: (0.943, 0.464, 0.602, 0.633, 0.425, 19.325),
    5: (0.936, 0.406, 0.542, 0.577, 0.472, 22.724),
    6: (0.936, 0.408, 0.545, 0.580, 0.473, 25.760),
    7: (0.929, 0.367, 0.499, 0.537, 0.500, 28.750),
    8: (0.933, 0.402, 0.538, 0.574, 0.479, 31.185),
    9: (0.925, 0.359, 0.488, 0.528, 0.513, 33.883),
}
CORRELATIONS = (-0.930, -0.882, -0.887, -0.882, 0.931)
HALF_UNIT = 0.0005
PARTS = ("rand", "jaccard", "adjusted", "wallace", "mantaras")
OPTIMA = "not judged: k-means ends in one of many optima, and two runs on the same file differ as much as two rows"
OTHER_ERRORS = (
    "not judged: the standard errors of statistics behind it are not printed; with those of normal distributions in "
    "place of ours it comes out within 3 %"
)


def slides_clustering(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the indices and aPIL of each group size, and the correlations that the printed ones have."""
    for k, line in TABLE.items():
        method = Mdav(columns=numeric, k=int(k * strength), columns_at_a_time=COLUMNS_AT_A_TIME)
        masked = run_step(method, files.census, seed=seed, step=0)
        clusters = ClusteringLoss(columns=numeric, clusters=CLUSTERS, seed=seed).measure(files.census, masked).parts
        found = [clusters[f"{part}, free start"] / 100 for part in PARTS]
        ours = [*(1 - loss for loss in found[:-1]), found[-1]]
        ours.append(ProbabilisticInformationLoss(columns=numeric).measure(files.census, masked).value)
        for heading, printed, figure in zip(HEADINGS, line, ours, strict=True):
            note = OTHER_ERRORS if heading == "aPIL" else OPTIMA
            name = f"slides, clustering, group size {k}: {heading}"
            yield report_figure(name, printed, round(figure, 3), note)
    *indices, loss = np.array(list(TABLE.values())).T
    for heading, index, printed in zip(HEADINGS, indices, CORRELATIONS, strict=False):
        yield Figure(
            f"slides, clustering: correlation of {heading} with aPIL",
            FigureKind.PRINT,
            printed,
            round(float(np.corrcoef(index, loss)[0, 1]), 4),
            round(rounding_of_correlation(index, loss) + HALF_UNIT, 4),
            "from the printed columns, with what their rounding allows",
        )


def rounding_of_correlation(one: FloatColumn, other: FloatColumn) -> float:
    """Return how far a correlation can move, to first order, when the values of one column are rounded to 3 digits.

    Examples
    --------
    >>> round(rounding_of_correlation(np.array([0.1, 0.2, 0.4]), np.array([1.0, 2.0, 3.0])), 4)
    0.0007
    """
    u, v = ((column - column.mean()) / column.std() for column in (one, other))
    slopes = (v - np.mean(u * v) * u) / (one.size * one.std())
    return float(HALF_UNIT * np.abs(slopes).sum())
