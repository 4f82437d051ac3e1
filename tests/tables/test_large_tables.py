"""Large and linked reference tables: safe by the audit, and cheaper than what other tools hide."""

import numpy as np
import pytest

from sfumato.tables.auditing.audit import audit
from sfumato.tables.cells.linking import link
from sfumato.tables.cells.table import Table
from sfumato.tables.hiding.flow_heuristic import suppress_by_flows
from sfumato.tables.problem import Problem
from sfumato.tables.stating import state
from sfumato.tables.unsafe.rules import PPercent
from tests.tables.reference_files import reference_frame, reference_hierarchy, with_numbers

pytestmark = pytest.mark.reference

LINKED_MODULAR = 524_093 + 838_706  # what tau-Argus hides in the two linked tables, all its options on


def stated(tables: list[Table], p: float) -> Problem:
    linked = link(tables)
    return state(linked, [PPercent(p=p).find(table) for table in linked.tables], insiders=False)


def enterprises(other: str) -> Table:
    frame = with_numbers(reference_frame("tauargus_example_enterprise_micro"), "turnover")
    by = {
        "act": reference_hierarchy("tauargus_nace_divisions_hrc"),
        other: reference_hierarchy("tauargus_KohStatReg_hrc") if other == "region" else None,
    }
    return Table.from_records(frame, by, "turnover", holding="h_id", missing="00")


def test_industry_by_region_is_safe_and_hides_less_than_eight_million() -> None:
    # GaussSuppression hides 9.759 million and leaves 80 primaries below their level; linear programmes over the whole
    # table for one primary after the other hide 8.106 million.
    frame = with_numbers(reference_frame("tauargus_tau_testW_micro"), "Var2")
    by = {
        "IndustryCode": reference_hierarchy("tauargus_industry_hrc"),
        "Region": reference_hierarchy("tauargus_region2_hrc"),
    }
    problem = stated([Table.from_records(frame, by, "Var2")], 15.0)
    pattern = suppress_by_flows(problem)
    assert problem.primaries.size == 1676
    assert audit(problem, pattern.suppressed, intervals="unprotected").is_safe
    assert 5.9e6 < pattern.bound < pattern.cost < 8.0e6


def test_linked_tables_are_safe_together_and_hide_less_than_tau_argus_does() -> None:
    problem = stated([enterprises("product"), enterprises("region")], 10.0)
    pattern = suppress_by_flows(problem)
    assert audit(problem, pattern.suppressed, intervals="unprotected").is_safe
    assert pattern.cost < 0.7 * LINKED_MODULAR
    assert 0 < pattern.gap < 0.2
    assert np.isclose(pattern.cost, problem.cost(pattern.suppressed))
