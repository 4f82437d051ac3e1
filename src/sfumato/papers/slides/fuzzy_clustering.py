"""Torra (2013), Masking methods, slides: the optima that fuzzy c-means ends in on Census, with 10 clusters.

The slides print the objective of the original file in two runs and, for the same file with noise 0.0, that of another
optimum each time, with the distances between the two. The exponent of the memberships is not printed: with 1.5, and
columns standardised with divisor n, the printed objectives are optima. Nor is the unit of the noise: it is fitted, one
number for the twelve rows. Of the two runs of a row the one with the lower objective is judged, which has ended in the
optimum that noise 0.0 has in both runs; where the other ended, and how d1 and d2 are defined, cannot be known.
"""

from collections.abc import Iterator

import numpy as np

from sfumato.loss.analyses._fuzzy_c_means import FuzzyClusters, fuzzy_clusters
from sfumato.loss.analyses.fuzzy_clustering_loss import match_centres
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.standardisation import z_scores
from sfumato.papers.draws import drawn_figure, report_figure
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files

CLUSTERS, FUZZINESS = 10, 1.5
STARTS = (0, 3, 6, 12, 76)  # seeds of starts that end in different optima
OBJECTIVES = {"no noise": 2826, "original, first run": 2851, "original, second run": 2829}
DISTANCES = {"first run": ("original, first run", 3.21, 40.73), "second run": ("original, second run", 3.93, 91.3)}
CUT = "the optimum nearest to it; the digits after the point are cut off in print"
SQUARED = (
    "not judged: how d1 and d2 are defined is not printed; ours is d2 as the sum of squared differences, each centre "
    "beside its nearest"
)
NOISY_OBJECTIVES = {  # by noise, in the two runs
    0.1: ("2827", "2827"),
    0.2: ("2829", "2829"),
    0.4: ("2859", "2835"),
    0.6: ("2844", "2867"),
    0.8: ("2862", "2862"),
    1.0: ("2886", "2886"),
    1.2: ("2908", "2903"),
    1.4: ("2935", "2918"),
    1.6: ("2978", "2978"),
    1.8: ("3006", "2989"),
    2.0: ("3028", "3013"),
}
UNIT = 0.084  # standard deviations of a column per unit of noise
RUNS = 12
FITTED = f"noise of {UNIT} standard deviations per unit: fitted to the table, as its unit is not printed"
OF_ROWS = "the other rows, by the unit that is fitted to them"
SECOND = "second run"
REPEATED = "not judged: the same as in the first run, which is judged"
ELSEWHERE = "not judged: another optimum than the lowest, which cannot be known"


def slides_fuzzy_clustering(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the optima, the distances between those of the original and of noise 0.0, and the optima with noise."""
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
        other = match_centres(optima["no noise"], optima[name])
        moved = float(np.sqrt(((other.centres - optima[name].centres) ** 2).sum()))
        memberships = float(((other.memberships - optima[name].memberships) ** 2).sum())
        what = f"slides, fuzzy clustering, no noise, {run}"
        yield report_figure(f"{what}: d1", d1, round(moved, 2), SQUARED)
        yield report_figure(f"{what}: d2", d2, round(memberships, 2), SQUARED)
    centres = optima["no noise"].centres
    for noise, objectives in NOISY_OBJECTIVES.items():
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(int(10 * noise), int(10 * strength))))
        runs = [_noisy_objective(records, centres, strength * UNIT * noise, rng) for _ in range(RUNS)]
        for run, objective in zip(DISTANCES, objectives, strict=True):
            figure = f"slides, fuzzy clustering, noise {noise}, {run}: objective"
            is_repeated = run == SECOND and len(set(objectives)) == 1
            unjudged = REPEATED if is_repeated else "" if objective == min(objectives) else ELSEWHERE
            yield drawn_figure(figure, objective, runs, FITTED, unjudged=unjudged, follows=OF_ROWS, both_ways=True)


def _noisy_objective(records: FloatMatrix, centres: FloatMatrix, deviation: float, rng: np.random.Generator) -> float:
    """Return the objective of the optimum near some centres after noise of so many standard deviations."""
    noisy = records + deviation * rng.standard_normal(records.shape)
    return fuzzy_clusters(noisy, centres, FUZZINESS).objective
