"""Expectation-maximisation linkage: an intruder estimates the weights of agreement from the two files."""

from functools import partial
from typing import ClassVar

from sfumato.contracts import Measurement, RiskMeasure
from sfumato.data import CATEGORICAL, METRIC, Kind, Microdata
from sfumato.numerics.arrays import CodeMatrix
from sfumato.parameters import Columns, Percent, Strata
from sfumato.risk.linkage._assignment import Linked, Links
from sfumato.risk.linkage._candidates import Blocks, Candidates
from sfumato.risk.linkage._discrepancies import Discrepancies, Metric
from sfumato.risk.linkage._estimated_weights import Estimate, curves_of, estimate_weights, levels_of, link_by_levels
from sfumato.risk.linkage._weighted_linkage import CandidateCount, compare_files, link_files, measure_links


class ExpectationMaximisationLinkage(RiskMeasure):
    """Count the masked records that are linked one to one by weights of agreement estimated from the two files.

    As `ProbabilisticLinkage`, but the intruder estimates the weights by expectation and maximisation: each masked
    record has exactly one of its candidates as partner, and the weight of a discrepancy is the logarithm of how much
    more frequent it is among true pairs than among others. It is any falling curve, the same for all continuous
    columns, and one weight of agreement and of disagreement for each other column. The value is the percent of masked
    records linked to their original, `EMLDz` that of the records linked correctly inside the zone of high weights where
    links can be trusted.

    Parameters
    ----------
    columns
        Continuous columns, compared by the metric, and nominal or ordinal ones, which agree or do not.
    metric
        How numbers are compared: by their relative difference, that of their logarithms, their ranks or their
        standardised difference. Rank swapping falls to ranks, noise to standardised differences: measure with all of
        them, and with logarithms by `SelfTrainedLinkage`, which links more there.
    max_candidates
        How many original records each masked record is compared with, the nearest by rank.
    blocking
        Columns that are not masked: only records that agree there are compared. Missing agrees with missing.
    precision
        The zone reaches from the highest weight down to the last one where at least so many percent of the links above
        are right.

    Meaning
        0: no record is linked to its original. 100: every record is. Estimated weights are not always stronger than
        equal ones: of six maskings of a file of 400 records and six columns they linked more than
        `ProbabilisticLinkage` in all with the relative metric, in 4 with logarithms, in 1 with ranks and in none with
        standardised differences; where only some of the columns are masked they may link half as many. Neither is the
        risk: that is the largest of all, which `WorstCaseLinkage` looks for.
    Intruder
        Knows the original values of every person in the file in all the columns, and that no two masked records are the
        same person; learns from the two files how far masking moves values.
    Missing values
        A missing value speaks neither for nor against a pair. It stands in the middle of the ranks where candidates are
        looked for. Under the logarithmic metric a masked value that is not above 0 disagrees in full, and where the
        original has such values, sign(x) ln(1 + |x|) takes the place of the logarithm. Columns that are constant in the
        original tell nothing and are left out. A pair that agrees on nothing, even in part, is not linked.
    Source
        Fellegi and Sunter (1969), A theory for record linkage; the estimation after Winkler (1988), Using the EM
        algorithm for weight computation in the Fellegi-Sunter model of record linkage; the metrics and the zone from
        Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection.

    Examples
    --------
    >>> import polars
    >>> original = Microdata(polars.DataFrame({"income": [20.0, 22.0, 50.0], "tax": [4.0, 5.0, 12.0]}))
    >>> masked = Microdata(polars.DataFrame({"income": [21.5, 22.5, 70.0], "tax": [4.1, 5.2, 12.5]}))
    >>> ExpectationMaximisationLinkage(columns=("income", "tax"), metric="rank").measure(original, masked).value
    100.0
    """

    symbol: ClassVar[str] = "EMLD"
    part_symbols: ClassVar[tuple[str, ...]] = ("EMLDz",)
    family: ClassVar[str] = "linkage"
    kinds: ClassVar[frozenset[Kind]] = METRIC | CATEGORICAL

    columns: Columns
    metric: Metric = Metric.RELATIVE
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
        links, estimate = link_by_estimate(files, near, self.metric.reach)
        rounds = len(estimate.likelihoods)
        return links, "" if estimate.has_converged else f"the weights were still changing after {rounds} rounds"


def link_by_estimate(files: Discrepancies, near: CodeMatrix, reach: float) -> tuple[Linked, Estimate]:
    """Link by weights estimated in rounds of expectation and maximisation, each masked record with a candidate."""
    curves = curves_of(files, reach)
    levels = levels_of(files, near, curves)
    estimate = estimate_weights(levels, curves)
    return link_by_levels(files, near, levels, curves, estimate.weights), estimate
