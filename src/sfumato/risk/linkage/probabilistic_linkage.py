"""Probabilistic linkage: an intruder weighs agreements and links the two files one to one."""

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import Field, field_validator, model_validator

from sfumato.contracts import Measurement, RiskMeasure, paired_rows
from sfumato.data import CATEGORICAL, Kind, Microdata
from sfumato.documents.record import format_value
from sfumato.errors import DataError, UnknownColumnError
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows
from sfumato.parameters import Columns, Percent, Scale, Strata
from sfumato.risk.linkage._candidates import GOLDEN, SILVER, block_numbers, lots, pairs_of_blocks
from sfumato.risk.linkage._discrepancies import Discrepancies, Metric, discrepancies
from sfumato.risk.linkage._linking import has_large, link_by_agreement, link_by_estimate, link_by_one_step
from sfumato.risk.linkage._links import Linked, Links, chances_of_being_right, classes, zone

# relative and logarithmic: what gives the rates of the source; the others: what links most on made files, normal and
# lognormal, 3 to 10 columns, masked in eight ways (rank 0.4 to 1 and standardised 1.5 to 5 are equally good)
TOLERANCES = {Metric.RELATIVE: 0.2, Metric.LOGARITHMIC: 0.15, Metric.RANK: 0.5, Metric.STANDARDISED: 2.0}
TOO_LARGE = "each record is compared only with the nearest by rank, as not all of so many can be, which links more"
REACHES = {Metric.RELATIVE: 1.0, Metric.LOGARITHMIC: 0.6, Metric.RANK: 0.5, Metric.STANDARDISED: 1.0}


BlockNumbers = tuple[CodeColumn, CodeColumn]


class Weights(StrEnum):
    """Where the weights of agreement come from."""

    EQUAL = "equal"
    """Every column weighs the same."""
    ESTIMATED = "estimated"
    """From the two files, by expectation and maximisation."""


class ProbabilisticLinkage(RiskMeasure):
    """Count the masked records that are linked to their original when agreements are weighed and links are one to one.

    Each pair of records gets a weight: the sum over the columns of what their agreement speaks for. Of all ways to link
    every record of one file to at most one of the other, the intruder takes the one with the largest total weight. The
    value is the percent of masked records linked to their original, `PLDz` that of the records linked correctly inside
    the zone of high weights where links can be trusted. The figure per record is 100 where it is linked correctly, else
    0; records that are equal in everything compared share what their links get.

    Parameters
    ----------
    columns
        Continuous columns, compared by the metric, and nominal or ordinal ones, which agree or do not.
    metric
        How numbers are compared: by their relative difference (the d metric of the source), that of their logarithms
        (the l metric), their ranks or their standardised difference. Rank swapping falls to ranks, noise to
        standardised differences: measure with all of them.
    weights
        Whether all columns weigh the same, or weights are estimated from the two files; or the weight of full agreement
        of each column by its name. Equal and given weights fall in a line to 0 at the tolerance. Estimated ones are any
        falling curve, the same for all continuous columns, and one weight of agreement and of disagreement for each
        other; with the logarithmic metric they are fitted once to the links that equal weights make, which links more.
    tolerance
        The discrepancy from which on two numbers disagree in full: a share of the value, of its logarithm or of the
        records, or standard deviations. When not given, that of the metric: 0.2, 0.15, 0.5 and 2. Estimated weights
        need none.
    candidates
        How many original records each masked record is compared with, the nearest by rank; used with estimated
        weights, and beyond 5000 records in a block, where not every record can be compared with every other. It makes
        an intruder by values stronger, as ranks then speak too: compare only figures of the same candidates.
    blocking
        Columns that are not masked: only records that agree there are compared. Missing agrees with missing.
    precision
        The zone reaches from the highest weight down to the last one where at least so many percent of the links above
        are right.

    Meaning
        0: no record is linked to its original. 100: every record is. Equal weights with the relative or the logarithmic
        metric are what the source prints; the other intruders are mostly stronger.
    Intruder
        Knows the original values of every person in the file in all the columns, and that no two masked records are the
        same person.
    Missing values
        A missing value weighs 0: as much as disagreement with equal and given weights, and neither for nor against with
        estimated ones. It stands in the middle of the ranks where candidates are looked for. Under the logarithmic
        metric a masked value that is not above 0 disagrees in full, and where the original has such values, sign(x)
        ln(1 + |x|) takes the place of the logarithm. Columns that are constant in the original tell nothing and are
        left out. A pair that agrees on nothing, even in part, is not linked.
    Source
        Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection, section 3.4
        and, for the zone, section 4.2; after Fellegi and Sunter (1969), A theory for record linkage. The report's rates
        come out with equal weights.

    Examples
    --------
    >>> import polars
    >>> original = Microdata(polars.DataFrame({"income": [20.0, 22.0, 50.0], "tax": [4.0, 5.0, 12.0]}))
    >>> masked = Microdata(polars.DataFrame({"income": [21.5, 22.5, 70.0], "tax": [4.1, 5.2, 12.5]}))
    >>> ProbabilisticLinkage(columns=("income", "tax")).measure(original, masked).value
    100.0
    """

    symbol: ClassVar[str] = "PLD"
    part_symbols: ClassVar[tuple[str, ...]] = ("PLDz",)
    family: ClassVar[str] = "linkage"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS}) | CATEGORICAL

    columns: Columns
    metric: Metric = Metric.RELATIVE
    weights: Weights | dict[str, Scale] = Weights.EQUAL
    tolerance: Scale | None = None
    candidates: Annotated[int, Field(ge=1)] = 20
    blocking: Strata = ()
    precision: Percent = 20.0

    @field_validator("weights", mode="before")
    @classmethod
    def _equal_estimated_or_given(cls, weights: Any) -> Any:
        is_given = isinstance(weights, dict) and all(
            isinstance(name, str) and isinstance(weight, int | float) and 0 < weight < np.inf
            for name, weight in weights.items()
        )
        if not is_given and weights not in list(Weights):
            raise ValueError(
                f"must be equal, estimated, or a mapping from columns to weights above 0; got {format_value(weights)}"
            )
        return weights

    @model_validator(mode="after")
    def _no_tolerance_to_estimate(self) -> Self:
        if self.weights == Weights.ESTIMATED and self.tolerance is not None:
            raise ValueError(
                "ProbabilisticLinkage.tolerance must be left out with estimated weights: they find their own"
            )
        return self

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of records linked correctly, in the whole file and inside the zone."""
        files, blocks, rows = self._compared(original, masked)
        links, remark = self._links(files, blocks, rows)
        moved = 100 * float((blocks[0][rows] != blocks[1]).mean())
        if moved:
            remark = "; ".join(filter(None, (f"{moved:.3g} % of the records are in another block than before", remark)))
        alike = [classes(file, block) for file, block in zip((files.original, files.masked), blocks, strict=True)]
        by_link, by_record = chances_of_being_right(links, rows, alike[0], alike[1])
        trusted = zone(links.weights, by_link, self.precision)
        parts = {"whole file": 100 * float(by_record.mean()), "PLDz": 100 * float(by_link[:trusted].sum()) / masked.n}
        return Measurement(
            self.name(), self.symbol, parts["whole file"], parts=parts, per_record=100 * by_record, remark=remark
        )

    def links(self, original: Microdata, masked: Microdata) -> Links:
        """Return the links that the intruder makes, by falling weight; whether they are right is not looked at."""
        return self._links(*self._compared(original, masked))[0]

    def _compared(self, original: Microdata, masked: Microdata) -> tuple[Discrepancies, BlockNumbers, Rows]:
        """Return what is compared, the blocks of both files, and the true rows, after checking that all fits."""
        files = discrepancies(self, original, masked, self.metric)
        names, blocking = original.select(self.columns), original.select(self.blocking)
        if isinstance(self.weights, dict) and set(self.weights) != set(names):
            raise DataError(
                f"ProbabilisticLinkage.weights must name the compared columns, {', '.join(names)}, and no others; "
                f"got {', '.join(self.weights) or 'none'}"
            )
        for name in blocking:
            if name not in masked.schema:
                raise UnknownColumnError(
                    f"ProbabilisticLinkage.blocking: the masked file has no column '{name}'; "
                    f"name only columns that both files have"
                )
        return files, block_numbers(original, masked, blocking), paired_rows(original, masked)

    def _links(self, files: Discrepancies, blocks: BlockNumbers, rows: Rows) -> tuple[Links, str]:
        """Return the links and what to say about them; the records are taken in the order of their lots."""
        before = np.argsort(lots(np.arange(len(files.original)), GOLDEN), kind="stable")
        after = np.argsort(lots(rows, SILVER), kind="stable")
        pairs = list(pairs_of_blocks(blocks[0][before], blocks[1][after]))
        (linked, weights), remark = self._linked(files.take(before, after), pairs)
        by_weight = np.argsort(-weights, kind="stable")
        some = by_weight[linked[by_weight] >= 0]
        return Links(after[some], before[linked[some]], weights[some]), remark

    def _linked(self, files: Discrepancies, blocks: list[tuple[Rows, Rows]]) -> tuple[Linked, str]:
        if not files.names or not blocks:
            return (np.full(len(files.masked), -1, dtype=np.int64), np.zeros(len(files.masked))), ""
        tolerance, reach = self.tolerance or TOLERANCES[self.metric], REACHES[self.metric]
        if self.weights != Weights.ESTIMATED:
            links = link_by_agreement(files, blocks, self._agreement(files.names), tolerance, self.candidates)
            return links, TOO_LARGE if has_large(blocks) else ""
        if self.metric is Metric.LOGARITHMIC:
            return link_by_one_step(files, blocks, reach, tolerance, self.candidates), ""
        linked, estimate = link_by_estimate(files, blocks, reach, self.candidates)
        rounds = len(estimate.likelihoods)
        return linked, "" if estimate.has_converged else f"the weights were still changing after {rounds} rounds"

    def _agreement(self, names: tuple[str, ...]) -> FloatColumn:
        """Return the agreement weight of each column."""
        return np.array([self.weights[name] if isinstance(self.weights, dict) else 1.0 for name in names])
