"""Tables: which cells give somebody away, what to suppress, round or move so that none does, and the proof.

The walk: `Table` (from records or from cells) -> a sensitivity rule of `RULES` -> `protect` with one of `PROTECTIONS`
-> `audit`. `compare_protections` holds several against each other. Many tables make up a `Publication`, for
`protect_publication`.
"""

from sfumato.tables.audit.audit import audit
from sfumato.tables.audit.certificate import Certificates
from sfumato.tables.audit.certify import certify
from sfumato.tables.audit.explain import Explanation, explain, what_if_published
from sfumato.tables.audit.findings import Audit
from sfumato.tables.audit.redundancy import redundant_secondaries
from sfumato.tables.audit.verify import verify
from sfumato.tables.cells.cell_keys import draw_record_keys
from sfumato.tables.cells.dimension import Dimension
from sfumato.tables.cells.table import Table
from sfumato.tables.comparison.protection_comparison import ProtectionComparison, compare_protections
from sfumato.tables.pattern import Pattern
from sfumato.tables.perturbation.cell_key_perturbation import CellKeyPerturbation
from sfumato.tables.perturbation.controlled_adjustment import ControlledAdjustment
from sfumato.tables.perturbation.controlled_rounding import ControlledRounding
from sfumato.tables.perturbation.small_count_rounding import SmallCountRounding
from sfumato.tables.perturbation_table import PerturbationTable
from sfumato.tables.problem.given_cell import GivenCell, Status
from sfumato.tables.problem.insiders import Insiders
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protect import apply_protection, find_unsafe, protect, suppress_cells
from sfumato.tables.protected_tables import CellStatus, ProtectedTables, UnsafeTables
from sfumato.tables.protection import Progress, ProtectedCells, Protection
from sfumato.tables.publication.equation import Equation
from sfumato.tables.publication.members import RecordColumns
from sfumato.tables.publication.protect_publication import protect_publication
from sfumato.tables.publication.publication import ProtectedPublication, Publication
from sfumato.tables.publication.table_definition import TableDefinition
from sfumato.tables.record_noise import RecordNoise, noisy_values
from sfumato.tables.rule import AnyOf, Rule, Sensitivity
from sfumato.tables.safe_counts import safe_counts
from sfumato.tables.sensitivity.dominance import Dominance
from sfumato.tables.sensitivity.min_units import MinUnits
from sfumato.tables.sensitivity.p_percent import PPercent
from sfumato.tables.sensitivity.pq import PQ
from sfumato.tables.sensitivity.request import Request
from sfumato.tables.sensitivity.zero_unsafe import ZeroUnsafe
from sfumato.tables.suppression.automatic_suppression import AutomaticSuppression
from sfumato.tables.suppression.heuristic_suppression import HeuristicSuppression
from sfumato.tables.suppression.optimal_suppression import OptimalSuppression
from sfumato.tables.tau_argus.reader import ArgusTable, read_tau_argus
from sfumato.tables.tau_argus.writer import write_tau_argus

PROTECTIONS: dict[str, type[Protection]] = {
    protection.name(): protection
    for protection in (
        AutomaticSuppression,
        CellKeyPerturbation,
        ControlledAdjustment,
        ControlledRounding,
        HeuristicSuppression,
        OptimalSuppression,
        SmallCountRounding,
    )
}
"""Every way to protect a table, by the name that specifications use."""

RULES: dict[str, type[Rule]] = {rule.name(): rule for rule in (Dominance, MinUnits, PPercent, PQ, Request, ZeroUnsafe)}
"""Every sensitivity rule, by the name that specifications use."""

__all__ = [
    "PQ",
    "PROTECTIONS",
    "RULES",
    "AnyOf",
    "ArgusTable",
    "Audit",
    "AutomaticSuppression",
    "CellKeyPerturbation",
    "CellStatus",
    "Certificates",
    "ControlledAdjustment",
    "ControlledRounding",
    "Dimension",
    "Dominance",
    "Equation",
    "Explanation",
    "GivenCell",
    "HeuristicSuppression",
    "Insiders",
    "MinUnits",
    "OptimalSuppression",
    "PPercent",
    "Pattern",
    "PerturbationTable",
    "Problem",
    "Progress",
    "ProtectedCells",
    "ProtectedPublication",
    "ProtectedTables",
    "Protection",
    "ProtectionComparison",
    "Publication",
    "RecordColumns",
    "RecordNoise",
    "Request",
    "Rule",
    "Sensitivity",
    "SmallCountRounding",
    "Status",
    "Table",
    "TableDefinition",
    "UnsafeTables",
    "ZeroUnsafe",
    "apply_protection",
    "audit",
    "certify",
    "compare_protections",
    "draw_record_keys",
    "explain",
    "find_unsafe",
    "noisy_values",
    "protect",
    "protect_publication",
    "read_tau_argus",
    "redundant_secondaries",
    "safe_counts",
    "suppress_cells",
    "verify",
    "what_if_published",
    "write_tau_argus",
]
