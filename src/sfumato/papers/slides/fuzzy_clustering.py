"""Torra (2013), Masking methods, slides: the optima that fuzzy c-means ends in on Census, with 10 clusters.

The slides print the objective of the original file in two runs and, for the same file with noise 0.0, that of another
optimum each time, with the distances between the two. The exponent of the memberships is not printed: with 1.5, and
columns standardised with divisor n, the printed objectives are optima. Rows with noise are left out, as neither the
draw nor the optimum that it ended in can be known.
"""

from collections.abc import Iterator

import numpy as np

from sfumato.loss.analyses._fuzzy_c_means import FuzzyClusters, fuzzy_clusters
from sfumato.loss.analyses.fuzzy_clustering_loss import matched
from sfumato.numerics.standardisation import z_scores
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files

CLUSTERS, FUZZINESS = 10, 1.5
STARTS = (0, 3, 6, 12, 76)  # seeds of starts that end in different optima
OBJECTIVES = {"no noise": 2826, "original, first run": 2851, "original, second run": 2829}
DISTANCES = {"first run": ("original, first run", 3.21, 40.73), "second run": ("original, second run", 3.93, 91.3)}
CUT = "the optimum nearest to it; the digits after the point are cut off in print"
SQUARED = (
    "d2 as the sum of squared differences, each centre beside its nearest; how d1 and d2 are defined is not printed"
)


def slides_fuzzy_clustering(files: Files, seed: int) -> Iterator[Figure]:
    """Yield the optima, and the distances between those of the original and of noise 0.0; the starts do not vary."""
    records = z_scores(files.census.matrix(files.census.schema.names))
    drawn = (np.random.default_rng(start).choice(len(records), CLUSTERS, replace=False) for start in STARTS)
    found = [fuzzy_clusters(records, records[rows], FUZZINESS) for rows in drawn]
    optima: dict[str, FuzzyClusters] = {}
    for name, printed in OBJECTIVES.items():
        apart = [abs(one.objective - printed - 0.5) for one in found]
        optima[name] = found[int(np.argmin(apart))]
        ours = int(optima[name].objective)
        yield Figure(f"slides, fuzzy clustering, {name}: objective", FigureKind.EXACT, printed, ours, note=CUT)
    for run, (name, d1, d2) in DISTANCES.items():
        other = matched(optima["no noise"], optima[name])
        centres = float(np.sqrt(((other.centres - optima[name].centres) ** 2).sum()))
        memberships = float(((other.memberships - optima[name].memberships) ** 2).sum())
        what = f"slides, fuzzy clustering, no noise, {run}"
        yield Figure(f"{what}: d1", FigureKind.REPORT, d1, round(centres, 2), note=SQUARED)
        yield Figure(f"{what}: d2", FigureKind.REPORT, d2, round(memberships, 2), note=SQUARED)
