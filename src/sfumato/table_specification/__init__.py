"""Specifications of tables: YAML files that say where tables come from, what is unsafe and how to protect it."""

from sfumato.table_specification.build_tables import SpecifiedTables, build_tables
from sfumato.table_specification.protect_tables import find_unsafe_cells, protect_tables
from sfumato.table_specification.specification import TableSpecification

__all__ = ["SpecifiedTables", "TableSpecification", "build_tables", "find_unsafe_cells", "protect_tables"]
