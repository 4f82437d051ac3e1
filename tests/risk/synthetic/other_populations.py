"""Populations that no limit of the attacks was chosen on: patients, businesses, villagers, pupils, drivers."""

from collections.abc import Callable
from datetime import date, timedelta

import numpy as np
import polars as pl

from sfumato.numerics.arrays import CodeColumn, FloatColumn

Population = Callable[[int, int], pl.DataFrame]
"""Return so many records of a population, others with each seed."""


def patients(n: int, seed: int) -> pl.DataFrame:
    """Return stays in a hospital, one for each patient: many diagnoses, dates, and weights that are often missing."""
    rng = np.random.default_rng([31, seed])
    is_newborn = rng.random(n) < 0.08
    age = np.where(is_newborn, 0, np.clip(rng.normal(58, 21, n), 1, 103)).astype(int)
    ward = np.where(is_newborn, 0, 1 + _zipf(rng, n, 11, 0.8))
    diagnosis = (3 * ward + _zipf(rng, n, 25, 1.2)) % 60
    stay = 1 + rng.geometric(1 / (2.0 + ward / 2 + age / 40), n)
    sex = rng.integers(0, 2, n)
    height = np.where(is_newborn, rng.normal(51, 2, n), rng.normal(164 + 12 * sex - 0.05 * age, 7)).round()
    weight = np.where(is_newborn, rng.normal(3.4, 0.5, n), (height / 100) ** 2 * rng.lognormal(3.25, 0.18, n)).round(1)
    pressure = np.where(is_newborn, 70, 2 * np.round(rng.normal(105 + age / 3, 16) / 2))
    end = np.where(rng.random(n) < 0.002 * age / 2, 2, _zipf(rng, n, 2, 1.5))
    return pl.DataFrame(
        {
            "ward": _texts("ward", ward),
            "diagnosis": _texts("d", diagnosis),
            "age": age,
            "sex": np.array(["f", "m"])[sex],
            "admitted": [date(2021, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, 730, n)],
            "stay": stay,
            "height": height,
            "weight": _with_gaps(weight, rng.random(n) < 0.15),
            "pressure": pressure,
            "charge": np.round(rng.lognormal(6.2, 0.5, n) * stay * (1 + ward / 6), 2),
            "insurer": _texts("insurer", _zipf(rng, n, 9, 1.0)),
            "end": _texts("end", end),
        }
    )


def businesses(n: int, seed: int) -> pl.DataFrame:
    """Return businesses with tails so heavy that the largest have a tenth of a total, and many zeros."""
    rng = np.random.default_rng([32, seed])
    industry = _zipf(rng, n, 40, 0.7)
    employees = np.floor(rng.pareto(1.1 + industry / 80, n) + 1)
    turnover = np.round(employees * rng.lognormal(4.2 + (industry % 7) / 8, 0.8), 0)
    payroll = np.round(employees * rng.lognormal(3.4, 0.25, n), 0)
    exports = np.where(rng.random(n) < 0.65, 0.0, np.round(turnover * rng.beta(1.2, 3.0, n), 0))
    research = np.where(rng.random(n) < 0.9, 0.0, np.round(turnover * rng.beta(1.0, 20.0, n), 0))
    return pl.DataFrame(
        {
            "industry": _texts("i", industry),
            "region": _texts("region", _zipf(rng, n, 15, 0.5)),
            "form": _texts("form", np.minimum((employees > 9) + _zipf(rng, n, 3, 1.0), 3)),
            "founded": 2022 - np.minimum(rng.gamma(1.2, 14, n), 180).astype(int),
            "employees": employees,
            "turnover": turnover,
            "payroll": payroll,
            "exports": _with_gaps(exports, rng.random(n) < 0.04),
            "research": research,
        }
    )


def villagers(n: int, seed: int) -> pl.DataFrame:
    """Return the inhabitants of a village: few of them, small streets and trades, round incomes."""
    rng = np.random.default_rng([33, seed])
    age = rng.triangular(0, 35, 96, n).astype(int)
    trade = np.where(age < 16, 0, 1 + _zipf(rng, n, 14, 0.6))
    income = np.where(age < 16, 0, 50 * np.round(rng.lognormal(7.1 + trade / 30 - ((age - 48) / 60) ** 2, 0.45) / 50))
    return pl.DataFrame(
        {
            "street": _texts("street", _zipf(rng, n, 18, 0.4)),
            "age": age,
            "sex": np.array(["f", "m"])[rng.integers(0, 2, n)],
            "faith": _texts("faith", _zipf(rng, n, 5, 1.3)),
            "trade": _texts("trade", trade),
            "income": income,
            "land": np.where(rng.random(n) < 0.7, 0.0, np.round(4 * rng.gamma(1.5, 1.6, n)) / 4),
            "rent": _with_gaps(np.round(rng.gamma(9.0, 60.0, n) + income / 20, 0), rng.random(n) < 0.1),
        }
    )


def pupils(n: int, seed: int) -> pl.DataFrame:
    """Return pupils of some schools: grades that go together, marks in steps of a half, months of birth, grants."""
    rng = np.random.default_rng([34, seed])
    school = _zipf(rng, n, 24, 0.3)
    ability = rng.normal((school % 5 - 2) / 6, 1.0)
    sex = rng.integers(0, 2, n)
    language = np.where(rng.random(n) < 0.72, 0, 1 + _zipf(rng, n, 12, 0.9))
    born = [date(2008, 9, 1) + timedelta(days=int(day)) for day in rng.integers(0, 365, n)]
    marks = [
        np.clip(np.round(2 * rng.normal(4 + 0.6 * ability + lead, 0.5)) / 2, 1, 6) for lead in (0.0, 0.2 * sex, -0.1)
    ]
    test = np.clip(np.round(55 + 14 * ability - 4 * (language > 0) + rng.normal(0, 8, n)), 0, 100)
    absent = rng.negative_binomial(1.1, 0.16, n)
    grant = np.where(rng.random(n) < 0.85, 0.0, 25 * np.round(rng.gamma(6.0, 45.0, n) / 25))
    return pl.DataFrame(
        {
            "school": _texts("school", school),
            "sex": np.array(["f", "m"])[sex],
            "language": _texts("language", language),
            "born": born,
            "maths": marks[0],
            "reading": marks[1],
            "science": _with_gaps(marks[2], rng.random(n) < 0.07),
            "test": test,
            "absent": absent,
            "grant": grant,
        }
    )


def drivers(n: int, seed: int) -> pl.DataFrame:
    """Return insured drivers: a premium that follows from other columns, few claims with heavy tails, licences."""
    rng = np.random.default_rng([35, seed])
    age = np.clip(rng.gamma(9.0, 5.2, n), 18, 92).astype(int)
    bonus = np.clip(rng.poisson(np.maximum(age - 18, 1) / 4), 0, 15)
    area, power = _zipf(rng, n, 22, 0.6), _zipf(rng, n, 8, 0.4) + 4
    kilometres = 500 * np.round(rng.lognormal(9.1 - np.abs(age - 45) / 120, 0.5) / 500)
    premium = np.round(240 * 0.94**bonus * (1 + power / 9) * (1 + (area % 4) / 10) * rng.lognormal(0, 0.04, n), 2)
    has_claim = rng.random(n) < 0.07 + 0.002 * (15 - bonus)
    return pl.DataFrame(
        {
            "area": _texts("area", area),
            "age": age,
            "sex": np.array(["f", "m"])[rng.integers(0, 2, n)],
            "licence": 2021 - np.maximum(age - 18 - rng.geometric(0.3, n) + 1, 0),
            "power": power,
            "make": _texts("make", (power + _zipf(rng, n, 30, 1.0)) % 34),
            "bonus": bonus,
            "kilometres": _with_gaps(kilometres, rng.random(n) < 0.12),
            "premium": premium,
            "claim": np.where(has_claim, np.round(300 * (rng.pareto(1.6, n) + 1), 2), 0.0),
        }
    )


OTHER_POPULATIONS: dict[str, tuple[Population, int, int, str]] = {
    "patients": (patients, 6000, 3000, "charge"),
    "businesses": (businesses, 4000, 2000, "turnover"),
    "villagers": (villagers, 640, 160, "rent"),
    "pupils": (pupils, 2500, 1250, "test"),
    "drivers": (drivers, 5000, 2500, "premium"),
}
"""Each population with the records of the original and of the control, and the column that is copied."""


def _zipf(rng: np.random.Generator, n: int, count: int, power: float) -> CodeColumn:
    """Return one of `count` codes for each record, the first ones commonest."""
    shares = 1 / np.arange(1, count + 1) ** power
    return np.asarray(rng.choice(count, n, p=shares / shares.sum()), dtype=np.int64)


def _texts(word: str, codes: CodeColumn) -> list[str]:
    return [f"{word} {code}" for code in codes.tolist()]


def _with_gaps(values: FloatColumn, is_missing: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> pl.Series:
    return pl.Series([None if gap else float(value) for gap, value in zip(is_missing, values, strict=True)])
