"""Large and linked reference tables: safe by the audit, and cheaper than what other tools suppress."""

import numpy as np
import pytest

from sfumato.tables.audit.audit import audit
from sfumato.tables.suppression.heuristic_suppression import suppress_by_flows
from tests.tables.reference_tables import LINKED_MODULAR, by_p_percent, enterprises, industries

pytestmark = pytest.mark.reference


def test_industry_by_region_is_safe_and_suppresses_less_than_eight_million() -> None:
    # GaussSuppression takes 9.759 million and leaves 80 primaries below their level; linear programmes over the whole
    # table for one primary after the other suppress 8.106 million.
    problem = by_p_percent([industries()], 15.0)
    pattern = suppress_by_flows(problem)
    assert problem.primaries.size == 1676
    assert audit(problem, pattern.suppressed, intervals="unprotected").is_safe
    assert 5.9e6 < pattern.bound < pattern.cost < 8.0e6


def test_linked_tables_are_safe_together_and_suppress_less_than_tau_argus_does() -> None:
    problem = by_p_percent([enterprises("product"), enterprises("region")], 10.0)
    pattern = suppress_by_flows(problem)
    assert audit(problem, pattern.suppressed, intervals="unprotected").is_safe
    assert pattern.cost < 0.7 * LINKED_MODULAR
    assert 0 < pattern.gap < 20
    assert np.isclose(pattern.cost, problem.cost(pattern.suppressed))
