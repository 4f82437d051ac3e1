"""Sfumato: statistical disclosure control for Python.

Every public name is importable from here; what lies behind a name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato import datasets
    from sfumato.assessment import Assessment, assess
    from sfumato.data import Hierarchy, Kind, Microdata, Role, Schema, Variable, categorical, numeric, role
    from sfumato.errors import SfumatoError
    from sfumato.files import read, write
    from sfumato.loss import LOSSES, InformationLoss, StandardisedInformationLoss
    from sfumato.masking import (
        METHODS,
        AdditiveNoise,
        BottomCoding,
        Camouflage,
        CategoricalDistortion,
        CategoricalMicroaggregation,
        CorrelatedNoise,
        DistributionDistortion,
        Hybrid,
        IndividualRanking,
        InvariantPram,
        IpsoA,
        IpsoB,
        IpsoC,
        LatinHypercube,
        LossyCompression,
        Mdav,
        MicroaggregatedHybrid,
        MixtureNoise,
        MultipleImputation,
        MultivariateRounding,
        PmmImputation,
        Pram,
        ProjectedMicroaggregation,
        RankSwapping,
        RankSwappingBuckets,
        RankSwappingDistribution,
        RecordSwapping,
        Resampling,
        Rounding,
        SequentialSynthesis,
        Shuffling,
        TopCoding,
        TreeImputation,
        UnivariateMicroaggregation,
        VariableSizeMdav,
        corrected_moments,
    )
    from sfumato.recipe import Recipe
    from sfumato.risk import RISKS, DeviationIntervalDisclosure, DistanceLinkage, IntervalDisclosure
    from sfumato.scores import SCORES
    from sfumato.study import Study, compare

__version__ = "0.1.0"

_ROOMS = {
    "assessment": ("Assessment", "assess"),
    "data": ("Hierarchy", "Kind", "Microdata", "Role", "Schema", "Variable", "categorical", "numeric", "role"),
    "errors": ("SfumatoError",),
    "files": ("read", "write"),
    "loss": ("LOSSES", "InformationLoss", "StandardisedInformationLoss"),
    "masking": (
        "METHODS",
        "AdditiveNoise",
        "BottomCoding",
        "Camouflage",
        "CategoricalDistortion",
        "CategoricalMicroaggregation",
        "CorrelatedNoise",
        "DistributionDistortion",
        "Hybrid",
        "IndividualRanking",
        "InvariantPram",
        "IpsoA",
        "IpsoB",
        "IpsoC",
        "LatinHypercube",
        "LossyCompression",
        "Mdav",
        "MicroaggregatedHybrid",
        "MixtureNoise",
        "MultipleImputation",
        "MultivariateRounding",
        "PmmImputation",
        "Pram",
        "ProjectedMicroaggregation",
        "RankSwapping",
        "RankSwappingBuckets",
        "RankSwappingDistribution",
        "RecordSwapping",
        "Resampling",
        "Rounding",
        "SequentialSynthesis",
        "Shuffling",
        "TopCoding",
        "TreeImputation",
        "UnivariateMicroaggregation",
        "VariableSizeMdav",
        "corrected_moments",
    ),
    "recipe": ("Recipe",),
    "risk": ("RISKS", "DeviationIntervalDisclosure", "DistanceLinkage", "IntervalDisclosure"),
    "scores": ("SCORES",),
    "study": ("Study", "compare"),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "LOSSES",
    "METHODS",
    "RISKS",
    "SCORES",
    "AdditiveNoise",
    "Assessment",
    "BottomCoding",
    "Camouflage",
    "CategoricalDistortion",
    "CategoricalMicroaggregation",
    "CorrelatedNoise",
    "DeviationIntervalDisclosure",
    "DistanceLinkage",
    "DistributionDistortion",
    "Hierarchy",
    "Hybrid",
    "IndividualRanking",
    "InformationLoss",
    "IntervalDisclosure",
    "InvariantPram",
    "IpsoA",
    "IpsoB",
    "IpsoC",
    "Kind",
    "LatinHypercube",
    "LossyCompression",
    "Mdav",
    "MicroaggregatedHybrid",
    "Microdata",
    "MixtureNoise",
    "MultipleImputation",
    "MultivariateRounding",
    "PmmImputation",
    "Pram",
    "ProjectedMicroaggregation",
    "RankSwapping",
    "RankSwappingBuckets",
    "RankSwappingDistribution",
    "Recipe",
    "RecordSwapping",
    "Resampling",
    "Role",
    "Rounding",
    "Schema",
    "SequentialSynthesis",
    "SfumatoError",
    "Shuffling",
    "StandardisedInformationLoss",
    "Study",
    "TopCoding",
    "TreeImputation",
    "UnivariateMicroaggregation",
    "Variable",
    "VariableSizeMdav",
    "assess",
    "categorical",
    "compare",
    "corrected_moments",
    "datasets",
    "numeric",
    "read",
    "role",
    "write",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its room when it is first used."""
    if name == "datasets":
        return import_module("sfumato.datasets")
    if name not in _HOME:
        raise AttributeError(f"module 'sfumato' has no attribute '{name}'")
    return getattr(import_module(f"sfumato.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
