"""Self-trained linkage: an intruder links by equal weights first, and learns better weights from these links."""

from functools import partial
from typing import ClassVar

import numpy as np

from sfumato.contracts import Measurement, RiskMeasure
from sfumato.data import CATEGORICAL, METRIC, Kind, Microdata
from sfumato.numerics.arrays import CodeMatrix
from sfumato.parameters import Columns, Percent, Ratio, Strata
from sfumato.risk.linkage._agreement_weights import candidate_weights
from sfumato.risk.linkage._assignment import Linked, Links, link_candidates
from sfumato.risk.linkage._candidates import Blocks, Candidates
from sfumato.risk.linkage._discrepancies import Discrepancies, Metric
from sfumato.risk.linkage._estimated_weights import (
    count_linked_levels,
    curves_of,
    fit_weights,
    levels_of,
    link_by_levels,
)
from sfumato.risk.linkage._weighted_linkage import CandidateCount, compare_files, link_files, measure_links


class SelfTrainedLinkage(RiskMeasure):
    """Count the masked records that are linked one to one by weights learnt from a first round of links.

    As `ExpectationMaximisationLinkage`, but the weights are fitted once, to the discrepancies of the pairs that equal
    weights link, instead of in rounds. With the logarithmic metric that links more. The value is the percent of masked
    records linked to their original, `STLDz` that of the records linked correctly inside the zone of high weights where
    links can be trusted.

    Parameters
    ----------
    columns
        Continuous columns, compared by the metric, and nominal or ordinal ones, which agree or do not.
    metric
        How numbers are compared: by their relative difference, that of their logarithms, their ranks or their
        standardised difference.
    tolerance
        The discrepancy from which on two numbers disagree in full in the first round: a share of the value, of its
        logarithm or of the records, or standard deviations. When not given, that of the metric: 0.2, 0.15, 0.5 and 2.
    max_candidates
        How many original records each masked record is compared with, the nearest by rank.
    blocking
        Columns that are not masked: only records that agree there are compared. Missing agrees with missing.
    precision
        The zone reaches from the highest weight down to the last one where at least so many percent of the links above
        are right.

    Meaning
        0: no record is linked to its original. 100: every record is.
    Intruder
        Knows the original values of every person in the file in all the columns, and that no two masked records are the
        same person; learns from a first guess how far masking moves values.
    Missing values
        A missing value weighs as much as disagreement in the first round, and then speaks neither for nor against a
        pair. It stands in the middle of the ranks where candidates are looked for. Under the logarithmic metric a
        masked value that is not above 0 disagrees in full, and where the original has such values, sign(x) ln(1 + |x|)
        takes the place of the logarithm. Columns that are constant in the original tell nothing and are left out. A
        pair that agrees on nothing, even in part, is not linked.
    Source
        The metrics, the first round and the zone from Yancey, Winkler and Creecy (2002), Disclosure risk assessment in
        perturbative microdata protection; the weights are those of Fellegi and Sunter (1969), A theory for record
        linkage, taken from one step of maximisation.

    Examples
    --------
    >>> import polars
    >>> original = Microdata(polars.DataFrame({"income": [20.0, 22.0, 50.0], "tax": [4.0, 5.0, 12.0]}))
    >>> masked = Microdata(polars.DataFrame({"income": [21.5, 22.5, 70.0], "tax": [4.1, 5.2, 12.5]}))
    >>> SelfTrainedLinkage(columns=("income", "tax")).measure(original, masked).value
    100.0
    """

    symbol: ClassVar[str] = "STLD"
    part_symbols: ClassVar[tuple[str, ...]] = ("STLDz",)
    family: ClassVar[str] = "linkage"
    kinds: ClassVar[frozenset[Kind]] = METRIC | CATEGORICAL

    columns: Columns
    metric: Metric = Metric.LOGARITHMIC
    tolerance: Ratio | None = None
    max_candidates: CandidateCount = 20
    blocking: Strata = ()
    precision: Percent = 20.0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of records linked correctly, in the whole file and inside the zone."""
        return self.measure_among(Candidates(), original, masked)

    def measure_among(self, near: Candidates, original: Microdata, masked: Microdata) -> Measurement:
        """Return the same with the candidates of a comparison of the same columns by another metric."""
        files = compare_files(self, original, masked, self.metric, self.blocking)
        return measure_links(self, files, partial(self._link, near), self.precision)

    def links(self, original: Microdata, masked: Microdata) -> Links:
        """Return the links that the intruder makes, by falling weight, right or wrong."""
        files = compare_files(self, original, masked, self.metric, self.blocking)
        return link_files(files, partial(self._link, Candidates()))[0]

    def _link(self, candidates: Candidates, files: Discrepancies, blocks: Blocks) -> tuple[Linked, str]:
        near = candidates.nearest(files, blocks, self.max_candidates)
        return link_by_one_step(files, near, self.metric.reach, self.tolerance or self.metric.tolerance), ""


def link_by_one_step(files: Discrepancies, near: CodeMatrix, reach: float, tolerance: float) -> Linked:
    """Link by weights fitted once to the links that equal weights make, each masked record with a candidate."""
    equal = candidate_weights(files, near, np.ones(len(files.names)), tolerance)
    linked, _ = link_candidates(near, equal, 0.0, len(files.original))
    curves = curves_of(files, reach)
    levels = levels_of(files, near, curves)
    weights = fit_weights(count_linked_levels(levels, linked, near, curves), curves)
    return link_by_levels(files, near, levels, curves, weights)
