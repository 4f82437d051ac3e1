"""Unanswered questions in the demo survey: more often with high incomes, old age and in some households."""

from collections.abc import Mapping

import numpy as np

from sfumato.datasets.money import INCOME_PARTS
from sfumato.datasets.people import People
from sfumato.numerics.arrays import Booleans, FloatColumn

MEAN_SHARES = {"wage_income": 0.05, "business_income": 0.12, "capital_income": 0.07}  # of those who have such an income


def with_nonresponse(
    people: People, money: Mapping[str, FloatColumn], rng: np.random.Generator
) -> dict[str, FloatColumn]:
    """Return the money with NaN where it was not answered; a total is missing where one of its parts is."""
    silent = {name: _keeps_silent(money[name], share, rng) for name, share in MEAN_SHARES.items()}
    silent["total_income"] = np.logical_or.reduce([silent[name] for name in INCOME_PARTS if name in silent])
    homes = int(people.home[-1]) + 1
    silent["expenditure"] = silent["savings"] = (rng.random(homes) < 0.025)[people.home]
    return {
        name: np.where(silent[name], np.nan, amounts) if name in silent else amounts for name, amounts in money.items()
    }


def unanswered_education(people: People, rng: np.random.Generator) -> Booleans:
    """Tell for each person whether the education was not answered; more often of the old."""
    return rng.random(people.age.size) < np.interp(people.age, [0, 16, 60, 100], [0.005, 0.02, 0.03, 0.12])


def _keeps_silent(income: FloatColumn, mean_share: float, rng: np.random.Generator) -> Booleans:
    """Tell who does not answer: the chance grows with the rank of the income, from 0 to twice the mean."""
    has_income = np.flatnonzero(income)
    rank = np.empty(has_income.size)
    rank[np.argsort(income[has_income], kind="stable")] = np.arange(has_income.size)
    silent = np.zeros(income.size, dtype=np.bool_)
    silent[has_income] = rng.random(has_income.size) * has_income.size < 2 * mean_share * rank
    return silent
