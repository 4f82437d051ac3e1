"""Schooling and work in the demo survey: education, employment status, occupation."""

from dataclasses import dataclass

import numpy as np

from sfumato.datasets.people import People
from sfumato.numerics.arrays import CodeColumn

EDUCATIONS = (
    "none",
    "primary",
    "lower secondary",
    "upper secondary",
    "post-secondary",
    "bachelor",
    "master",
    "doctorate",
)
YOUNGEST = np.array([0, 11, 15, 18, 19, 21, 23, 26])  # at which each education can have been reached
EDUCATION_LIMITS = np.array(
    [-2.6, -1.75, -0.75, 0.35, 0.65, 1.15, 2.05]
)  # on a standard normal scale, between educations

EMPLOYMENTS = ("employee", "self-employed", "unemployed", "student", "retired", "at home", "child")
EMPLOYEE, SELF_EMPLOYED, UNEMPLOYED, STUDENT, RETIRED, AT_HOME, CHILD = range(len(EMPLOYMENTS))
SCHOOL_LEAVING_AGE = 16
AGES = np.arange(101)
STUDENT_CHANCE = np.interp(AGES, [15, 17, 19, 22, 25, 30, 31], [1.0, 0.9, 0.6, 0.35, 0.1, 0.02, 0.0])
RETIRED_CHANCE = np.interp(AGES, [54, 55, 60, 64, 66, 75, 85], [0.0, 0.03, 0.15, 0.5, 0.85, 0.97, 1.0])

OCCUPATIONS = (
    "manager",
    "physician",
    "lawyer",
    "engineer",
    "teacher",
    "nurse",
    "technician",
    "office clerk",
    "sales assistant",
    "cook or waiter",
    "farmer",
    "builder",
    "driver",
    "cleaner",
    "soldier",
)
NO_OCCUPATION = -1
OCCUPATION_GROUPS = np.array([0, 0, 0, 1, 1, 2, 3, 3])  # the row of the table below for each education
OCCUPATION_SHARES = np.array(
    [
        [1, 0, 0, 0, 0, 1, 3, 5, 13, 15, 6, 17, 15, 22, 2],
        [6, 0, 0, 1, 2, 8, 14, 19, 16, 8, 4, 11, 6, 3, 2],
        [14, 0, 1, 14, 22, 16, 12, 13, 4, 1, 1, 0, 0, 0, 2],
        [19, 15, 12, 21, 19, 2, 5, 6, 0, 0, 0, 0, 0, 0, 1],
    ]
)


@dataclass(frozen=True)
class Work:
    """One entry per person: codes into `EDUCATIONS`, `EMPLOYMENTS` and `OCCUPATIONS`, -1 for no occupation."""

    education: CodeColumn
    employment: CodeColumn
    occupation: CodeColumn


def make_work(people: People, rng: np.random.Generator) -> Work:
    """Return what the people learned and what they do."""
    education = _educations(people, rng)
    employment = _employments(people, education, rng)
    return Work(education, employment, _occupations(education, employment, rng))


def _educations(people: People, rng: np.random.Generator) -> CodeColumn:
    """Return educations that resemble each other at home, rose with the generations and fit the age."""
    at_home = rng.standard_normal(int(people.home[-1]) + 1)[people.home]
    talent = np.sqrt(0.4) * at_home + np.sqrt(0.6) * rng.standard_normal(people.age.size)
    wished = np.searchsorted(EDUCATION_LIMITS, talent - 0.02 * np.maximum(people.age - 45, 0))
    reachable = np.searchsorted(YOUNGEST, people.age, side="right") - 1
    reached: CodeColumn = np.minimum(wished, reachable)
    return reached


def _employments(people: People, education: CodeColumn, rng: np.random.Generator) -> CodeColumn:
    first, second = rng.random((2, people.age.size))
    student = STUDENT_CHANCE[people.age]
    retired = RETIRED_CHANCE[people.age]
    unemployed = 0.09 - 0.01 * education
    at_home = 0.03 + 0.11 * people.is_female
    self_employed = 0.07 + 0.001 * people.age
    return np.select(
        [
            people.age < SCHOOL_LEAVING_AGE,
            first < student,
            first < student + retired,
            second < unemployed,
            second < unemployed + at_home,
            second < unemployed + at_home + self_employed,
        ],
        [CHILD, STUDENT, RETIRED, UNEMPLOYED, AT_HOME, SELF_EMPLOYED],
        default=EMPLOYEE,
    )


def _occupations(education: CodeColumn, employment: CodeColumn, rng: np.random.Generator) -> CodeColumn:
    """Return occupations by education, for those at work only."""
    shares = OCCUPATION_SHARES / OCCUPATION_SHARES.sum(axis=1, keepdims=True)
    draw = rng.random(education.size)
    drawn = np.empty(education.size, dtype=np.int64)
    for group, cumulated in enumerate(np.cumsum(shares, axis=1)):
        here = OCCUPATION_GROUPS[education] == group
        drawn[here] = np.searchsorted(cumulated[:-1], draw[here], side="right")
    return np.where(employment <= SELF_EMPLOYED, drawn, NO_OCCUPATION)
