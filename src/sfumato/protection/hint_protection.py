"""Run the steps that protect a file as it will be written; weights that tell a part of a key are rounded."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata, role
from sfumato.keys.findings.exposure import Exposure, count_hinted, telling_exposure
from sfumato.keys.hinting_columns import KnownHints
from sfumato.keys.households import households_of
from sfumato.masking import HintSuppression, Rounding, WeightRounding
from sfumato.masking.rounding.rounding import nearest_multiples
from sfumato.protection.steps import Averaged
from sfumato.recipe import Recipe
from sfumato.recipe.checking import prepare_data

SIZES = (10, 20, 40, 80, 160)  # of the classes of weights that are tried
MIN_CLASSES = 4  # with fewer, the weights would hardly be weights


class HintedRun(NamedTuple):
    """A recipe that takes hints from other columns into account, and what came of it.

    Parameters
    ----------
    recipe, masked
        The recipe, and the file that it makes.
    exposure
        Whom other columns still expose in that file.
    hinted
        How many key values are suppressed because of other columns.
    """

    recipe: Recipe
    masked: Microdata
    exposure: Exposure
    hinted: int = 0


def run_with_hints(
    data: Microdata,
    recipe: Recipe,
    names: tuple[str, ...],
    k: int,
    decimals: Mapping[str, int],
    averaged: Sequence[Averaged] = (),
) -> HintedRun:
    """Return the recipe, the file that it makes, and whom other columns still expose in it.

    Where weights expose somebody whom no gap in the keys hides, the recipe that is returned rounds them, in the
    smallest classes after which no more are exposed than without weights, else in those that leave fewest. It does not
    where a step masks them already.

    Parameters
    ----------
    data, recipe
        The file, and the recipe that protects it; its last step may suppress what other columns tell.
    names, k
        The keys, and how many persons must fit what each record shows.
    decimals
        How many decimals columns have in the file that will be written. Masked numbers that have more are rounded by a
        step of the recipe that is returned: two that differ here could be equal there, and tell more.
    averaged
        What is known of steps that average numbers, which are not run again.
    """
    *steps, last = recipe.steps
    known = KnownHints()
    if not isinstance(last, HintSuppression):
        masked, rounding = _as_written(_run_others(recipe, data, averaged), decimals)
        recipe = recipe.replace(steps=(*recipe.steps, *rounding))
        return HintedRun(recipe, masked, _exposure(data, masked, names, k, known))
    partly, rounding = _as_written(_run_others(recipe.replace(steps=tuple(steps)), data, averaged), decimals)
    steps += rounding
    recipe, rng = recipe.replace(steps=(*steps, last)), np.random.default_rng(0)  # the rest draws nothing
    trial = last.replace(both_sides=False)  # which weights are rounded is chosen by the side of the record
    masked = trial.mask_knowing(data, partly, known)
    exposure, unsuppressed = _exposure(data, masked, names, k, known), partly
    weights = _telling_weights(data, steps, exposure)
    best = HintedRun(recipe, masked, exposure, lost_values(partly, masked, names))

    tells_key = bool({one.column for one in exposure.found} & {*weights})  # else what is read stays as it is

    def left(released: Microdata) -> int:
        """Return how many records are exposed, as far as that depends on the weights."""
        if tells_key:
            return _exposure(data, released, names, k, known).records or 0
        return count_hinted(released, _keys_with_values(released, names), k, data, known)

    fewest = (exposure.records or 0) if tells_key else exposure.hinted
    unavoidable = -1  # records that other columns expose: no rounding of weights hides them
    for size in SIZES if weights and fewest else ():
        in_classes = WeightRounding(columns=weights, k=size).bound_to(partly)
        if households_of(partly, partly.select(in_classes.household)).count < MIN_CLASSES * size:
            break
        coarser, rounding = _as_written(in_classes.mask(partly, rng), decimals)
        found = trial.mask_knowing(data, coarser, known)
        exposed = left(found)
        if exposed < fewest:
            rounded, fewest = recipe.replace(steps=(*steps, in_classes, *rounding, last)), exposed
            best, unsuppressed = HintedRun(rounded, found, exposure, lost_values(partly, found, names)), coarser
        if not exposed:
            break
        if unavoidable < 0:
            unavoidable = left(trial.mask_knowing(data, partly.without_columns(weights), known))
        if exposed <= unavoidable:
            break
    if last.both_sides:
        found = last.mask_knowing(data, unsuppressed, known)
        best = best._replace(masked=found, hinted=lost_values(partly, found, names))
    if best.masked is not masked:
        best = best._replace(exposure=_exposure(data, best.masked, names, k, known))
    if not last.both_sides or not _count_exposed(best.exposure):
        return best

    def in_classes_of(weights: tuple[str, ...], size: int) -> HintedRun:
        """Return the run with weights in classes of a size."""
        classes = WeightRounding(columns=weights, k=size).bound_to(partly)
        coarser, rounding = _as_written(classes.mask(partly, rng), decimals)
        found = last.mask_knowing(data, coarser, known)
        wider = recipe.replace(steps=(*steps, classes, *rounding, last))
        return HintedRun(wider, found, _exposure(data, found, names, k, known), lost_values(partly, found, names))

    return _widen_weights(partly, _hinting_weights(data, steps, best.exposure), best, in_classes_of)


def _run_others(recipe: Recipe, data: Microdata, averaged: Sequence[Averaged]) -> Microdata:
    """Return what a recipe makes of a file; numbers that were averaged before are put into it, as no step changes them.

    No step that is left draws anything, as numbers are known only where nobody chose the steps for them.
    """
    known = [one for one in averaged if one.step in recipe.steps]
    if not known:
        return recipe.run(data)
    prepare_data(data, recipe.schema, recipe.steps)  # refuses what a run of all steps would
    others = tuple(step for step in recipe.steps if step not in [one.step for one in known])
    masked = recipe.replace(steps=others).run(data)
    for one in known:
        masked = masked.with_columns_of(one.masked)
    return masked


def _widen_weights(
    data: Microdata,
    weights: tuple[str, ...],
    best: HintedRun,
    in_classes_of: Callable[[tuple[str, ...], int], HintedRun],
) -> HintedRun:
    """Return the run with weights in the smallest classes that leave nobody exposed, else in those that leave fewest.

    Classes that were taken before are tried no more: larger ones are.
    """
    taken = max((step.k for step in best.recipe.steps if isinstance(step, WeightRounding)), default=0)
    for size in [size for size in SIZES if size > taken and weights]:
        if data.n < MIN_CLASSES * size or not _count_exposed(best.exposure):
            break
        run = in_classes_of(weights, size)
        best = run if _count_exposed(run.exposure) < _count_exposed(best.exposure) else best
    return best


def _count_exposed(exposure: Exposure) -> int:
    """Return how many records and persons are found by what other columns tell."""
    return (exposure.records or 0) + (0 if exposure.side is None else exposure.side.persons)


def _hinting_weights(data: Microdata, steps: Sequence[MaskingMethod], exposure: Exposure) -> tuple[str, ...]:
    """Return the weights that tell a part of a key and that no step masks."""
    telling = {column for _, column in exposure.hinting} | set(exposure.columns)
    return _unmasked_weights(data, steps, telling)


def _as_written(masked: Microdata, decimals: Mapping[str, int]) -> tuple[Microdata, list[Rounding]]:
    """Return the file as it will be written, and the steps that make it so.

    Numbers that would become codes for missing values keep their decimals, here as in the file.
    """
    columns: dict[int, list[str]] = {}
    for name in masked.schema.names:
        if name not in decimals or not masked.table[name].dtype.is_float():
            continue
        variable, values = masked.schema[name], masked.values(name)[masked.observed(name)]
        rounded = nearest_multiples(values, 10.0 ** -decimals[name])
        codes = [(code, code) for code in variable.missing_codes if not isinstance(code, str)]
        is_code = any(((rounded >= low) & (rounded <= high)).any() for low, high in (*codes, *variable.missing_ranges))
        if variable.kind is Kind.CONTINUOUS and not is_code and (rounded != values).any():
            columns.setdefault(decimals[name], []).append(name)
    steps = [Rounding(columns=tuple(some), base=10.0**-places) for places, some in sorted(columns.items())]
    for step in steps:
        masked = step.mask(masked, np.random.default_rng(0))
    return masked, steps


def _exposure(data: Microdata, masked: Microdata, names: tuple[str, ...], k: int, known: KnownHints) -> Exposure:
    """Return whom other columns expose, by the keys that still have a value."""
    shown = _keys_with_values(masked, names)
    return telling_exposure(masked, shown, k, data, known) if shown else Exposure()


def _keys_with_values(masked: Microdata, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if masked.observed(name).any())


def lost_values(before: Microdata, after: Microdata, names: tuple[str, ...]) -> int:
    """Return how many key values are missing that were not."""
    return sum(int(np.count_nonzero(before.observed(name) & ~after.observed(name))) for name in names)


def _telling_weights(data: Microdata, steps: Sequence[MaskingMethod], exposure: Exposure) -> tuple[str, ...]:
    """Return the weights that expose somebody and that no step masks."""
    return _unmasked_weights(data, steps, {*exposure.columns}) if exposure.records else ()


def _unmasked_weights(data: Microdata, steps: Sequence[MaskingMethod], telling: set[str]) -> tuple[str, ...]:
    """Return the weights among some columns that no step masks."""
    masked = {name for step in steps if isinstance(step.columns, tuple) for name in step.columns}
    return tuple(
        name
        for name in data.select(role("weight"))
        if name in telling and name not in masked and data.schema[name].kind is Kind.CONTINUOUS
    )
