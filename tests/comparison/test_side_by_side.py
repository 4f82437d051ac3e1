"""Original and masked side by side."""

from unittest.mock import patch

import numpy as np
import polars as pl
import pytest

from sfumato.comparison.side_by_side import side_by_side
from sfumato.contracts import Correspondence
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, KindError
from sfumato.kernels.neighbours.nearest import nearest_rows
from sfumato.risk import DistanceLinkage

NAN = float("nan")


def file(values: list[object], kind: Kind, row_ids: list[int] | None = None, **described: object) -> Microdata:
    described_schema = Schema(variables=(Variable(name="level", kind=kind, **described),))
    ids = None if row_ids is None else np.array(row_ids)
    return Microdata(pl.DataFrame({"level": values}, strict=False), described_schema, ids)  # type: ignore[arg-type]


def compared(original: Microdata, masked: Microdata, correspondence: str = "true_record") -> tuple[list[float], ...]:
    found = side_by_side(DistanceLinkage(columns=("level",)), original, masked, Correspondence(correspondence))
    return found.original[:, 0].tolist(), found.masked[:, 0].tolist(), found.rows.tolist()


def test_ordinal_codes_are_those_of_the_original_even_where_masking_emptied_a_category() -> None:
    original, masked = file([1, 2, 3, 5], Kind.ORDINAL), file([1, 3, 3, 5], Kind.ORDINAL)
    assert compared(original, masked)[:2] == ([0, 1, 2, 3], [0, 2, 2, 3])


def test_ordinal_text_follows_its_declared_order_with_missing_as_nan() -> None:
    order = ("low", "middle", "high")
    original = file(["high", "low", "middle"], Kind.ORDINAL, categories=order)
    masked = file(["high", None, "low"], Kind.ORDINAL, categories=order)
    before, after, _ = compared(original, masked)
    assert before == [2, 0, 1]
    assert np.array_equal(after, [2, NAN, 0], equal_nan=True)


def test_refuses_categories_that_only_the_masked_file_has_without_naming_them() -> None:
    original, masked = file([1, 2, 3], Kind.ORDINAL), file([1, 77, 88], Kind.ORDINAL)
    with pytest.raises(DataError, match="'level' has 2 categories in the masked file") as refused:
        compared(original, masked)
    assert "77" not in str(refused.value)


def test_refuses_to_compare_a_category_with_a_number() -> None:
    original, masked = file([1, 2, 3], Kind.ORDINAL), file([1.0, 2.5, 3.0], Kind.CONTINUOUS)
    with pytest.raises(KindError, match="'level' is ordinal in the original and continuous in the masked file"):
        compared(original, masked)


def test_records_are_matched_by_id() -> None:
    original = file([1.0, 2.0, 3.0], Kind.CONTINUOUS, row_ids=[10, 20, 30])
    masked = file([3.1, 1.1], Kind.CONTINUOUS, row_ids=[30, 10])
    assert compared(original, masked)[2] == [2, 0]


def test_records_are_matched_to_the_nearest_when_asked() -> None:
    original = file([1.0, 2.0, 30.0], Kind.CONTINUOUS)
    masked = file([28.0, 1.9, 1.2], Kind.CONTINUOUS)
    assert compared(original, masked, "nearest_record")[2] == [2, 1, 0]


def test_a_record_with_nothing_to_compare_belongs_to_its_own_original() -> None:
    original, masked = file([1.0, 2.0, 30.0], Kind.CONTINUOUS), file([30.0, None, 1.0], Kind.CONTINUOUS)
    assert compared(original, masked, "nearest_record")[2] == [2, 1, 0]


def test_the_nearest_records_are_looked_for_once_for_the_same_files_and_columns_only() -> None:
    one, other = (Microdata(pl.DataFrame({"a": a, "b": [3.0, 1.0, 2.0]})) for a in ([1.0, 2.0, 3.0], [2.0, 3.0, 1.0]))
    masked = Microdata(pl.DataFrame({"a": [3.0, 1.0, 2.0], "b": [1.0, 2.0, 3.0]}))

    def nearest(original: Microdata, name: str) -> list[int]:
        measure = DistanceLinkage(columns=(name,))
        rows: list[int] = side_by_side(measure, original, masked, Correspondence.NEAREST_RECORD).rows.tolist()
        return rows

    with patch("sfumato.comparison.side_by_side.nearest_rows", wraps=nearest_rows) as looked:
        assert [nearest(one, "a"), nearest(one, "a")] == [[2, 0, 1], [2, 0, 1]]
        assert looked.call_count == 1
        assert nearest(one, "b") == [1, 2, 0]
        assert nearest(other, "b") == [1, 2, 0]
        assert nearest(other, "a") == [1, 2, 0]
        assert looked.call_count == 4
