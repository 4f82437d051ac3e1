"""What to know of a regression that was compared between an original file and its copies."""

from collections.abc import Sequence

import numpy as np

from sfumato.display import format_compact, format_count, format_number
from sfumato.regression.fit import Fit
from sfumato.regression.pooling import PartialSynthesisRule, PooledFit, PoolingRule

NEGATIVE_VARIANCES = (
    "THE VARIANCE OF THE FULL RULE IS NEGATIVE for {count} of {of}: the variance within the copies, times their size "
    "over that of the original, takes its place, and leaves out what the drawing added. The rule needs parameters "
    "drawn anew for each copy (bootstrap, in a run for each) and many copies; the rule for large samples needs neither."
)
LARGER_COPIES = (
    "The partial rule is for files in which some columns or records stayed real, as many as in the original. These "
    "copies have {ratio} times its records, so that ERRORS ARE TOO SMALL by about {percent} %: take the rule for large "
    "samples."
)


def comparison_remarks(first: Fit, others: Sequence[Fit], pooled: PooledFit, rule: PoolingRule) -> tuple[str, ...]:
    """Return what to know of a comparison: what is left out, and how far the rule of pooling suits these copies."""
    unknown = [
        name
        for name, one, two in zip(first.names, first.estimates, pooled.estimates, strict=True)
        if np.isnan(one) or np.isnan(two)
    ]
    remarks = []
    if unknown:
        remarks.append(f"Not told by every file, and left out of the means: {', '.join(unknown)}.")
    left_out = [fit.left_out for fit in (first, *others)]
    if any(left_out):
        remarks.append(
            f"Left out for missing values: {format_count(left_out[0], 'record')} of the original, "
            f"{format_number(float(np.mean(left_out[1:])), 0)} of a copy on average."
        )
    if not np.isinf(pooled.freedom[~np.isnan(pooled.freedom)]).all():
        remarks.append(_freedom_remark(pooled))
    if pooled.replaced:
        known = sum(not np.isnan(one) for one in pooled.estimates.tolist())
        remarks.append(NEGATIVE_VARIANCES.format(count=len(pooled.replaced), of=format_count(known, "coefficient")))
    if isinstance(rule, PartialSynthesisRule) and (remark := _size_remark(first, others)):
        remarks.append(remark)
    if pooled.difference is None:
        remarks.append("There are too few copies for a test of the lack of fit by this rule.")
    return tuple(remarks)


def _freedom_remark(pooled: PooledFit) -> str:
    """Say to which distributions the intervals of the copies refer."""
    known = pooled.freedom[~np.isnan(pooled.freedom)]
    least, most = (format_compact(float(one), 3) for one in (known.min(), known.max()))
    shown = least if least == most else f"{least} to {most}"
    return f"Intervals of the copies are those of Student's t with {shown} degrees of freedom."


def _size_remark(first: Fit, others: Sequence[Fit]) -> str | None:
    """Say how much too small errors are by a rule that takes the copies to be as large as the original."""
    whole = first.records + first.left_out
    ratio = float(np.mean([fit.records + fit.left_out for fit in others])) / whole
    if ratio <= 1:
        return None
    return LARGER_COPIES.format(ratio=format_compact(ratio, 3), percent=format_number(100 * (1 - ratio**-0.5), 0))
