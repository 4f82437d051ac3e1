"""Moment matching: one linear change of many records that gives a file the moments of the original."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Improver
from sfumato.data import FloatColumn, FloatMatrix, Kind, Mask, Microdata, Rows
from sfumato.improve.affine import matched
from sfumato.improve.climbing import TOLERANCE
from sfumato.improve.groups import broken_groups, undivided
from sfumato.improve.problem import Problem, mean_loss, most_varied, posed
from sfumato.improve.result import improvement, wide_of_aim
from sfumato.improve.terms import moment_error, moment_terms
from sfumato.improvement import Ending, Improvement
from sfumato.kernels.hill_climbing import Terms
from sfumato.kernels.record_variation import UNKNOWN, record_variations
from sfumato.parameters import Columns

SAMPLE = 20_000  # changed records that IL1 is estimated from while it is brought to its aim
FARTHEST = 2.0  # times as far from its nearest original as before is the farthest that a record is drawn


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
    target_share
        The IL1 to come near to, as a share of that of the masked file. 1 keeps it; less draws records towards original
        ones, at most to half this share of their way, and raises the risk.
    record_share
        The share of the records that may change: those that contribute most to IL1. Records that are equal in all of
        the columns change together, or not at all. A small share may not be able to bring about the moments.
    target
        The E that is asked for; a remark tells if it was not met.
    rounds
        How many factors to try at most.

    Effect on risk
        About the same with a `target_share` of 1; rises below it. Equal records stay equal, so that microaggregation of
        all columns together keeps its k-anonymity; that of columns in several groups is lost, which a remark tells.
    Effect on utility
        Means, variances, covariances and correlations become those of the original, up to the range and type of the
        columns, if `record_share` is large enough. Values that many records share, such as zeros, change too.
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
    >>> original = Microdata(polars.DataFrame({"income": 100 * rng.random(200)}))
    >>> masked = Microdata(polars.DataFrame({"income": original.values("income") + 30 * rng.normal(size=200)}))
    >>> improved = MomentMatching(columns=("income",)).improve(original, masked, rng)
    >>> round(original.summary.deviation("income"), 6) == round(improved.data.summary.deviation("income"), 6)
    True
    """

    family: ClassVar[str] = "moments"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns
    target_share: Annotated[float, Field(gt=0)] = 1.0
    record_share: Annotated[float, Field(gt=0, le=1)] = 1.0
    target: Annotated[float, Field(ge=0)] = 0.001
    rounds: Annotated[int, Field(ge=1)] = 8

    def improve(self, original: Microdata, masked: Microdata, rng: np.random.Generator) -> Improvement:
        """Return an improved copy of `masked`, and how it was come by; `rng` is not used."""
        problem = posed(self, original, masked)
        drawing = _start(problem, self.record_share)
        aim = self.target_share * drawing.loss
        trials = [Trial(1.0, problem.masked, drawing.error, drawing.loss)]
        if drawing.chosen.any() and drawing.error >= self.target:
            trials += _sought(drawing, aim, self.target_share, self.rounds)
        best = min(trials[1:], key=lambda trial: abs(trial.loss - aim), default=trials[0])
        if best.error >= drawing.error:
            best = trials[0]
        loss = mean_loss(drawing.variations_of(best.values)) if drawing.is_sampled else best.loss
        tried = [*trials, Trial(best.factor, best.values, best.error, loss)]
        trace = (
            np.append(np.arange(len(trials)), len(trials) - 1),
            np.array([trial.error for trial in tried]),
            np.array([trial.loss for trial in tried]),
        )
        ended = Ending.TARGET if best.error < self.target else Ending.SETTLED
        remarks = (*_unmet(best, trials), *wide_of_aim(loss, aim), *broken_groups(problem, best.values))
        return improvement(self, masked, problem, best.values, ended, trace, aim, remarks)
