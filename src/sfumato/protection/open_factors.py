"""Open numbers that give a masked one back with another masked one, as heads do beside what comes on each."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from sfumato.data import Kind, Microdata, Role
from sfumato.keys.pairs.nearer_amounts import nearer_amounts
from sfumato.protection.plan import Plan
from sfumato.protection.steps import Averaged, average_numbers


def mask_open_factors(
    data: Microdata, plan: Plan, averaged: Sequence[Averaged], keep: Collection[str]
) -> tuple[Plan, tuple[Averaged, ...]]:
    """Return the plan with such numbers masked together with the others, and what becomes of all of them.

    A number is one that together with a masked column comes nearer to a masked amount than what is released of that.
    Only numbers of role other are masked so, and none of those to be kept.
    """
    averaged = tuple(averaged)
    while found := _open_factors(data, plan, averaged, keep):
        plan = replace(plan, masked=(*plan.masked, *found), factors=(*plan.factors, *found))
        averaged = tuple(average_numbers(data, plan))
    return plan, averaged


def _open_factors(data: Microdata, plan: Plan, averaged: Sequence[Averaged], keep: Collection[str]) -> tuple[str, ...]:
    masked = {name: made.values(name) for step, made in averaged for name in data.select(step.columns)}
    gone = {*keep, *masked, *plan.dropped}
    others = [one for one in data.schema.variables if one.role is Role.OTHER and one.kind is Kind.CONTINUOUS]
    factors = {one.name: data.values(one.name) for one in others if one.name not in gone}
    told = [nearer_amounts(name, data.values(name), {**factors, **masked}) for name in masked] if factors else []
    pairs = [one.sources for one in told if one is not None and not {*one.sources}.isdisjoint(masked)]
    return tuple(name for name in factors if any(name in pair for pair in pairs))
