"""Masking methods, one per file in a folder for each family; `METHODS` lists them by name."""

from typing import TYPE_CHECKING

from sfumato.contracts import MaskingMethod
from sfumato.contracts.late_names import late_names, modules_of_classes
from sfumato.contracts.registry import Registry

if TYPE_CHECKING:
    from sfumato.masking.camouflage._answers import CamouflagedAnswers
    from sfumato.masking.camouflage.camouflage import Camouflage
    from sfumato.masking.compression.lossy_compression import LossyCompression
    from sfumato.masking.dates.date_rounding import DateRounding
    from sfumato.masking.dates.date_shift import DateShift
    from sfumato.masking.identifiers.drop_identifiers import DropIdentifiers
    from sfumato.masking.identifiers.pseudonymise import Pseudonymise
    from sfumato.masking.linear.matrix_masking import MatrixMasking, mask_by_matrices
    from sfumato.masking.microaggregation._correlated_columns import correlated_columns
    from sfumato.masking.microaggregation._microaggregation_bound import microaggregation_bound
    from sfumato.masking.microaggregation.blocked_microaggregation import BlockedMicroaggregation
    from sfumato.masking.microaggregation.categorical_microaggregation import CategoricalMicroaggregation
    from sfumato.masking.microaggregation.individual_ranking import IndividualRanking
    from sfumato.masking.microaggregation.mdav import Mdav
    from sfumato.masking.microaggregation.microaggregated_hybrid import MicroaggregatedHybrid
    from sfumato.masking.microaggregation.near_optimal_microaggregation import NearOptimalMicroaggregation
    from sfumato.masking.microaggregation.projected_microaggregation import ProjectedMicroaggregation
    from sfumato.masking.microaggregation.record_microaggregation import RecordMicroaggregation
    from sfumato.masking.microaggregation.undominated_microaggregation import UndominatedMicroaggregation
    from sfumato.masking.microaggregation.univariate_microaggregation import UnivariateMicroaggregation
    from sfumato.masking.microaggregation.variable_size_mdav import VariableSizeMdav
    from sfumato.masking.noise._corrected_regression import corrected_regression
    from sfumato.masking.noise._expected_values import expected_values
    from sfumato.masking.noise._noise_correction import corrected_moments
    from sfumato.masking.noise.additive_noise import AdditiveNoise
    from sfumato.masking.noise.correlated_noise import CorrelatedNoise
    from sfumato.masking.noise.logarithmic_noise import LogarithmicNoise
    from sfumato.masking.noise.mixture_noise import MixtureNoise
    from sfumato.masking.noise.multiplicative_noise import MultiplicativeNoise
    from sfumato.masking.randomisation.invariant_pram import InvariantPram
    from sfumato.masking.randomisation.pram import Pram, corrected_counts
    from sfumato.masking.recoding.bottom_coding import BottomCoding
    from sfumato.masking.recoding.discretisation import Discretisation
    from sfumato.masking.recoding.full_domain_recoding import FullDomainRecoding, LatticeSearch, search_lattice
    from sfumato.masking.recoding.generalisation import Generalisation
    from sfumato.masking.recoding.local_recoding import LocalRecoding
    from sfumato.masking.recoding.recoding import Recoding
    from sfumato.masking.recoding.top_coding import TopCoding
    from sfumato.masking.resampling.contingency_resampling import ContingencyResampling
    from sfumato.masking.resampling.resampling import Resampling
    from sfumato.masking.rounding.multivariate_rounding import MultivariateRounding
    from sfumato.masking.rounding.rounding import Rounding
    from sfumato.masking.rounding.weight_rounding import WeightRounding
    from sfumato.masking.sampling.sampling import Sampling
    from sfumato.masking.suppression.hint_suppression import HintSuppression
    from sfumato.masking.suppression.local_suppression import LocalSuppression
    from sfumato.masking.suppression.risk_suppression import RiskSuppression
    from sfumato.masking.suppression.strict_local_suppression import StrictLocalSuppression, strict_suppression_bound
    from sfumato.masking.swapping._reidentified_swapping import swap_reidentified
    from sfumato.masking.swapping.rank_swapping import RankSwapping
    from sfumato.masking.swapping.rank_swapping_buckets import RankSwappingBuckets
    from sfumato.masking.swapping.rank_swapping_distribution import RankSwappingDistribution
    from sfumato.masking.swapping.record_swapping import RecordSwapping
    from sfumato.masking.swapping.shuffling import Shuffling
    from sfumato.masking.synthesis.categorical_distortion import CategoricalDistortion
    from sfumato.masking.synthesis.distribution_distortion import DistributionDistortion
    from sfumato.masking.synthesis.household_synthesis import HouseholdSynthesis
    from sfumato.masking.synthesis.hybrid import Hybrid
    from sfumato.masking.synthesis.ipso_a import IpsoA
    from sfumato.masking.synthesis.ipso_b import IpsoB
    from sfumato.masking.synthesis.ipso_c import IpsoC
    from sfumato.masking.synthesis.latin_hypercube import LatinHypercube
    from sfumato.masking.synthesis.multiple_imputation import MultipleImputation
    from sfumato.masking.synthesis.pmm_imputation import PmmImputation
    from sfumato.masking.synthesis.sequential_synthesis import SequentialSynthesis
    from sfumato.masking.synthesis.tree_imputation import TreeImputation

_CLASSES = modules_of_classes(
    __name__,
    {
        "camouflage": ("camouflage",),
        "compression": ("lossy_compression",),
        "dates": ("date_rounding", "date_shift"),
        "identifiers": ("drop_identifiers", "pseudonymise"),
        "linear": ("matrix_masking",),
        "microaggregation": (
            *("blocked_microaggregation", "categorical_microaggregation", "individual_ranking", "mdav"),
            *("microaggregated_hybrid", "near_optimal_microaggregation", "projected_microaggregation"),
            *("record_microaggregation", "undominated_microaggregation", "univariate_microaggregation"),
            *("variable_size_mdav",),
        ),
        "noise": ("additive_noise", "correlated_noise", "logarithmic_noise", "mixture_noise", "multiplicative_noise"),
        "randomisation": ("invariant_pram", "pram"),
        "recoding": (
            *("bottom_coding", "discretisation", "full_domain_recoding", "generalisation", "local_recoding"),
            *("recoding", "top_coding"),
        ),
        "resampling": ("contingency_resampling", "resampling"),
        "rounding": ("multivariate_rounding", "rounding", "weight_rounding"),
        "sampling": ("sampling",),
        "suppression": ("hint_suppression", "local_suppression", "risk_suppression", "strict_local_suppression"),
        "swapping": (
            *("rank_swapping", "rank_swapping_buckets", "rank_swapping_distribution", "record_swapping"),
            *("shuffling",),
        ),
        "synthesis": (
            *("categorical_distortion", "distribution_distortion", "household_synthesis", "hybrid", "ipso_a"),
            *("ipso_b", "ipso_c", "latin_hypercube", "multiple_imputation", "pmm_imputation"),
            *("sequential_synthesis", "tree_imputation"),
        ),
    },
)
METHODS = Registry(MaskingMethod, _CLASSES)

if not TYPE_CHECKING:
    __getattr__ = late_names(
        __name__,
        {
            "camouflage._answers": ("CamouflagedAnswers",),
            "linear.matrix_masking": ("mask_by_matrices",),
            "microaggregation._correlated_columns": ("correlated_columns",),
            "microaggregation._microaggregation_bound": ("microaggregation_bound",),
            "noise._corrected_regression": ("corrected_regression",),
            "noise._expected_values": ("expected_values",),
            "noise._noise_correction": ("corrected_moments",),
            "randomisation.pram": ("corrected_counts",),
            "recoding.full_domain_recoding": ("LatticeSearch", "search_lattice"),
            "suppression.strict_local_suppression": ("strict_suppression_bound",),
            "swapping._reidentified_swapping": ("swap_reidentified",),
        },
        _CLASSES,
    )

__all__ = [
    "METHODS",
    "AdditiveNoise",
    "BlockedMicroaggregation",
    "BottomCoding",
    "Camouflage",
    "CamouflagedAnswers",
    "CategoricalDistortion",
    "CategoricalMicroaggregation",
    "ContingencyResampling",
    "CorrelatedNoise",
    "DateRounding",
    "DateShift",
    "Discretisation",
    "DistributionDistortion",
    "DropIdentifiers",
    "FullDomainRecoding",
    "Generalisation",
    "HintSuppression",
    "HouseholdSynthesis",
    "Hybrid",
    "IndividualRanking",
    "InvariantPram",
    "IpsoA",
    "IpsoB",
    "IpsoC",
    "LatinHypercube",
    "LatticeSearch",
    "LocalRecoding",
    "LocalSuppression",
    "LogarithmicNoise",
    "LossyCompression",
    "MatrixMasking",
    "Mdav",
    "MicroaggregatedHybrid",
    "MixtureNoise",
    "MultipleImputation",
    "MultiplicativeNoise",
    "MultivariateRounding",
    "NearOptimalMicroaggregation",
    "PmmImputation",
    "Pram",
    "ProjectedMicroaggregation",
    "Pseudonymise",
    "RankSwapping",
    "RankSwappingBuckets",
    "RankSwappingDistribution",
    "Recoding",
    "RecordMicroaggregation",
    "RecordSwapping",
    "Resampling",
    "RiskSuppression",
    "Rounding",
    "Sampling",
    "SequentialSynthesis",
    "Shuffling",
    "StrictLocalSuppression",
    "TopCoding",
    "TreeImputation",
    "UndominatedMicroaggregation",
    "UnivariateMicroaggregation",
    "VariableSizeMdav",
    "WeightRounding",
    "corrected_counts",
    "corrected_moments",
    "corrected_regression",
    "correlated_columns",
    "expected_values",
    "mask_by_matrices",
    "microaggregation_bound",
    "search_lattice",
    "strict_suppression_bound",
    "swap_reidentified",
]
