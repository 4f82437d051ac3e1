"""The pq rule."""

from sfumato.tables import PQ, PPercent
from tests.tables.sensitivity.single_cells import one_cell, verdict


def test_pq_is_p_percent_of_p_over_q() -> None:
    contributions = [100, 30, 12, 3]
    assert verdict(one_cell(contributions), PQ(p=10, q=50)) == verdict(one_cell(contributions), PPercent(p=20))
