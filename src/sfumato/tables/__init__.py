"""Tables: which cells give somebody away, what to hide, round or move so that none does, and the proof that it is so.

The walk: `Table` (from records or from cells) -> a sensitivity rule -> `suppress` -> `audit`. Instead of hiding cells,
`round_controlled`, `adjust` and `perturb` change them; `compare_protections` holds all of them against each other.
"""

from sfumato.tables.audit.audit import audit
from sfumato.tables.audit.certificate import Certificates
from sfumato.tables.audit.certify import certify
from sfumato.tables.audit.explain import Explanation, explain, what_if_published
from sfumato.tables.audit.findings import Audit
from sfumato.tables.audit.redundancy import redundant_secondaries
from sfumato.tables.audit.verify import verify
from sfumato.tables.cells.dimension import Dimension
from sfumato.tables.cells.table import Table
from sfumato.tables.comparison.protection import (
    Protection,
    protection_by_adjustment,
    protection_by_cell_key,
    protection_by_rounding,
    protection_by_suppression,
)
from sfumato.tables.comparison.protection_comparison import ProtectionComparison, compare_protections
from sfumato.tables.perturbation._perturbation_table import PerturbationTable
from sfumato.tables.perturbation.cell_key_perturbation import Perturbed, draw_record_keys, perturb
from sfumato.tables.perturbation.controlled_adjustment import Adjusted, adjust
from sfumato.tables.perturbation.controlled_rounding import Rounded, round_controlled
from sfumato.tables.problem.insiders import Insiders
from sfumato.tables.problem.problem import Problem
from sfumato.tables.problem.protected_cells import Pattern, Progress
from sfumato.tables.safe_counts import safe_counts
from sfumato.tables.sensitivity._given import Given, Status
from sfumato.tables.sensitivity._sensitivity import AnyOf, Rule, Sensitivity
from sfumato.tables.sensitivity.rules import RULES, dominance, min_units, p_percent, pq, request, zero_unsafe
from sfumato.tables.suppress import CellStatus, Suppression, suppress
from sfumato.tables.suppression.suppressors import SUPPRESSORS, Automatic, Heuristic, Optimal, Suppressor
from sfumato.tables.tau_argus.reader import ArgusTable, read_tau_argus
from sfumato.tables.tau_argus.writer import write_tau_argus

__all__ = [
    "RULES",
    "SUPPRESSORS",
    "Adjusted",
    "AnyOf",
    "ArgusTable",
    "Audit",
    "Automatic",
    "CellStatus",
    "Certificates",
    "Dimension",
    "Explanation",
    "Given",
    "Heuristic",
    "Insiders",
    "Optimal",
    "Pattern",
    "PerturbationTable",
    "Perturbed",
    "Problem",
    "Progress",
    "Protection",
    "ProtectionComparison",
    "Rounded",
    "Rule",
    "Sensitivity",
    "Status",
    "Suppression",
    "Suppressor",
    "Table",
    "adjust",
    "audit",
    "certify",
    "compare_protections",
    "dominance",
    "draw_record_keys",
    "explain",
    "min_units",
    "p_percent",
    "perturb",
    "pq",
    "protection_by_adjustment",
    "protection_by_cell_key",
    "protection_by_rounding",
    "protection_by_suppression",
    "read_tau_argus",
    "redundant_secondaries",
    "request",
    "round_controlled",
    "safe_counts",
    "suppress",
    "verify",
    "what_if_published",
    "write_tau_argus",
    "zero_unsafe",
]
