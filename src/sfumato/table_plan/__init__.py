"""Specifications of tables: YAML files that say where tables come from, what is unsafe and how to protect it."""

from sfumato.table_plan.build_tables import PlannedTables, build_tables
from sfumato.table_plan.plan import TablePlan
from sfumato.table_plan.protect_plan import find_unsafe_cells, protect_plan

__all__ = ["PlannedTables", "TablePlan", "build_tables", "find_unsafe_cells", "protect_plan"]
