"""Small files in which a column that is no key tells two keys together, and one in which nothing does."""

import numpy as np
import polars as pl

import sfumato as sf


def pupils(n: int = 525, seed: int = 3) -> sf.Microdata:
    """Return pupils whose age and school year are codes; the years they are behind give both together."""
    rng = np.random.default_rng(seed)
    year = rng.integers(1, 14, n)
    behind = rng.choice([-1, 0, 1, 2, 3], n, p=[0.1, 0.5, 0.25, 0.1, 0.05])
    frame = pl.DataFrame(
        {
            "age": year + 5 + behind,
            "school_year": year,
            "sex": rng.choice([*"fm"], n),
            "town": rng.choice([*"ABCDE"], n, p=[0.4, 0.3, 0.15, 0.1, 0.05]),
            "years_behind": behind,
            "score": rng.normal(500, 100, n).round(),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(nominal=["age", "school_year", "years_behind"], continuous=["score"])
    return sf.Microdata(frame, schema.with_roles(key=["age", "school_year", "sex", "town"]))


def pensioners(n: int = 2_000, seed: int = 3) -> sf.Microdata:
    """Return persons with a pension: men from 65 on, women from 60 on."""
    rng = np.random.default_rng(seed)
    ages = ["15-24", "25-34", "35-44", "45-54", "55-59", "60-64", "65-74", "75 or more"]
    sex, age = rng.choice([*"fm"], n), rng.choice(ages, n)
    town = rng.choice([*"ABCDEFGHIJ"], n, p=[0.3, 0.2, 0.15, 0.1, 0.07, 0.06, 0.05, 0.03, 0.025, 0.015])
    has_pension = np.isin(age, ages[-2:]) | ((age == "60-64") & (sex == "f"))
    frame = pl.DataFrame(
        {
            "sex": sex,
            "age": age,
            "town": town,
            "job": rng.choice(["cook", "smith", "clerk", "pilot", "actor"], n, p=[0.4, 0.25, 0.2, 0.1, 0.05]),
            "pension": np.where(has_pension, "yes", "no"),
        }
    )
    return sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["sex", "age", "town", "job"]))


def mothers(n: int = 900, seed: int = 2) -> sf.Microdata:
    """Return births with the year of birth of the mother, that of the child, and the class of her age then."""
    rng = np.random.default_rng(seed)
    born, age = rng.integers(1990, 2020, n), np.clip(rng.normal(30, 5, n).round(), 16, 45).astype(int)
    frame = pl.DataFrame(
        {
            "mother_born": born - age,
            "child_born": born,
            "town": rng.choice([*"ABCDE"], n, p=[0.4, 0.3, 0.15, 0.1, 0.05]),
            "age_class": [f"{low}-{low + 1}" for low in age // 2 * 2],
            "grams": rng.normal(3300, 400, n).round(),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=["mother_born", "child_born", "grams"])
    return sf.Microdata(frame, schema.with_roles(key=["mother_born", "child_born", "town"]))


def harmless(n: int = 800, seed: int = 1) -> sf.Microdata:
    """Return persons whose income and health go with their age, as everywhere, and tell nobody's."""
    rng = np.random.default_rng(seed)
    age, sex = rng.integers(18, 80, n), rng.choice([*"fm"], n)
    frame = pl.DataFrame(
        {
            "sex": sex,
            "age": age,
            "town": rng.choice([*"ABCDEFGH"], n, p=[0.3, 0.2, 0.15, 0.1, 0.1, 0.07, 0.05, 0.03]),
            "job": rng.choice(["cook", "smith", "clerk", "pilot"], n, p=[0.5, 0.3, 0.15, 0.05]),
            "income": (rng.lognormal(7, 0.5, n) * (1 + age / 60) * np.where(sex == "f", 0.9, 1.0)).round(-1),
            "health": np.clip((rng.normal(3, 1, n) - age / 40).round(), -1, 5),
            "hours": rng.integers(10, 50, n),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "income", "hours"])
    return sf.Microdata(frame, schema.with_roles(key=["sex", "age", "town", "job"]))
