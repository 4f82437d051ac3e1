"""Score optimisation: random changes of single values, kept where they lower a score and raise no risk."""

from dataclasses import replace
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Correspondence, Improver, RankTies
from sfumato.contracts.improvement import Improvement, ImprovementEnding
from sfumato.data import Kind, Microdata
from sfumato.display import format_compact
from sfumato.improve._groups import broken_groups_remark, shared_cells, single_cells
from sfumato.improve._outcome import build_improvement
from sfumato.improve._problem import build_problem, most_varied
from sfumato.improve._score_climb import ScoreClimb, run_climb
from sfumato.improve._score_start import count_records, start_score
from sfumato.parameters import Columns, Percent, Scale

Weight = Annotated[float, Field(ge=0)]


class ScoreOptimisation(Improver):
    """Change single values at random and keep what lowers a score of loss and risk, while no risk rises.

    The score is a weighted sum of `IL`, `DLD` and `ID` in percent, which are those of `InformationLoss`,
    `DistanceLinkage` and `IntervalDisclosure`. Each step perturbs one value, and undoes that unless the score falls and
    neither `DLD` nor `ID` is above what it was at the start. What a change does is added up from the records that it
    touches, so that a step needs no look at the whole.

    Parameters
    ----------
    columns
        Continuous columns, the easiest known first, as for `DistanceLinkage`; all others stay as they are. Integers
        stay integers, and values stay between the least and greatest masked value of their column, so that top and
        bottom codes hold. A column that is constant in the original is left as it is and does not count.
    loss_weight
        The weight of IL in the score.
    linkage_weight
        The weight of DLD in the score.
    interval_weight
        The weight of ID in the score. With 0 here and for DLD only the loss is lowered; the risks are held all the
        same.
    correspondence
        The original that a masked record is compared with, in all three figures: the one that it came from, or the
        nearest over all `columns`, which serves synthetic files and is what the source of the score does.
    max_keys
        The largest number of columns that the intruder of DLD knows.
    ties
        Where the intervals of ID start when masked values are equal: at their lowest and highest rank (`range`), or in
        the middle (`mid`).
    record_percent
        Which percentage of the records may change: those that contribute most to IL1.
    max_steps
        How many changes to try at most. A step takes longer the more records there are: about 15 microseconds for a
        thousand, and twice that with `nearest_record`. Ten to twenty per value bring most of the gain.
    keeps_groups
        Whether records that share a value move it together, so that records which are equal in some columns stay equal
        in these and k-anonymity is kept. A value that also a record outside `record_percent` has stays as it is.
    scale
        The largest standard deviation of a perturbation, in standard deviations of the original column; each has its
        own, down to 3 % of that.

    Effect on risk
        DLD and ID do not rise, and fall where they have weight. Other risks are not looked at: assess them before
        release. An intruder who knows that values were pushed out of the intervals that ID counts may look just outside
        of them. Held against nearest records, DLD and ID are no rates of re-identification, and those against the true
        records may rise. Without `keeps_groups` the k-anonymity of a microaggregated file is lost, as a remark
        then says.
    Effect on utility
        IL falls as far as its weight and the risks let it, first by the moments, then by values that come nearer to
        their originals where that discloses nothing. With a large weight on the risks IL may rise. Held against nearest
        records, the values may move away from those of their own. What IL does not show is not repaired.
    Missing values
        A record with a missing value in the columns, or whose original has one, is not changed and does not count.
    Source
        Own: the changes of Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002), Post-masking optimization of the tradeoff
        between information loss and disclosure risk in masked microdata sets, with their score (2) in place of the
        moments.

    Examples
    --------
    >>> import polars
    >>> rng = np.random.default_rng(0)
    >>> income = rng.lognormal(7, 0.5, 100)
    >>> original = Microdata(polars.DataFrame({"income": income, "tax": income / 4 + 50 * rng.random(100)}))
    >>> masked = original.map_columns(("income", "tax"), lambda _, column: column + 200 * rng.normal(size=100))
    >>> improved = ScoreOptimisation(columns=("income", "tax"), max_steps=20_000).improve(original, masked, rng)
    >>> {symbol: bool(figures[-1] < figures[0]) for symbol, figures in improved.figures.items()}
    {'score': True, 'IL': True, 'DLD': True, 'ID': True}
    """

    family: ClassVar[str] = "score"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns
    loss_weight: Weight = 0.5
    linkage_weight: Weight = 0.25
    interval_weight: Weight = 0.25
    correspondence: Correspondence = Correspondence.TRUE_RECORD
    max_keys: Annotated[int, Field(ge=1)] = 7
    ties: RankTies = RankTies.RANGE
    record_percent: Percent = 100.0
    max_steps: Annotated[int, Field(ge=1, le=100_000_000)] = 200_000
    keeps_groups: bool = False
    scale: Scale = 1.0

    @model_validator(mode="after")
    def _check_weights(self) -> Self:
        if not any(self.weights):
            raise ValueError("ScoreOptimisation needs a weight above 0 for loss, linkage or interval; all are 0")
        return self

    @property
    def weights(self) -> tuple[float, float, float]:
        """The weights of IL, DLD and ID."""
        return self.loss_weight, self.linkage_weight, self.interval_weight

    @property
    def uses_pairs(self) -> bool:
        """Whether records are compared with the originals that they come from."""
        return self.correspondence is Correspondence.TRUE_RECORD

    def improve(self, original: Microdata, masked: Microdata, rng: np.random.Generator) -> Improvement:
        """Return an improved copy of `masked`, and how it came about."""
        problem = build_problem(self, original, masked)
        those = count_records(self, problem, original, masked, self.correspondence)
        begun = start_score(problem, those, self.weights, self.max_keys, self.ties is RankTies.MID)
        chosen = most_varied(those.in_file(begun.state.variations), those.is_counted, self.record_percent)
        cells = those.among((shared_cells if self.keeps_groups else single_cells)(problem, chosen))
        climb = run_climb(begun, cells, self.max_steps, self.scale, rng)
        values = problem.masked.copy()
        values[those.rows] = climb.values
        remarks = (
            *_figures_remark(climb, self.correspondence),
            *_limit_remark(climb, cells.columns.size),
            *_missing_values_remark(masked.n - those.rows.size),
            *broken_groups_remark(problem, values),
        )
        trace = (climb.steps, climb.errors, climb.losses)
        done = build_improvement(self, masked, problem, values, climb.ended, trace, None, remarks)
        return replace(done, figures=climb.figures)


def _figures_remark(climb: ScoreClimb, correspondence: Correspondence) -> tuple[str, ...]:
    """Return what became of the score and the risks, and what the risks are worth."""
    score, loss, linkage, disclosure = (
        f"{format_compact(path[0], 3)} to {format_compact(path[-1], 3)}" for path in climb.figures.values()
    )
    figures = f"the score went from {score}, with IL from {loss} %, DLD from {linkage} % and ID from {disclosure} %"
    if correspondence is Correspondence.TRUE_RECORD:
        return (figures,)
    return (
        figures,
        "DLD and ID were taken against the nearest records, which is no rate of re-identification: assess the result "
        "against the true records, where there are any",
    )


def _limit_remark(climb: ScoreClimb, cells: int) -> tuple[str, ...]:
    """Return a sentence if nothing may change, or the score was still falling."""
    if not cells:
        return ("no value may change: each is shared with a record outside record_percent; raise it",)
    if climb.ended is ImprovementEnding.LIMIT:
        tried = climb.steps[-1] / cells
        return (
            f"the score may fall further: {format_compact(tried, 3)} changes were tried per value; allow more "
            "steps (max_steps)",
        )
    return ()


def _missing_values_remark(records: int) -> tuple[str, ...]:
    """Return a sentence if some records do not count."""
    if not records:
        return ()
    return (f"{records} masked records with a missing value, or whose original has one, stay as they were",)
