"""Ways to mask records, one per file; `METHODS` lists them by the name that recipes use."""

from sfumato.contracts import MaskingMethod
from sfumato.masking.additive_noise import AdditiveNoise
from sfumato.masking.blocked_microaggregation import BlockedMicroaggregation
from sfumato.masking.bottom_coding import BottomCoding
from sfumato.masking.camouflage import Camouflage
from sfumato.masking.categorical_distortion import CategoricalDistortion
from sfumato.masking.categorical_microaggregation import CategoricalMicroaggregation
from sfumato.masking.correlated_noise import CorrelatedNoise
from sfumato.masking.discretisation import Discretisation
from sfumato.masking.distribution_distortion import DistributionDistortion
from sfumato.masking.drop_identifiers import DropIdentifiers
from sfumato.masking.full_domain_recoding import FullDomainRecoding, LatticeSearch, search_lattice
from sfumato.masking.generalisation import Generalisation
from sfumato.masking.hybrid import Hybrid
from sfumato.masking.individual_ranking import IndividualRanking
from sfumato.masking.invariant_pram import InvariantPram
from sfumato.masking.ipso_a import IpsoA
from sfumato.masking.ipso_b import IpsoB
from sfumato.masking.ipso_c import IpsoC
from sfumato.masking.latin_hypercube import LatinHypercube
from sfumato.masking.local_recoding import LocalRecoding
from sfumato.masking.local_suppression import LocalSuppression
from sfumato.masking.lossy_compression import LossyCompression
from sfumato.masking.mdav import Mdav
from sfumato.masking.microaggregated_hybrid import MicroaggregatedHybrid
from sfumato.masking.microaggregation_bound import microaggregation_bound
from sfumato.masking.mixture_noise import MixtureNoise
from sfumato.masking.multiple_imputation import MultipleImputation
from sfumato.masking.multivariate_rounding import MultivariateRounding
from sfumato.masking.near_optimal_microaggregation import NearOptimalMicroaggregation
from sfumato.masking.noise_correction import corrected_moments
from sfumato.masking.pmm_imputation import PmmImputation
from sfumato.masking.pram import Pram
from sfumato.masking.projected_microaggregation import ProjectedMicroaggregation
from sfumato.masking.pseudonymise import Pseudonymise
from sfumato.masking.rank_swapping import RankSwapping
from sfumato.masking.rank_swapping_buckets import RankSwappingBuckets
from sfumato.masking.rank_swapping_distribution import RankSwappingDistribution
from sfumato.masking.recoding import Recoding
from sfumato.masking.record_swapping import RecordSwapping
from sfumato.masking.resampling import Resampling
from sfumato.masking.risk_suppression import RiskSuppression
from sfumato.masking.rounding import Rounding
from sfumato.masking.sampling import Sampling
from sfumato.masking.sequential_synthesis import SequentialSynthesis
from sfumato.masking.shuffling import Shuffling
from sfumato.masking.strict_local_suppression import StrictLocalSuppression, strict_suppression_bound
from sfumato.masking.top_coding import TopCoding
from sfumato.masking.tree_imputation import TreeImputation
from sfumato.masking.univariate_microaggregation import UnivariateMicroaggregation
from sfumato.masking.variable_size_mdav import VariableSizeMdav

METHODS: dict[str, type[MaskingMethod]] = {
    method.name(): method
    for method in (
        AdditiveNoise,
        BlockedMicroaggregation,
        BottomCoding,
        Camouflage,
        CategoricalDistortion,
        CategoricalMicroaggregation,
        CorrelatedNoise,
        Discretisation,
        DistributionDistortion,
        DropIdentifiers,
        FullDomainRecoding,
        Generalisation,
        Hybrid,
        IndividualRanking,
        InvariantPram,
        IpsoA,
        IpsoB,
        IpsoC,
        LatinHypercube,
        LocalRecoding,
        LocalSuppression,
        LossyCompression,
        Mdav,
        MicroaggregatedHybrid,
        MixtureNoise,
        MultipleImputation,
        MultivariateRounding,
        NearOptimalMicroaggregation,
        PmmImputation,
        Pram,
        ProjectedMicroaggregation,
        Pseudonymise,
        RankSwapping,
        RankSwappingBuckets,
        RankSwappingDistribution,
        Recoding,
        RecordSwapping,
        Resampling,
        RiskSuppression,
        Rounding,
        Sampling,
        SequentialSynthesis,
        Shuffling,
        StrictLocalSuppression,
        TopCoding,
        TreeImputation,
        UnivariateMicroaggregation,
        VariableSizeMdav,
    )
}

__all__ = [
    "METHODS",
    "AdditiveNoise",
    "BlockedMicroaggregation",
    "BottomCoding",
    "Camouflage",
    "CategoricalDistortion",
    "CategoricalMicroaggregation",
    "CorrelatedNoise",
    "Discretisation",
    "DistributionDistortion",
    "DropIdentifiers",
    "FullDomainRecoding",
    "Generalisation",
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
    "LossyCompression",
    "Mdav",
    "MicroaggregatedHybrid",
    "MixtureNoise",
    "MultipleImputation",
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
    "UnivariateMicroaggregation",
    "VariableSizeMdav",
    "corrected_moments",
    "microaggregation_bound",
    "search_lattice",
    "strict_suppression_bound",
]
