"""Noise on a sample is scaled by the sample, which the intruder does not have and estimates."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.intruder import NO_FIT, build_model, mask_shadow, posterior_of
from sfumato.masking import AdditiveNoise, MixtureNoise, Rounding, Sampling

NAMES = ("w", "x", "y", "z")
NOISE, SAMPLE = MixtureNoise(columns=NAMES, variance_ratio=0.2), Sampling(percent=40)


@pytest.fixture(scope="module")
def original() -> Microdata:
    numbers = np.random.default_rng(4).lognormal(sigma=1.2, size=(400, 4))
    strata = pl.Series("sex", ["f", "m"] * 200)
    return Microdata(pl.DataFrame(numbers, schema=list(NAMES)).with_columns(strata))


def masked_by(steps: list[MaskingMethod], original: Microdata) -> Microdata:
    masked, rng = original, np.random.default_rng(2)
    for step in steps:
        masked = step.mask(masked, rng)
    return masked


@pytest.mark.parametrize("noise", [NOISE, NOISE.replace(within=("sex",))], ids=["whole", "by strata"])
def test_more_is_linked_than_by_the_scale_of_the_whole_file(original: Microdata, noise: MixtureNoise) -> None:
    steps: list[MaskingMethod] = [SAMPLE, noise]
    masked = masked_by(steps, original)
    truth = original.rows_of(masked.row_ids)
    estimated = build_model(original, masked, NAMES, steps, 0)
    whole = replace(estimated, likelihood=noise.likelihood(original, masked, NAMES))
    right = []
    for model in (estimated, whole):
        posterior = posterior_of(model, 64)
        best = posterior.candidates[np.arange(len(posterior.by_row)), posterior.by_row.argmax(axis=1)]
        right.append(float((posterior.original_classes[truth] == best[posterior.masked_classes]).mean()))
    assert right[0] > right[1] + 0.05


@pytest.mark.parametrize(
    ("steps", "is_proven"),
    [([SAMPLE, NOISE], False), ([NOISE, SAMPLE], True), ([SAMPLE, NOISE, Rounding(columns=NAMES, base=0.01)], False)],
)
def test_a_likelihood_is_proven_where_the_scale_of_the_noise_is_known(
    original: Microdata, steps: list[MaskingMethod], is_proven: bool
) -> None:
    masked = masked_by(steps, original)
    assert build_model(original, masked, NAMES, steps, 0).is_proven is is_proven


def test_a_sample_whose_noise_is_scaled_by_few_large_values_fits_its_recipe() -> None:
    numbers = np.exp(1.5 * np.random.default_rng(2).normal(size=(400, 2)))
    original = Microdata(pl.DataFrame(numbers, schema=["x", "y"]))
    steps = (Sampling(percent=20), AdditiveNoise(columns=("x", "y"), scale=0.2))
    released = mask_shadow(steps, original, 4, 0).data
    assert NO_FIT not in str(build_model(original, released, ("x", "y"), steps, 0).remarks)
    told = (steps[0], AdditiveNoise(columns=("x", "y"), scale=0.4))
    assert NO_FIT in str(build_model(original, released, ("x", "y"), told, 0).remarks)
