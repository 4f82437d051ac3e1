"""The rows of Tables 1 to 3 of the Census report, masked and measured several times.

Rows are named as in print: rank swapping (rnkswp), correlated noise (add), mixture noise as it is (mixadd) and rescaled
(scalmixadd), each with its window or variance ratio in percent.
"""

from functools import lru_cache

import numpy as np

from sfumato.assessment import assess
from sfumato.contracts import MaskingMethod
from sfumato.data import numeric
from sfumato.loss import InformationLoss, StandardisedInformationLoss, SymmetricInformationLoss
from sfumato.masking import CorrelatedNoise, MixtureNoise, RankSwapping
from sfumato.papers.draws import draws
from sfumato.papers.files import Files
from sfumato.risk import ProbabilisticLinkage
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
METRICS = {"d": "relative", "l": "logarithmic"}
RUNS = 16
PERCENT = 100
DIVIDED = ("rnkswp", "add")  # the rows that print IL1 / sqrt 2 as IL1s
LOSS_OF = {"Ascore": "s0", "Dscore": "s1", "Sscore": "s2"}

Columns = dict[str, list[float]]


@lru_cache(maxsize=64)  # so that the table of scores comes from the runs of the other two
def losses(row: str, files: Files, seed: int, strength: float) -> Columns:
    """Return the columns of Table 1 in each run; IL1s, and s2 with it, as the row prints it."""
    measures = [
        InformationLoss(columns=numeric),
        StandardisedInformationLoss(columns=numeric),
        SymmetricInformationLoss(columns=numeric),
    ]
    found: Columns = {}
    for masked in draws(MASKED[row], files.census, seed, RUNS, strength):
        values = dict(assess(files.census, masked, measures, []).values)
        if row.startswith(DIVIDED):
            values["IL1s"] = values["IL1sym"] / np.sqrt(2)
        values |= {score.symbol: score.score(values) for score in (s0, s1, s2)} | {"IL1": values["IL1sym"]}
        for symbol, figure in values.items():
            found.setdefault(symbol, []).append(figure / PERCENT)
    return found


@lru_cache(maxsize=64)
def rates(row: str, files: Files, seed: int, strength: float) -> Columns:
    """Return the rate of re-identification in each run, by metric."""
    masked = list(draws(MASKED[row], files.census, seed, RUNS, strength))
    return {
        column: [
            ProbabilisticLinkage(columns=numeric, metric=metric).measure(files.census, file).value / PERCENT
            for file in masked
        ]
        for column, metric in METRICS.items()
    }


def scores(row: str, files: Files, seed: int, strength: float) -> Columns:
    """Return the columns of Table 3 in each run: the mean of a loss and a rate, in percent."""
    loss, rate = losses(row, files, seed, strength), rates(row, files, seed, strength)
    return {
        f"{score} {metric}": [PERCENT / 2 * sum(parts) for parts in zip(loss[symbol], rate[metric], strict=True)]
        for score, symbol in LOSS_OF.items()
        for metric in METRICS
    }
