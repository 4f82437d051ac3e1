import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.microaggregation.neighbour_lists import nearest_others

points_with_ties = hnp.arrays(
    np.float64, st.tuples(st.integers(1, 25), st.integers(1, 3)), elements=st.integers(0, 3).map(float)
)


@given(points=points_with_ties, count=st.integers(1, 30))
def test_no_other_record_is_nearer_than_those_listed(points: np.ndarray, count: int) -> None:
    found = nearest_others(points, count)
    assert found.shape == (len(points), min(count, len(points) - 1))
    for row, listed in enumerate(found):
        distances = ((points - points[row]) ** 2).sum(axis=1)
        assert row not in listed
        assert len(set(listed.tolist())) == listed.size
        assert distances[listed].tolist() == np.sort(np.delete(distances, row))[: listed.size].tolist()


def test_more_records_in_one_place_than_are_asked_for_leave_the_record_itself_out() -> None:
    found = nearest_others(np.zeros((50, 2)), 3)
    assert not (found == np.arange(50)[:, None]).any()
