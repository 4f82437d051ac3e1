"""Studies made by hand, so that their figures are known."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.masking import CorrelatedNoise, Mdav, RankSwapping
from sfumato.recipe import Recipe
from sfumato.study import Result, Study
from sfumato.study.labels import family_of, labels_of

COLUMNS = ("income", "tax")
TITLES = {"IL": "Information loss (IL, %)", "DR": "Disclosure risk (DR, %)", "score": "Simplified score (score)"}


def recipe(*steps: MaskingMethod) -> Recipe:
    return Recipe(steps=steps)


def swapping(window: float) -> Recipe:
    return recipe(RankSwapping(columns=COLUMNS, window=window))


def mdav(k: int) -> Recipe:
    return recipe(Mdav(columns=COLUMNS, k=k))


def noise(variance_ratio: float) -> Recipe:
    return recipe(CorrelatedNoise(columns=COLUMNS, variance_ratio=variance_ratio))


def twenty() -> list[Recipe]:
    """Return twenty candidates of three families."""
    swappings = [swapping(window) for window in range(2, 18, 2)]
    groupings = [mdav(size) for size in (3, 4, 5, 7, 10, 20)]
    return swappings + groupings + [noise(ratio) for ratio in (0.05, 0.1, 0.15, 0.2, 0.3, 0.4)]


def eighty() -> list[Recipe]:
    """Return eighty candidates of three families."""
    swappings = [swapping(window) for window in range(1, 31)]
    return swappings + [mdav(size) for size in range(2, 32)] + [noise(round(0.02 * step, 2)) for step in range(1, 21)]


def study(
    recipes: Sequence[Recipe], *, replications: int = 1, spread: float = 0.0, labels: Sequence[str] = ()
) -> Study:
    """Return a study in which loss grows and risk falls along each family; figures scatter around that by `spread`."""
    rng = np.random.default_rng(0)
    met: dict[str, int] = {}
    results = []
    for label, candidate in zip(labels or labels_of(recipes), recipes, strict=True):
        family = family_of(candidate)
        met[family] = met.get(family, 0) + 1
        slowness = 1 + 0.12 * list(met).index(family)
        for replication in range(replications):
            loss = 3.0 * met[family] * slowness + spread * rng.normal()
            risk = 60 * np.exp(-met[family] / (4 * slowness)) + 3 * slowness + spread * rng.normal()
            values = {"IL": loss, "DR": risk, "score": (loss + risk) / 2}
            results.append(Result(label, family, candidate.replace(seed=replication), replication, replication, values))
    return Study(tuple(results), 7, TITLES)


def study_of(points: Sequence[tuple[float, float]]) -> Study:
    """Return a study of candidates `c0`, `c1`, ... with the given risk and loss, one run each."""
    results = [
        Result(f"c{number}", "mdav", mdav(3 + number).replace(seed=0), 0, 0, {"IL": loss, "DR": risk})
        for number, (risk, loss) in enumerate(points)
    ]
    return Study(tuple(results), 0, TITLES)


def people(n: int = 120) -> Microdata:
    """Return incomes and taxes that are correlated and have no ties."""
    rng = np.random.default_rng(5)
    income = rng.lognormal(10, 0.6, n)
    return Microdata(pl.DataFrame({"income": income, "tax": 0.2 * income + rng.normal(0, 300, n)}))
