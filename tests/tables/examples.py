"""An example of every protection and every sensitivity rule; the contract tests run over them."""

from sfumato.tables import (
    PQ,
    AutomaticSuppression,
    CellKeyPerturbation,
    ControlledAdjustment,
    ControlledRounding,
    Dominance,
    HeuristicSuppression,
    MinUnits,
    OptimalSuppression,
    PPercent,
    Protection,
    Request,
    Rule,
    SmallCountRounding,
    ZeroUnsafe,
)

PROTECTION_EXAMPLES: list[Protection] = [
    AutomaticSuppression(time_limit=30),
    CellKeyPerturbation(max_deviation=3, variance=2, max_percent=40),
    ControlledAdjustment(keeps="grand_totals", time_limit=5),
    ControlledRounding(base=25),
    HeuristicSuppression(),
    OptimalSuppression(max_gap=1),
    SmallCountRounding(base=1000),
]

RULE_EXAMPLES: list[Rule] = [
    Dominance(n=1, max_percent=75),
    MinUnits(units=3),
    PPercent(p=10, followers=2),
    PQ(p=10, q=50),
    Request(max_percent=50),
    ZeroUnsafe(protection_level=2),
]
