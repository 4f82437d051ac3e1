"""A made population, files drawn from it, and synthetic files with a leak that is known."""

from collections.abc import Callable

import numpy as np
import polars as pl

from sfumato.contracts import ControlledRisk
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.risk import Inference, Linkability, MembershipInference, SinglingOut

NAMES = ("age", "town", "sex", "pay", "rent", "savings")
SCHEMA = Schema(
    variables=tuple(
        Variable(name=name, kind=Kind.NOMINAL if name in ("town", "sex") else Kind.CONTINUOUS) for name in NAMES
    )
)
ATTACKS: tuple[ControlledRisk, ...] = (
    SinglingOut(columns=NAMES, attacks=300),
    Linkability(columns=NAMES),
    Inference(columns=NAMES),
    MembershipInference(columns=NAMES),
)


def population(n: int, seed: int) -> pl.DataFrame:
    """Return persons drawn from one distribution, some of their values missing."""
    rng = np.random.default_rng([17, seed])
    age = rng.integers(18, 90, n)
    town = rng.integers(0, 8, n)
    pay = np.round(rng.lognormal(7 + town / 20 + age / 200, 0.6), 1)
    rent = np.round(pay * rng.uniform(0.1, 0.5, n), 1)
    savings = np.round(rng.gamma(1.0 + age / 60, 3000, n), 1)
    return pl.DataFrame(
        {
            "age": age,
            "town": [f"town {number}" for number in town],
            "sex": np.array(["f", "m"])[rng.integers(0, 2, n)],
            "pay": pay,
            "rent": rent,
            "savings": pl.Series(
                [None if gap else float(x) for gap, x in zip(rng.random(n) < 0.03, savings, strict=True)]
            ),
        }
    )


def file(frame: pl.DataFrame) -> Microdata:
    """Return records of whom nothing tells where they came from."""
    return Microdata(frame, SCHEMA)


def half_copied(people: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Return a file of which one half are copies, in another order."""
    half = len(people) // 2
    made = pl.concat([people.head(half), population(len(people) - half, seed + 1000)])
    return made.sample(fraction=1.0, shuffle=True, seed=seed)


def column_copied(people: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Return new persons with the pay of the real ones."""
    return population(len(people), seed + 1000).with_columns(
        people["pay"].sample(fraction=1.0, shuffle=True, seed=seed)
    )


def nearest_neighbour(people: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Return each record with every value taken from it or from its nearest neighbour, by lot."""
    neighbour = people[_neighbours(people, 1)[:, 0]]
    rng = np.random.default_rng(seed)
    return people.select(
        pl.when(pl.Series(rng.random(len(people)) < 0.5)).then(people[name]).otherwise(neighbour[name]).alias(name)
        for name in NAMES
    )


def smote(people: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Return for each record a point on the line to one of its five nearest neighbours; categories by lot."""
    rng = np.random.default_rng(seed)
    chosen = _neighbours(people, 5)[np.arange(len(people)), rng.integers(0, 5, len(people))]
    neighbour, share = people[chosen], pl.Series(rng.random(len(people)))
    return people.select(
        (people[name] + (neighbour[name] - people[name]) * share).alias(name)
        if people[name].dtype.is_numeric()
        else pl.when(share < 0.5).then(people[name]).otherwise(neighbour[name]).alias(name)
        for name in NAMES
    ).with_columns(pl.col("age").round().cast(pl.Int64))


def _neighbours(people: pl.DataFrame, count: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return the rows of the nearest others over the ranks of numbers and equal categories, by brute force."""
    columns = [people[name].rank("average").fill_null(0).to_numpy() / len(people) for name in NAMES]
    distances = np.zeros((len(people), len(people)))
    for name, column in zip(NAMES, columns, strict=True):
        apart = np.abs(column[:, None] - column[None, :])
        distances += apart if people[name].dtype.is_numeric() else apart > 0
    np.fill_diagonal(distances, np.inf)
    return np.argsort(distances, axis=1, kind="stable")[:, :count]


LEAKS: dict[str, Callable[[pl.DataFrame, int], pl.DataFrame]] = {
    "half of the file copied": half_copied,
    "one column copied": column_copied,
    "nearest neighbour": nearest_neighbour,
    "SMOTE": smote,
}


def finders(original: pl.DataFrame, synthetic: pl.DataFrame, control: pl.DataFrame) -> set[str]:
    """Return the names of the attacks that find a leak."""
    files = file(original), file(synthetic)
    return {attack.name() for attack in ATTACKS if attack.with_control(file(control)).measure(*files).shows_leak}
