"""Regressions as outputs: degrees of freedom, records behind each category, and influence."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from sfumato.data import Microdata
from sfumato.display import format_percent
from sfumato.numerics.arrays import Booleans, FloatMatrix
from sfumato.outputs.facts import COUNT, Facts
from sfumato.outputs.judging import Judge
from sfumato.outputs.leverage import Leverage, dummies_of
from sfumato.outputs.output import Output
from sfumato.outputs.rules import OutputRules
from sfumato.outputs.shown_table import ShownTable
from sfumato.outputs.split_facts import two_values_of
from sfumato.outputs.variables import Variables
from sfumato.regression import Formula, LinearRegression, LogisticRegression
from sfumato.regression.design import build_designs
from sfumato.regression.fit import Fit

MODELS = {"ols": LinearRegression, "logit": LogisticRegression}


def model_output(
    judge: Judge,
    name: str,
    request: str,
    data: Microdata,
    kind: str,
    formula: str,
    selected: Booleans,
    variables: Variables,
) -> Output:
    """Return a fitted model, with what speaks against showing it.

    The fit tells what the response adds up to over the records of each category among the predictors: these sums, and
    how many records they have, are audited beside all other outputs. A response with two values is counted instead, and
    a predictor with two values is a category however it is coded. Coefficients of numbers are not audited.

    Parameters
    ----------
    judge
        What the output is judged by.
    name, request
        What it is called, and what was asked for.
    data, selected
        The records, and those to fit to.
    kind
        `ols` or `logit`.
    formula
        What is explained by what.
    variables
        The variables that outputs add up, to which a linear model's response is added.
    """
    parsed = Formula.parse(formula)
    chosen = data.take_rows(np.flatnonzero(selected))
    fit = MODELS[kind](formula).fit(chosen)
    design = build_designs(parsed, [chosen])[0]
    used = selected.copy()
    for column in parsed.columns:
        used &= data.observed(column)
    response = np.full(data.n, np.nan)
    response[used] = design.response
    two = two_values_of(response)
    measures = (COUNT,) if two is not None else (COUNT, variables.add(str(parsed.response), response))
    happened = None if two is None else response[used] == two[1]
    dummies = dummies_of(design.predictors)
    concerns = [
        *_concerns(fit, design.predictors, dummies, judge.rules, is_linear=kind == "ols"),
        *_outcome_concerns(happened, judge.rules),
    ]
    facts = _facts(name, used, [design.names[place] for place in dummies], dummies, happened, measures)
    with_response = replace(judge, values={**judge.values, **variables.values})
    return with_response.whole(name, request, _coefficients(fit), facts, concerns)


def _coefficients(fit: Fit) -> ShownTable:
    rows = [(name,) for name in fit.names]
    figures = [
        tuple(None if np.isnan(one) else float(one) for one in pair)
        for pair in zip(fit.estimates.tolist(), fit.errors.tolist(), strict=True)
    ]
    return ShownTable(
        ("term",), (*rows, ("records",)), ("estimate", "standard error"), (*figures, (float(fit.records), None))
    )


def _concerns(
    fit: Fit, predictors: FloatMatrix, dummies: Mapping[int, Booleans], rules: OutputRules, *, is_linear: bool
) -> list[str]:
    """Return what the rules of models say of the predictors."""
    found = []
    freedom = fit.records - int((~np.isnan(fit.estimates)).sum())
    if freedom < rules.min_freedom:
        found.append(f"the model has {freedom} residual degrees of freedom; {rules.min_freedom} are asked for")
    for place, has_it in dummies.items():
        with_it = int(has_it.sum())
        if 0 < min(with_it, fit.records - with_it) < rules.min_units:
            found.append(
                f"{fit.names[place]} stands for fewer than {rules.min_units} records, or all but so few: merge it with "
                f"another category, or leave its records out by a condition"
            )
    weights = Leverage(predictors)
    if is_linear and 100 * weights.largest > rules.max_leverage:
        found.append(
            f"a single record has a weight of {format_percent(100 * weights.largest)} in its own fitted value; at most "
            f"{format_percent(rules.max_leverage)} pass without a look"
        )
    if not found and weights.singles_out(rules.min_units):
        found.append(f"the predictors together single out fewer than {rules.min_units} records, as a category would")
    return found


def _outcome_concerns(happened: Booleans | None, rules: OutputRules) -> list[str]:
    """Return what the rules say of a response with two values."""
    if happened is None or min(happened.sum(), (~happened).sum()) >= rules.min_units:
        return []
    return [f"fewer than {rules.min_units} records have the rarer outcome"]


def _facts(
    name: str,
    used: Booleans,
    labels: Sequence[str],
    dummies: Mapping[int, Booleans],
    happened: Booleans | None,
    measures: tuple[str, ...],
) -> Facts:
    """Return what a fit tells of sets of records: those of all, and those that have each category."""
    from scipy.sparse import csr_array

    names = ["all records of the fit", *labels]
    is_in = [np.ones(int(used.sum()), dtype=np.bool_), *dummies.values()]
    if happened is not None:
        names += [f"{label}, with the outcome" for label in names]
        is_in += [inside & happened for inside in is_in]
    patterns, group = np.unique(np.stack(is_in, axis=1), axis=0, return_inverse=True)
    groups = np.full(used.size, -1, dtype=np.int64)
    groups[used] = group.reshape(-1)
    asked = np.ones(len(names), dtype=np.bool_)
    return Facts(name, groups, csr_array(patterns.T.astype(np.float64)), tuple(names), asked, asked.copy(), measures)
