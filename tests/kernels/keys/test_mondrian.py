import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.keys.mondrian import box_extremes, boxes_of

files = hnp.arrays(np.int64, st.tuples(st.integers(1, 3), st.integers(4, 40)), elements=st.integers(-1, 6))


def boxes(codes: np.ndarray, records: int, sensitive: np.ndarray | None = None, different: int = 0) -> np.ndarray:
    d, n = codes.shape
    none = np.zeros(7 * d, dtype=np.int64)
    numbers, count = boxes_of(
        codes,
        np.tile(np.arange(7) / 6, d),
        np.arange(0, 7 * d + 1, 7),
        none,
        none,
        np.zeros(d, dtype=np.bool_),
        np.zeros(n, dtype=np.int64) if sensitive is None else sensitive,
        records,
        different,
    )
    assert set(numbers) == set(range(count))
    return numbers


@given(codes=files, records=st.integers(2, 4))
def test_boxes_have_enough_records_and_cannot_be_cut_once_more(codes: np.ndarray, records: int) -> None:
    numbers = boxes(codes, records)
    for box in range(numbers.max() + 1):
        inside = codes[:, numbers == box]
        assert inside.shape[1] >= records
        for key in inside:
            for cut in range(7):
                left = int((key < cut).sum())
                assert min(left, key.size - left) < records or (key >= 0).sum() == 0 or np.ptp(key[key >= 0]) == 0


@given(codes=files)
def test_equal_records_share_a_box(codes: np.ndarray) -> None:
    numbers = boxes(codes, 2)
    by_record: dict[tuple[int, ...], int] = {}
    for record, number in zip(codes.T.tolist(), numbers.tolist(), strict=True):
        assert by_record.setdefault(tuple(record), number) == number


@given(codes=files, data=st.data())
def test_boxes_have_enough_sensitive_values_where_the_file_has(codes: np.ndarray, data: st.DataObject) -> None:
    sensitive = data.draw(hnp.arrays(np.int64, codes.shape[1], elements=st.integers(-1, 3)))
    sensitive[:2] = (0, 1)
    numbers = boxes(codes, 2, sensitive, 2)
    for box in range(numbers.max() + 1):
        assert len(set(sensitive[numbers == box]) - {-1}) >= 2


@given(values=hnp.arrays(np.float64, 12, elements=st.floats(-5, 5)))
def test_extremes_are_those_of_each_box(values: np.ndarray) -> None:
    numbers = np.arange(12) % 3
    low, high = box_extremes(values, numbers, 3)
    assert low.tolist() == [values[numbers == box].min() for box in range(3)]
    assert high.tolist() == [values[numbers == box].max() for box in range(3)]
