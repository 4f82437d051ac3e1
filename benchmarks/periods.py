"""Tables of every period: how many cells that protect others are new, and what keeping the old ones costs."""

from dataclasses import replace
from functools import cache

import numpy as np
from tests.tables.test_last_period import RULE, panel

from benchmarks.case import QUICK, Case
from sfumato.tables import HeuristicSuppression, protect

SERIES = (2,) if QUICK else (2, 3, 4, 5, 6, 7)
YEARS = 2 if QUICK else 5
ALMOST_NOTHING = 1e-6


@cache
def followed_series() -> tuple[float, float, float]:
    """Return over all years of made series the percent of new cells, the fewest new ones, and the percent paid more."""
    protection = HeuristicSuppression()
    others, new, fewest, cost, fresh_cost = 0, 0, 0, 0.0, 0.0
    for seed in SERIES:
        first, *following = panel(YEARS, leaving=0.005, seed=seed)
        last = protect(first, protection, rule=RULE, insiders=False).pattern.suppressed
        for table in following:
            kept = protect(table, protection, rule=RULE, insiders=False, last_period=last)
            assert kept.audit(intervals="unprotected").is_safe
            problem, is_free = kept.problem, ~kept.problem.must_suppress
            only_new = replace(problem, costs=np.where(last, ALMOST_NOTHING, 1.0))
            nearest = protection.protect(only_new, np.random.default_rng(0))
            others += int((kept.pattern.suppressed & is_free).sum())
            new += int((kept.pattern.suppressed & is_free & ~last).sum())
            fewest += int((nearest.suppressed & is_free & ~last).sum())
            cost += kept.pattern.cost
            fresh_cost += protection.protect(problem, np.random.default_rng(0)).cost
            last = kept.pattern.suppressed
    return 100 * new / others, 100 * fewest / others, 100 * (cost / fresh_cost - 1)


CASES = [
    Case(
        "periods: new cells among those that protect others, made yearly series",
        lambda: followed_series()[0],
        5.0,
        "%",
        note="cells that became unsafe need some: see the next row",
    ),
    Case("periods: new cells if cost did not count at all", lambda: followed_series()[1], 5.0, "%"),
    Case("periods: cost above that of fresh patterns", lambda: followed_series()[2], 3.0, "%"),
]
