"""A bound that an attack exceeds by more than chance is none; one that chance exceeds is told a little larger."""

import pytest

from sfumato.risk.linkage._likelihood_links import held_bound


@pytest.mark.parametrize(
    ("bound", "percent", "expected"),
    [(None, 10.0, None), (20.0, 10.0, 20.0), (20.0, 22.0, 22.0), (20.0, 40.0, None), (0.5, 100.0, None)],
)
def test_what_an_attack_clearly_exceeds_is_no_bound(
    bound: float | None, percent: float, expected: float | None
) -> None:
    assert held_bound(bound, percent, 300) == expected
