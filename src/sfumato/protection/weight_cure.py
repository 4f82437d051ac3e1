"""Sampling weights that tell a part of a key, made coarser until they do not."""

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata, role
from sfumato.keys.exposure import Exposure, telling_exposure
from sfumato.keys.households import households_of
from sfumato.masking import HintSuppression, WeightRounding
from sfumato.recipe import Recipe

SIZES = (10, 20, 40, 80, 160)  # of the classes of weights that are tried
MIN_CLASSES = 4  # with fewer, the weights would hardly be weights


def round_telling_weights(
    data: Microdata, recipe: Recipe, exposure: Exposure, names: tuple[str, ...], k: int
) -> tuple[Recipe, Microdata, Exposure] | None:
    """Return the recipe with rounded weights, the file and its exposure, with the smallest classes that expose nobody.

    None where weights expose nobody, where a step masks them already, and where no size of the classes is enough.

    Parameters
    ----------
    data, recipe
        The file, and the recipe that protects it, whose last step suppresses what other columns tell.
    exposure
        Whom other columns expose in the file that the recipe makes.
    names, k
        The keys, and how many persons must fit what each record shows.
    """
    *steps, last = recipe.steps
    weights = _telling_weights(data, steps, exposure)
    if not weights or not isinstance(last, HintSuppression):
        return None
    masked = recipe.replace(steps=tuple(steps)).run(data)
    for size in SIZES:
        rounding = WeightRounding(columns=weights, k=size).bound_to(masked)
        if households_of(masked, masked.select(rounding.household)).count < MIN_CLASSES * size:
            break
        rng = np.random.default_rng(0)  # neither step draws anything
        found = last.mask_beside(data, rounding.mask(masked, rng), rng)
        left = telling_exposure(found, names, k, data)
        if not left.records:
            return recipe.replace(steps=(*steps, rounding, last)), found, left
    return None


def _telling_weights(data: Microdata, steps: list[MaskingMethod], exposure: Exposure) -> tuple[str, ...]:
    """Return the weights that expose somebody and that no step masks."""
    masked = {name for step in steps for name in data.select(step.columns) if isinstance(step.columns, tuple)}
    return tuple(
        name
        for name in data.select(role("weight"))
        if name in exposure.columns and name not in masked and data.schema[name].kind is Kind.CONTINUOUS
    )
