"""The steps that protect a file, as its keys and the plan say."""

from collections.abc import Sequence

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata, Role
from sfumato.errors import DataError
from sfumato.masking import DropIdentifiers, LocalSuppression, Mdav, RankSwapping
from sfumato.protection.choosing import chosen_rungs
from sfumato.protection.keys import Keys, shared_by_households
from sfumato.protection.ladders import Rung, ladder
from sfumato.protection.plan import Numbers, Plan


def proposed_steps(data: Microdata, keys: Keys, plan: Plan) -> tuple[MaskingMethod, ...]:
    """Return the steps: without identifiers, with broader keys, without rare values, with masked numbers."""
    identifiers = _of_role(data, Role.IDENTIFIER)
    chosen = _chosen(data, keys, plan) if keys.released_as_categories else {}
    steps = (
        *((DropIdentifiers(columns=identifiers),) if identifiers else ()),
        *(rung.step for rung in chosen.values() if rung.step is not None),
        *((_suppression(data, keys, plan),) if chosen else ()),
        *_masked_numbers(data, keys, plan),
    )
    if not steps:
        raise DataError("protect: nothing is left to do, as numbers are to stay unchanged and no key is categorical")
    return steps


def _chosen(data: Microdata, keys: Keys, plan: Plan) -> dict[str, Rung]:
    """Return how each key is released."""
    ladders: list[Sequence[Rung]] = [ladder(data, name, plan.hierarchies.get(name)) for name in keys.categories]
    classed = [ladder(data, name) for name in keys.classed]
    ladders += [rungs[1:] or rungs for rungs in classed]  # numbers leave in classes at least
    worth = np.array([plan.importance.get(name, 1.0) for name in keys.released_as_categories])
    places = chosen_rungs(ladders, plan.k, plan.most_suppressed, worth)
    rungs = (rungs[place] for rungs, place in zip(ladders, places, strict=True))
    return dict(zip(keys.released_as_categories, rungs, strict=True))


def _suppression(data: Microdata, keys: Keys, plan: Plan) -> MaskingMethod:
    households = _of_role(data, Role.HOUSEHOLD)
    shared = shared_by_households(data, keys.categories, households)
    return LocalSuppression(
        columns=keys.released_as_categories,
        group_size=plan.k,
        importance=dict(plan.importance) or None,
        household_columns=shared,
        by=households if shared else (),
    )


def _masked_numbers(data: Microdata, keys: Keys, plan: Plan) -> tuple[MaskingMethod, ...]:
    confidential = [name for name in _of_role(data, Role.CONFIDENTIAL) if data.schema[name].kind is Kind.CONTINUOUS]
    names = tuple(name for name in data.schema.names if name in {*keys.numbers, *confidential})
    with_values = tuple(name for name in names if data.observed(name).any())
    if not with_values or plan.numbers is Numbers.UNCHANGED:
        return ()
    if plan.numbers is Numbers.RANK_SWAPPING:
        return (RankSwapping(columns=with_values),)
    return (Mdav(columns=with_values, group_size=plan.k),)


def _of_role(data: Microdata, role: Role) -> tuple[str, ...]:
    return tuple(variable.name for variable in data.schema.variables if variable.role is role)
