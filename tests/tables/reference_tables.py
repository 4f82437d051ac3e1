"""The tables that the field's examples make of the reference records, and the problem of protecting them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from sfumato.tables import PPercent
from sfumato.tables.cells.linked_tables import link
from sfumato.tables.cells.table import Table
from sfumato.tables.problem.build_problem import build_problem
from sfumato.tables.problem.insiders import Insiders
from sfumato.tables.problem.problem import Problem
from tests.tables.reference_files import reference_frame, reference_hierarchy, with_numbers

LINKED_MODULAR = 524_093 + 838_706  # what tau-Argus suppresses in activity x product and x region, all its options on


@cache
def simple_2d(weight: str | None = None) -> Table:
    """Return size by region: 119 cells, nine of them unsafe by the p % rule, p = 15, without weights."""
    frame = with_numbers(reference_frame("tauargus_tau_testW_micro"), "Var2", "Wgt")
    regions = reference_hierarchy("tauargus_region2_hrc")
    return Table.from_records(frame, {"Size": None, "Region": regions}, "Var2", missing="99", weight=weight)


@cache
def enterprises(other: str) -> Table:
    """Return activity by product or by region, on holdings: 290 and 346 cells unsafe by the p % rule, p = 10."""
    frame = with_numbers(reference_frame("tauargus_example_enterprise_micro"), "turnover")
    by = {
        "act": reference_hierarchy("tauargus_nace_divisions_hrc"),
        other: reference_hierarchy("tauargus_KohStatReg_hrc") if other == "region" else None,
    }
    return Table.from_records(frame, by, "turnover", holding="h_id", missing="00")


@cache
def industries() -> Table:
    """Return industry by region: 8259 cells, 1676 of them unsafe by the p % rule, p = 15."""
    by = {
        "IndustryCode": reference_hierarchy("tauargus_industry_hrc"),
        "Region": reference_hierarchy("tauargus_region2_hrc"),
    }
    return Table.from_records(with_numbers(reference_frame("tauargus_tau_testW_micro"), "Var2"), by, "Var2")


def by_p_percent(tables: Sequence[Table], p: float, insiders: Insiders = Insiders.NONE) -> Problem:
    """Return the problem of protecting tables together, with cells unsafe by the p % rule."""
    linked = link(tables)
    return build_problem(linked, [PPercent(p=p).find(table) for table in linked.tables], insiders=insiders)


def of_unknown_units(table: Table, p: float) -> Problem:
    """Return the problem of a table that does not say who its units are, with neighbours kept from exact values."""
    unknown = link([replace(table, contributions=None)])
    return build_problem(unknown, [PPercent(p=p).find(table)], insiders=Insiders.NEIGHBOURS)
