"""The steps that protect a file, as its keys and the plan say."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata, Role
from sfumato.errors import DataError
from sfumato.keys.combinations import needed_fits
from sfumato.keys.households import agreement_in_households, households_of
from sfumato.keys.persons import persons_of
from sfumato.keys.units.repeated_values import find_repeated
from sfumato.keys.units.told_households import numbers_of_households
from sfumato.keys.units.unit_numbers import widest_columns
from sfumato.masking import (
    DropIdentifiers,
    HintSuppression,
    LocalSuppression,
    Mdav,
    RecordMicroaggregation,
    StrictLocalSuppression,
    UndominatedMicroaggregation,
)
from sfumato.protection.keys import Keys
from sfumato.protection.ladders import ladder
from sfumato.protection.plan import Plan
from sfumato.protection.rung_choice import Demand, choose_rungs

HIDDEN_BY = 12.0  # percent of the largest value that others have at least: 10 % of it, and of the total of the group
LARGE = 5.0  # percent of the values of a column, the largest: whose these are may be known


def propose_steps(data: Microdata, keys: Keys, plan: Plan) -> tuple[MaskingMethod, ...]:
    """Return the steps: no identifiers, broader keys, no rare values, masked numbers, and no key that others tell.

    Numbers that are masked by an identifier, as weights are rounded by household, are masked before it is dropped.
    """
    identifiers = (*_of_role(data, Role.IDENTIFIER), *plan.dropped)
    households = _of_role(data, Role.HOUSEHOLD)
    if plan.whole_records:
        return _whole_record_steps(data, (*identifiers, *households), plan)
    agreement = agreement_in_households(data, keys.names, households)
    shared = tuple(name for name, differing in agreement.items() if not differing)
    numbers = _number_steps(data, plan)
    by_identifier = tuple(step for step in numbers if _names_one_of(step, identifiers))  # such as the household
    return (
        *by_identifier,
        *((DropIdentifiers(columns=identifiers),) if identifiers else ()),
        *_recoding(data, keys, plan, shared, households),
        _suppression(keys, plan, shared, households),
        *(step for step in numbers if step not in by_identifier),
        *_hint_suppression(data, keys, plan, shared, households),
    )


def _whole_record_steps(data: Microdata, dropped: tuple[str, ...], plan: Plan) -> tuple[MaskingMethod, ...]:
    """Return the steps that make whole records equal; what would tell them apart is dropped then, and what is empty.

    Groups hold k households, where these are known, else k persons where an identifier tells that some have several
    records. A column that numbers households though its role does not say so was taken for an identifier. Where each
    household lies within another unit, as those of one person do within an employer, groups hold k of these.
    """
    names = tuple(name for name in data.schema.names if name not in dropped and data.observed(name).any())
    chosen = _of_role(data, Role.HOUSEHOLD) or plan.undeclared_households[:1] or _persons(data) or _homes(data)
    units = widest_columns(data, chosen)
    step = RecordMicroaggregation(columns=names, k=plan.k, household=units)
    hidden = [name for name in step.hidden_columns(data) if data.schema[name].role is not Role.KEY]
    names = tuple(name for name in names if name not in hidden)
    gone = tuple(name for name in data.schema.names if name not in names)
    return (
        step.replace(columns=names),
        *((DropIdentifiers(columns=gone),) if gone else ()),
    )


def _persons(data: Microdata) -> tuple[str, ...]:
    """Return the columns by which several records are of one person, if these alone tell it."""
    found = persons_of(data)
    return found.columns if found is not None and found.has_several and not found.period else ()


def _homes(data: Microdata) -> tuple[str, ...]:
    """Return the numbers that come again by no chance, such as the coordinates of a home."""
    found = find_repeated(data)
    return () if found is None else found.columns


def _suppression(
    keys: Keys, plan: Plan, shared: tuple[str, ...], households: tuple[str, ...]
) -> LocalSuppression | StrictLocalSuppression:
    """Return the step that suppresses what is left."""
    importance, household = dict(plan.importance) or None, households if shared else ()
    if plan.strict:
        strict = _strict_suppression(keys, plan)
        return strict.replace(importance=importance, household_columns=shared, household=household)
    return LocalSuppression(
        columns=keys.names,
        k=plan.k,
        importance=importance,
        combinations=plan.combinations,
        household_columns=shared,
        household=household,
    )


def _hint_suppression(
    data: Microdata, keys: Keys, plan: Plan, shared: tuple[str, ...], households: tuple[str, ...]
) -> tuple[HintSuppression, ...]:
    """Return the step against hints from other columns; none where nothing is promised about all keys together."""
    if plan.combinations:
        return ()
    others = (Role.OTHER, Role.CONFIDENTIAL) if plan.both_sides else ()
    may_lose = tuple(one for role in others for one in _of_role(data, role) if one not in plan.dropped)
    return (
        HintSuppression(
            columns=keys.names,
            k=plan.k,
            importance=dict(plan.importance) or None,
            strict=plan.strict,
            both_sides=plan.both_sides,
            other_columns=tuple(name for name in may_lose if name not in plan.sensitive),
            keeps_groups=plan.l is not None or plan.t is not None,
            household_columns=shared,
            household=households if shared else (),
        ),
    )


def _strict_suppression(keys: Keys, plan: Plan) -> StrictLocalSuppression:
    return StrictLocalSuppression(columns=keys.names, k=plan.k, sensitive=plan.sensitive, l=plan.l, t=plan.t)


def _recoding(
    data: Microdata, keys: Keys, plan: Plan, shared: tuple[str, ...], households: tuple[str, ...]
) -> list[MaskingMethod]:
    """Return the steps that make keys broader."""
    ladders = [ladder(data, name, plan.hierarchies.get(name), plan.naming) for name in keys.names]
    demand = Demand(
        plan.k,
        plan.max_suppressed,
        np.array([plan.importance.get(name, 1.0) for name in keys.names]),
        households_of(data, households),
        np.array([name in shared for name in keys.names]),
        plan.strict,
        needed_fits(plan.combinations, keys.names, plan.k) if plan.combinations else None,
        _strict_suppression(keys, plan).diversity(data),
    )
    chosen = [rungs[place] for rungs, place in zip(ladders, choose_rungs(ladders, demand), strict=True)]
    return [rung.step for rung in chosen if rung.step is not None]


def _number_steps(data: Microdata, plan: Plan) -> tuple[MaskingMethod, ...]:
    """Return the steps that mask numbers: those of the plan, else one that microaggregates all confidential ones."""
    if plan.number_steps is not None:
        return plan.number_steps
    names = tuple(
        name
        for name in (*_of_role(data, Role.CONFIDENTIAL), *plan.masked)
        if data.schema[name].kind is Kind.CONTINUOUS and data.observed(name).any()
    )
    lacking = [name for name in names if np.count_nonzero(data.observed(name)) < plan.k]
    if lacking:
        raise DataError(
            f"protect: '{lacking[0]}' has fewer than {plan.k} values, too few to mask; leave the column out of the file"
        )
    units = numbers_of_households(data, names)
    of_persons = tuple(name for name in names if not any(name in shared for shared in units.values()))
    return (
        *((Mdav(columns=of_persons, k=plan.k),) if of_persons else ()),
        *(Mdav(columns=shared, k=plan.k, household=household) for household, shared in units.items()),
    )


class Averaged(NamedTuple):
    """A step that averages numbers of persons, and these as it makes them, whatever other steps are run before it."""

    step: MaskingMethod
    masked: Microdata


def average_numbers(data: Microdata, plan: Plan) -> Iterator[Averaged]:
    """Yield the numbers of persons as the usual steps average them, before anything else is run."""
    for step in _number_steps(data, plan):
        if isinstance(step, Mdav) and not step.household:
            numbers = data.take_columns(data.select(step.columns))
            yield Averaged(step, step.mask(numbers, np.random.default_rng(0)))  # which draws nothing


def undominated_steps(data: Microdata, plan: Plan) -> tuple[MaskingMethod, ...]:
    """Return the usual steps for numbers, but with larger groups around values that a mean would tell.

    A column in which no group hides the largest value, as it outweighs all others together, is grouped apart.
    """
    return tuple(
        hiding
        for step in _number_steps(data, plan)
        for hiding in (_hide_largest(data, step) if isinstance(step, Mdav) and not step.household else (step,))
    )


def _hide_largest(data: Microdata, step: Mdav) -> tuple[MaskingMethod, ...]:
    names = data.select(step.columns)
    hidden = tuple(name for name in names if _can_be_hidden(data, _undominated((name,), step.k)))
    if not hidden or not _can_be_hidden(data, _undominated(hidden, step.k)):
        return (step,)
    others = tuple(name for name in names if name not in hidden)
    return (_undominated(hidden, step.k), *((step.replace(columns=others),) if others else ()))


def _undominated(names: tuple[str, ...], k: int) -> UndominatedMicroaggregation:
    return UndominatedMicroaggregation(columns=names, k=k, max_percent=100.0, p=HIDDEN_BY, top_percent=LARGE)


def _can_be_hidden(data: Microdata, step: UndominatedMicroaggregation) -> bool:
    names = data.select(step.columns)
    can_hide = step.can_hide(data.matrix(names))
    if len(names) == 1 or not can_hide:
        return can_hide
    try:
        step.mask(data, np.random.default_rng(0))  # which draws nothing
    except DataError:
        return False
    return True


def _names_one_of(step: MaskingMethod, names: tuple[str, ...]) -> bool:
    """Tell whether a parameter of a step names one of the columns."""
    return any(not set(value).isdisjoint(names) for _, value in step if isinstance(value, tuple))


def _of_role(data: Microdata, role: Role) -> tuple[str, ...]:
    return tuple(variable.name for variable in data.schema.variables if variable.role is role)
