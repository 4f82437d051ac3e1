from sfumato.kernels.microaggregation.queue import WAITING, put, queue_for, take


def test_records_wait_once_and_leave_in_the_order_they_came() -> None:
    queue = queue_for(3)
    for record in (2, 0, 2):
        put(queue, record)
    assert take(queue) == 2
    for record in (1, 2):
        put(queue, record)
    assert [take(queue) for _ in range(3)] == [0, 1, 2]
    assert queue.ends[WAITING] == 0
