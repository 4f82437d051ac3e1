"""Keep to a limit on what is suppressed: broader keys, until what other columns make necessary fits in too."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from sfumato.data import Microdata
from sfumato.parameters.limits import SUPPRESSED, Comparison, Limit
from sfumato.protection.hint_protection import HintedRun, lost_values, run_with_hints
from sfumato.protection.keys import Keys
from sfumato.protection.plan import Plan
from sfumato.protection.steps import Averaged, propose_steps
from sfumato.recipe import Recipe
from sfumato.reports.checked_limits import CheckedLimit

MAX_TRIES = 6  # of leaving less to local suppression, where hints take the rest


def run_within_limit(
    data: Microdata,
    keys: Keys,
    plan: Plan,
    seed: int | None,
    decimals: Mapping[str, int],
    *,
    is_limit: bool,
    averaged: Sequence[Averaged] = (),
) -> HintedRun:
    """Return a recipe that protects the file, and what came of it.

    Parameters
    ----------
    data, keys, plan
        The file, its keys, and what is asked for.
    seed
        Where the random draws begin; drawn when not given.
    decimals
        How many decimals columns have in the file that will be written.
    is_limit
        Whether the plan's share of suppressed values is a limit. Where hints from other columns bring it above, less is
        left to local suppression, so that keys become broader: as little less as is enough, or the run that suppresses
        least where nothing is.
    averaged
        What is known of steps that average numbers.
    """
    recipe = Recipe(steps=propose_steps(data, keys, plan), seed=seed).with_seed()
    best = run_with_hints(data, recipe, keys.names, plan.k, decimals, averaged)
    least, most = suppressed_percent(data, best.masked, keys.names), plan.max_suppressed
    enough, too_much, left = None, most, max(2 * most - least, 0.0)  # percent that are left to local suppression
    for _ in range(MAX_TRIES if is_limit and best.hinted and least > most else 0):
        steps = propose_steps(data, keys, replace(plan, max_suppressed=left))
        run = run_with_hints(data, recipe.replace(steps=steps), keys.names, plan.k, decimals, averaged)
        suppressed = suppressed_percent(data, run.masked, keys.names)
        if suppressed <= most:
            best, enough = run, left
        else:
            too_much = left
            if enough is None and suppressed < least:
                best, least = run, suppressed
        if not too_much:
            break
        left = max(left + most - suppressed, 0.0) if enough is None else (enough + too_much) / 2
    return best


def suppressed_percent(data: Microdata, masked: Microdata, names: tuple[str, ...]) -> float:
    """Return how many percent of the key values are suppressed."""
    values = sum(int(np.count_nonzero(data.observed(name))) for name in names)
    return 100 * lost_values(data, masked, names) / max(values, 1)


def check_suppression_limit(plan: Plan, suppressed: float) -> CheckedLimit:
    """Return the limit on what is suppressed, and whether it is kept to, hints from other columns included."""
    limit = Limit(SUPPRESSED, Comparison.AT_MOST, plan.max_suppressed)
    return CheckedLimit(limit, suppressed, limit.is_met(suppressed), "%")
