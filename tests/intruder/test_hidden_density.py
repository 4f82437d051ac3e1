"""A density that a later step hides from the intruder is told, as others may find more there."""

from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Knowledge, Layout, MaskingMethod
from sfumato.data import Kind, Microdata, Variable
from sfumato.masking import MatrixMasking, Mdav, MixtureNoise, PmmImputation, Pram, Rounding, Sampling, TopCoding
from sfumato.parameters import Columns
from sfumato.risk import LikelihoodLinkage

NAMES = ("x", "y", "z")
NOISE, CODING = MixtureNoise(columns=NAMES, variance_ratio=0.2), TopCoding(columns=("x",), percent=10)
EXCHANGE = Pram(columns=("kind",), stay=80)
MIXING = MatrixMasking(columns=NAMES, column_weights={"x": {"x": 0.7, "y": 0.3}, "y": {"y": 0.6, "z": 0.4}})
TOLD = "one by one may find more"


@pytest.mark.parametrize(
    ("steps", "is_told"),
    [
        ([EXCHANGE, EXCHANGE], True),
        ([NOISE, MIXING], False),
        ([NOISE, CODING], False),
        ([CODING, NOISE], False),
        ([Mdav(columns=NAMES, k=3), CODING], False),
        ([NOISE.replace(within=("kind",)), EXCHANGE], False),
        ([PmmImputation(columns=("y",), given=("x", "z")), CODING.replace(columns=("y",))], True),
        ([Sampling(percent=60), Mdav(columns=NAMES, k=3), Rounding(columns=NAMES, base=0.1)], False),
    ],
)
def test_a_density_that_cannot_be_used_is_told_and_that_of_noise_before_other_steps_is_used(
    steps: list[MaskingMethod], is_told: bool
) -> None:
    rng = np.random.default_rng(1)
    numbers = pl.DataFrame(rng.lognormal(size=(200, 3)), schema=list(NAMES))
    original = Microdata(numbers.with_columns(kind=pl.Series(rng.choice(list("abc"), 200))))
    masked = original
    for step in steps:
        masked = step.mask(masked, np.random.default_rng(2))
    names = (*NAMES, "kind")
    found = LikelihoodLinkage(columns=names).informed_by(Knowledge.of(steps, original)).measure(original, masked)
    assert (TOLD in found.remark) is is_told
    assert not (is_told and "which is proven" in found.remark)


class Doubled(MaskingMethod):
    """A method from outside that puts another column in the place of each of its own."""

    family: ClassVar[str] = "doubling"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_shape: ClassVar[bool] = False

    columns: Columns

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        for name in block.select(self.columns):
            doubled = (2 * block.values(name)).tolist()
            block = block.with_column(Variable(name=f"twice_{name}", kind=Kind.CONTINUOUS), doubled)
        return block.without_columns(block.select(self.columns))


def test_columns_that_the_recipe_makes_and_the_attack_leaves_aside_are_named() -> None:
    rng = np.random.default_rng(1)
    original = Microdata(pl.DataFrame(rng.lognormal(size=(60, 3)), schema=list(NAMES)))
    steps = [Doubled(columns=("y", "z"))]
    masked = steps[0].mask(original, rng)
    found = LikelihoodLinkage(columns=("x",)).informed_by(Knowledge.of(steps, original)).measure(original, masked)
    assert "twice_y, twice_z" in found.remark
    assert "no bound is proven" in found.remark
