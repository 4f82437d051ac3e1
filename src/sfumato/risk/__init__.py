"""What an intruder learns, one measure per file; `RISKS` lists them by the name that recipes use."""

from typing import TYPE_CHECKING

from sfumato.contracts import RiskMeasure
from sfumato.contracts.late_names import late_names, modules_of_classes
from sfumato.contracts.registry import Registry

if TYPE_CHECKING:
    from sfumato.risk._explanations.explain import explain_risk
    from sfumato.risk._explanations.rare_combinations import riskiest_combinations
    from sfumato.risk._explanations.record_explanation import RecordExplanation
    from sfumato.risk._explanations.risk_breakdown import risk_by_category, risk_by_variable
    from sfumato.risk._explanations.risk_table import RiskTable
    from sfumato.risk._explanations.suda_by_category import suda_by_category
    from sfumato.risk.attributes.attribute_disclosure import AttributeDisclosure
    from sfumato.risk.attributes.attribute_inference import AttributeInference
    from sfumato.risk.attributes.beta_likeness import BetaLikeness
    from sfumato.risk.attributes.entropy_l_diversity import EntropyLDiversity
    from sfumato.risk.attributes.l_diversity import LDiversity
    from sfumato.risk.attributes.recursive_l_diversity import RecursiveLDiversity
    from sfumato.risk.attributes.t_closeness import TCloseness
    from sfumato.risk.intervals.deviation_interval_disclosure import DeviationIntervalDisclosure
    from sfumato.risk.intervals.interval_disclosure import IntervalDisclosure
    from sfumato.risk.keys._population import population_table
    from sfumato.risk.keys.delta_presence import DeltaPresence
    from sfumato.risk.keys.household_risk import HouseholdRisk
    from sfumato.risk.keys.individual_risk import IndividualRisk
    from sfumato.risk.keys.journalist_risk import JournalistRisk
    from sfumato.risk.keys.k_anonymity import KAnonymity
    from sfumato.risk.keys.log_linear_risk import LogLinearRisk
    from sfumato.risk.keys.marketer_risk import MarketerRisk
    from sfumato.risk.keys.prosecutor_risk import ProsecutorRisk
    from sfumato.risk.keys.suda import Suda
    from sfumato.risk.keys.uniqueness import Uniqueness
    from sfumato.risk.linkage._link_decisions import LinkDecisions, link_decisions
    from sfumato.risk.linkage.best_subset_linkage import BestSubsetLinkage
    from sfumato.risk.linkage.distance_linkage import DistanceLinkage
    from sfumato.risk.linkage.expectation_maximisation_linkage import ExpectationMaximisationLinkage
    from sfumato.risk.linkage.individual_ranking_linkage import IndividualRankingLinkage
    from sfumato.risk.linkage.likelihood_linkage import LikelihoodLinkage
    from sfumato.risk.linkage.probabilistic_linkage import ProbabilisticLinkage
    from sfumato.risk.linkage.rank_interval_linkage import RankIntervalLinkage
    from sfumato.risk.linkage.self_trained_linkage import SelfTrainedLinkage
    from sfumato.risk.linkage.shared_records import SharedRecords
    from sfumato.risk.linkage.worst_case_linkage import WorstCaseLinkage
    from sfumato.risk.synthetic.disco import Disco
    from sfumato.risk.synthetic.distance_to_closest_record import DistanceToClosestRecord
    from sfumato.risk.synthetic.household_membership import HouseholdMembership
    from sfumato.risk.synthetic.inference import Inference
    from sfumato.risk.synthetic.linkability import Linkability
    from sfumato.risk.synthetic.membership_inference import MembershipInference
    from sfumato.risk.synthetic.replicated_uniques import ReplicatedUniques
    from sfumato.risk.synthetic.singling_out import SinglingOut

_CLASSES = modules_of_classes(
    __name__,
    {
        "attributes": (
            *("attribute_disclosure", "attribute_inference", "beta_likeness", "entropy_l_diversity"),
            *("l_diversity", "recursive_l_diversity", "t_closeness"),
        ),
        "intervals": ("deviation_interval_disclosure", "interval_disclosure"),
        "keys": (
            *("delta_presence", "household_risk", "individual_risk", "journalist_risk", "k_anonymity"),
            *("log_linear_risk", "marketer_risk", "prosecutor_risk", "suda", "uniqueness"),
        ),
        "linkage": (
            *("best_subset_linkage", "distance_linkage", "expectation_maximisation_linkage"),
            *("individual_ranking_linkage", "likelihood_linkage", "probabilistic_linkage"),
            *("rank_interval_linkage", "self_trained_linkage", "shared_records", "worst_case_linkage"),
        ),
        "synthetic": (
            *("disco", "distance_to_closest_record", "household_membership", "inference", "linkability"),
            *("membership_inference", "replicated_uniques", "singling_out"),
        ),
    },
)
RISKS = Registry(RiskMeasure, _CLASSES)

if not TYPE_CHECKING:
    __getattr__ = late_names(
        __name__,
        {
            "_explanations.explain": ("explain_risk",),
            "_explanations.rare_combinations": ("riskiest_combinations",),
            "_explanations.record_explanation": ("RecordExplanation",),
            "_explanations.risk_breakdown": ("risk_by_category", "risk_by_variable"),
            "_explanations.risk_table": ("RiskTable",),
            "_explanations.suda_by_category": ("suda_by_category",),
            "keys._population": ("population_table",),
            "linkage._link_decisions": ("LinkDecisions", "link_decisions"),
        },
        _CLASSES,
    )

__all__ = [
    "RISKS",
    "AttributeDisclosure",
    "AttributeInference",
    "BestSubsetLinkage",
    "BetaLikeness",
    "DeltaPresence",
    "DeviationIntervalDisclosure",
    "Disco",
    "DistanceLinkage",
    "DistanceToClosestRecord",
    "EntropyLDiversity",
    "ExpectationMaximisationLinkage",
    "HouseholdMembership",
    "HouseholdRisk",
    "IndividualRankingLinkage",
    "IndividualRisk",
    "Inference",
    "IntervalDisclosure",
    "JournalistRisk",
    "KAnonymity",
    "LDiversity",
    "LikelihoodLinkage",
    "LinkDecisions",
    "Linkability",
    "LogLinearRisk",
    "MarketerRisk",
    "MembershipInference",
    "ProbabilisticLinkage",
    "ProsecutorRisk",
    "RankIntervalLinkage",
    "RecordExplanation",
    "RecursiveLDiversity",
    "ReplicatedUniques",
    "RiskTable",
    "SelfTrainedLinkage",
    "SharedRecords",
    "SinglingOut",
    "Suda",
    "TCloseness",
    "Uniqueness",
    "WorstCaseLinkage",
    "explain_risk",
    "link_decisions",
    "population_table",
    "risk_by_category",
    "risk_by_variable",
    "riskiest_combinations",
    "suda_by_category",
]
