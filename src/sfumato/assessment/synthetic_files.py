"""Files whose records come from nobody: when they are taken for synthetic, what is measured, and what is said of it."""

from collections.abc import Sequence

import numpy as np

from sfumato import risk
from sfumato.assessment.pairing import Pairing, are_strangers
from sfumato.contracts import ControlledRisk, MaskingMethod, Measure, Measurement
from sfumato.data import Microdata, Role, Schema, Selector, role
from sfumato.data.kinds import CONTENT_ROLES, DESIGN_ROLES
from sfumato.data.releases import RELEASE

SYNTHETIC = (
    "The recipe draws whole records anew: they come from nobody, so nothing is measured that compares a record with an "
    "original of its own."
)
NO_CONTROL = (
    "There is no control, records of the same population that the file was not made from: it cannot be told how much "
    "of what the attacks find the file tells about everybody, and there is no score. Keep some records back before the "
    "file is made, and give them as the control."
)
LEAK = (
    "LEAK FOUND by {attacks}: the file gives away more about the persons whom it was made from than about others, "
    "beyond chance."
)
NO_LEAK = (
    "No attack found a leak: what they learn about the persons whom the file was made from cannot be told from what "
    "they learn about those of a control of this size. The upper ends of the intervals say what is not ruled out, and "
    "stronger attacks may find more."
)
TRACE = (
    "No attack found a leak, but {attacks} found a trace: the file is nearer to the persons whom it was made from than "
    "to others, beyond chance, and too little to find one of them surely; the figures say how little. Stronger attacks "
    "may find more."
)
NOT_LOOKED_AT = "What the values of {names} may give away was not looked at."


def is_synthetic(original: Microdata, pairing: Pairing, methods: Sequence[MaskingMethod]) -> bool:
    """Tell whether the recipe draws all columns anew without reading any, and the records do not show the contrary.

    Methods of the same family may keep the ranks of their rows; so the recipe alone does not tell where there are
    pairs, and its word about a file that is a copy would hide it.
    """
    if not draws_anew(original, pairing.masked, methods):
        return False
    if not pairing.is_known:
        return True
    strata = _strata_of_syntheses(original, pairing.masked, methods)
    # records of one stratum are alike, whoever they are: they are compared with others of their stratum
    in_strata = pairing.masked.take_rows(np.argsort(pairing.masked.stratum_numbers(strata), kind="stable"))
    return are_strangers(original, in_strata if strata else pairing.masked)


def draws_anew(original: Microdata, masked: Microdata, methods: Sequence[MaskingMethod]) -> bool:
    """Tell whether a recipe draws all columns of the masked file anew, but for strata, without reading any."""
    kept = masked.schema
    content = {each.name for each in original.schema.variables if each.role in CONTENT_ROLES and each.name in kept}
    syntheses = [method for method in methods if _reads_nothing(method, original)]
    drawn = {name for method in syntheses for name in _columns(method, original)}
    return bool(drawn & content) and content <= {*drawn, *_strata_of_syntheses(original, masked, methods)}


def _strata_of_syntheses(original: Microdata, masked: Microdata, methods: Sequence[MaskingMethod]) -> tuple[str, ...]:
    syntheses = [method for method in methods if _reads_nothing(method, original)]
    strata = dict.fromkeys(name for method in syntheses for name in _strata(method, original))
    return tuple(name for name in strata if name in masked.schema)


def _strata(method: MaskingMethod, original: Microdata) -> tuple[str, ...]:
    within = getattr(method, "within", ())
    return original.select(within)


def _reads_nothing(method: MaskingMethod, original: Microdata) -> bool:
    given = getattr(method, "given", ())
    return method.family == "synthesis" and not (original.select(given) if isinstance(given, Selector) else given)


def _columns(method: MaskingMethod, original: Microdata) -> tuple[str, ...]:
    return original.select(method.columns) if isinstance(method.columns, Selector) else method.columns


def attacks_without_pairs(
    schema: Schema, original: Microdata, masked: Microdata, control: Microdata | None
) -> tuple[Measure, ...]:
    """Return the attacks to try on the columns of a schema that all files have in one kind.

    Weights and strata are released as other columns are, and a true one gives its person away as well.
    """
    names = comparable_in_all(schema, original, masked, control, CONTENT_ROLES | DESIGN_ROLES)
    keys = tuple(name for name in names if schema[name].role is Role.KEY)
    others = tuple(name for name in names if name not in keys)
    measures: list[Measure] = []
    if len(names) > 1:
        measures += [risk.SinglingOut(columns=names), risk.Linkability(columns=names), risk.Inference(columns=names)]
    if names and control is not None:
        measures += [risk.MembershipInference(columns=names)]
    if names and (household := household_in_all(original, masked, control)):
        measures += [risk.HouseholdMembership(columns=names, household=household)]
    measures += [risk.ReplicatedUniques(columns=keys)] if keys else []
    measures += [risk.Disco(columns=keys, sensitive=others)] if keys and others else []
    return tuple(measures)


def near_copies(
    schema: Schema, original: Microdata, masked: Microdata, control: Microdata | None
) -> tuple[Measure, ...]:
    """Return the measure of near copies."""
    names = comparable_in_all(schema, original, masked, control, CONTENT_ROLES)
    return (risk.DistanceToClosestRecord(columns=names),) if names else ()


def comparable_in_all(
    schema: Schema, original: Microdata, masked: Microdata, control: Microdata | None, roles: frozenset[Role]
) -> tuple[str, ...]:
    """Return the columns of some roles that have values of one kind in all files."""
    files = (masked,) if control is None else (masked, control)
    return tuple(
        each.name
        for each in schema.variables
        if each.role in roles
        and all(
            each.name in file.schema
            and file.schema[each.name].kind is original.schema[each.name].kind
            and file.summary.observed(each.name)
            for file in files
        )
        and original.summary.observed(each.name)
    )


def household_in_all(original: Microdata, masked: Microdata, control: Microdata | None) -> str | None:
    """Return the column of household numbers that all files have, where there is one."""
    names = original.select(role("household"))
    files = (masked,) if control is None else (masked, control)
    return names[0] if len(names) == 1 and all(names[0] in file.schema for file in files) else None


def unattacked_columns(original: Microdata, masked: Microdata, measures: Sequence[Measure]) -> tuple[str, ...]:
    """Return the columns of the masked file, with different values, that no attack against a control looked at.

    Household numbers that are none of the original say who lives together, and nothing else.
    """
    attacks = [measure for measure in measures if isinstance(measure, ControlledRisk)]
    seen = {name for attack in attacks for name in original.select(attack.columns)}
    seen |= {name for attack in attacks for name in original.select(getattr(attack, "sensitive", ()))}
    seen |= {name for name in masked.select(role("household")) if _has_new_values(original, masked, name)}
    return tuple(
        name
        for name in masked.schema.names
        if name not in seen and name != RELEASE and np.unique(masked.stratum_numbers((name,))).size > 1
    )


def _has_new_values(original: Microdata, masked: Microdata, name: str) -> bool:
    """Tell whether no value of a column is one of the original."""
    if name not in original.schema:
        return True
    return {*original.table[name].to_list()}.isdisjoint(masked.table[name].to_list())


def leak_remark(measurements: Sequence[Measurement], unattacked: Sequence[str] = ()) -> tuple[str, ...]:
    """Return which attacks found a leak, or a trace, or that none did; nothing where none was held against a control.

    The columns that no attack looked at are named: nothing is known of what they give away.
    """
    asked = [found for found in measurements if found.shows_leak is not None]
    leaks = ", ".join(found.name.replace("_", " ") for found in asked if found.shows_leak)
    traces = ", ".join(found.name.replace("_", " ") for found in asked if found.shows_trace)
    unseen = f" {NOT_LOOKED_AT.format(names=', '.join(unattacked))}" if unattacked else ""
    if leaks:
        return (f"{LEAK.format(attacks=leaks)}{unseen}",)
    verdict = TRACE.format(attacks=traces) if traces else NO_LEAK
    return (f"{verdict}{unseen}",) if asked else ()
