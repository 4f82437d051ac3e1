"""Time the release report: measure a release, and draw the page."""

from functools import cache

import numpy as np
import polars as pl

from benchmarks.case import Case, cpu_seconds, records
from sfumato.data import Microdata, Schema
from sfumato.masking import AdditiveNoise
from sfumato.recipe import Recipe
from sfumato.reports.release import report

HUNDRED_THOUSAND = records(100_000)
KEYS, ANSWERS, NUMBERS = 5, 5, 10
RECIPE = Recipe(steps=[AdditiveNoise(columns=tuple(f"number{place}" for place in range(NUMBERS)), scale=0.2)], seed=1)


@cache
def survey(n: int) -> Microdata:
    """Return n records with 5 keys, 5 confidential answers and 10 confidential numbers, seed 0."""
    rng = np.random.default_rng(0)
    keys = {f"key{place}": rng.integers(0, size, n) for place, size in enumerate((2, 8, 12, 5, 6))}
    answers = {f"answer{place}": rng.integers(0, 4, n) for place in range(ANSWERS)}
    common = rng.normal(size=n)
    numbers = {f"number{place}": np.exp(common + rng.normal(size=n)) for place in range(NUMBERS)}
    frame = pl.DataFrame({**keys, **answers, **numbers})
    schema = Schema.infer(frame).with_kinds(nominal=[*keys, *answers], continuous=list(numbers))
    return Microdata(frame, schema.with_roles(key=list(keys), confidential=[*answers, *numbers]))


def reporting(n: int) -> float:
    """Return the CPU time of the report on a release of a made survey, its page and its JSON."""
    data = survey(n)
    released = RECIPE.run(data)
    return cpu_seconds(lambda: len(_page(data, released)))


def page_megabytes(n: int) -> float:
    """Return the size of the page in megabytes."""
    data = survey(n)
    return len(_page(data, RECIPE.run(data)).encode()) / 1e6


def _page(data: Microdata, released: Microdata) -> str:
    made = report(data, released, recipe=RECIPE, limits=["k>=3"])
    return made.to_html() + made.to_json()


CASES = [
    Case("release report, 10^5 x 20", lambda: reporting(HUNDRED_THOUSAND), target=60.0, is_long=True),
    Case(
        "page and JSON of a release report, 10^5 x 20",
        lambda: page_megabytes(HUNDRED_THOUSAND),
        target=3.0,
        unit="MB",
        is_long=True,
    ),
]
