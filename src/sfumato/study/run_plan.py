"""Plan a study: which recipes are run, how often, and with which seeds."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sfumato.recipe import Recipe
from sfumato.storage.digests import text_sha256

RUN_SEED_BITS = 63  # a run's seed fits the integers of dataframes and files


@dataclass(frozen=True)
class Run:
    """One piece of work: a candidate's recipe with a seed of its own."""

    candidate: str
    recipe: Recipe
    replication: int
    seed: int


def plan_runs(recipes: Mapping[str, Recipe], replications: int, seed: int) -> list[Run]:
    """Return the runs, by candidate and replication, each with its own seed."""
    met: Counter[str] = Counter()
    runs = []
    for label, recipe in recipes.items():
        text = recipe.replace(seed=None).to_yaml()
        for replication in range(replications):
            own = run_seed(seed, text, met[text], replication)
            runs.append(Run(label, recipe.replace(seed=own), replication, own))
        met[text] += 1
    return runs


def run_seed(seed: int, recipe: str, occurrence: int, replication: int) -> int:
    """Return the seed of one run of a recipe, given as YAML; equal recipes and their runs are counted from 0.

    It depends on nothing else in the study, so that candidates may come, go and change places.
    """
    key = (int(text_sha256(recipe), base=16), occurrence, replication)
    state = np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)
    return int(state[0]) >> (64 - RUN_SEED_BITS)
