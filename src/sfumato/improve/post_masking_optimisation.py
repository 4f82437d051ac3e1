"""Post-masking optimisation: random changes of single values, kept where they bring the moments nearer."""

from enum import StrEnum
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Improver
from sfumato.contracts.improvement import Improvement, ImprovementEnding
from sfumato.data import Kind, Microdata
from sfumato.display import format_compact
from sfumato.improve._groups import broken_groups_remark, shared_cells, single_cells
from sfumato.improve._moment_climb import Climb, climb_moments, start_climb
from sfumato.improve._outcome import aim_remark, build_improvement
from sfumato.improve._problem import build_problem, most_varied
from sfumato.parameters import Columns, InPercent, Percent, Scale


class ComparedValues(StrEnum):
    """The values whose relative changes make up IL1."""

    RAW = "raw"
    """As they are in the files."""
    STANDARDISED = "standardised"
    """Less the mean and divided by the standard deviation of the original."""


class PostMaskingOptimisation(Improver):
    """Change single values at random and keep what brings the moments nearer to the original's, with IL1 at a target.

    The first and second moments of the standardised values decide about means, variances, covariances and
    correlations; E is the sum of their squared differences from those of the original. Each step perturbs one value of
    one of the records that are farthest from the original file, and undoes that unless E falls; and unless IL1, the
    mean variation against the nearest original record, is within 1 % of its target or comes nearer to it.

    Parameters
    ----------
    columns
        Continuous columns. Integers stay integers, and values stay between the least and greatest masked value of their
        column, so that top and bottom codes hold. A column that is constant in the original is left as it is.
    target_percent
        The IL1 to come near to, in percent of that of the masked file (p of the source): 50 halves it. The smaller,
        the nearer the file comes to the original records, and the larger its risk.
    record_percent
        Which percentage of the records may change (q of the source): those that contribute most to IL1.
    target
        The E to stop below.
    max_steps
        How many changes to try at most. About 200 per value that may change bring E to its least.
    moment_order
        The highest order of the moments in E.
    compared_values
        What IL1 compares. The source standardises for it, but its figures come out only with raw values.
    keeps_groups
        Whether records that share a value move it together, so that records which are equal in some columns stay equal
        in these and k-anonymity is kept. A value that also a record outside `record_percent` has stays as it is: give
        columns that were microaggregated in several groups a `record_percent` of 100.
    scale
        The standard deviation of a perturbation, in standard deviations of the original column.

    Effect on risk
        Rises a little: values come nearer to original ones. It is held down by IL1 alone, so assess the result before
        release. Without `keeps_groups` the k-anonymity of a microaggregated file is lost, as a remark says.
    Effect on utility
        Means, variances, covariances and correlations come near to those of the original; IL falls by a third to a half
        on the source's file. What the moments do not show is not repaired.
    Missing values
        A record with a missing value in the columns is not changed and does not count, in either file.
    Source
        Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002), Post-masking optimization of the tradeoff between information
        loss and disclosure risk in masked microdata sets, Algorithm 1. A random file in place of the masked one gives
        synthetic data (its section 5). The size of the perturbations, the range, integers, groups and missing values
        are not in the source.

    Examples
    --------
    >>> import polars
    >>> rng = np.random.default_rng(0)
    >>> income = rng.lognormal(7, 0.5, 200)
    >>> original = Microdata(polars.DataFrame({"income": income, "tax": income / 4 + 50 * rng.random(200)}))
    >>> masked = original.map_columns(("income", "tax"), lambda _, column: rng.permutation(column))
    >>> improver = PostMaskingOptimisation(columns=("income", "tax"), record_percent=50)
    >>> improved = improver.improve(original, masked, rng)
    >>> bool(improved.error < improved.errors[0] / 10), round(improved.loss / improved.aimed_loss, 1), improved.records
    (True, 1.0, 100)
    """

    family: ClassVar[str] = "moments"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns
    target_percent: Annotated[InPercent, Field(gt=0)] = 50.0
    record_percent: Percent = 10.0
    target: Annotated[float, Field(ge=0)] = 0.001
    max_steps: Annotated[int, Field(ge=1, le=100_000_000)] = 300_000
    moment_order: Annotated[int, Field(ge=1, le=6)] = 2
    compared_values: ComparedValues = ComparedValues.RAW
    keeps_groups: bool = False
    scale: Scale = 1.0

    @property
    def uses_pairs(self) -> bool:
        """No: it looks at the nearest originals."""
        return False

    def improve(self, original: Microdata, masked: Microdata, rng: np.random.Generator) -> Improvement:
        """Return an improved copy of `masked`, and how it came about."""
        problem = build_problem(self, original, masked)
        begun = start_climb(problem, self.moment_order, self.compared_values is ComparedValues.RAW)
        chosen = most_varied(begun.state.variations, problem.complete, self.record_percent)
        cells = (shared_cells if self.keeps_groups else single_cells)(problem, chosen)
        aim = self.target_percent / 100 * begun.loss
        climb = climb_moments(begun, cells, aim, self.target, self.max_steps, self.scale, rng)
        remarks = (
            *_target_remark(climb, cells.columns.size),
            *aim_remark(climb.losses[-1], aim),
            *broken_groups_remark(problem, climb.values),
        )
        trace = (climb.steps, climb.errors, climb.losses)
        return build_improvement(self, masked, problem, climb.values, climb.ended, trace, aim, remarks)


def _target_remark(climb: Climb, cells: int) -> tuple[str, ...]:
    """Return a sentence if E did not come below its target, or was there from the start."""
    if climb.steps[-1] == 0 and climb.ended is ImprovementEnding.TARGET:
        return ("E was below its target from the start: nothing was changed",)
    if climb.ended is ImprovementEnding.SETTLED:
        return ("no value may change: each is shared with a record outside record_percent; raise it",)
    if climb.ended is ImprovementEnding.LIMIT:
        tried = climb.steps[-1] / cells
        return (
            f"E is {format_compact(climb.errors[-1], 3)} after {format_compact(tried, 3)} changes tried per value, "
            "not below its target; allow more "
            f"steps (max_steps) or a larger record_percent, or use moment_matching",
        )
    return ()
