"""What every method, measure and improver promises: one record of parameters, one verb. Read this room first."""

from sfumato.contracts.arguments import check_files, check_generator
from sfumato.contracts.columns import check_column, check_records, columns_of_both, columns_present, paired_rows
from sfumato.contracts.improvement import Improvement, ImprovementEnding
from sfumato.contracts.improvers import Improver, ImprovingStep, Part
from sfumato.contracts.knowledge import NOTHING, Knowledge
from sfumato.contracts.likelihood import Coordinate, Likelihood, Noise, Spans
from sfumato.contracts.limited_figures import HeldLimit, attack_symbol, hold_limit, limited_symbol
from sfumato.contracts.measures import (
    ControlledRisk,
    Correspondence,
    FileRisk,
    InformedRisk,
    LossMeasure,
    Measure,
    Measurement,
    RankTies,
    RiskMeasure,
)
from sfumato.contracts.methods import ALTERNATIVES, Layout, MaskingMethod
from sfumato.contracts.named import Named
from sfumato.contracts.trials import JOINT_QUESTIONS, Trials

__all__ = [
    "ALTERNATIVES",
    "JOINT_QUESTIONS",
    "NOTHING",
    "ControlledRisk",
    "Coordinate",
    "Correspondence",
    "FileRisk",
    "HeldLimit",
    "Improvement",
    "ImprovementEnding",
    "Improver",
    "ImprovingStep",
    "InformedRisk",
    "Knowledge",
    "Layout",
    "Likelihood",
    "LossMeasure",
    "MaskingMethod",
    "Measure",
    "Measurement",
    "Named",
    "Noise",
    "Part",
    "RankTies",
    "RiskMeasure",
    "Spans",
    "Trials",
    "attack_symbol",
    "check_column",
    "check_files",
    "check_generator",
    "check_records",
    "columns_of_both",
    "columns_present",
    "hold_limit",
    "limited_symbol",
    "paired_rows",
]
