"""The Census report: what it says of Tables 1 to 3, held against the means of our runs."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from sfumato.numerics.arrays import Rows
from sfumato.papers.census_report.runs import MASKED, losses, rates, scores
from sfumato.papers.figure import Figure
from sfumato.papers.files import Files
from sfumato.papers.findings import IN_DOUBT, Pick, findings

Means = Mapping[str, Mapping[str, float]]
"""The mean of each column over runs, by row."""
Runs = Mapping[str, Mapping[str, list[float]]]
"""Each column in each run, by row."""

SHARES = (1, 5, 10, 20)
SERIES = {
    "rank swapping": ("rnkswp05", "rnkswp10", "rnkswp15"),
    "noise": ("add01", "add10"),
    "mixtures": tuple(f"mixadd{share:02}" for share in SHARES),
    "rescaled mixtures": tuple(f"scalmixadd{share:02}" for share in SHARES),
}
SMALL = ("add01", "mixadd01", "scalmixadd01")
LARGE = ("rnkswp10", "rnkswp15", *(row for row in MASKED if row.endswith(("05", "10", "20")) and "add" in row))
SCORES = ("Ascore", "Dscore", "Sscore")
WEIGHTS = "not judged: the weights that the report links by are not printed; with equal ones mixtures are linked less"
UNSCALED = "nor in the printed Table 3: a rescaled mixture has the lowest scores, and by the l metric mixtures have"
SWAPPED = "Table 3: by the d metric rank swapping has lower scores than noise and mixtures that are not rescaled"
CONCLUSION = "conclusions: rank swapping is better than all mixtures"
RESCALED_RISE = "Table 1, rescaled mixtures: losses rise with the noise"
LOWERED = "Table 1: rescaling lowers IL1 and IL1s somewhat"
A_LITTLE_MORE = "Table 2: with 1 % of noise the d metric finds a little more than the l metric"
IMPROVED = "Table 3: rescaling improves the scores of mixtures from 10 % on"
UNJUDGED = {
    SWAPPED: WEIGHTS,
    CONCLUSION: f"not judged: {UNSCALED}",
    **dict.fromkeys((RESCALED_RISE, LOWERED, A_LITTLE_MORE, IMPROVED), IN_DOUBT),
}


def census_findings(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield what the report says of its first three tables; none is about how much noise there is."""
    loss, rate, score = (_runs(columns, files, seed) for columns in (losses, rates, scores))

    def evaluate(pick: Pick) -> dict[str, bool]:
        picked = {row: pick(len(rate[row]["d"])) for row in MASKED}
        mean_losses, mean_rates, mean_scores = (_means(runs, picked) for runs in (loss, rate, score))
        return dict((*_of_losses(mean_losses), *_of_rates(mean_rates), *_of_scores(mean_scores)))

    most_runs = max(len(line["d"]) for line in rate.values())
    yield from findings("Census report, findings, ", evaluate, seed, most_runs, unjudged=UNJUDGED)


def _of_losses(loss: Means) -> Iterator[tuple[str, bool]]:
    for name, rows in SERIES.items():
        rising = all(np.all(np.diff([loss[row][symbol] for row in rows]) > 0) for symbol in ("s0", "s1", "s2"))
        yield f"Table 1, {name}: losses rise with the noise", rising
    pairs = [(loss[row], loss[f"scal{row}"]) for row in SERIES["mixtures"]]
    less = all(after[symbol] <= before[symbol] for before, after in pairs for symbol in ("IL1", "IL1s"))
    yield LOWERED, less
    kept = [
        float(np.mean([after[symbol] / before[symbol] for before, after in pairs])) for symbol in ("IL4", "IL3", "IL1")
    ]
    yield "Table 1: rescaling lowers IL3 and most of all IL4, more than IL1", kept == sorted(kept)


def _of_rates(rate: Means) -> Iterator[tuple[str, bool]]:
    yield (
        A_LITTLE_MORE,
        all(rate[row]["l"] < rate[row]["d"] for row in SMALL),
    )
    yield (
        "Table 2: with larger perturbations the l metric finds more",
        all(rate[row]["l"] > rate[row]["d"] for row in LARGE),
    )
    yield (
        "Table 2: 1 % of noise is not enough, and rates drop rapidly with more",
        all(rate[row][metric] > 0.5 for row in SMALL for metric in ("d", "l"))
        and all(rate[row.replace("01", "05")]["d"] < rate[row]["d"] / 2 for row in SMALL[1:]),
    )


def _of_scores(score: Means) -> Iterator[tuple[str, bool]]:
    best = {
        name: {column: min(score[row][column] for row in rows) for column in score[rows[0]]}
        for name, rows in SERIES.items()
    }
    swapped = best["rank swapping"]
    yield SWAPPED, all(swapped[f"{one} d"] < best[name][f"{one} d"] for one in SCORES for name in ("noise", "mixtures"))
    yield CONCLUSION, all(swapped[column] < best[name][column] for column in swapped for name in list(SERIES)[1:])
    yield (
        IMPROVED,
        all(
            score[f"scal{row}"][f"{one} d"] < score[row][f"{one} d"] for row in SERIES["mixtures"][2:] for one in SCORES
        ),
    )


def _runs(columns: Callable[[str, Files, int, float], Mapping[str, list[float]]], files: Files, seed: int) -> Runs:
    return {row: columns(row, files, seed, 1.0) for row in MASKED}


def _means(runs: Runs, picked: Mapping[str, Rows]) -> Means:
    return {
        row: {name: float(np.mean(np.array(column)[picked[row]])) for name, column in line.items()}
        for row, line in runs.items()
    }
