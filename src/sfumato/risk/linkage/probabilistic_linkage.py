"""Probabilistic linkage: an intruder adds up stated weights of agreement and links the two files one to one."""

from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import Field, field_validator

from sfumato.comparison.side_by_side import side_by_side
from sfumato.contracts import Correspondence, Measurement, RiskMeasure
from sfumato.data import CATEGORICAL, METRIC, Kind, Microdata
from sfumato.documents import format_value
from sfumato.errors import DataError, ParameterError
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.parameters import Columns, Percent, Ratio, Strata
from sfumato.risk.linkage._agreement_weights import has_large, link_by_agreement
from sfumato.risk.linkage._assignment import Linked, Links
from sfumato.risk.linkage._candidates import Blocks
from sfumato.risk.linkage._discrepancies import Discrepancies, Metric
from sfumato.risk.linkage._weighted_linkage import (
    CandidateCount,
    ComparedFiles,
    compare_files,
    link_files,
    measure_links,
)

TOO_LARGE = "each record is compared only with the nearest by rank, as not all of so many can be, which links more"


class ProbabilisticLinkage(RiskMeasure):
    """Count the masked records that are linked to their original when agreements are weighed and links are one to one.

    Each pair of records gets a weight: the sum over the columns of what their agreement speaks for. Of all ways to link
    every record of one file to at most one of the other, the intruder takes the one with the largest total weight. The
    value is the percent of masked records linked to their original, `PLDz` that of the records linked correctly inside
    the zone of high weights where links can be trusted. The figure per record is 100 where it is linked correctly, else
    0; records that are equal in everything compared share what their links get.

    The weights are stated beforehand. `ExpectationMaximisationLinkage` and `SelfTrainedLinkage` estimate them from the
    two files.

    Parameters
    ----------
    columns
        Continuous columns, compared by the metric, and nominal or ordinal ones, which agree or do not.
    metric
        How numbers are compared: by their relative difference (the d metric of the source), that of their logarithms
        (the l metric), their ranks or their standardised difference. Rank swapping falls to ranks, noise to
        standardised differences: measure with all of them.
    weights
        The weight of full agreement of each column by its name; when not given all columns weigh the same. A weight
        falls in a line to 0 at the tolerance.
    tolerance
        The discrepancy from which on two numbers disagree in full: a share of the value, of its logarithm or of the
        records, or standard deviations. When not given, that of the metric: 0.2, 0.15, 0.5 and 2.
    max_keys
        Where given, the value is the mean over intruders who know the first 1, 2, ... up to so many of the columns, and
        the parts have the percent of each, as with `DistanceLinkage`. When not given, the intruder knows all of them.
    max_candidates
        How many original records each masked record is compared with, the nearest by rank, beyond 5000 records in a
        block, where not every record can be compared with every other. It makes an intruder by values stronger, as
        ranks then speak too: compare only figures of the same candidates.
    blocking
        Columns that are not masked: only records that agree there are compared. Missing agrees with missing.
    correspondence
        Who the right person is: the one that the masked record came from, or the nearest over all `columns`, which must
        then be numbers; so files of different length can be linked, as in the post-masking paper.
    precision
        The zone reaches from the highest weight down to the last one where at least so many percent of the links above
        are right.

    Meaning
        0: no record is linked to its original. 100: every record is. Equal weights with the relative or the logarithmic
        metric are what the source prints; intruders who estimate their weights may link more or fewer. Where several
        ways to link have the same largest total, as with many equal values, which one is taken depends on the order of
        the rows, and so does the figure: it may differ a little where the same records come in another order.
    Intruder
        Knows the original values of every person in the file in all the columns, and that no two masked records are the
        same person.
    Missing values
        A missing value weighs 0, as much as disagreement. It stands in the middle of the ranks where candidates are
        looked for. Under the logarithmic metric a masked value that is not above 0 disagrees in full, and where the
        original has such values, sign(x) ln(1 + |x|) takes the place of the logarithm. Columns that are constant in the
        original tell nothing and are left out. A pair that agrees on nothing, even in part, is not linked.
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
    kinds: ClassVar[frozenset[Kind]] = METRIC | CATEGORICAL

    columns: Columns
    metric: Metric = Metric.RELATIVE
    weights: dict[str, Ratio] | None = None
    tolerance: Ratio | None = None
    max_keys: Annotated[int, Field(ge=1)] | None = None
    max_candidates: CandidateCount = 20
    blocking: Strata = ()
    correspondence: Correspondence = Correspondence.TRUE_RECORD
    precision: Percent = 20.0

    @field_validator("weights", mode="before")
    @classmethod
    def _check_weights(cls, weights: Any) -> Any:
        is_mapping = isinstance(weights, dict) and all(
            isinstance(name, str) and isinstance(weight, int | float) and 0 < weight < np.inf
            for name, weight in weights.items()
        )
        if weights is not None and not is_mapping:
            raise ValueError(
                f"must be a mapping from columns to weights above 0, or left out for equal ones; "
                f"got {format_value(weights)}"
            )
        return weights

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of records linked correctly, in the whole file and inside the zone."""
        nearest = self._nearest(original, masked)
        if self.max_keys is None:
            return self._measure(original, masked, nearest)
        names = self.common_columns(original, masked)
        found = [
            self._knowing(names[:count])._measure(original, masked, nearest)
            for count in range(1, min(self.max_keys, len(names)) + 1)
        ]
        parts = {str(place + 1): one.value for place, one in enumerate(found)}
        parts["PLDz"] = float(np.mean([one.parts["PLDz"] for one in found]))
        shares = [one.per_record for one in found if one.per_record is not None]
        value = float(np.mean([one.value for one in found]))
        return Measurement(
            self.name(), self.symbol, value, parts=parts, per_record=np.mean(shares, axis=0), remark=found[-1].remark
        )

    def _measure(self, original: Microdata, masked: Microdata, nearest: Rows | None) -> Measurement:
        return measure_links(self, self._compare(original, masked, nearest), self._link, self.precision)

    def _nearest(self, original: Microdata, masked: Microdata) -> Rows | None:
        """Return the nearest original record of each masked one, where it counts as the right one."""
        if self.correspondence is Correspondence.TRUE_RECORD:
            return None
        categories = [name for name in original.select(self.columns) if original.schema[name].kind in CATEGORICAL]
        if categories:
            raise DataError(
                f"ProbabilisticLinkage.correspondence: the nearest record is found by numbers, and {categories[0]} has "
                f"categories; leave it out, or take the true record"
            )
        return side_by_side(self, original, masked, self.correspondence).rows

    def _knowing(self, names: tuple[str, ...]) -> Self:
        """Return the measure for an intruder who knows some of the columns."""
        weights = None if self.weights is None else {name: self.weights[name] for name in names if name in self.weights}
        return self.replace(columns=names, weights=weights, max_keys=None)

    def links(self, original: Microdata, masked: Microdata) -> Links:
        """Return the links that the intruder makes, by falling weight, right or wrong."""
        if self.max_keys is not None:
            raise ParameterError(
                [
                    f"ProbabilisticLinkage.max_keys is a mean over 1 to {self.max_keys} keys, which makes no one "
                    f"set of links; leave it out, and name in columns what the intruder knows"
                ]
            )
        return link_files(self._compare(original, masked, self._nearest(original, masked)), self._link)[0]

    def _compare(self, original: Microdata, masked: Microdata, nearest: Rows | None) -> ComparedFiles:
        files = compare_files(self, original, masked, self.metric, self.blocking, nearest)
        names = original.select(self.columns)
        if self.weights is not None and set(self.weights) != set(names):
            raise DataError(
                f"ProbabilisticLinkage.weights must name the compared columns, {', '.join(names)}, and no others; "
                f"got {', '.join(self.weights) or 'none'}"
            )
        return files

    def _link(self, files: Discrepancies, blocks: Blocks) -> tuple[Linked, str]:
        tolerance = self.tolerance or self.metric.tolerance
        links = link_by_agreement(files, blocks, self._agreement(files.names), tolerance, self.max_candidates)
        return links, TOO_LARGE if has_large(blocks) else ""

    def _agreement(self, names: tuple[str, ...]) -> FloatColumn:
        """Return the agreement weight of each column."""
        return np.array([1.0 if self.weights is None else self.weights[name] for name in names])
