"""What a file that was just masked still gives away is told when it is written."""

from pathlib import Path

import numpy as np
import polars as pl

from sfumato import files
from sfumato.data import Microdata, Schema
from sfumato.jobs.mask import mask
from sfumato.keys.recomputed_values import RECOMPUTABLE
from sfumato.masking import RankSwapping
from sfumato.recipe import Recipe


def test_masked_values_that_can_be_computed_are_told_once(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    pay, tax = rng.lognormal(8, 1, 200).round(2), rng.lognormal(6, 1, 200).round(2)
    frame = pl.DataFrame({"sex": rng.choice(["f", "m"], 200), "pay": pay, "tax": tax, "net": (pay - tax).round(2)})
    schema = Schema.infer(frame).with_roles(key=["sex"], confidential=["net"], other=["pay", "tax"])
    files.write(Microdata(frame, schema), tmp_path / "people.csv")
    recipe = Recipe(steps=[RankSwapping(columns=("net",), window=10)])
    notices = mask(tmp_path / "people.csv", recipe, tmp_path / "masked.csv").notices
    assert any(one.startswith(f"{RECOMPUTABLE}: net by pay and tax (of 200 of 200 records)") for one in notices)
    assert len(set(notices)) == len(notices)
