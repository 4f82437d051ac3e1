"""Searching for a recipe: what the best one found in five minutes scores."""

from typing import Any

import numpy as np

from benchmarks.case import QUICK, Case
from benchmarks.census import census, is_at_hand
from sfumato.assessment import assess
from sfumato.contracts import Correspondence, Measure
from sfumato.data import numeric
from sfumato.loss import InformationLoss
from sfumato.risk import DistanceLinkage, IntervalDisclosure
from sfumato.scores.published import simplified_score
from sfumato.study.search import between, search

MINUTES, TRIALS, DRAWS = (5, 2, 1) if QUICK else (5, 1_000, 5)
NEAREST = Correspondence.NEAREST_RECORD
MEASURES: list[Measure] = [  # as the paper on post-masking optimisation counts
    InformationLoss(columns=numeric, correspondence=NEAREST),
    DistanceLinkage(columns=numeric, correspondence=NEAREST),
    IntervalDisclosure(columns=numeric, ties="mid", correspondence=NEAREST),
]


def entry(method: str, *, keeps_groups: bool, record_percent: Any, **parameters: Any) -> dict[str, Any]:
    """Return a method whose masked file is improved."""
    target_percent = between(10, 100)
    shares = {"target_percent": target_percent, "record_percent": record_percent, "keeps_groups": keeps_groups}
    return {
        "steps": [{method: {"columns": "numeric", **parameters}}],
        "improve": {"post_masking_optimisation": {"columns": "numeric", **shares}},
    }


SPACE = [
    entry("mdav", keeps_groups=True, record_percent=100, k=between(4, 30)),
    entry("mdav", keeps_groups=True, record_percent=100, k=between(4, 30), columns_at_a_time=between(2, 6)),
    entry("rank_swapping", keeps_groups=False, record_percent=between(5, 50), window=between(5, 30)),
]


def best_score() -> float:
    """Return the mean score, over draws that the search did not see, of the best recipe for Census."""
    found = search(
        census(),
        SPACE,
        minimise="score",
        measures=MEASURES,
        trials=TRIALS,
        replications=2,
        seed=0,
        time_limit=60 * MINUTES,
    )
    assert found.best is not None
    masked = [found.best.recipe.replace(seed=draw).run(census()) for draw in range(DRAWS)]
    return float(np.mean([assess(census(), file, MEASURES, [simplified_score]).values["score"] for file in masked]))


CENSUS_CASES = [
    Case(
        f"search, score of the best recipe for Census in {MINUTES} minutes",
        best_score,
        target=20.0,
        unit="score",
        is_long=True,
        note="it searches for five minutes of the clock: on a busy machine it tries fewer candidates",
    ),
]
CASES = CENSUS_CASES if is_at_hand() else []
