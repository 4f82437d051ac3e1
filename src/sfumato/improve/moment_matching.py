"""Moment matching: one linear change of many records that gives a file the moments of the original."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Improver
from sfumato.contracts.improvement import Improvement, ImprovementEnding
from sfumato.data import Kind, Microdata
from sfumato.display import format_compact
from sfumato.improve._factor_search import factor_search, search_factors
from sfumato.improve._groups import broken_groups_remark
from sfumato.improve._outcome import aim_remark, build_improvement
from sfumato.improve._problem import build_problem
from sfumato.parameters import Columns, InPercent, Percent


class MomentMatching(Improver):
    """Give a masked file the means and covariances of the original by one linear change of its records.

    The records that are farthest from the original file are mapped by the linear function, of all that give the file
    the right moments, that moves them least. Before that each is drawn along the line to its nearest original record,
    all by the same factor, and this factor is sought so that in the end IL1 is at its target. It does for large files
    in seconds what `PostMaskingOptimisation` does for small ones, and draws nothing at random.

    Parameters
    ----------
    columns
        Continuous columns. Integers stay integers; what would leave the range of the masked column is put at its end. A
        column that is constant in the original is left as it is.
    target_percent
        The IL1 to come near to, in percent of that of the masked file. 100 keeps it; less draws records towards
        original ones, at most to half this part of their way, and raises the risk. Where matching itself brings the
        records nearer, they are drawn away from original ones, to at most four times their way.
    record_percent
        Which percentage of the records may change: those that contribute most to IL1. Records that are equal in all of
        the columns change together, or not at all. A small percentage may not be able to bring about the moments.
    target
        The E that is asked for; a remark says so if it was not met.
    max_steps
        How many factors to try at most.

    Effect on risk
        About the same with a `target_percent` of 100; rises below it. Equal records stay equal, so that
        microaggregation of all columns together keeps its k-anonymity; that of columns in several groups is lost, as a
        remark then says.
    Effect on utility
        Means, variances, covariances and correlations become those of the original, up to the range and type of the
        columns, if `record_percent` is large enough. Values that many records share, such as zeros, change too.
    Missing values
        A record with a missing value in the columns is not changed and does not count, in either file.
    Source
        Own, for the problem (7) and (8) of Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002), Post-masking optimization
        of the tradeoff between information loss and disclosure risk in masked microdata sets; the linear map is that of
        Olkin and Pukelsheim (1982), The distance between two random vectors with given dispersion matrices.

    Examples
    --------
    >>> import polars
    >>> rng = np.random.default_rng(0)
    >>> original = Microdata(polars.DataFrame({"income": 100 + 100 * rng.random(200)}))
    >>> masked = Microdata(polars.DataFrame({"income": original.values("income") + 30 * rng.normal(size=200)}))
    >>> improved = MomentMatching(columns=("income",)).improve(original, masked, rng)
    >>> [round(data.summary.deviation("income")) for data in (original, masked, improved.data)]
    [30, 41, 30]
    """

    family: ClassVar[str] = "moments"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    is_search: ClassVar[bool] = False

    columns: Columns
    target_percent: Annotated[InPercent, Field(gt=0)] = 100.0
    record_percent: Percent = 100.0
    target: Annotated[float, Field(ge=0)] = 0.001
    max_steps: Annotated[int, Field(ge=1, le=10_000)] = 8

    @property
    def uses_pairs(self) -> bool:
        """No: it looks at the nearest originals."""
        return False

    def improve(self, original: Microdata, masked: Microdata, rng: np.random.Generator) -> Improvement:
        """Return an improved copy of `masked`, and how it came about; nothing is drawn from `rng`."""
        problem = build_problem(self, original, masked)
        search = factor_search(problem, self.record_percent)
        begun = best = search.unchanged()
        aim = self.target_percent / 100 * begun.loss
        trace = [(begun.error, begun.loss)]
        if search.chosen.any() and begun.error >= self.target:
            for trial in search_factors(search, aim, self.target_percent / 100, self.max_steps):
                trace.append((trial.error, trial.loss))
                if trial.error < begun.error and (best is begun or abs(trial.loss - aim) < abs(best.loss - aim)):
                    best = trial
            trace.append((best.error, search.loss_of(best.values)))
        ended = ImprovementEnding.TARGET if best.error < self.target else ImprovementEnding.SETTLED
        errors, losses = np.array(trace).T
        remarks = (
            *_target_remark(ended, is_changed=best is not begun, error=best.error),
            *aim_remark(float(losses[-1]), aim),
            *broken_groups_remark(problem, best.values),
        )
        steps = np.minimum(np.arange(len(trace)), max(len(trace) - 2, 0))  # the last is the best of them once more
        return build_improvement(self, masked, problem, best.values, ended, (steps, errors, losses), aim, remarks)


def _target_remark(ended: ImprovementEnding, *, is_changed: bool, error: float) -> tuple[str, ...]:
    """Return a sentence if nothing was changed, or E did not come below its target."""
    if not is_changed:
        why = "E was below its target from the start" if ended is ImprovementEnding.TARGET else "no change lowers E"
        return (f"{why}: nothing was changed",)
    if ended is ImprovementEnding.SETTLED:
        return (f"E is {format_compact(error, 3)}, not below its target; a larger record_percent may bring it there",)
    return ()
