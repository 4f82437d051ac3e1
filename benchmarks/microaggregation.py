"""How much microaggregation loses, and how long it takes, on made records: scattered, skewed and clustered."""

from collections.abc import Callable
from functools import cache

import numpy as np

from benchmarks.case import Case, cpu_seconds, records
from sfumato.kernels.microaggregation.local_search import refine_groups
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.masking.microaggregation._aggregation import group_means
from sfumato.masking.microaggregation.near_optimal_microaggregation import near_optimal_groups
from sfumato.numerics.arrays import CodeColumn, FloatMatrix
from sfumato.numerics.standardisation import z_scores

KINDS = ("scattered", "skewed", "clustered")

Grouping = Callable[[FloatMatrix, int], CodeColumn]


@cache
def made(kind: str, n: int = records(1500)) -> FloatMatrix:
    """Return standardised records, seed 42: correlated normal ones, exponentials of such, or 60 clusters."""
    rng = np.random.default_rng(42)
    if kind == "clustered":
        centres = 3 * rng.normal(size=(60, 6))
        widths = 0.3 * np.exp(rng.normal(size=(n, 1)))
        return z_scores(centres[rng.integers(0, 60, n)] + widths * rng.normal(size=(n, 6)))
    scattered = rng.normal(size=(n, 8)) @ rng.normal(size=(8, 8))
    return z_scores(np.exp(scattered / 2) if kind == "skewed" else scattered)


def refined(points: FloatMatrix, k: int) -> CodeColumn:
    """Return the groups of MDAV after a local search."""
    return refine_groups(points, mdav_groups(points, k), k)


def near_optimal(points: FloatMatrix, k: int) -> CodeColumn:
    """Return the groups of the default search, seed 1."""
    return near_optimal_groups(points, k, 20, None, np.random.default_rng(1))


def of_mdav(grouping: Grouping, kind: str, k: int) -> float:
    """Return the sum of squared distances of a grouping over that of MDAV."""
    points = made(kind)

    def lost(groups: CodeColumn) -> float:
        return float(((points - group_means(points, groups)) ** 2).sum())

    return lost(grouping(points, k)) / lost(mdav_groups(points, k))


def _loss(name: str, grouping: Grouping, kind: str, k: int, target: float) -> Case:
    title = f"{name} k = {k}, 1500 {kind}: loss / MDAV's"
    return Case(title, lambda: of_mdav(grouping, kind, k), target, unit="ratio")


def _time(name: str, grouping: Grouping, n: int, k: int, target: float) -> Case:
    title = f"{name} k = {k}, {n} x 8 scattered"
    return Case(title, lambda: cpu_seconds(lambda: grouping(made("scattered", records(n)), k), repeats=1), target)


CASES = [
    *(_loss("refined mdav", refined, kind, 3, target) for kind, target in zip(KINDS, (0.87, 0.97, 0.78), strict=True)),
    *(
        _loss("near-optimal", near_optimal, kind, 3, target)
        for kind, target in zip(KINDS, (0.83, 0.96, 0.76), strict=True)
    ),
    *(
        _loss("near-optimal", near_optimal, kind, 5, target)
        for kind, target in zip(KINDS, (0.80, 0.96, 0.71), strict=True)
    ),
    _time("refined mdav", refined, 20_000, 3, 6.0),
    _time("near-optimal", near_optimal, 1500, 3, 5.0),
    _time("near-optimal", near_optimal, 1500, 10, 60.0),
]
