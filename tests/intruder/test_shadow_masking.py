"""The intruder runs a recipe that refuses some of the files which its own steps draw."""

from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.intruder.shadow_masking import mask_shadow
from sfumato.masking import Sampling
from sfumato.parameters import Columns

DATA = Microdata(pl.DataFrame({"x": np.arange(20.0)}))


class Choosy(MaskingMethod):
    """A method that refuses files with the largest value."""

    family: ClassVar[str] = "choosing"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return the block, or refuse it."""
        if 19.0 in block.frame["x"]:
            raise DataError("Choosy refuses 1 record: leave it out")
        return block


def test_a_sample_that_a_step_refuses_is_drawn_again() -> None:
    for number in range(4):
        shadow = mask_shadow([Sampling(percent=50), Choosy(columns=("x",))], DATA, 0, number)
        assert shadow.data.n == 10
        assert 19 not in shadow.rows


def test_a_file_that_no_draw_changes_is_refused_at_once() -> None:
    with pytest.raises(DataError, match="refuses"):
        mask_shadow([Choosy(columns=("x",))], DATA, 0, 0)
