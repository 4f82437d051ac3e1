"""Sums of products in one thread."""

from threadpoolctl import threadpool_info

from sfumato.numerics.one_thread import one_thread


def test_every_library_that_multiplies_runs_in_one_thread_and_has_its_own_afterwards() -> None:
    before = [library["num_threads"] for library in threadpool_info()]
    with one_thread():
        inside = {library["num_threads"] for library in threadpool_info()}
    assert inside == {1}
    assert [library["num_threads"] for library in threadpool_info()][: len(before)] == before
