from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.keys.counting import classes_of
from sfumato.kernels.keys.lattice_classes import codes_at, lost_shares, merge_parts, merge_sizes, number_classes_at

# two keys of three categories after missing (0): as they are, the last two joined, all joined
TABLES = np.array([[[0, 1, 2, 3], [0, 1, 2, 2], [0, 1, 1, 1]]] * 2)
SHARES = np.array([[[1, 1 / 3, 1 / 3, 1 / 3], [1, 1 / 3, 2 / 3, 2 / 3], [1, 1, 1, 1]]] * 2)
files = hnp.arrays(np.int32, st.tuples(st.integers(1, 20), st.just(2)), elements=st.integers(0, 3))
nodes = st.tuples(st.integers(0, 2), st.integers(0, 2)).map(np.array)


@given(keys=files, levels=nodes)
def test_classes_numbered_at_once_are_those_of_the_codes(keys: np.ndarray, levels: np.ndarray) -> None:
    rows = np.arange(len(keys))
    codes = codes_at(TABLES, levels, keys, rows)
    assert codes.T.tolist() == [[TABLES[j, levels[j], key[j]] for j in range(2)] for key in keys.tolist()]
    numbers, count = number_classes_at(TABLES, levels, np.array([4, 4]), keys, rows)
    expected = classes_of(codes)
    assert (numbers.tolist(), count) == (expected.numbers.tolist(), expected.count)


@given(data=st.data())
def test_joined_parts_hold_the_counts_of_each_class_and_value(data: st.DataObject) -> None:
    parts = data.draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(1, 5)), min_size=1))
    numbers = classes_of(np.array([[part[0] for part in parts]])).numbers
    values, sizes = np.array([part[1] for part in parts]), np.array([part[2] for part in parts])
    rows, count = np.arange(numbers.size), int(numbers.max()) + 1
    starts, new_rows, new_values, new_sizes = merge_parts(numbers, count, rows, values, sizes, 3)
    held = np.repeat(np.arange(count), np.diff(starts))
    expected: Counter[tuple[int, int]] = Counter()
    for number, value, size in zip(numbers.tolist(), values.tolist(), sizes.tolist(), strict=True):
        expected[number, value] += size
    joined = zip(held.tolist(), new_values.tolist(), new_sizes.tolist(), strict=True)
    assert {(number, value): size for number, value, size in joined} == expected
    assert numbers[new_rows].tolist() == held.tolist()
    _, _, _, totals = merge_sizes(numbers, count, rows, sizes)
    assert totals.tolist() == np.bincount(numbers, weights=sizes).tolist()


@given(keys=files, levels=nodes, data=st.data())
def test_lost_shares_are_what_unsafe_records_still_told(
    keys: np.ndarray, levels: np.ndarray, data: st.DataObject
) -> None:
    n = len(keys)
    states = data.draw(hnp.arrays(np.int8, n, elements=st.integers(0, 2)))
    sizes = data.draw(hnp.arrays(np.int64, n, elements=st.integers(1, 9)))
    lost = lost_shares(states, 2, np.arange(n + 1), np.arange(n), sizes, keys, levels, SHARES)
    told = [sum(sizes[i] * (1 - SHARES[j, levels[j], keys[i, j]]) for i in range(n) if states[i] < 2) for j in range(2)]
    assert lost[0] == sizes[states < 2].sum()
    assert np.allclose(lost[1:], told)
