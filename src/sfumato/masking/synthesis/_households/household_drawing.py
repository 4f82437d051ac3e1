"""Households drawn from their models until they break no rule, and no more of them are copies than by chance."""

from collections.abc import Mapping

import numpy as np

from sfumato.masking.synthesis._households.copied_households import copied_households
from sfumato.masking.synthesis._households.drawn_households import DrawnHouseholds
from sfumato.masking.synthesis._households.household_model import HouseholdModel
from sfumato.masking.synthesis._households.household_rules import HouseholdRules
from sfumato.masking.synthesis._sequential.copied_records import beyond_chance, copied_records
from sfumato.masking.synthesis._sequential.redraws import redraw_copies, redraw_until_met
from sfumato.numerics.arrays import FloatColumn, Rows

MEMBER_ROUNDS = 20  # how often other members are drawn before a whole household is

WHO = "HouseholdSynthesis"


def draw_households(
    model: HouseholdModel, rules: HouseholdRules, count: int, rng: np.random.Generator
) -> DrawnHouseholds:
    """Return households that break no rule; at first only members are drawn anew, so that sizes stay."""

    def broken_of(drawn: DrawnHouseholds, places: Rows) -> Rows:
        theirs = drawn.take(places)
        return places[rules.is_broken(model.values(theirs), theirs.sizes, theirs.records())]

    def redraw(drawn: DrawnHouseholds, places: Rows, number: int) -> DrawnHouseholds:
        if number % MEMBER_ROUNDS == 0:
            return drawn.replace(places, model.draw(places.size, rng))
        return drawn.replace(places, model.redraw_members(drawn.take(places), rng))

    return redraw_until_met(model.draw(count, rng), count, broken_of, redraw, WHO, "household")


def redraw_copied_households(
    model: HouseholdModel,
    rules: HouseholdRules,
    drawn: DrawnHouseholds,
    original: tuple[Mapping[str, FloatColumn], Rows],
    second: DrawnHouseholds,
    rng: np.random.Generator,
) -> DrawnHouseholds:
    """Return the households after those were drawn anew that hold, or are, copies beyond chance.

    Parameters
    ----------
    model, rules
        What they are drawn from, and what they must meet.
    drawn
        The households.
    original
        The values of the original members, household by household, and the sizes of the households.
    second
        As many other drawn households as there are original ones: they tell what chance gives.
    rng
        The generator.
    """
    (persons, sizes), others = original, model.values(second)

    def copies_of(made: DrawnHouseholds) -> Rows:
        values = model.values(made)
        records = beyond_chance(copied_records(persons, values), copied_records(others, values), rng)
        homes = beyond_chance(
            copied_households(persons, sizes, values, made.sizes),
            copied_households(others, second.sizes, values, made.sizes),
            rng,
        )
        return np.union1d(homes, made.households[records])

    return redraw_copies(
        drawn,
        copies_of,
        lambda made, copies: made.replace(copies, draw_households(model, rules, copies.size, rng)),
    )
