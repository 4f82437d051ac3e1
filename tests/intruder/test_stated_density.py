"""A density that a method states wrongly: what is learnt by running the method takes its place."""

from typing import ClassVar

import numpy as np
import pytest
from polars import DataFrame

from sfumato.contracts import Coordinate, Knowledge, Layout, Likelihood, MaskingMethod, Measurement
from sfumato.data import Kind, Microdata
from sfumato.intruder import NO_FIT, build_model
from sfumato.masking import CorrelatedNoise, DropIdentifiers, LocalSuppression, Pram
from sfumato.numerics.densities import STANDARD_NORMAL
from sfumato.parameters import Columns
from sfumato.risk import LikelihoodLinkage

NAMES = ("x", "y", "z")
SCALE = 0.3


class NormalNoise(MaskingMethod):
    """Add normal noise, and state it as if it had another width or were moved."""

    family: ClassVar[str] = "noise"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns
    stated_width: float = 1.0
    stated_shift: float = 0.0

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy with noise."""
        names = block.select(self.columns)
        return block.map_matrix(names, lambda values: values + SCALE * rng.normal(size=values.shape))

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood:
        """Return what is stated."""
        width = SCALE * self.stated_width
        return tuple(
            Coordinate(
                original.values(name) / width, (masked.values(name) + self.stated_shift) / width, STANDARD_NORMAL
            )
            for name in names
        )


@pytest.mark.parametrize(("width", "shift", "is_outdone"), [(1.0, 0.0, False), (100.0, 0.0, True), (1.0, 0.9, True)])
def test_what_is_learnt_takes_the_place_of_what_is_stated_wrongly(width: float, shift: float, is_outdone: bool) -> None:
    values = np.random.default_rng(0).normal(size=(400, 3))
    original = Microdata(DataFrame(values, schema=list(NAMES)))
    method = NormalNoise(columns=NAMES, stated_width=width, stated_shift=shift)
    model = build_model(original, method.mask(original, np.random.default_rng(1)), NAMES, (method,), 0)
    assert ("finds less than what is learnt" in str(model.remarks)) == is_outdone
    assert model.is_proven != is_outdone
    assert NO_FIT not in str(model.remarks)


def test_methods_of_the_package_are_not_outdone() -> None:
    from sfumato.masking import AdditiveNoise, InvariantPram, MixtureNoise

    rng = np.random.default_rng(2)
    table = DataFrame(rng.normal(size=(300, 3)), schema=list(NAMES)).with_columns(
        region=np.array(["a", "b", "c"])[rng.integers(3, size=300)]
    )
    original = Microdata(table)
    for step in (
        AdditiveNoise(columns=NAMES, scale=0.3),
        MixtureNoise(columns=NAMES, variance_ratio=0.3, within=("region",)),
        InvariantPram(columns=("region",), stay=70),
    ):
        masked = step.mask(original, np.random.default_rng(3))
        assert build_model(original, masked, (*NAMES, "region"), (step,), 0).is_proven


def attack(original: Microdata, masked: Microdata, *steps: MaskingMethod) -> Measurement:
    return LikelihoodLinkage(columns=NAMES).informed_by(Knowledge.of(steps, original)).measure(original, masked)


def test_gaps_that_a_step_without_chance_made_before_are_known() -> None:
    rng = np.random.default_rng(3)
    original = Microdata(DataFrame({name: rng.integers(5, size=300).astype(str) for name in NAMES}))
    suppression, pram = LocalSuppression(columns=NAMES, k=3), Pram(columns=NAMES, stay=85)
    suppressed = suppression.mask(original, rng)
    masked = pram.mask(suppressed, rng)
    found, expected = attack(original, masked, suppression, pram), attack(suppressed, masked, pram)
    assert found.value == pytest.approx(expected.value)
    assert found.parts["row by row"] == pytest.approx(expected.parts["row by row"])
    assert "which is proven" in found.remark


def test_strata_that_are_not_in_the_masked_file_are_no_hindrance() -> None:
    rng = np.random.default_rng(4)
    values = DataFrame(rng.normal(size=(200, 3)), schema=list(NAMES))
    original = Microdata(values.with_columns(group=rng.integers(2, size=200).astype(str)))
    steps = CorrelatedNoise(columns=NAMES, variance_ratio=0.1, within=("group",)), DropIdentifiers(columns=("group",))
    masked = original
    for step in steps:
        masked = step.mask(masked, rng)
    assert attack(original, masked, *steps).value > 20
