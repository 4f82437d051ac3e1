from sfumato.kernels.microaggregation.record_queue import COUNT, dequeue, empty_queue, enqueue


def test_records_wait_once_and_leave_in_the_order_they_came() -> None:
    queue = empty_queue(3)
    for record in (2, 0, 2):
        enqueue(queue, record)
    assert dequeue(queue) == 2
    for record in (1, 2):
        enqueue(queue, record)
    assert [dequeue(queue) for _ in range(3)] == [0, 1, 2]
    assert queue.ends[COUNT] == 0
