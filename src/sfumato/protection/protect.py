"""Protect a file in one call: broader categories, local suppression, masked numbers, as the roles of columns say."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from sfumato.assessment import assess
from sfumato.assessment.defaults import comparable, dates_of_both, default_measures, linkable, suppression, worst_case
from sfumato.assessment.release_notes import AMOUNTS_TOLD, alarms_of, key_notes, value_notes, weight_notes
from sfumato.contracts import MaskingMethod, Measure
from sfumato.data import Microdata, categorical, numeric
from sfumato.errors import DataError
from sfumato.keys.classes import keys_shown
from sfumato.keys.findings.key_findings import find_key_findings
from sfumato.keys.group_means import tells_largest_value
from sfumato.keys.recomputed_values import recomputed_columns
from sfumato.parameters.class_names import ClassNames
from sfumato.parameters.limits import SMALLEST_STRICT_GROUP, Limit, Limits
from sfumato.protection.hint_protection import HintedRun
from sfumato.protection.household_numbers import identify_households
from sfumato.protection.keys import Keys, keys_of
from sfumato.protection.ladders import OTHER, Naming, loss_of
from sfumato.protection.number_limits import check_number_limits, number_figures, worst_case_figures
from sfumato.protection.open_factors import mask_open_factors
from sfumato.protection.plan import Plan, check_plan
from sfumato.protection.promises import check_promises, combinations_shown, count_promises
from sfumato.protection.protected import KeyChange, Protected
from sfumato.protection.remarks import default_remarks, protection_remarks
from sfumato.protection.steps import average_numbers, undominated_steps
from sfumato.protection.suppression_limit import check_suppression_limit, run_within_limit, suppressed_percent
from sfumato.recipe.release import kept_in_release
from sfumato.reports import risk_report
from sfumato.reports.checked_limits import hold_limits, is_count_of_groups, tell_silence
from sfumato.reports.risk_report import check_risk_limits

AIM = 5.0  # percent of the key values to suppress at most, where nobody says how many


def protect(
    data: Microdata,
    k: int = 3,
    *,
    hierarchies: Mapping[str, Any] | None = None,
    importance: Mapping[str, float] | None = None,
    max_suppressed: float | None = None,
    strict: bool = False,
    whole_records: bool = False,
    combinations: Any = (),
    sensitive: Sequence[str] = (),
    l: int | None = None,
    t: float | None = None,
    number_steps: Sequence[MaskingMethod] | None = None,
    keep: Sequence[str] = (),
    other_label: str = OTHER,
    class_names: ClassNames | Mapping[str, str] | None = None,
    labelled_codes: bool = False,
    decimals: Mapping[str, int] | None = None,
    weight: str | None = None,
    population_size: float | None = None,
    limits: Limits = (),
    seed: int | None = None,
) -> Protected:
    """Return a file in which nobody stands out by the keys, with the recipe that made it and what it cost.

    Identifiers are dropped. Keys are made broader, one step at a time, until few values are left to suppress, and those
    are suppressed: what each record then shows of its keys fits at least `k` records, a gap fitting every value. Keys
    that are numbers, such as an age, are put into classes. Confidential numbers are microaggregated, or masked as
    `number_steps` say. All other columns stay as they are; where they tell a part of a key, as the weights of a region
    do, more key values are suppressed, and weights are rounded where that is not enough.

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
        How many percent of the key values may be suppressed at most, those because of other columns included. Keys are
        made broader until that is enough; where it never is, the file is not called protected, as with `limits`. When
        not given, 5 % are aimed at; where that is not enough, more are suppressed, and a remark says so.
    strict
        Whether a gap is a value of its own: each record is then equal to `k - 1` others, gaps included, so that the
        file is k-anonymous by both counts, and `k` records are left to somebody who looks for one person by the keys
        and what other columns tell. It takes more suppression, or broader keys.
    whole_records
        Whether each record is made equal to `k - 1` others in every column that is released, gaps included, by
        `RecordMicroaggregation`; households and empty columns are dropped with the identifiers. Nobody can tell such
        records apart, whatever columns tell of each other and whoever looks, which is proven; much of the detail is
        lost. Keys are then changed like all other columns, so that what is asked of keys alone must be left out.
    combinations
        Which keys somebody may know together, where not all: `3` for any three, as mu-Argus checks them, or as in
        `LocalSuppression`. Nothing is promised against those who know more; a remark counts whom they find.
    sensitive
        The nominal or ordinal columns that `l` and `t` are about; all confidential ones of that kind when not given.
    l, t
        How many different values of each sensitive column each group of equal records must have (l-diversity), and how
        far their distribution may be from that in the file, above 0 to 1 (t-closeness). Either makes it `strict`.
    number_steps
        The methods that mask confidential numbers, as in `[RankSwapping(columns=["income"])]`; an empty list leaves
        them as they are. When not given, all of them together are microaggregated by MDAV in groups of `k`, or
        of more around an amount that such a mean would tell to everybody, or to whoever has the second largest; with
        them the numbers of role other that differ for most records, or households.
    keep
        Columns of role other that may leave as they are although they differ for most records, or give a masked number
        back together with another, as heads do beside what comes on each. Of those that are not named, numbers are
        masked and all others, such as references and remarks, are dropped; a remark says which.
    other_label
        What rare categories are called that are put into one.
    class_names
        Patterns for the names of classes of numbers and of neighbours that are joined, as in
        `{"lowest": "<{high}", "between": "{low}-{last}", "highest": "{low}+", "joined": "{low}-{high}"}`; see
        `Discretisation`.
    labelled_codes
        Whether joined codes stay numbers with value labels, for an SPSS or Stata file. They become text otherwise: a 1
        that stands for 1 to 2 would look like a 1.
    decimals
        How many decimals some columns will have when the file is written, as `{"income": 2}`: masked numbers are
        rounded to as many, so that all is counted in what is written.
    weight
        The column of sampling weights, for the risk before and after; that of the role weight when not given.
    population_size
        How many persons the sample was drawn from, for weights that were normalised: in the risk before and after they
        are scaled to that sum, in the file they stay as they are.
    limits
        What else is demanded of the protected file, as in `["global_risk<=1", "worst_case_linkage<=10"]` (percent): the
        figures of `risk_report`, and those of the intruders who know the numbers, by name or symbol. They are measured;
        the protection of keys does not aim at them, and a file that does not meet one is not called protected. A limit
        on `k` raises `k`, one on `strict_k` makes it `strict` too, and a remark says so. With either, records lose more
        values until `k` records are left also to somebody who looks for one person by the keys and what other columns
        tell; neither is met where fewer fit for somebody who reads keys, or who lives together, off other columns.
        Whether all are met stands in the result, as `after.meets_limits`.
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
    >>> found.data.frame["job"].to_list(), found.after["violations"]
    (['cook', 'cook', None, 'cook', 'cook', 'cook'], 0.0)
    """
    demanded = check_risk_limits(limits, number_figures() if limits else ())
    at_least = {limit.figure: int(limit.number) for limit in demanded if limit.is_lower}
    asked, k = k, max([k, *at_least.values()]) if isinstance(k, int) else k
    was_strict = strict or whole_records or l is not None or t is not None
    strict = strict or SMALLEST_STRICT_GROUP in at_least
    data, undeclared = identify_households(data, keep, whole_records=whole_records)
    plan = check_plan(
        data,
        k=k,
        hierarchies=hierarchies or {},
        importance=importance or {},
        max_suppressed=(100.0 if whole_records else AIM) if max_suppressed is None else max_suppressed,
        number_steps=number_steps,
        strict=strict,
        both_sides=any(map(is_count_of_groups, demanded)),
        naming=Naming(
            other_label,
            ClassNames(**class_names) if isinstance(class_names, Mapping) else class_names,
            labelled_codes,
        ),
        combinations=combinations,
        sensitive=sensitive,
        l=l,
        t=t,
        keep=keep,
        whole_records=whole_records,
        undeclared_households=undeclared,
    )
    keys = keys_of(data)
    report = partial(risk_report, k=k, weight=weight, population_size=population_size)
    before = report(data, columns=keys.names, combinations=plan.combinations)
    run, plan = _run(data, keys, plan, seed, decimals or {}, keep=keep, is_limit=max_suppressed is not None)
    recipe, masked = run.recipe, run.masked
    shown = keys_shown(masked, keys.names)
    known = combinations_shown(plan.combinations, shown)
    if not shown or (plan.combinations and not known):
        more = "" if l is None and t is None else ", a smaller l or a larger t"
        raise DataError(
            f"protect.k: no groups of {k}{' with sensitive values as asked for' if more else ''} among {data.n} "
            f"records were found that leave a value of some key; take a smaller k{more}, or fewer keys"
        )
    promises = count_promises(masked, shown, plan)
    check_promises(promises)
    by_keys = [limit for limit in demanded if limit.figure not in number_figures()]
    after = report(masked, columns=shown, combinations=known, limits=by_keys, original=data)
    measures = _measures(data, masked, demanded)
    assessment = assess(data, masked, measures=measures, methods=recipe.steps)
    exposure = replace(run.exposure, side=None) if known else run.exposure  # who knows all keys is promised nothing
    findings = find_key_findings(data, masked, shown, k, exposure=exposure, knows_all_keys=not known)
    met = after.limits if known else hold_limits(after, findings)
    unchanged, stayed = kept_in_release(data, masked, recipe)
    recomputed = recomputed_columns(data, masked, unchanged)
    suppressed = suppressed_percent(data, masked, keys.names)
    within = () if max_suppressed is None else (check_suppression_limit(plan, suppressed),)
    notes = [
        *key_notes(
            data,
            masked,
            keys.names,
            k,
            unchanged=unchanged,
            findings=findings,
            is_limited=plan.both_sides,
        ),
        *weight_notes(data, masked),
        *value_notes(data, masked, recipe.steps, k, unchanged=unchanged, recomputed=recomputed),
    ]
    alarms = alarms_of(notes)
    held = tell_silence(met, tells_amounts=not AMOUNTS_TOLD.isdisjoint(alarms))
    after = replace(after, limits=(*held, *within, *check_number_limits(assessment, demanded, recomputed)))
    found = Protected(
        masked,
        recipe,
        assessment,
        before,
        after,
        tuple(_change(data, masked, name) for name in keys.names),
        promises,
        unchanged,
        max_suppressed=plan.max_suppressed,
        hinted=run.hinted,
        hinting=tuple(dict.fromkeys(column for _, column in run.exposure.hinting)),
        side=exposure.side,
        learnt=findings.learnt,
        unchanged_percent={name: percent for name, percent in stayed.items() if name not in keys.names},
        alarms=alarms,
        whole_records=whole_records,
    )
    remarks = protection_remarks(data, keys, plan, found, notes, run.exposure.hinting)
    return replace(found, remarks=(*remarks, *default_remarks(data, found, plan), *_raised(asked, was_strict, plan)))


def _run(
    data: Microdata,
    keys: Keys,
    plan: Plan,
    seed: int | None,
    decimals: Mapping[str, int],
    *,
    keep: Sequence[str],
    is_limit: bool,
) -> tuple[HintedRun, Plan]:
    """Return a recipe that protects the file, and what came of it and of the plan.

    Open numbers that would give a masked one back are masked too, and where means tell an amount, groups are larger:
    only if nobody chose the steps for numbers.
    """
    usual = plan.number_steps is None and not plan.whole_records
    averaged = tuple(average_numbers(data, plan)) if usual else ()
    plan, averaged = mask_open_factors(data, plan, averaged, keep)
    if any(tells_largest_value(data, masked, data.select(step.columns)) for step, masked in averaged):
        plan = replace(plan, number_steps=undominated_steps(data, plan))
    return run_within_limit(data, keys, plan, seed, decimals, is_limit=is_limit, averaged=averaged), plan


def _raised(k: int, strict: bool, plan: Plan) -> tuple[str, ...]:
    """Return sentences about limits that asked for more than `k` and `strict` did."""
    raised = [] if plan.k == k else [f"a limit raised k from {k} to {plan.k}"]
    return (*raised, *(["the limit on strict_k made the protection strict"] if plan.strict and not strict else []))


def _measures(data: Microdata, masked: Microdata, limits: Sequence[Limit]) -> tuple[Measure, ...]:
    """Return the usual measures of the columns that can be compared; of keys in classes the result tells itself."""
    schema, _ = comparable(data, masked)
    if not schema.select(numeric) and not schema.select(categorical):
        return ()
    worst = (
        (worst_case(linkable(data, masked)),) if any(limit.figure in worst_case_figures() for limit in limits) else ()
    )
    dates = tuple(name for name in dates_of_both(schema, masked) if not data.summary.date_problem(name))
    return (*default_measures(schema, dates), *suppression(data, masked), *worst)


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
