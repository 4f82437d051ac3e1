import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.numerics.ranking import stable_order


@given(st.lists(st.one_of(st.integers(-3, 3).map(float), st.floats(-5, 5), st.just(float("nan"))), max_size=30))
def test_order_is_the_stable_one_with_missing_values_last(values: list[float]) -> None:
    column = np.array(values, dtype=np.float64)
    assert stable_order(column).tolist() == np.argsort(column, kind="stable").tolist()
