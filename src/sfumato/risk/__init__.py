"""What an intruder learns, one measure per file; `RISKS` lists them by the name that recipes use."""

from sfumato.contracts import RiskMeasure
from sfumato.risk.attribute_disclosure import AttributeDisclosure
from sfumato.risk.beta_likeness import BetaLikeness
from sfumato.risk.delta_presence import DeltaPresence
from sfumato.risk.deviation_interval_disclosure import DeviationIntervalDisclosure
from sfumato.risk.distance_linkage import DistanceLinkage
from sfumato.risk.entropy_l_diversity import EntropyLDiversity
from sfumato.risk.explaining import explain_risk
from sfumato.risk.household_risk import HouseholdRisk
from sfumato.risk.individual_ranking_linkage import IndividualRankingLinkage
from sfumato.risk.individual_risk import IndividualRisk
from sfumato.risk.interval_disclosure import IntervalDisclosure
from sfumato.risk.journalist_risk import JournalistRisk
from sfumato.risk.k_anonymity import KAnonymity
from sfumato.risk.l_diversity import LDiversity
from sfumato.risk.log_linear_risk import LogLinearRisk
from sfumato.risk.marketer_risk import MarketerRisk
from sfumato.risk.population import population_table
from sfumato.risk.probabilistic_linkage import ProbabilisticLinkage
from sfumato.risk.prosecutor_risk import ProsecutorRisk
from sfumato.risk.rank_interval_linkage import RankIntervalLinkage
from sfumato.risk.rare_combinations import riskiest_combinations
from sfumato.risk.record_explanation import RecordExplanation
from sfumato.risk.recursive_l_diversity import RecursiveLDiversity
from sfumato.risk.risk_breakdown import risk_by_category, risk_by_variable
from sfumato.risk.risk_table import RiskTable
from sfumato.risk.suda import Suda
from sfumato.risk.suda_by_category import suda_by_category
from sfumato.risk.t_closeness import TCloseness
from sfumato.risk.uniqueness import Uniqueness
from sfumato.risk.worst_case_linkage import WorstCaseLinkage

RISKS: dict[str, type[RiskMeasure]] = {
    measure.name(): measure
    for measure in (
        AttributeDisclosure,
        BetaLikeness,
        DeltaPresence,
        DeviationIntervalDisclosure,
        DistanceLinkage,
        EntropyLDiversity,
        HouseholdRisk,
        IndividualRankingLinkage,
        IndividualRisk,
        IntervalDisclosure,
        JournalistRisk,
        KAnonymity,
        LDiversity,
        LogLinearRisk,
        MarketerRisk,
        ProbabilisticLinkage,
        ProsecutorRisk,
        RankIntervalLinkage,
        RecursiveLDiversity,
        Suda,
        TCloseness,
        Uniqueness,
        WorstCaseLinkage,
    )
}

__all__ = [
    "RISKS",
    "AttributeDisclosure",
    "BetaLikeness",
    "DeltaPresence",
    "DeviationIntervalDisclosure",
    "DistanceLinkage",
    "EntropyLDiversity",
    "HouseholdRisk",
    "IndividualRankingLinkage",
    "IndividualRisk",
    "IntervalDisclosure",
    "JournalistRisk",
    "KAnonymity",
    "LDiversity",
    "LogLinearRisk",
    "MarketerRisk",
    "ProbabilisticLinkage",
    "ProsecutorRisk",
    "RankIntervalLinkage",
    "RecordExplanation",
    "RecursiveLDiversity",
    "RiskTable",
    "Suda",
    "TCloseness",
    "Uniqueness",
    "WorstCaseLinkage",
    "explain_risk",
    "population_table",
    "risk_by_category",
    "risk_by_variable",
    "riskiest_combinations",
    "suda_by_category",
]
