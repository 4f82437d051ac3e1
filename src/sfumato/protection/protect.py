"""Protect a file in one call: broader categories, local suppression, masked numbers, as the roles of columns say."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sfumato.assessment import assess
from sfumato.assessment.defaults import comparable, default_measures, suppression
from sfumato.contracts import MaskingMethod, Measure
from sfumato.data import Microdata, Role, categorical, numeric
from sfumato.display import format_compact
from sfumato.errors import DataError, SfumatoError
from sfumato.keys.classes import MissingKeys
from sfumato.parameters.class_names import ClassNames
from sfumato.parameters.limits import SMALLEST_STRICT_GROUP, Limits
from sfumato.protection.keys import Keys, agreement_in_households, keys_of
from sfumato.protection.ladders import OTHER, Naming, loss_of
from sfumato.protection.plan import Plan, check_plan
from sfumato.protection.protected import KeyChange, Protected
from sfumato.protection.steps import propose_steps
from sfumato.recipe import Recipe
from sfumato.recipe.release import released_unchanged
from sfumato.report import risk_report
from sfumato.report.risk_report import check_risk_limits
from sfumato.risk import KAnonymity


def protect(
    data: Microdata,
    k: int = 3,
    *,
    hierarchies: Mapping[str, Any] | None = None,
    importance: Mapping[str, float] | None = None,
    max_suppressed: float = 5.0,
    strict: bool = False,
    number_steps: Sequence[MaskingMethod] | None = None,
    other_label: str = OTHER,
    class_names: ClassNames | Mapping[str, str] | None = None,
    weight: str | None = None,
    limits: Limits = (),
    seed: int | None = None,
) -> Protected:
    """Return a file in which nobody stands out by the keys, with the recipe that made it and what it cost.

    Identifiers are dropped. Keys are made broader, one step at a time, until few values are left to suppress, and those
    are suppressed: what each record then shows of its keys fits at least `k` records, a gap fitting every value. Keys
    that are numbers, such as an age, are put into classes. Confidential numbers are microaggregated, or masked as
    `number_steps` say. All other columns stay as they are.

    Parameters
    ----------
    data
        The records; columns of the role key are what others may know of a person. The role household tells which
        records live together: keys that all members of every household share are suppressed for all of them or none.
    k
        How many records, itself included, must fit what each record shows.
    hierarchies
        For some or all categorical keys the tree by which categories are joined, in any form that `Generalisation`
        takes. Without it neighbours in an order are joined, and of nominal categories the rarest.
    importance
        How much a key is worth, 1 when not given: important keys are recoded and suppressed less.
    max_suppressed
        How many percent of the key values are to be suppressed at most; keys are made broader until that is enough, as
        far as they can be. Where it is not, more are suppressed, and a remark says so.
    strict
        Whether a gap is a value of its own: each record is then equal to `k - 1` others, gaps included, so that the
        file is k-anonymous by both counts. It takes more suppression, or broader keys.
    number_steps
        The methods that mask confidential numbers, as in `[RankSwapping(columns=["income"])]`; an empty list leaves
        them as they are. When not given, all of them together are microaggregated by MDAV in groups of `k`.
    other_label
        What rare categories are called that are put into one.
    class_names
        Patterns for the names of classes of numbers and of neighbours that are joined, as in
        `{"lowest": "<{high}", "between": "{low}-{last}", "highest": "{low}+", "joined": "{low}-{high}"}`; see
        `Discretisation`.
    weight
        The column of sampling weights, for the risk before and after; that of the role weight when not given.
    limits
        What else is demanded of the protected file, as in `["global_risk<=1"]` (percent): see `risk_report`. A limit
        on `k` raises `k`, one on `strict_k` makes it `strict` too, and a remark says so. Whether the others are met
        stands in the result, as `after.meets_limits`.
    seed
        Where the random draws begin; drawn from the system when not given. Rank swapping can be undone by somebody who
        knows the seed: keep it from the readers of the file.

    Examples
    --------
    >>> import polars
    >>> from sfumato.data import Schema
    >>> frame = polars.DataFrame({"sex": [*"fffmmm"], "job": ["cook", "cook", "smith", "cook", "cook", "cook"]})
    >>> people = Microdata(frame, Schema.infer(frame).with_roles(key=["sex", "job"]))
    >>> found = protect(people, k=3, max_suppressed=10)
    >>> found.data.frame["job"].to_list(), found.after.figure("violations")
    (['cook', 'cook', None, 'cook', 'cook', 'cook'], 0.0)
    """
    demanded = check_risk_limits(limits)
    at_least = {limit.figure: int(limit.number) for limit in demanded if limit.is_lower}
    asked, k = k, max([k, *at_least.values()]) if isinstance(k, int) else k
    strict = strict or SMALLEST_STRICT_GROUP in at_least
    plan = check_plan(
        data,
        k=k,
        hierarchies=hierarchies or {},
        importance=importance or {},
        max_suppressed=max_suppressed,
        number_steps=number_steps,
        strict=strict,
        naming=Naming(other_label, ClassNames(**class_names) if isinstance(class_names, Mapping) else class_names),
    )
    keys = keys_of(data)
    before = risk_report(data, k=k, weight=weight, columns=keys.names)
    recipe = Recipe(steps=propose_steps(data, keys, plan), seed=seed).with_seed()
    masked = recipe.run(data)
    shown = tuple(name for name in keys.names if masked.observed(name).any())
    if not shown:
        raise DataError(
            f"protect.k: groups of {k} among {data.n} records leave no value of any key; take a smaller k or fewer keys"
        )
    by_reading = KAnonymity(columns=shown, k=k).by_reading(masked)
    if any(by_reading[missing].value > 0 for missing in (MissingKeys if strict else (MissingKeys.WILDCARD,))):
        raise SfumatoError(f"protect: the masked file is not {k}-anonymous; do not release it, and report this")
    after = risk_report(masked, k=k, weight=weight, columns=shown, limits=limits)
    assessment = assess(data, masked, measures=_measures(data, masked), methods=recipe.steps)
    changed = tuple(_change(data, masked, name) for name in keys.names)
    found = Protected(masked, recipe, assessment, before, after, changed, released_unchanged(data, masked, recipe))
    return replace(found, remarks=(*_remarks(data, keys, plan, found), *_raised(asked, plan)))


def _raised(asked: int, plan: Plan) -> tuple[str, ...]:
    """Return a sentence about a limit that asked for more than `k` did."""
    return () if plan.k == asked else (f"a limit raised k from {asked} to {plan.k}",)


def _measures(data: Microdata, masked: Microdata) -> tuple[Measure, ...]:
    """Return the usual measures of the columns that can be compared; of keys in classes the result tells itself."""
    schema, _ = comparable(data, masked)
    if not schema.select(numeric) and not schema.select(categorical):
        return ()
    return (*default_measures(schema), *suppression(schema, data, masked))


def _change(data: Microdata, masked: Microdata, name: str) -> KeyChange:
    had, has = data.observed(name), masked.observed(name)
    codes, released = data.codes(name)[0], masked.codes(name)[0]
    values = int(np.count_nonzero(had))
    return KeyChange(
        name,
        values,
        np.unique(codes[had]).size,
        np.unique(released[has]).size,
        100 * float(np.count_nonzero(had & ~has)) / values,
        100 * loss_of(codes, released),
    )


def _remarks(data: Microdata, keys: Keys, plan: Plan, found: Protected) -> tuple[str, ...]:
    """Return what must be known before the file is released."""
    remarks = []
    if not found.after.meets_limits:
        unmet = ", ".join(checked.limit_text for checked in found.after.limits if not checked.is_met)
        remarks.append(f"NOT WITHIN LIMITS: {unmet}; take a larger k, broader hierarchies or fewer keys")
    if found.suppressed > plan.max_suppressed:
        remarks.append(
            f"{found.suppressed:.1f} % of the key values are suppressed, more than the "
            f"{format_compact(plan.max_suppressed)} % that "
            f"were asked for: give hierarchies that join more categories, or leave a key out of the file"
        )
    emptied = [row.key for row in found.keys if row.different_after < 2 <= row.different_before]
    if emptied:
        remarks.append(
            f"{', '.join(emptied)}: nothing is left to tell records apart by; leave the key out of the file, or give a "
            f"hierarchy by which its categories can be joined"
        )
    households = tuple(variable.name for variable in data.schema.variables if variable.role is Role.HOUSEHOLD)
    for name, differing in agreement_in_households(data, keys.names, households).items():
        if differing:
            remarks.append(
                f"{name}: members differ within {differing} of the households, so that it was suppressed person by "
                f"person; if all members should have the same, correct these households and protect again"
            )
    if households:
        remarks.append(
            "k counts persons: a household may still be recognised by all its members together, and members may tell a "
            "value that one of them lost; release the households only where users need them"
        )
    return tuple(remarks)
