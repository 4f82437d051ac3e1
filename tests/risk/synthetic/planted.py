"""A made population, files drawn from it, and synthetic files with a leak that is known."""

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from scipy.spatial import cKDTree

from sfumato.contracts import ControlledRisk
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.risk import Inference, Linkability, MembershipInference, SinglingOut
from tests.risk.synthetic.other_populations import Population

NAMES = ("age", "town", "sex", "pay", "rent", "savings")
SCHEMA = Schema(
    variables=tuple(
        Variable(name=name, kind=Kind.NOMINAL if name in ("town", "sex") else Kind.CONTINUOUS) for name in NAMES
    )
)


def attacks(names: Sequence[str]) -> tuple[ControlledRisk, ...]:
    """Return the attacks that look for leaks in all columns."""
    return (
        SinglingOut(columns=names, attacks=300),
        Linkability(columns=names),
        Inference(columns=names),
        MembershipInference(columns=names),
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


def half_copied(people: pl.DataFrame, seed: int, draw: Population = population, _: str = "pay") -> pl.DataFrame:
    """Return a file of which one half are copies, in another order."""
    half = len(people) // 2
    made = pl.concat([people.head(half), draw(len(people) - half, seed + 1000)])
    return made.sample(fraction=1.0, shuffle=True, seed=seed)


def column_copied(people: pl.DataFrame, seed: int, draw: Population = population, column: str = "pay") -> pl.DataFrame:
    """Return new persons with one column of the real ones."""
    return draw(len(people), seed + 1000).with_columns(people[column].sample(fraction=1.0, shuffle=True, seed=seed))


def nearest_neighbour(people: pl.DataFrame, seed: int, *_: object) -> pl.DataFrame:
    """Return each record with every value taken from it or from its nearest neighbour, by lot."""
    neighbour = people[_neighbours(people, 1)[:, 0]]
    rng = np.random.default_rng(seed)
    return people.select(
        pl.when(pl.Series(rng.random(len(people)) < 0.5)).then(people[name]).otherwise(neighbour[name]).alias(name)
        for name in people.columns
    )


def smote(people: pl.DataFrame, seed: int, *_: object) -> pl.DataFrame:
    """Return for each record a point on the line to one of its five nearest neighbours; categories by lot.

    Whole numbers and days stay whole.
    """
    rng = np.random.default_rng(seed)
    chosen = _neighbours(people, 5)[np.arange(len(people)), rng.integers(0, 5, len(people))]
    neighbour, share = people[chosen], pl.Series(rng.random(len(people)))

    def between(name: str) -> pl.Series | pl.Expr:
        one, other, kind = people[name], neighbour[name], people[name].dtype
        if kind == pl.String:
            return pl.when(share < 0.5).then(one).otherwise(other).alias(name)
        first, second = (each.to_physical().cast(pl.Float64) for each in (one, other))
        point = first + (second - first) * share
        return point if kind == pl.Float64 else point.round().cast(one.to_physical().dtype).cast(kind)

    return people.select(between(name) for name in people.columns)


def _neighbours(people: pl.DataFrame, count: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return the rows of the nearest others over the ranks of numbers and equal categories."""
    places = []
    for name in people.columns:
        if people[name].dtype == pl.String:
            places.append(people[name].to_dummies().to_numpy() / 2)  # 1 apart where categories differ
        else:
            places.append(people[name].rank("average").fill_null(0).to_numpy()[:, None] / len(people))
    points = np.concatenate(places, axis=1)
    found = cKDTree(points).query(points, count + 1, p=1)[1]
    is_self = found == np.arange(len(people))[:, None]
    is_self[~is_self.any(axis=1), -1] = True  # as many others are at the same place
    return np.asarray(found[~is_self].reshape(len(people), count), dtype=np.int64)


LEAKS: dict[str, Callable[..., pl.DataFrame]] = {
    "half of the file copied": half_copied,
    "one column copied": column_copied,
    "nearest neighbour": nearest_neighbour,
    "SMOTE": smote,
}


def finders(
    original: pl.DataFrame, synthetic: pl.DataFrame, control: pl.DataFrame, schema: Schema = SCHEMA
) -> set[str]:
    """Return the names of the attacks that find a leak."""
    people, made, others = (Microdata(frame, schema) for frame in (original, synthetic, control))
    asked = [attack.with_control(others) for attack in attacks(schema.names)]
    return {attack.name() for attack in asked if attack.measure(people, made).shows_leak}
