"""The people of the demo survey: place in the household, age, sex, marital status."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from sfumato.datasets.households import Households, Living
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn

SEXES = ("female", "male")
MARITAL_STATUSES = ("never married", "married", "separated", "divorced", "widowed")
NEVER_MARRIED, MARRIED, SEPARATED, DIVORCED, WIDOWED = range(len(MARITAL_STATUSES))
OF_AGE = 18
OLDEST = 100
SAME_SEX_COUPLES = 0.02


class Member(IntEnum):
    """What a person is in the household."""

    HEAD = 0
    PARTNER = 1
    CHILD = 2
    GRANDPARENT = 3
    FLATMATE = 4


AgeRange = tuple[float, float, float, float, float]
AGES_OF_HEADS: dict[
    Living, tuple[AgeRange, ...]
] = {  # share, youngest, oldest, and the two shapes of a beta distribution
    Living.ALONE: ((0.30, 18, 45, 1.3, 2.5), (0.33, 28, 68, 1.2, 1.2), (0.37, 60, 104, 1.6, 2.6)),
    Living.COUPLE: ((0.35, 20, 50, 1.6, 2.6), (0.65, 48, 95, 2.0, 2.6)),
    Living.FAMILY: ((1.0, 21, 61, 2.6, 3.0),),
    Living.LONE_PARENT: ((1.0, 19, 60, 2.4, 2.4),),
    Living.THREE_GENERATIONS: ((1.0, 30, 58, 2.0, 2.4),),
    Living.SHARED_FLAT: ((1.0, 18, 60, 1.1, 4.5),),
}


@dataclass(frozen=True)
class People:
    """One entry per person.

    Parameters
    ----------
    home
        The row of the person's household.
    position
        0 for the head of the household, then 1, 2, ...
    member
        What the person is in the household.
    age
        In whole years.
    is_female, marital
        Sex, and codes into `MARITAL_STATUSES`.
    """

    home: CodeColumn
    position: CodeColumn
    member: CodeColumn
    age: CodeColumn
    is_female: Booleans
    marital: CodeColumn


def make_people(households: Households, rng: np.random.Generator) -> People:
    """Return the members of the households, household by household."""
    sizes = households.sizes
    home = np.repeat(np.arange(sizes.size), sizes)
    position = np.arange(home.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    member = _members(households, home, position)
    age = _ages(households, home, member, rng)
    is_female = _sexes(households, home, member, age, rng)
    marital = _marital_statuses(households, home, member, age, rng)
    return People(home, position, member, age, is_female, marital)


def _members(households: Households, home: CodeColumn, position: CodeColumn) -> CodeColumn:
    couple = 1 + households.has_partner.astype(np.int64)[home]
    is_shared = households.living[home] == Living.SHARED_FLAT
    return np.select(
        [position == 0, position < couple, position < couple + households.children[home], is_shared],
        [Member.HEAD, Member.PARTNER, Member.CHILD, Member.FLATMATE],
        default=Member.GRANDPARENT,
    )


def _ages(households: Households, home: CodeColumn, member: CodeColumn, rng: np.random.Generator) -> CodeColumn:
    """Return ages that fit together: partners are close, parents 16 years or more older, grandparents much more."""
    head = _ages_of_heads(households.living, rng)
    partner = np.clip(np.rint(head - 1 + 4.0 * rng.standard_normal(head.size)), OF_AGE, OLDEST).astype(np.int64)
    younger = np.where(households.has_partner, np.minimum(head, partner), head)[home]
    older = np.where(households.has_partner, np.maximum(head, partner), head)[home]
    youngest, oldest = np.maximum(0, younger - 44), np.minimum(younger - 16, 30)
    share = rng.beta(1.1, 1.5, home.size)
    child = youngest + np.floor(share * (oldest - youngest + 1)).astype(np.int64)
    grandparent = np.minimum(older + 17 + np.floor(22 * share).astype(np.int64), OLDEST)
    flatmate = _draw_ages(AGES_OF_HEADS[Living.SHARED_FLAT], home.size, rng)
    return np.choose(member, [head[home], partner[home], child, grandparent, flatmate])


def _ages_of_heads(living: CodeColumn, rng: np.random.Generator) -> CodeColumn:
    ages = np.empty(living.size, dtype=np.int64)
    for kind, ranges in AGES_OF_HEADS.items():
        here = living == kind
        ages[here] = _draw_ages(ranges, int(here.sum()), rng)
    return ages


def _draw_ages(ranges: tuple[AgeRange, ...], size: int, rng: np.random.Generator) -> CodeColumn:
    """Return ages drawn from a mixture of stretched beta distributions."""
    shares, youngest, oldest, first, second = np.array(ranges).T
    part = rng.choice(shares.size, size=size, p=shares)
    age: FloatColumn = youngest[part] + (oldest - youngest)[part] * rng.beta(first[part], second[part])
    return np.minimum(age, OLDEST).astype(np.int64)


def _sexes(
    households: Households, home: CodeColumn, member: CodeColumn, age: CodeColumn, rng: np.random.Generator
) -> Booleans:
    living = households.living[home]
    chance = np.select(
        [member == Member.GRANDPARENT, living == Living.LONE_PARENT, (living == Living.ALONE) & (age >= 65)],
        [0.70, np.where(member == Member.HEAD, 0.82, 0.49), 0.68],
        default=0.49,
    )
    is_female = rng.random(home.size) < chance
    same = rng.random(home.size) < SAME_SEX_COUPLES
    head = is_female[member == Member.HEAD][home]
    return np.where(member == Member.PARTNER, head == same, is_female)


def _marital_statuses(
    households: Households, home: CodeColumn, member: CodeColumn, age: CodeColumn, rng: np.random.Generator
) -> CodeColumn:
    """Return marital statuses: partners are both married or both not, children never were."""
    first = member == Member.HEAD
    chance = np.clip(0.02 * (age[first] - 20) + 0.25 * (households.children > 0), 0.08, 0.94)
    wed = (households.has_partner & (rng.random(chance.size) < chance))[home]
    draw = rng.random(home.size)
    years = age - 55.0
    widowed = np.clip(years / 50, 0, 0.85) * np.where(member == Member.GRANDPARENT, 1.4, 1.0)
    divorced = np.clip((age - 24) / 80, 0, 0.30) * (1 - widowed)
    separated = np.where(age >= 22, 0.04, 0.0)
    single = np.select(
        [draw < widowed, draw < widowed + divorced, draw < widowed + divorced + separated],
        [WIDOWED, DIVORCED, SEPARATED],
        default=NEVER_MARRIED,
    )
    spouse = wed & ((member == Member.HEAD) | (member == Member.PARTNER))
    return np.select([member == Member.CHILD, spouse], [NEVER_MARRIED, MARRIED], default=single)
