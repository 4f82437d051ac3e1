import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.errors import DataError
from sfumato.execution import run_step
from sfumato.masking import DropIdentifiers
from tests.data.frames import AsBackend


def test_columns_with_the_role_identifier_go_and_all_else_stays(
    as_backend: AsBackend, awkward_frame: pl.DataFrame, awkward_schema: Schema
) -> None:
    data = Microdata(as_backend(awkward_frame), awkward_schema)
    after = run_step(DropIdentifiers(), data, seed=1, step=0)
    left = tuple(name for name in awkward_schema.names if name != "person_id")
    assert after.schema == awkward_schema.subset(left)
    assert type(after.frame) is type(data.frame)
    assert all(after.table[name].to_list() == data.table[name].to_list() for name in ("region", "age", "tax"))
    assert np.array_equal(after.row_ids, data.row_ids)


def test_columns_of_any_kind_go_by_name_even_empty_ones_and_huge_numbers() -> None:
    frame = pl.DataFrame(
        {"id": [2**60, 2**61], "phone": [None, None], "age": [1.5, 2.5]}, schema_overrides={"phone": pl.String}
    )
    after = DropIdentifiers(columns=("id", "phone")).mask(Microdata(frame), np.random.default_rng())
    assert after.frame.columns == ["age"]


def test_refuses_to_leave_no_column() -> None:
    with pytest.raises(DataError, match=r"DropIdentifiers\.columns: no column would be left"):
        DropIdentifiers(columns=("x",)).mask(Microdata(pl.DataFrame({"x": [1.5]})), np.random.default_rng())


def test_refuses_a_file_whose_schema_names_no_identifier() -> None:
    with pytest.raises(DataError, match=r"DropIdentifiers\.columns: role\(identifier\) picks no column of this file"):
        DropIdentifiers().mask(Microdata(pl.DataFrame({"x": [1.5], "y": [2.5]})), np.random.default_rng())
