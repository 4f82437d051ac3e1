"""What must be known before a release is said with counts, and nothing is said where nobody is concerned."""

import numpy as np
import polars as pl

from sfumato.data import Microdata
from sfumato.protection.remarks import gap_remarks


def test_gaps_that_all_come_from_one_rare_category_are_counted() -> None:
    sex = np.array([*"fm" * 50, *"d" * 7])
    kept = [None if value == "d" else value for value in sex]
    some = [None if place % 9 == 0 else value for place, value in enumerate(sex)]
    data = Microdata(pl.DataFrame({"sex": sex, "other": sex}))
    masked = Microdata(pl.DataFrame({"sex": kept, "other": some}))
    found = gap_remarks(data, masked, ("sex", "other"))
    assert [remark.split(",")[0] for remark in found] == ["sex: 7 of the 7 gaps had one and the same value before"]


def test_gaps_are_compared_by_the_classes_that_others_are_released_in() -> None:
    age = np.arange(100) % 50
    classes = np.where(age < 40, "below 40", "40 or more")
    rare = [
        None if value >= 40 and place > 60 else name
        for place, (value, name) in enumerate(zip(age, classes, strict=True))
    ]
    common = [
        None if value < 40 and place > 60 else name
        for place, (value, name) in enumerate(zip(age, classes, strict=True))
    ]
    data = Microdata(pl.DataFrame({"age": age, "years": age}))
    masked = Microdata(pl.DataFrame({"age": rare, "years": common}))
    assert [remark.partition(":")[0] for remark in gap_remarks(data, masked, ("age", "years"))] == ["age"]
