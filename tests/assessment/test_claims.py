"""What `assess` says of the k-anonymity that a recipe claims."""

import numpy as np
import polars as pl

from sfumato.assessment import assess
from sfumato.data import Microdata, Schema
from sfumato.masking import LocalSuppression
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
