"""Post-masking optimisation, one improver per file; `IMPROVERS` lists them by name."""

from typing import TYPE_CHECKING

from sfumato.contracts import Improvement, ImprovementEnding, Improver
from sfumato.contracts.late_names import late_names, modules_of_classes
from sfumato.contracts.registry import Registry

if TYPE_CHECKING:
    from sfumato.improve.moment_matching import MomentMatching
    from sfumato.improve.post_masking_optimisation import ComparedValues, PostMaskingOptimisation
    from sfumato.improve.score_optimisation import ScoreOptimisation

_CLASSES = modules_of_classes(
    __name__,
    {
        "": ("moment_matching", "post_masking_optimisation", "score_optimisation"),
    },
)
IMPROVERS = Registry(Improver, _CLASSES)

if not TYPE_CHECKING:
    __getattr__ = late_names(
        __name__,
        {
            "post_masking_optimisation": ("ComparedValues",),
        },
        _CLASSES,
    )

__all__ = [
    "IMPROVERS",
    "ComparedValues",
    "Improvement",
    "ImprovementEnding",
    "MomentMatching",
    "PostMaskingOptimisation",
    "ScoreOptimisation",
]
