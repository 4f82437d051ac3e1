"""Information loss, one measure per file in a folder for each family; `LOSSES` lists them by name."""

from typing import TYPE_CHECKING

from sfumato.contracts import LossMeasure
from sfumato.contracts.late_names import late_names, modules_of_classes
from sfumato.contracts.registry import Registry

if TYPE_CHECKING:
    from sfumato.loss.analyses._functions import register_analysis
    from sfumato.loss.analyses.clustering_loss import ClusteringLoss
    from sfumato.loss.analyses.function_loss import Divergence, FunctionLoss
    from sfumato.loss.analyses.fuzzy_clustering_loss import FuzzyClusteringLoss
    from sfumato.loss.analyses.regression_loss import RegressionLoss
    from sfumato.loss.categories.categorical_distance import CategoricalDistance
    from sfumato.loss.categories.contingency_table_loss import ContingencyTableLoss
    from sfumato.loss.categories.entropy_loss import EntropyLoss
    from sfumato.loss.categories.record_entropy_loss import RecordEntropyLoss
    from sfumato.loss.categories.suppressions import Suppressions
    from sfumato.loss.distributions.marginal_distance import MarginalDistance
    from sfumato.loss.distributions.pairwise_distance import PairwiseDistance
    from sfumato.loss.distributions.propensity_loss import PropensityLoss
    from sfumato.loss.distributions.table_propensity_loss import TablePropensityLoss
    from sfumato.loss.distributions.tree_propensity_loss import TreePropensityLoss
    from sfumato.loss.values.analytic_validity import AnalyticValidity
    from sfumato.loss.values.information_loss import InformationLoss
    from sfumato.loss.values.moment_and_factor_loss import MomentAndFactorLoss
    from sfumato.loss.values.probabilistic_information_loss import ProbabilisticInformationLoss
    from sfumato.loss.values.standardised_information_loss import StandardisedInformationLoss
    from sfumato.loss.values.subdomain_information_loss import SubdomainInformationLoss
    from sfumato.loss.values.symmetric_information_loss import SymmetricInformationLoss
    from sfumato.loss.values.unexplained_variance import UnexplainedVariance

_CLASSES = modules_of_classes(
    __name__,
    {
        "analyses": ("clustering_loss", "function_loss", "fuzzy_clustering_loss", "regression_loss"),
        "categories": (
            *("categorical_distance", "contingency_table_loss", "entropy_loss", "record_entropy_loss"),
            *("suppressions",),
        ),
        "distributions": (
            *("marginal_distance", "pairwise_distance", "propensity_loss", "table_propensity_loss"),
            *("tree_propensity_loss",),
        ),
        "values": (
            *("analytic_validity", "information_loss", "moment_and_factor_loss"),
            *("probabilistic_information_loss", "standardised_information_loss", "subdomain_information_loss"),
            *("symmetric_information_loss", "unexplained_variance"),
        ),
    },
)
LOSSES = Registry(LossMeasure, _CLASSES)

if not TYPE_CHECKING:
    __getattr__ = late_names(
        __name__,
        {
            "analyses._functions": ("register_analysis",),
            "analyses.function_loss": ("Divergence",),
        },
        _CLASSES,
    )

__all__ = [
    "LOSSES",
    "AnalyticValidity",
    "CategoricalDistance",
    "ClusteringLoss",
    "ContingencyTableLoss",
    "Divergence",
    "EntropyLoss",
    "FunctionLoss",
    "FuzzyClusteringLoss",
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
    "TablePropensityLoss",
    "TreePropensityLoss",
    "UnexplainedVariance",
    "register_analysis",
]
