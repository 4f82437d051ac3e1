"""Post-masking optimisation, one improver per file; `IMPROVERS` lists them by name."""

from sfumato.contracts import Improver
from sfumato.contracts.improvement import Improvement, ImprovementEnding
from sfumato.contracts.registry import Registry
from sfumato.improve.moment_matching import MomentMatching
from sfumato.improve.post_masking_optimisation import ComparedValues, PostMaskingOptimisation
from sfumato.improve.score_optimisation import ScoreOptimisation

IMPROVERS = Registry(Improver, (MomentMatching, PostMaskingOptimisation, ScoreOptimisation))

__all__ = [
    "IMPROVERS",
    "ComparedValues",
    "Improvement",
    "ImprovementEnding",
    "MomentMatching",
    "PostMaskingOptimisation",
    "ScoreOptimisation",
]
