"""A small survey with keys, confidential columns, labels and gaps, and a release of it."""

from functools import cache

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable
from sfumato.reports.release import ReleaseReport

LIMITS = ("k>=3", "global_risk<=100")


@cache
def survey(n: int = 240, seed: int = 3) -> Microdata:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, n)
    frame = pl.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n).tolist(),
            "town": rng.choice(["Aston", "Brill", "Corby", "Dell", "Ely"], n, p=[0.4, 0.3, 0.2, 0.07, 0.03]).tolist(),
            "age": age.astype(float),
            "ill": rng.choice(["yes", "no"], n, p=[0.2, 0.8]).tolist(),
            "income": rng.lognormal(7, 0.6, n) + 10.0 * age,
            "rent": rng.lognormal(5, 0.4, n),
        }
    )
    variables = (
        Variable(name="sex", kind="nominal", role="key", label="Sex", value_labels={"f": "female", "m": "male"}),
        Variable(name="town", kind="nominal", role="key", label="Town of residence"),
        Variable(name="age", kind="continuous", role="other", label="Age in years"),
        Variable(name="ill", kind="nominal", role="confidential", label="Chronically ill"),
        Variable(name="income", kind="continuous", role="confidential", label="Yearly income"),
        Variable(name="rent", kind="continuous", role="confidential"),
    )
    return Microdata(frame, Schema(variables=variables))


RECIPE = sf.Recipe(
    steps=[
        sf.Recoding(columns=("town",), map={"Dell": "elsewhere", "Ely": "elsewhere"}, keeps_others=True),
        sf.LocalSuppression(columns=("sex", "town"), k=3),
        sf.RankSwapping(columns=("income", "rent"), window=7.25),
    ],
    seed=918273645,
)


@cache
def released() -> Microdata:
    return RECIPE.run(survey())


@cache
def page(edition: str = "internal") -> str:
    return made(edition).to_html()


@cache
def made(edition: str = "internal") -> ReleaseReport:
    return sf.report(
        survey(),
        released(),
        recipe=RECIPE,
        limits=LIMITS,
        edition=edition,
        standards=("wp216", "hipaa", "iso27559"),
        author="A. Steward",
    )
