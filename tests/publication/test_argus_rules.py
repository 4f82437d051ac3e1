"""Safety rules of batches are the rules of tables that mean the same."""

import pytest

from sfumato.errors import FileError
from sfumato.publication.argus_rules import is_of_holdings, is_set, manual_margin, rules_of
from sfumato.tables import PQ, Dominance, MinUnits, PPercent, Request, Rule
from sfumato.tables.tau_argus.batch import Call


@pytest.mark.parametrize(
    ("name", "numbers", "rule"),
    [
        ("P", (15.0,), PPercent(p=15)),
        ("P", (15.0, 2.0), PPercent(p=15, followers=2)),
        ("P", (25.0, 100.0, 1.0), PPercent(p=25)),
        ("P", (10.0, 50.0, 2.0), PQ(p=10, q=50, followers=2)),
        ("NK", (2.0, 75.0), Dominance(n=2, max_percent=75)),
        ("FREQ", (3.0, 20.0), MinUnits(units=3, margin=20)),
        ("REQ", (60.0, 40.0, 3.0, 10.0), Request(max_percent=40, margin=10)),
        ("REQ", (60.0, 0.0, 25.0), Request(max_percent=60, margin=25)),
    ],
)
def test_a_rule_is_read_with_its_numbers(name: str, numbers: tuple[float, ...], rule: Rule) -> None:
    assert rules_of([Call(name, numbers)], "job.arb") == (rule,)


def test_rules_without_numbers_and_choices_are_no_rules() -> None:
    calls = [Call("P", (0.0, 0.0)), Call("P", (0.0, 0.0)), Call("P", (10.0, 1.0)), Call("MIS", (1.0,))]
    assert rules_of(calls, "job.arb") == (PPercent(p=10),)
    assert is_of_holdings(calls)
    assert not is_of_holdings(calls[1:])
    assert is_set(calls, "MIS")
    assert not is_set([Call("MIS", (0.0,))], "MIS")
    assert manual_margin(calls) == 20.0
    assert manual_margin([Call("MAN", (35.0,))]) == 35.0


def test_an_estimate_that_gets_worse_is_refused() -> None:
    with pytest.raises(FileError, match=r"job.arb: P\(p,q,n\) needs a p below q.*got P\(50,10,1\)"):
        rules_of([Call("P", (50.0, 10.0, 1.0))], "job.arb")
