"""Specifications of tables: YAML files that say where tables come from, what is unsafe and how to protect it."""

from sfumato.table_plan.making import MadeTables, made_tables
from sfumato.table_plan.plan import TablePlan
from sfumato.table_plan.protecting import suppressed
from sfumato.table_plan.reading import read_table_plan

__all__ = ["MadeTables", "TablePlan", "made_tables", "read_table_plan", "suppressed"]
