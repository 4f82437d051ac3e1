"""Tables: which cells give somebody away, what to hide, round or move so that none does, and the proof that it is so.

The walk: `Table` (from records or from cells) -> a sensitivity rule -> `suppress` -> `audit`.
"""

from sfumato.tables.dimension import Dimension
from sfumato.tables.given import Given, Status
from sfumato.tables.pattern import Pattern, Progress
from sfumato.tables.problem import Problem
from sfumato.tables.rules import RULES, dominance, min_units, p_percent, pq, request, zero_unsafe
from sfumato.tables.safe_counts import safe_counts
from sfumato.tables.sensitivity import AnyOf, Rule, Sensitivity
from sfumato.tables.suppression import CellStatus, Suppression, suppress
from sfumato.tables.suppressors import SUPPRESSORS, Automatic, Heuristic, Optimal, Suppressor
from sfumato.tables.table import Table

__all__ = [
    "RULES",
    "SUPPRESSORS",
    "AnyOf",
    "Automatic",
    "CellStatus",
    "Dimension",
    "Given",
    "Heuristic",
    "Optimal",
    "Pattern",
    "Problem",
    "Progress",
    "Rule",
    "Sensitivity",
    "Status",
    "Suppression",
    "Suppressor",
    "Table",
    "dominance",
    "min_units",
    "p_percent",
    "pq",
    "request",
    "safe_counts",
    "suppress",
    "zero_unsafe",
]
