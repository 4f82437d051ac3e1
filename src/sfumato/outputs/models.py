"""Regressions as outputs: degrees of freedom, records behind each category, and influence."""

from dataclasses import replace

import numpy as np

from sfumato.data import Microdata
from sfumato.display import format_percent
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix
from sfumato.outputs.facts import COUNT, Facts
from sfumato.outputs.judging import Judge
from sfumato.outputs.output import Output
from sfumato.outputs.rules import OutputRules
from sfumato.outputs.shown_table import ShownTable
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
    how many records they have, are audited beside all other outputs. Coefficients of numbers are not.

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
    measures: tuple[str, ...] = (COUNT,)
    if kind == "ols":
        measures = (COUNT, variables.add(str(parsed.response), response))
    concerns = _concerns(fit, design.predictors, design.response, judge.rules, is_binary=kind == "logit")
    facts = _facts(name, used, design.predictors, design.names, response, measures, is_binary=kind == "logit")
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
    fit: Fit, predictors: FloatMatrix, response: FloatColumn, rules: OutputRules, *, is_binary: bool
) -> list[str]:
    """Return what the rules of models say."""
    found = []
    freedom = fit.records - int((~np.isnan(fit.estimates)).sum())
    if freedom < rules.min_freedom:
        found.append(f"the model has {freedom} residual degrees of freedom; {rules.min_freedom} are asked for")
    ones = ((predictors == 0) | (predictors == 1)).all(axis=0)
    for place in np.flatnonzero(ones).tolist():
        with_it = int(predictors[:, place].sum())
        if 0 < min(with_it, fit.records - with_it) < rules.min_units:
            found.append(f"{fit.names[place]} stands for fewer than {rules.min_units} records, or all but so few")
    if is_binary and min(response.sum(), (1 - response).sum()) < rules.min_units:
        found.append(f"fewer than {rules.min_units} records have the rarer outcome")
    if not is_binary:
        largest = float(_leverages(predictors).max(initial=0.0))
        if 100 * largest > rules.max_leverage:
            found.append(
                f"a single record has a weight of {format_percent(100 * largest)} in its own fitted value; at most "
                f"{format_percent(rules.max_leverage)} pass without a look"
            )
    return found


def _leverages(predictors: FloatMatrix) -> FloatColumn:
    """Return the diagonal of the hat matrix."""
    u, sizes, _ = np.linalg.svd(predictors, full_matrices=False)
    kept = u[:, sizes > sizes.max(initial=0.0) * 1e-10]
    return np.asarray((kept**2).sum(axis=1))


def _facts(
    name: str,
    used: Booleans,
    predictors: FloatMatrix,
    names: tuple[str, ...],
    response: FloatColumn,
    measures: tuple[str, ...],
    *,
    is_binary: bool,
) -> Facts:
    """Return what a fit tells of sets of records: those of all, and those that have each category."""
    from scipy.sparse import csr_array

    ones = np.flatnonzero(((predictors == 0) | (predictors == 1)).all(axis=0) & (predictors.sum(axis=0) > 0))
    is_in = [np.ones(len(predictors), dtype=np.bool_), *(predictors[:, place] == 1 for place in ones)]
    labels = ["all records of the fit", *(names[place] for place in ones)]
    if is_binary:
        happened = response[used] == 1
        labels += [f"{label}, with the outcome" for label in labels]
        is_in += [inside & happened for inside in is_in]
    patterns, group = np.unique(np.stack(is_in, axis=1), axis=0, return_inverse=True)
    groups = np.full(used.size, -1, dtype=np.int64)
    groups[used] = group.reshape(-1)
    asked = np.ones(len(labels), dtype=np.bool_)
    return Facts(name, groups, csr_array(patterns.T.astype(np.float64)), tuple(labels), asked, asked.copy(), measures)
