"""Money in the demo survey: incomes by source, tax, contributions, spending, saving."""

import numpy as np

from sfumato.datasets.households import Households
from sfumato.datasets.people import Member, People
from sfumato.datasets.work import EMPLOYEE, RETIRED, SELF_EMPLOYED, STUDENT, UNEMPLOYED, Work
from sfumato.numerics.arrays import FloatColumn

INCOME_PARTS = ("wage_income", "business_income", "capital_income", "transfer_income")

# What adds to the logarithm of earnings.
BY_EDUCATION = np.array([-0.45, -0.35, -0.20, 0.0, 0.08, 0.25, 0.40, 0.55])
BY_OCCUPATION = np.array(
    [0.45, 0.70, 0.60, 0.30, 0.05, 0.05, 0.05, -0.05, -0.20, -0.30, -0.15, 0.0, -0.05, -0.40, 0.0, 0.0]
)  # the last entry serves the code -1, no occupation
BY_REGION = np.array([0.15, 0.05, 0.05, 0.0, 0.0, -0.05, -0.05, -0.10, -0.10, 0.0, -0.15, -0.10])

BRACKETS = np.array([11_000.0, 35_000.0, 80_000.0])  # where each rate begins
RATES = np.array([0.20, 0.12, 0.10])  # what each bracket adds to the rate
CONTRIBUTION_CEILING = 85_000.0


def make_money(households: Households, people: People, work: Work, rng: np.random.Generator) -> dict[str, FloatColumn]:
    """Return the columns of money, in whole units a year; spending and saving in hundredths."""
    earning = _earning_power(households, people, work, rng)
    parts = {
        "wage_income": _wages(work, earning, rng),
        "business_income": _profits(work, earning, rng),
        "capital_income": _yields(people, work, rng),
        "transfer_income": _transfers(households, people, work, rng),
    }
    parts = {name: np.rint(amounts) for name, amounts in parts.items()}
    total = sum(parts.values(), start=np.zeros(people.age.size))
    tax = np.rint(progressive_tax(total) * np.exp(0.08 * rng.standard_normal(total.size)))
    contributions = np.rint(_contributions(parts["wage_income"], parts["business_income"]))
    spent, saved = _spent_and_saved(people, total - tax - contributions, rng)
    return {
        **parts,
        "total_income": total,
        "tax": tax,
        "social_contributions": contributions,
        "expenditure": spent,
        "savings": saved,
    }


def progressive_tax(income: FloatColumn) -> FloatColumn:
    """Return the tax on each income: nothing up to the first bracket, then a rate that grows with each bracket.

    Examples
    --------
    >>> progressive_tax(np.array([-500.0, 11_000.0, 12_000.0, 40_000.0]))
    array([   0.,    0.,  200., 6400.])
    """
    tax: FloatColumn = np.sum(np.maximum(income[:, None] - BRACKETS, 0.0) * RATES, axis=1)
    return tax


def _earning_power(households: Households, people: People, work: Work, rng: np.random.Generator) -> FloatColumn:
    """Return what each person could earn in a year: by age, education, occupation and region, heavy in the tail."""
    experience = -0.0006 * (people.age - 50.0) ** 2
    logarithm = (
        10.35
        + experience
        + BY_EDUCATION[work.education]
        + BY_OCCUPATION[work.occupation]
        + BY_REGION[households.region][people.home]
        - 0.10 * people.is_female
        + 0.15 * rng.standard_normal(households.region.size)[people.home]
        + 0.38 * rng.standard_normal(people.age.size)
    )
    star = rng.random(people.age.size) < 0.003
    power: FloatColumn = np.exp(logarithm) * np.where(star, 1.5 + rng.pareto(1.6, people.age.size), 1.0)
    return power


def _wages(work: Work, earning: FloatColumn, rng: np.random.Generator) -> FloatColumn:
    hours = np.where(rng.random(earning.size) < 0.22, rng.uniform(0.2, 0.8, earning.size), 1.0)
    has_side_job = (work.employment == STUDENT) & (rng.random(earning.size) < 0.35)
    return np.select(
        [work.employment == EMPLOYEE, has_side_job], [earning * hours, 0.25 * earning * hours], default=0.0
    )


def _profits(work: Work, earning: FloatColumn, rng: np.random.Generator) -> FloatColumn:
    profit = 0.9 * earning * np.exp(0.7 * rng.standard_normal(earning.size))
    made_a_loss = rng.random(earning.size) < 0.07
    return np.where(work.employment == SELF_EMPLOYED, np.where(made_a_loss, -0.3 * profit, profit), 0.0)


def _yields(people: People, work: Work, rng: np.random.Generator) -> FloatColumn:
    chance = np.where(people.age >= 18, np.clip(0.005 * people.age + 0.05 * work.education - 0.05, 0.03, 0.7), 0.01)
    has_capital = rng.random(chance.size) < chance
    amount = np.exp(4.6 + 0.03 * people.age + 0.15 * work.education + 1.5 * rng.standard_normal(chance.size))
    return np.where(has_capital, amount, 0.0)


def _transfers(households: Households, people: People, work: Work, rng: np.random.Generator) -> FloatColumn:
    """Return pensions, unemployment benefit, grants, and the child benefit that the head of the household receives."""
    spread = np.exp(0.30 * rng.standard_normal(people.age.size))
    base = np.select(
        [work.employment == RETIRED, work.employment == UNEMPLOYED, work.employment == STUDENT],
        [16_000 * np.exp(BY_EDUCATION[work.education]), 9_500.0, np.where(people.age >= 18, 2_400.0, 0.0)],
        default=0.0,
    )
    children = np.bincount(people.home, weights=people.age < 18, minlength=households.region.size)[people.home]
    transfers: FloatColumn = base * spread + np.where(people.member == Member.HEAD, 1_800.0 * children, 0.0)
    return transfers


def _contributions(wage: FloatColumn, profit: FloatColumn) -> FloatColumn:
    return 0.093 * np.minimum(wage, CONTRIBUTION_CEILING) + 0.15 * np.clip(profit, 0.0, CONTRIBUTION_CEILING)


def _spent_and_saved(
    people: People, disposable: FloatColumn, rng: np.random.Generator
) -> tuple[FloatColumn, FloatColumn]:
    """Return spending and saving: a household spends together, and a thrifty one saves more."""
    together = np.bincount(people.home, weights=disposable)
    sizes = np.bincount(people.home)
    thrift = rng.standard_normal(sizes.size)[people.home]
    noise, other_noise = rng.standard_normal((2, disposable.size))
    per_head = (np.maximum(together, 0.0) / sizes)[people.home]
    spent = (3_500 + 0.6 * per_head) * np.exp(-0.22 * thrift + 0.15 * noise)
    saved = disposable * (0.12 + 0.08 * thrift + 0.06 * other_noise)
    return np.round(spent, 2), np.round(saved, 2) + 0.0  # adding zero turns -0.0 into 0.0
