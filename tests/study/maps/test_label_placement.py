import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.study.maps.label_placement import Box, inside, overlap, place_labels

AREA = Box(0.0, 0.0, 300.0, 200.0)
NO_INK = np.empty((0, 2))
RADIUS = 3.0

crowds = hnp.arrays(np.float64, st.tuples(st.integers(1, 15), st.just(2)), elements=st.floats(5, 195))


def share_inside(one: Box, other: Box) -> bool:
    """Say by the definition whether two boxes overlap: both their widths and their heights do."""
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.top, other.top) - max(one.bottom, other.bottom)
    return wide > 1e-9 and high > 1e-9


@given(marks=crowds, width=st.floats(5, 80))
def test_labels_overlap_neither_each_other_nor_marks_and_stay_in_the_area(marks: np.ndarray, width: float) -> None:
    labelled = list(range(len(marks)))
    sizes = np.tile([width, 9.0], (len(marks), 1))
    boxes = [p.box for p in place_labels(marks, RADIUS, labelled, sizes, NO_INK, AREA) if p is not None]
    mark_boxes = [Box(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for x, y in marks]
    for number, box in enumerate(boxes):
        assert not any(share_inside(box, other) for other in boxes[:number])
        assert not any(share_inside(box, mark) for mark in mark_boxes)
        assert box.left >= 0
        assert box.bottom >= 0
        assert box.right <= AREA.right
        assert box.top <= AREA.top


@given(boxes=hnp.arrays(np.float64, (6, 4), elements=st.integers(0, 12).map(float)))
def test_overlap_agrees_with_its_definition(boxes: np.ndarray) -> None:
    boxes[:, 2:] = boxes[:, :2] + boxes[:, 2:] + 1.0  # sides in order
    named = [Box(*row) for row in boxes]
    expected = [[share_inside(one, other) for other in named] for one in named]
    assert overlap(boxes, boxes).tolist() == expected


def test_inside_counts_the_edge() -> None:
    points = np.array([[1.0, 1.0], [2.0, 2.0], [2.1, 2.0]])
    assert inside(points, np.array([[1.0, 1.0, 2.0, 2.0]])).tolist() == [[True, True, False]]


def test_a_lone_label_stands_at_the_upper_right_without_a_leader() -> None:
    (placement,) = place_labels(np.array([[100.0, 100.0]]), RADIUS, [0], np.array([[40.0, 9.0]]), NO_INK, AREA)
    assert placement is not None
    assert placement.box.left > 100
    assert placement.box.bottom > 100
    assert not placement.has_leader


def test_a_label_keeps_off_lines_where_it_can() -> None:
    line = np.column_stack([np.arange(100.0, 200.0), np.arange(100.0, 200.0)])  # towards the upper right
    (placement,) = place_labels(np.array([[100.0, 100.0]]), RADIUS, [0], np.array([[40.0, 9.0]]), line, AREA)
    assert placement is not None
    assert not inside(line, np.array([placement.box])).any()


def test_a_label_that_must_go_far_has_a_leader() -> None:
    steps = np.arange(-12.0, 13.0, 6.0)
    wall = np.array([[100.0 + x, 100.0 + y] for x in steps for y in steps if max(abs(x), abs(y)) > 6])
    marks = np.vstack([[100.0, 100.0], wall])
    (placement,) = place_labels(marks, 1.0, [0], np.array([[30.0, 9.0]]), NO_INK, AREA)
    assert placement is not None
    assert placement.has_leader


def test_the_less_important_label_is_left_out_where_there_is_room_for_one() -> None:
    narrow = Box(0.0, 0.0, 50.0, 9.0)
    marks = np.array([[4.0, 4.5], [4.0, 4.5]])
    placements = place_labels(marks, RADIUS, [1, 0], np.full((2, 2), [40.0, 9.0]), NO_INK, narrow)
    assert placements[0] is not None
    assert placements[1] is None


def test_nothing_to_label_is_fine() -> None:
    assert place_labels(np.array([[1.0, 1.0]]), RADIUS, [], np.empty((0, 2)), NO_INK, AREA) == []
