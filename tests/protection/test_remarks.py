"""What must be known before a release is said with counts, and nothing is said where nobody is concerned."""

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.data import Microdata, Schema
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


def people() -> Microdata:
    rng = np.random.default_rng(2)
    tax = rng.lognormal(6, 1, 90).round()
    tax[:2] = -9
    frame = pl.DataFrame(
        {
            "sex": [*"fm" * 45],
            "tax": tax,
            "weight": rng.permutation(90) + 10.5,
            "score": rng.normal(size=90),
            "hobby": ["chess"] * 89 + ["falconry"],
        }
    )
    schema = Schema.infer(frame).with_kinds(continuous=["tax", "weight", "score"])
    schema = schema.with_roles(key=["sex"], confidential=["tax"], weight=["weight"], identifier=[])
    return Microdata(frame, schema.with_variables(schema["tax"].replace(missing_codes=(-9,))))


def test_what_singles_records_out_stands_at_the_top_of_the_text_and_on_the_page() -> None:
    found = sf.protect(people(), k=3, seed=1)
    top = " ".join(str(found).partition("What was done")[0].split())
    page = " ".join(found.to_html().partition("What was done")[0].split())
    for told in (
        "weight: 90 of 90 records have a weight that no other has",
        "different for most records: score",
        "category that no other record has: hobby (1 record)",
        "tax: a code that stands for missing is left in fewer than 3 records",
    ):
        assert told in top
        assert told[1:] in page  # a sentence on the page begins with a capital


def test_codes_that_several_records_have_are_not_named() -> None:
    data = people()
    more = data.frame.with_columns(tax=pl.when(pl.int_range(90) < 5).then(-9.0).otherwise("tax"))
    remarks = sf.protect(data.with_frame(more), k=3, seed=1).remarks
    assert not any("stands for missing" in remark for remark in remarks)
