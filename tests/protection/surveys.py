"""A small survey of households, and a count by brute force of who fits whom."""

from typing import Any

import numpy as np
import polars as pl

from sfumato.data import Microdata, Schema

ROLES = {
    "key": ["sex", "job", "age", "income", "town"],
    "household": ["home"],
    "identifier": ["name"],
    "weight": ["weight"],
}


def survey(n: int = 200, seed: int = 0) -> Microdata:
    rng = np.random.default_rng(seed)
    home = np.sort(rng.integers(0, n // 2, n))
    town = np.array(["A", "B", "B", "C", "C", "C"])[rng.integers(0, 6, n // 2)][home]
    frame = pl.DataFrame(
        {
            "name": [f"p{row}" for row in range(n)],
            "home": home,
            "town": town,
            "sex": rng.choice(["f", "m"], n),
            "job": rng.choice(["cook", "smith", "clerk", "pilot", "actor"], n, p=[0.5, 0.3, 0.1, 0.07, 0.03]),
            "age": rng.integers(15, 90, n).astype(float),
            "income": rng.lognormal(8, 1, n),
            "tax": rng.lognormal(6, 1, n),
            "weight": rng.uniform(5, 30, n),
        }
    )
    schema = Schema.infer(frame).with_kinds(nominal=["home"])
    ages = schema["age"].model_copy(update={"valid_codes": (77, 88)})  # nobody refused to answer
    return Microdata(frame, schema.with_variables(ages).with_roles(**ROLES, confidential=["tax"]))


def matching(frame: pl.DataFrame, keys: list[str]) -> list[int]:
    """Count by brute force how many records fit each, a missing value fitting every value."""
    rows = frame.select(keys).rows()

    def fit(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
        return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))

    return [sum(fit(one, other) for other in rows) for one in rows]
