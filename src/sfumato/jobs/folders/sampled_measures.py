"""Which figures a random sample of a folder tells of all its records, and which it does not."""

from collections.abc import Sequence

from sfumato.comparison.blocks import SummedMeasure
from sfumato.contracts import FileRisk, LossMeasure, Measure
from sfumato.errors import DataError
from sfumato.loss import (
    AnalyticValidity,
    EntropyLoss,
    MomentAndFactorLoss,
    RecordEntropyLoss,
    RegressionLoss,
    SubdomainInformationLoss,
    SymmetricInformationLoss,
)
from sfumato.risk import (
    BetaLikeness,
    EntropyLDiversity,
    ExpectationMaximisationLinkage,
    IndividualRankingLinkage,
    IndividualRisk,
    IntervalDisclosure,
    KAnonymity,
    LDiversity,
    LikelihoodLinkage,
    ProbabilisticLinkage,
    ProsecutorRisk,
    RankIntervalLinkage,
    RecursiveLDiversity,
    SelfTrainedLinkage,
    Suda,
    TCloseness,
    Uniqueness,
    WorstCaseLinkage,
)
from sfumato.risk.linkage.distance_linkage import DistanceLinkage

COUNTED = (
    BetaLikeness,
    EntropyLDiversity,
    IndividualRisk,
    KAnonymity,
    LDiversity,
    ProsecutorRisk,
    RecursiveLDiversity,
    Suda,
    TCloseness,
    Uniqueness,
)
"""Need no more than how many records have each combination of values, which is counted of all records."""
ESTIMATED = (
    AnalyticValidity,
    EntropyLoss,
    IntervalDisclosure,
    MomentAndFactorLoss,
    RecordEntropyLoss,
    RegressionLoss,
    SubdomainInformationLoss,
    SymmetricInformationLoss,
)
"""Means over records, or made of means, shares and quantiles of columns: a sample has those of all but for chance."""
LINKED_IN_SAMPLE = (
    DistanceLinkage,
    ExpectationMaximisationLinkage,
    IndividualRankingLinkage,
    LikelihoodLinkage,
    ProbabilisticLinkage,
    RankIntervalLinkage,
    SelfTrainedLinkage,
    WorstCaseLinkage,
)
"""Find their records more often among the few of a sample than among all: figures of the sample, without an error."""


def is_counted(measure: Measure) -> bool:
    """Tell whether a measure is taken of the counts of all records."""
    return isinstance(measure, FileRisk) and isinstance(measure, COUNTED)


def is_estimated(measure: Measure) -> bool:
    """Tell whether the figure of a random sample estimates that of all records."""
    return isinstance(measure, ESTIMATED)


def is_refused(measure: Measure) -> bool:
    """Tell whether a measure rests on who equals whom, which a sample does not tell and is not counted of all."""
    is_summed = isinstance(measure, SummedMeasure)
    return not (is_summed or is_counted(measure) or isinstance(measure, (LossMeasure, *ESTIMATED, *LINKED_IN_SAMPLE)))


def sample_remark(measure: Measure, drawn: str) -> str:
    """Return how a figure of a sample is to be read."""
    if is_estimated(measure):
        return f"{drawn}, taken as the file"
    if isinstance(measure, LINKED_IN_SAMPLE):
        return f"{drawn}, linked among themselves: more are found than among all records"
    return f"{drawn}, by themselves: no estimate of all records, whose figure is usually lower"


def check_sampled(measures: Sequence[Measure]) -> None:
    """Refuse measures of which a sample tells nothing about all records."""
    refused = [measure.name() for measure in measures if is_refused(measure)]
    if refused:
        raise DataError(
            f"{', '.join(refused)}: a random sample of a folder does not tell how many of all records are equal, nor "
            f"is this counted of all; leave it out, or assess a file that fits into memory"
        )
