"""Values that come from a model are linked by it, with what all records of a file share estimated from the file."""

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.data import Microdata
from sfumato.masking import (
    AdditiveNoise,
    IpsoA,
    MixtureNoise,
    PmmImputation,
    Pram,
    Sampling,
    TreeImputation,
)
from sfumato.risk import LikelihoodLinkage

GIVEN = ("x", "kind")
DRAWN = ("y", "z")
HIDE = [AdditiveNoise(columns=("x",), scale=0.3), Pram(columns=("kind",), stay=70)]


def people(n: int) -> Microdata:
    rng = np.random.default_rng(3)
    x, kind = rng.normal(size=n), rng.integers(0, 3, n)
    y = 2 * x + kind + rng.normal(size=n)
    z = y - x + rng.normal(size=n)
    return Microdata(pl.DataFrame({"x": x, "kind": np.array(list("abc"))[kind], "y": y, "z": z}))


def linked(original: Microdata, steps: list[MaskingMethod], names: tuple[str, ...]) -> tuple[float, str]:
    masked, rng = original, np.random.default_rng(7)
    for step in steps:
        masked = step.mask(masked, rng)
    measure = LikelihoodLinkage(columns=names).informed_by(Knowledge.of(steps, original))
    found = measure.measure(original, masked)
    assert found.value is not None
    return found.value, found.remark


@pytest.mark.parametrize(
    ("steps", "at_least"),
    [
        ([TreeImputation(columns=DRAWN, given=GIVEN, min_leaf=5), *HIDE], 35.0),
        ([PmmImputation(columns=DRAWN, given=GIVEN, donors=3), *HIDE], 40.0),
        ([Sampling(percent=60), IpsoA(columns=DRAWN, given=GIVEN), *HIDE], 60.0),
        ([MixtureNoise(columns=("x", "y", "z"), variance_ratio=0.2, within=("kind",)), HIDE[1]], 50.0),
        ([HIDE[1], MixtureNoise(columns=("x", "y", "z"), variance_ratio=0.2, within=("kind",))], 50.0),
    ],
    ids=["tree", "matching", "fitted to a sample", "strata masked later", "strata masked before"],
)
def test_an_intruder_who_knows_the_model_links_more_than_what_the_hidden_columns_tell(
    steps: list[MaskingMethod], at_least: float
) -> None:
    original = people(240)
    by_all, remark = linked(original, steps, (*GIVEN, *DRAWN))
    by_given, _ = linked(original, steps, GIVEN)
    assert by_all > at_least
    assert by_all > 2 * by_given
    assert "may find more: measure each" not in remark
