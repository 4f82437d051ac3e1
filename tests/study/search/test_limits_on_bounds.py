"""A search under a limit on the worst case goes by what is proven."""

from tests.study.search.examples import COLUMNS, searched


def test_a_method_without_a_proof_is_no_way_to_keep_to_a_limit_on_the_worst_case() -> None:
    swapping = {"rank_swapping": {"columns": COLUMNS, "window": 50}}
    found = searched([swapping, {"mdav": {"columns": COLUMNS, "k": 12}}], limits=["WCL<=60"])
    assert [candidate.label for candidate in found.meeting] == ["mdav 12"]
    assert found.objective.limited == ("WCB",)
    attack = searched([swapping], limits=["WCA<=100"])
    assert attack.best is not None
    with_bound = searched([swapping], limits=["WCL<=99.9"])
    assert with_bound.best is None
    assert "no candidate keeps to WCB <= 99.9" in str(with_bound)
