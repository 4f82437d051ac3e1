"""What an attack found is told as a lower end wherever more is not ruled out."""

import pytest

from sfumato.contracts.figure_ends import format_both_ends, leaves_much, lower_end, not_ruled_out


@pytest.mark.parametrize(
    ("found", "bound", "is_far"),
    [
        (32.5, 33.9, False),
        (75.1, 80.3, False),
        (96.0, 100.0, False),
        (16.9, 29.0, True),  # twelve points
        (4.4, 7.6, True),  # nearly twice as much
        (0.4, 2.7, False),
        (4.4, 6.0, False),
        (38.0, 99.87, True),
        (3.0, None, True),
    ],
)
def test_how_much_is_not_ruled_out_is_told_where_the_bound_is_far(
    found: float, bound: float | None, is_far: bool
) -> None:
    assert leaves_much(found, bound) is is_far
    assert lower_end(found, bound) == "at least "
    assert bool(not_ruled_out(found, bound)) is is_far


@pytest.mark.parametrize(("found", "bound"), [(20.0, 20.0), (19.95, 20.0), (100.0, 100.0), (100.0, None)])
def test_a_figure_that_nobody_exceeds_is_no_lower_end(found: float, bound: float | None) -> None:
    assert lower_end(found, bound) == ""


def test_what_is_not_ruled_out_is_the_bound_and_all_without_one() -> None:
    assert not_ruled_out(3.0, None) == "so many were found, and up to 100 % are not ruled out"
    assert not_ruled_out(38.0, 99.87).endswith("up to 99.9 % are not ruled out")
    assert format_both_ends(38.0, 99.87) == "at least 38.00, not ruled out up to 99.87"
    assert format_both_ends(32.5, 33.9) == "32.50 to 33.90"
