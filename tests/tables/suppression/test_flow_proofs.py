"""What flows prove, and for whom something is lacking."""

import numpy as np
from scipy.sparse import csr_array

from sfumato.tables.suppression._flows.flow_proofs import FlowProofs
from sfumato.tables.suppression._flows.local_flows import Flow
from tests.tables.audited_problems import make_problem


def test_names_all_from_whom_no_flow_keeps_a_primary() -> None:
    parts_and_total = csr_array([[1.0, 1.0, 1.0, -1.0]])
    problem = make_problem(np.array([5.0, 3.0, 2.0, 10.0]), parts_and_total, [0], insiders=[[1], [2], [3]])
    proofs = FlowProofs(problem, np.ones((2, 1)))
    assert proofs.all_open_to(0, 0) == {0, 1, 2, 3}
    proofs.add(Flow(np.array([0, 1]), np.array([1.0, -1.0]), price=1.0))
    assert proofs.all_open_to(0, 0) == {1}
    assert proofs.open_to(0, 0) == 1
    proofs.add(Flow(np.array([0, 2]), np.array([1.0, -1.0]), price=1.0))
    assert proofs.all_open_to(0, 0) == set()
    assert proofs.open_to(0, 0) is None
