"""The rule for cells whose units all have nothing."""

from sfumato.tables import ZeroUnsafe
from tests.tables.sensitivity.single_cells import one_cell, verdict


def test_zero_unsafe_suppresses_cells_whose_units_all_have_nothing() -> None:
    assert verdict(one_cell([0, 0]), ZeroUnsafe(protection_level=5)) == (True, 5.0)
    assert verdict(one_cell([0, 1]), ZeroUnsafe(protection_level=5)) == (False, 0.0)
