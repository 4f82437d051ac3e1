"""A limit is a promise: it counts what nobody exceeds."""

import pytest

from sfumato.contracts import Measurement, hold_limit, limited_symbol
from sfumato.parameters.limits import read_limits
from sfumato.plugins import MEASURES
from sfumato.risk import LikelihoodLinkage, WorstCaseLinkage

(LIMIT,) = read_limits(["WCL<=10"])


def found(value: float, bound: float | None, unproven: tuple[str, ...] = ()) -> Measurement:
    return Measurement("worst_case_linkage", "WCL", value, bound=bound, unproven=unproven)


@pytest.mark.parametrize(
    ("value", "bound", "is_met", "said"),
    [
        (5.0, 7.5, True, "an attack links at least 5.00 %, and nobody more than 7.50 %"),
        (5.0, 10.0, True, "and nobody more than 10.00 %"),
        (
            5.0,
            12.5,
            False,
            "not shown: an attack links at least 5.00 %, but it is proven only that nobody links more",
        ),
        (5.0, 100.0, False, "not shown: an attack links at least 5.00 %, but no bound is proven for rank_swapping"),
        (24.0, 100.0, False, "an attack links at least 24.00 %"),
        (24.0, 27.0, False, "an attack links at least 24.00 %"),
        (9.9, 9.9, True, "an attack links 9.90 %, and nobody more than 9.90 %"),
    ],
)
def test_it_is_met_only_where_that_is_proven(value: float, bound: float, is_met: bool, said: str) -> None:
    held = hold_limit(LIMIT, found(value, bound, ("rank_swapping",)))
    assert (held.figure, held.is_met) == (bound, is_met)
    assert held.reason.startswith(said) or said in held.reason
    assert held.reason.startswith("not shown") is (value <= 10 < bound)


def test_a_figure_without_a_bound_counts_itself() -> None:
    assert hold_limit(LIMIT, found(5.0, None)) == (5.0, True, "")
    assert hold_limit(LIMIT, found(15.0, None)) == (15.0, False, "")


def test_every_measure_with_a_bound_has_a_symbol_for_each_end() -> None:
    bounded = {measure for measure in MEASURES.values() if measure.bound_symbol}
    assert bounded == {WorstCaseLinkage, LikelihoodLinkage}
    for measure in bounded:
        assert {measure.bound_symbol, measure.attack_symbol} <= set(measure.part_symbols)
        assert limited_symbol(measure.symbol, bounded) == measure.bound_symbol
        for symbol in measure.part_symbols:
            assert limited_symbol(symbol, bounded) == symbol
