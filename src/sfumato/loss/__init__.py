"""What an honest user loses, one measure per file; `LOSSES` lists them by the name that recipes use."""

from sfumato.contracts import LossMeasure
from sfumato.loss.categorical_distance import CategoricalDistance
from sfumato.loss.clustering_loss import ClusteringLoss
from sfumato.loss.contingency_table_loss import ContingencyTableLoss
from sfumato.loss.entropy_loss import EntropyLoss
from sfumato.loss.information_loss import InformationLoss
from sfumato.loss.marginal_distance import MarginalDistance
from sfumato.loss.moment_and_factor_loss import MomentAndFactorLoss
from sfumato.loss.pairwise_distance import PairwiseDistance
from sfumato.loss.probabilistic_information_loss import ProbabilisticInformationLoss
from sfumato.loss.propensity_loss import PropensityLoss
from sfumato.loss.record_entropy_loss import RecordEntropyLoss
from sfumato.loss.regression_loss import RegressionLoss
from sfumato.loss.standardised_information_loss import StandardisedInformationLoss
from sfumato.loss.subdomain_information_loss import SubdomainInformationLoss
from sfumato.loss.suppressions import Suppressions
from sfumato.loss.symmetric_information_loss import SymmetricInformationLoss

LOSSES: dict[str, type[LossMeasure]] = {
    measure.name(): measure
    for measure in (
        CategoricalDistance,
        ClusteringLoss,
        ContingencyTableLoss,
        EntropyLoss,
        InformationLoss,
        MarginalDistance,
        MomentAndFactorLoss,
        PairwiseDistance,
        ProbabilisticInformationLoss,
        PropensityLoss,
        RecordEntropyLoss,
        RegressionLoss,
        StandardisedInformationLoss,
        SubdomainInformationLoss,
        Suppressions,
        SymmetricInformationLoss,
    )
}

__all__ = [
    "LOSSES",
    "CategoricalDistance",
    "ClusteringLoss",
    "ContingencyTableLoss",
    "EntropyLoss",
    "InformationLoss",
    "MarginalDistance",
    "MomentAndFactorLoss",
    "PairwiseDistance",
    "ProbabilisticInformationLoss",
    "PropensityLoss",
    "RecordEntropyLoss",
    "RegressionLoss",
    "StandardisedInformationLoss",
    "SubdomainInformationLoss",
    "Suppressions",
    "SymmetricInformationLoss",
]
