"""What an intruder learns, one measure per file; `RISKS` lists them by the name that recipes use."""

from sfumato.contracts import RiskMeasure
from sfumato.risk.attribute_disclosure import AttributeDisclosure
from sfumato.risk.deviation_interval_disclosure import DeviationIntervalDisclosure
from sfumato.risk.distance_linkage import DistanceLinkage
from sfumato.risk.individual_ranking_linkage import IndividualRankingLinkage
from sfumato.risk.interval_disclosure import IntervalDisclosure
from sfumato.risk.probabilistic_linkage import ProbabilisticLinkage
from sfumato.risk.rank_interval_linkage import RankIntervalLinkage
from sfumato.risk.worst_case_linkage import WorstCaseLinkage

RISKS: dict[str, type[RiskMeasure]] = {
    measure.name(): measure
    for measure in (
        AttributeDisclosure,
        DeviationIntervalDisclosure,
        DistanceLinkage,
        IndividualRankingLinkage,
        IntervalDisclosure,
        ProbabilisticLinkage,
        RankIntervalLinkage,
        WorstCaseLinkage,
    )
}

__all__ = [
    "RISKS",
    "AttributeDisclosure",
    "DeviationIntervalDisclosure",
    "DistanceLinkage",
    "IndividualRankingLinkage",
    "IntervalDisclosure",
    "ProbabilisticLinkage",
    "RankIntervalLinkage",
    "WorstCaseLinkage",
]
