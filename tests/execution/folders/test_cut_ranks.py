import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.execution.folders.cut_ranks import cut_positions

numbers = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e75, 1e75), st.just(-0.0))
columns = st.lists(st.lists(numbers, max_size=12), min_size=1, max_size=5)


@given(columns, st.data())
@settings(max_examples=60)
def test_the_lower_parts_hold_the_ranks_that_a_stable_sort_of_all_gives(
    found: list[list[float]], data: st.DataObject
) -> None:
    sorted_columns = [np.append(np.sort(column, kind="stable"), np.nan) for column in map(np.array, found)]
    total = sum(map(len, found))
    if not total:
        return
    ranks = sorted(data.draw(st.sets(st.integers(0, total - 1), min_size=1, max_size=4)))
    source = np.repeat(np.arange(len(found)), [len(column) for column in found])
    order = np.argsort(np.concatenate([column[:-1] for column in sorted_columns]), kind="stable")
    wanted = [np.bincount(source[order[:rank]], minlength=len(found)).tolist() for rank in ranks]
    assert cut_positions(sorted_columns, ranks) == wanted
