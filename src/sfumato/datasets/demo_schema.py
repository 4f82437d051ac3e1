"""What each column of the demo survey is and is for."""

from sfumato.data import Kind, Role, Schema, Variable
from sfumato.datasets.work import EDUCATIONS


def _money(name: str, label: str) -> Variable:
    return Variable(name=name, kind=Kind.CONTINUOUS, role=Role.CONFIDENTIAL, label=label, unit="EUR")


DEMO_SCHEMA = Schema(
    variables=(
        Variable(name="household_id", kind=Kind.NOMINAL, role=Role.HOUSEHOLD, label="Number of the household"),
        Variable(name="person_id", kind=Kind.NOMINAL, role=Role.IDENTIFIER, label="Number of the person"),
        Variable(name="region", kind=Kind.NOMINAL, role=Role.KEY, label="Region of residence"),
        Variable(name="age", kind=Kind.CONTINUOUS, role=Role.KEY, label="Age in completed years", unit="years"),
        Variable(name="sex", kind=Kind.NOMINAL, role=Role.KEY, label="Sex"),
        Variable(name="marital_status", kind=Kind.NOMINAL, role=Role.KEY, label="Marital status"),
        Variable(
            name="education",
            kind=Kind.ORDINAL,
            role=Role.KEY,
            label="Highest education completed",
            categories=EDUCATIONS,
        ),
        Variable(name="employment_status", kind=Kind.NOMINAL, label="Employment status"),
        Variable(name="occupation", kind=Kind.NOMINAL, role=Role.KEY, label="Occupation of those at work"),
        _money("wage_income", "Wages and salaries, last year"),
        _money("business_income", "Profit or loss from self-employment, last year"),
        _money("capital_income", "Interest, dividends and rents, last year"),
        _money("transfer_income", "Pensions and benefits, last year"),
        _money("total_income", "Sum of the four incomes, last year"),
        _money("tax", "Income tax paid, last year"),
        _money("social_contributions", "Social contributions paid, last year"),
        _money("expenditure", "Spending on consumption, last year"),
        _money("savings", "Put aside, or taken from savings, last year"),
        Variable(
            name="sampling_weight",
            kind=Kind.CONTINUOUS,
            role=Role.WEIGHT,
            label="How many persons of the population the person stands for",
            unit="persons",
        ),
    )
)
