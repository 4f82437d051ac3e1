"""Comparing many candidates."""

import time

from benchmarks.case import QUICK, Case
from benchmarks.census import census, is_at_hand
from sfumato.contracts import MaskingMethod
from sfumato.data import numeric
from sfumato.loss import InformationLoss
from sfumato.masking import AdditiveNoise, LossyCompression, Mdav, RankSwapping
from sfumato.risk import DistanceLinkage, IntervalDisclosure
from sfumato.study import compare

REPLICATIONS = 3
WORKERS = 1 if QUICK else 2
MEASURES = (InformationLoss(columns=numeric), DistanceLinkage(columns=numeric), IntervalDisclosure(columns=numeric))


def hundred() -> list[MaskingMethod]:
    """Return a hundred candidates of four families."""
    return [
        *(RankSwapping(columns=numeric, window=window) for window in range(1, 41)),
        *(Mdav(columns=numeric, k=size) for size in range(3, 23)),
        *(AdditiveNoise(columns=numeric, scale=step / 50) for step in range(1, 21)),
        *(LossyCompression(columns=numeric, quality=quality) for quality in range(5, 101, 5)),
    ]


def comparing(candidates: list[MaskingMethod]) -> float:
    """Return the seconds on the clock that a study takes once everything is compiled; no candidate may fail."""
    compare(census(), candidates[::10], seed=0, measures=MEASURES, workers=WORKERS, progress=False)
    begin = time.perf_counter()
    study = compare(
        census(),
        candidates,
        replications=REPLICATIONS,
        seed=0,
        measures=MEASURES,
        workers=WORKERS,
        progress=False,
    )
    taken = time.perf_counter() - begin
    assert len(study.results) == REPLICATIONS * len(candidates)
    assert all(result.error is None for result in study.results)
    return taken


CENSUS_CASES = [
    Case(
        "study of 100 candidates x 3, IL, DLD and ID, Census, 2 processes",
        lambda: comparing(hundred()[::20] if QUICK else hundred()),
        target=60.0,
        unit="s",
    ),
]
CASES = CENSUS_CASES if is_at_hand() else []
