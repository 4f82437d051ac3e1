"""Classes of equal keys, checked against comparing every record with every other."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sfumato.data import Microdata, Schema
from sfumato.errors import DataError
from sfumato.keys.classes import (
    MissingKeys,
    class_sizes,
    class_sizes_and_weights,
    class_weights,
    coded_keys,
    identifying_keys_remark,
    key_codes,
)
from sfumato.numerics.arrays import CodeMatrix
from sfumato.risk import KAnonymity

CODES = arrays(np.int64, st.tuples(st.integers(1, 3), st.integers(1, 12)), elements=st.integers(-1, 2))


def fits(one: list[int], other: list[int], missing: MissingKeys) -> bool:
    if missing is MissingKeys.CATEGORY:
        return one == other
    return all(a == b or a < 0 or b < 0 for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("missing", MissingKeys)
@given(codes=CODES)
def test_sizes_and_weights_are_those_of_all_records_that_fit(codes: CodeMatrix, missing: MissingKeys) -> None:
    records = codes.T.tolist()
    weights = np.arange(1.0, len(records) + 1)
    fitting = [[fits(one, other, missing) for other in records] for one in records]
    assert class_sizes(codes, missing).tolist() == [sum(row) for row in fitting]
    assert class_weights(codes, weights, missing) == pytest.approx(np.array(fitting, dtype=float) @ weights)
    sizes, summed = class_sizes_and_weights(codes, weights, missing)
    assert sizes.tolist() == class_sizes(codes, missing).tolist()
    assert summed.tolist() == class_weights(codes, weights, missing).tolist()


def test_codes_are_one_row_for_each_key_with_gaps_as_minus_one() -> None:
    data = Microdata(pl.DataFrame({"town": ["B", None, "A"], "sex": ["f", "m", "f"]}))
    assert key_codes(data, ("sex", "town")).tolist() == [[0, 1, 0], [1, -1, 0]]


def test_a_file_without_keys_is_told_how_to_get_some() -> None:
    data = Microdata(pl.DataFrame({"town": ["A", "B"]}))
    with pytest.raises(
        DataError, match=r"KAnonymity\.columns: role\(key\) picks no column .* give columns the role key"
    ):
        KAnonymity().of(data)


def test_a_key_without_a_value_is_refused() -> None:
    frame = pl.DataFrame({"town": ["A", "B"], "sex": [None, None]}, schema={"town": pl.String, "sex": pl.String})
    schema = Schema.infer(frame).with_roles(key=["town", "sex"])
    with pytest.raises(DataError, match=r"KAnonymity\.columns: 'sex' has no observed value; leave it out"):
        KAnonymity().of(Microdata(frame, schema))


def test_a_key_called_like_a_figure_is_refused() -> None:
    data = Microdata(pl.DataFrame({"KAS": ["A", "B"]}))
    with pytest.raises(DataError, match="a column called 'KAS' cannot be told from the figure of that name; rename it"):
        coded_keys(KAnonymity(columns=("KAS",)), data, MissingKeys.WILDCARD)


def test_a_key_of_thousands_of_categories_is_named() -> None:
    codes = np.stack([np.arange(5000), np.arange(5000) % 2, np.arange(5000) // 2])
    assert identifying_keys_remark(("number", "sex", "pair"), codes) == (
        "'number' makes most records unique by itself: recode it into classes, or drop it if nobody can know it"
    )
    assert identifying_keys_remark(("sex", "pair"), codes[1:]) == ""
