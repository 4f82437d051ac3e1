"""Columns that no figure of loss looks at are named."""

import datetime as dt

import numpy as np
import polars
import pytest

from sfumato.assessment import assess
from sfumato.data import Microdata, Schema
from sfumato.masking import SequentialSynthesis

SCHEMA = Schema.from_yaml(
    "variables: {age: {kind: continuous}, town: {kind: nominal}, seen: {kind: date}, "
    "weight: {kind: continuous, role: weight}}"
)
START = "No figure of loss looks at these columns: "


def people(seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    days = [dt.date(2024, 1, 1) + dt.timedelta(days=int(day)) for day in rng.integers(0, 80, 60)]
    towns, weights = rng.choice(["A", "B"], 60), rng.uniform(1, 3, 60)
    return Microdata(
        polars.DataFrame({"age": rng.normal(40, 9, 60), "town": towns, "seen": days, "weight": weights}), SCHEMA
    )


def test_dates_and_weights_of_a_synthetic_file_are_named_in_text_page_and_json() -> None:
    drawn = SequentialSynthesis(columns=("age", "town", "seen", "weight"))
    found = assess(people(1), people(2), methods=[drawn])
    remark = next(one for one in found.remarks if one.startswith(START))
    assert remark.startswith(f"{START}seen, weight.")
    assert remark in found.to_dict()["remarks"]
    assert remark in " ".join(str(found).split())
    assert remark in found.to_html()


def test_columns_that_a_loss_looks_at_or_that_kept_their_values_are_not() -> None:
    original = people(1)
    moved = Microdata(original.frame.with_columns(polars.col("seen").dt.offset_by("3d")), SCHEMA)
    assert not [one for one in assess(original, moved, same_order=True).remarks if one.startswith(START)]


def test_a_column_whose_values_only_changed_places_is_named() -> None:
    original = people(1)
    shuffled = Microdata(original.frame.with_columns(polars.col("weight").reverse()), SCHEMA)
    remarks = assess(original, shuffled, same_order=True).remarks
    assert any(one.startswith(f"{START}weight.") for one in remarks)


def test_suppressed_values_of_a_number_that_became_classes_are_counted_too() -> None:
    frame = polars.DataFrame({"age": [20.0, 31.0, 42.0, 53.0, 64.0, 75.0], "tax": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]})
    original = Microdata(frame)
    original = original.with_schema(
        original.schema.with_kinds(continuous=["age", "tax"]).with_roles(key=["age"], other=["tax"])
    )
    classes = ["young", None, "young", "old", None, None]
    masked = Microdata(frame.with_columns(polars.Series("age", classes)))
    masked = masked.with_schema(
        masked.schema.with_kinds(nominal=["age"], continuous=["tax"]).with_roles(key=["age"], other=["tax"])
    )
    found = assess(original, masked, same_order=True)
    assert found.values["SUPN"] == 3
    assert found.values["SUP"] == pytest.approx(100 * 3 / 12)
    assert "age" in str(found)  # it is still told that no other loss compares it
