"""What `assess` says of the k-anonymity that a recipe claims."""

import numpy as np
import polars as pl

from sfumato.assessment import assess
from sfumato.data import Microdata, Schema
from sfumato.masking import CategoricalMicroaggregation, LocalSuppression
from sfumato.recipe import Recipe

KEYS = ("region", "sex", "job", "age")


def survey() -> Microdata:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({key: rng.choice(list("abcdef"), 200) for key in KEYS})
    return Microdata(frame, Schema.infer(frame))


def masked_and_remarks(combinations: int | None = None) -> tuple[Microdata, str]:
    original = survey()
    steps = [LocalSuppression(columns=KEYS, k=3, combinations=combinations or ())]
    masked = Recipe(steps=steps, seed=1).run(original)
    return masked, " ".join(assess(original, masked, methods=steps, worst_case=False).remarks)


def test_who_knows_all_keys_is_named_where_k_is_about_them() -> None:
    assert "somebody who knows region, sex, job, age of a person." in masked_and_remarks()[1]


def test_k_of_some_keys_is_not_told_as_k_of_all() -> None:
    masked, found = masked_and_remarks(combinations=2)
    rows = masked.frame.rows()
    fitting = [
        sum(all(a in (None, b) or b is None for a, b in zip(row, other, strict=True)) for other in rows) for row in rows
    ]
    exposed = 100 * sum(count < 3 for count in fitting) / len(rows)
    assert "no more of region, sex, job, age of a person than the combinations that were asked for" in found
    assert exposed > 50
    assert f"of all these keys together {exposed:g} % of the records share them with fewer than 2 others" in found


def test_what_categorical_microaggregation_promises_is_counted_with_the_gaps_that_stay() -> None:
    rng = np.random.default_rng(6)
    frame = pl.DataFrame({"a": rng.choice(list("uvwx"), 60).tolist(), "b": rng.choice(list("yz"), 60).tolist()})
    frame = frame.with_columns(a=pl.when(pl.int_range(60) == 7).then(None).otherwise(pl.col("a")))
    original, steps = Microdata(frame), [CategoricalMicroaggregation(columns=("a", "b"), k=4)]
    masked = Recipe(steps=steps, seed=1).run(original)
    alone = sum(row.count(None) > 0 and masked.frame.rows().count(row) < 4 for row in masked.frame.rows())
    assert alone == 1
    found = next(
        one for one in assess(original, masked, methods=steps, worst_case=False).measurements if one.symbol == "KA"
    )
    assert "as a category of its own it would be 1.67 %" in found.remark
    apart = [CategoricalMicroaggregation(columns=("a", "b"), k=4, columns_at_a_time=1)]
    assert "KA" not in assess(original, masked, methods=apart, worst_case=False).values
