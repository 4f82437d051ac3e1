"""A made file of households in which nothing is impossible, and what would be."""

import numpy as np
import polars as pl

from sfumato.data import Kind, Microdata, Role, Schema, Variable

COLUMNS = ("region", "rooms", "relation", "age", "sex", "income")
SCHEMA = Schema(
    variables=(
        Variable(name="home", kind=Kind.NOMINAL, role=Role.HOUSEHOLD),
        Variable(name="region", kind=Kind.NOMINAL),
        Variable(name="rooms", kind=Kind.CONTINUOUS),
        Variable(name="relation", kind=Kind.NOMINAL),
        Variable(name="age", kind=Kind.CONTINUOUS),
        Variable(name="sex", kind=Kind.NOMINAL),
        Variable(name="income", kind=Kind.CONTINUOUS),
    )
)


def households(count: int, seed: int = 1) -> Microdata:
    """Return households of one head, perhaps a spouse of about the same age and income, children, and a parent."""
    rng = np.random.default_rng([27, seed])
    rows = []
    for home in range(count):
        region, age = rng.choice(["north", "south", "west"], p=[0.5, 0.3, 0.2]), int(rng.integers(20, 90))
        wealth, is_female = rng.normal(), bool(rng.random() < 0.4)
        members = [("head", age, is_female)]
        if rng.random() < (0.7 if region == "north" else 0.4):
            members.append(("spouse", int(np.clip(age + rng.normal(-2, 3), 18, 95)), not is_female))
        youngest_parent = min(parent for _, parent, _ in members)
        for _ in range(rng.poisson(1.6 if len(members) == 2 else 0.4) if 25 <= age < 60 else 0):
            members.append(("child", int(rng.integers(0, youngest_parent - 16)), bool(rng.random() < 0.5)))
        if age < 65 and rng.random() < 0.06:
            members.append(("parent", int(age + rng.integers(18, 32)), bool(rng.random() < 0.7)))
        rooms = 1 + len(members) + int(rng.poisson(1))
        for relation, years, female in members:
            income = 0.0 if years < 16 else float(np.round(np.exp(9 + 0.5 * wealth + 0.3 * rng.normal())))
            rows.append((home + 1, region, rooms, relation, years, "f" if female else "m", income))
    return Microdata(pl.DataFrame(rows, schema=["home", *COLUMNS], orient="row"), SCHEMA)


def impossible(frame: pl.DataFrame) -> int:
    """Return how many households have not one head, or two spouses, or a child not 15 years younger than a parent."""

    def is_relation(name: str) -> pl.Expr:
        return pl.col("relation") == name

    homes = frame.group_by("home").agg(
        is_relation("head").sum().alias("heads"),
        is_relation("spouse").sum().alias("spouses"),
        pl.col("age").filter(is_relation("child")).max().alias("child"),
        pl.col("age").filter(is_relation("head") | is_relation("spouse")).min().alias("parent"),
    )
    return homes.filter(
        (pl.col("heads") != 1) | (pl.col("spouses") > 1) | (pl.col("child") + 15 > pl.col("parent"))
    ).height
