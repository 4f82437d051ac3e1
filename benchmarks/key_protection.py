"""Time the protection of categorical keys."""

from functools import cache

import numpy as np
import polars as pl

from benchmarks.case import Case, cpu_seconds, records
from benchmarks.census import is_at_hand
from benchmarks.key_recoding import RECODING_CASES
from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, Schema
from sfumato.datasets import reference
from sfumato.masking import LocalSuppression, RiskSuppression, StrictLocalSuppression, strict_suppression_bound

TEN_THOUSAND, HUNDRED_THOUSAND = records(10_000), records(100_000)
SIZES = (9, 6, 3, 7, 5, 10, 4, 5, 6, 3, 3, 4, 5, 6, 8, 9)  # most categories of each key, small ones more frequent
SIX, SIXTEEN = (tuple(f"key{place}" for place in range(count)) for count in (6, 16))
SURVEY_KEYS = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")


@cache
def people(n: int, missing: float = 0.0) -> Microdata:
    """Return n records with sixteen keys, a share of them missing, in households of four that share three; seed 0."""
    rng = np.random.default_rng(0)
    home = np.arange(n) // 4
    keys = [np.minimum(rng.geometric(0.4, n), size) for size in SIZES]
    keys = [key[4 * home] if place < 3 else key for place, key in enumerate(keys)]
    columns = {name: pl.Series(key) for name, key in zip(SIXTEEN, keys, strict=True)}
    gaps = {name: pl.Series(rng.random(n) < missing) for name in columns}
    frame = pl.DataFrame({**columns, "home": home, "persons": rng.uniform(1, 200, n)})
    frame = frame.with_columns(
        pl.when(gap).then(None).otherwise(pl.col(name)).alias(name) for name, gap in gaps.items()
    )
    schema = Schema.infer(frame).with_kinds(nominal=[*SIXTEEN, "home"], continuous=["persons"])
    return Microdata(frame, schema.with_roles(key=SIXTEEN, household=["home"], weight=["persons"]))


def masking(method: MaskingMethod, n: int, missing: float = 0.0) -> float:
    """Return the CPU time of masking made records."""
    data = people(n, missing)
    return cpu_seconds(lambda: method.mask(data, np.random.default_rng(0)))


def cells_of_the_survey(method: MaskingMethod) -> float:
    """Return how many cells of the household survey are suppressed."""
    data = reference("household_survey")
    masked = method.mask(data, np.random.default_rng(0))
    return float(sum((masked.codes(name)[0] < 0).sum() - (data.codes(name)[0] < 0).sum() for name in SURVEY_KEYS))


def gap_of_the_search() -> float:
    """Return how many percent of the cells a search could still save at most, 150 records x 4 keys."""
    method = StrictLocalSuppression(columns=SIX[:4], k=3, max_nodes=1)
    return strict_suppression_bound(method, people(TEN_THOUSAND).take_rows(slice(0, 150))).gap


CASES: list[Case] = [
    Case(
        "local suppression, 10^4 x 6 keys, k = 3",
        lambda: masking(LocalSuppression(columns=SIX), TEN_THOUSAND),
        target=1.0,
    ),
    Case(
        "local suppression, 10^5 x 6 keys, k = 3",
        lambda: masking(LocalSuppression(columns=SIX), HUNDRED_THOUSAND),
        target=10.0,
    ),
    Case(
        "local suppression, 10^5 x 6 keys, 2 % missing",
        lambda: masking(LocalSuppression(columns=SIX), HUNDRED_THOUSAND, 0.02),
        target=10.0,
    ),
    Case(
        "local suppression, 10^5 x 6 keys, whole households",
        lambda: masking(LocalSuppression(columns=SIX, household_columns=SIX[:3]), HUNDRED_THOUSAND),
        target=10.0,
    ),
    Case(
        "local suppression, 10^5 x 16 keys, any three of them, k = 20",
        lambda: masking(LocalSuppression(columns=SIXTEEN, combinations={3: 20}), HUNDRED_THOUSAND),
        target=10.0,
        is_long=True,
    ),
    Case(
        "strict local suppression, 10^5 x 6 keys, k = 3",
        lambda: masking(StrictLocalSuppression(columns=SIX), HUNDRED_THOUSAND),
        target=10.0,
    ),
    Case(
        "strict local suppression by search, 150 x 4 keys: gap",
        gap_of_the_search,
        target=2.0,
        unit="%",
        is_long=True,
    ),
    Case(
        "risk suppression, 10^5 x 6 keys, 1 %",
        lambda: masking(RiskSuppression(columns=SIX, max_risk=1), HUNDRED_THOUSAND),
        target=10.0,
    ),
    *RECODING_CASES,
]

SURVEY_CASES = [
    Case(
        "local suppression, household survey x 7 keys, k = 3: cells",
        lambda: cells_of_the_survey(LocalSuppression(columns=SURVEY_KEYS)),
        target=293.0,
        unit="cells",
        peer=("sdcMicro 5.8", 293.0),
    ),
    Case(
        "strict local suppression, the same by search: cells",
        lambda: cells_of_the_survey(StrictLocalSuppression(columns=SURVEY_KEYS, max_nodes=1)),
        target=357.0,
        unit="cells",
        is_long=True,
        is_quick=False,
        note="357 is the least possible; without a search there are 404",
    ),
]

CASES += SURVEY_CASES if is_at_hand() else []
