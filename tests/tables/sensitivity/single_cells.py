"""Tables of one cell, and what a rule says of it."""

import polars as pl

from sfumato.tables import Rule, Table


def one_cell(contributions: list[int]) -> Table:
    """Return a table of the given contributions to one cell."""
    firms = pl.DataFrame({"town": ["A"] * len(contributions), "sales": contributions})
    return Table.from_records(firms, ["town"], "sales", keep=4)


def verdict(table: Table, rule: Rule) -> tuple[bool, float]:
    """Return whether the cell of town A is unsafe, and its level."""
    found = rule.find(table)
    cell = table.cell(town="A")
    return bool(found.unsafe[cell]), float(found.levels[cell])
