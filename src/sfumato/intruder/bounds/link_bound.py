"""The smallest bound that is proven of what anybody links."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sfumato.contracts import MaskingMethod, columns_present, paired_rows
from sfumato.data import Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder.bounds.equal_records import chances_among_equals, visible_households
from sfumato.intruder.bounds.exact_model import exact_model
from sfumato.intruder.bounds.matching_bound import matching_bound
from sfumato.intruder.bounds.proof_conditions import is_ours, reasons_without_bound, states_unproven_density
from sfumato.intruder.bounds.step_order import (
    columns_that_matter,
    draws_equally,
    has_groups,
    sees_only_the_file,
    states_density,
    treats_equals_alike,
    without_dropped_columns,
    without_later_steps,
)
from sfumato.intruder.pair_model import Model
from sfumato.intruder.posterior import Posterior
from sfumato.intruder.shadow_masking import FRESH, Runs, shadow_generator, steps_by_column
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.binomial import binomial_interval

TRIVIAL, NEARLY_CERTAIN = 1 - 1e-12, 0.999
RUNS = 2  # of the recipe, that tell what of its files hangs on chance
WITHOUT_CHANCE = {
    "recoding",
    "rounding",
    "microaggregation",
    "suppression",
    "identifiers",
}  # nearly all of these methods
NUMBER = 500  # the first of the draws of such runs


def link_bound(
    runs: Runs, masked: Microdata, names: tuple[str, ...], model: Model, posterior: Posterior | None = None
) -> float | None:
    """Return the percent of records that nobody links more than on average; nothing where no bound is proven.

    The smallest of these counts, each of which holds for everybody: no one tells equal records apart, of the release or
    of the file before steps that treat records one by one; and no one links more than the posterior of all matchings
    says, where records are masked independently by exact densities. Whoever is told which records were drawn,
    values of columns, or the file before its last steps, can only link more. Where a release shows what no proof speaks
    of, there is no bound: see `proof_conditions`.

    Parameters
    ----------
    runs
        The original and the recipe.
    masked
        The release.
    names
        The columns by which records are linked.
    model, posterior
        How likely the intruder holds pairs to be.
    """
    if reasons_without_bound(runs.original, masked, names):
        return None
    smallest = min(bound.percent for bound in proven_bounds(runs, masked, names, model, posterior))
    return smallest if smallest < 100 * TRIVIAL else None


def _tells_all(runs: Runs, model: Model, posterior: Posterior | None) -> bool:
    """Tell whether nearly every link is certain, but for equal records: nothing is left to be bounded.

    Where records are left out, those that are released may have equals that are not.
    """
    if posterior is None or not model.is_proven:
        return False
    chances = posterior.one_to_one / (posterior.original_counts[posterior.candidates] if _drawing(runs.steps) else 1)
    return bool((chances.max(axis=1, initial=0.0) > NEARLY_CERTAIN).mean() > NEARLY_CERTAIN)


@dataclass(frozen=True)
class Bound:
    """The share of so many records that nobody links more than on average, exactly or as one file shows it."""

    share: float
    n: int
    is_exact: bool

    @property
    def percent(self) -> float:
        """The share in percent; the upper end of its interval where it hangs on draws."""
        return 100 * self.share if self.is_exact else binomial_interval(self.share * self.n, self.n)[1]


def _made(runs: Runs, masked: Microdata) -> list[str]:
    """Return the columns that the recipe made."""
    return [name for name in masked.schema.names if name not in runs.original.schema]


def proven_bounds(
    runs: Runs, masked: Microdata, names: tuple[str, ...], model: Model, posterior: Posterior | None = None
) -> Iterator[Bound]:
    """Yield all bounds that are proven, as in `link_bound`."""
    seen = (*names, *_made(runs, masked))
    yield Bound(float(chances_among_equals(masked, seen).mean()), masked.n, is_exact=True)
    if not runs.steps or model.unused or model.has_misfit or _tells_all(runs, model, posterior):
        return
    is_proven = model.is_proven and not _have_unproven_densities(runs, names)
    if is_proven and model.likelihood:
        rows, households = paired_rows(runs.original, masked), visible_households(masked)
        share = matching_bound(model, rows, households, may_leave=_draws_anybody(runs.steps), posterior=posterior)
        if share is not None:
            yield Bound(share, masked.n, is_exact=False)
    steps, source = without_dropped_columns(runs.steps, runs.original, names)
    runs = replace(runs, original=source, steps=steps, kept={})
    if not steps or (len(steps) == 1 and steps[0].keeps_shape and (is_proven or not _has_bound(steps[0]))):
        return
    try:
        traces = [_trace(runs, NUMBER + number) for number in range(1 if _takes_long(runs.steps) else RUNS)]
        if any(_made(runs, file) for file in traces[0]):  # what such a column shows of another is not in the proofs
            return
        yield from _bounds_by_equals(runs, traces, masked, names)
        yield from _bounds_by_densities(runs, traces[0], names, is_done=is_proven)
    except SfumatoError:  # of a step that refuses what it is given: there is no bound by it
        return


def _have_unproven_densities(runs: Runs, names: tuple[str, ...]) -> bool:
    """Tell whether some step on the columns by which records are linked states a density that is not proven."""
    touching = steps_by_column(runs.steps, runs.original, names)
    return any(states_unproven_density(runs.steps[number]) for numbers in touching.values() for number in numbers)


def _has_bound(step: MaskingMethod) -> bool:
    return states_density(step) or has_groups(step) or treats_equals_alike(step)


def _takes_long(steps: Sequence[MaskingMethod]) -> bool:
    return any(step.is_search for step in steps)


def _trace(runs: Runs, number: int) -> list[Microdata]:
    """Return the original and the files after each step of one run."""
    rng = shadow_generator(runs.seed, FRESH + number)
    files = [runs.original]
    for step in runs.steps:
        files.append(step.mask_beside(runs.original, files[-1], rng))
    return files


def _bounds_by_equals(
    runs: Runs, traces: list[list[Microdata]], masked: Microdata, names: tuple[str, ...]
) -> Iterator[Bound]:
    """Yield the bounds by records that are equal, or in one group, before steps that cannot tell them apart."""
    are_alike = True
    for number in range(len(runs.steps) - 1, -1, -1):
        step, later = runs.steps[number], runs.steps[number + 1 :]
        are_alike = are_alike and treats_equals_alike(step)
        if are_alike:
            yield _bound_before(runs.steps, traces, masked, number, names, are_grouped=False)
        if has_groups(step) and all(map(treats_equals_alike, later)):
            yield _bound_before(runs.steps, traces, masked, number, names, are_grouped=True)


def _bound_before(
    steps: Sequence[MaskingMethod],
    traces: list[list[Microdata]],
    masked: Microdata,
    number: int,
    names: tuple[str, ...],
    *,
    are_grouped: bool,
) -> Bound:
    """Return how many are told from their equals, or from others of their group, in the file before a step.

    Exactly where that file does not hang on chance, and all that follows leaves out records: then those count who are
    released. Or where it leaves out so many of them, whoever they are: everybody counts for as much as anybody else.
    """
    later, found = steps[number:], list[FloatColumn]()
    for trace in traces:
        before = trace[number]
        seen = sorted(columns_that_matter(later, before, names))
        groups = steps[number].groups_alike(before) if are_grouped else None
        grouped = columns_present(steps[number].columns, before) if are_grouped else ()
        found.append(chances_among_equals(before, seen, groups, grouped))
    if _is_known(steps[:number], found):
        if all(map(_only_leaves_out, later)):
            return Bound(float(found[0][traces[0][number].rows_of(masked.row_ids)].mean()), masked.n, is_exact=True)
        if _draws_so_many(later):
            return Bound(float(found[0].mean()), masked.n, is_exact=True)
    drawn = [some[trace[number].rows_of(trace[-1].row_ids)].mean() for some, trace in zip(found, traces, strict=True)]
    are_all_told = all(trace[-1].n == trace[number].n for trace in traces) or len(np.unique(np.concatenate(found))) == 1
    is_exact = are_all_told and len(drawn) > 1 and len(set(drawn)) == 1
    return Bound(float(np.mean(drawn)), traces[0][-1].n, is_exact=is_exact)


def _is_known(earlier: Sequence[MaskingMethod], found: list[FloatColumn]) -> bool:
    """Tell whether everybody is in the file after some steps, none of which draws anything, as several runs confirm."""
    draw_nothing = all(is_ours(step) and step.family in WITHOUT_CHANCE for step in earlier)
    return not earlier or (draw_nothing and len(found) > 1 and all(np.array_equal(some, found[0]) for some in found))


def _only_leaves_out(step: MaskingMethod) -> bool:
    """Tell whether a step leaves out records or columns and does nothing else to those that stay."""
    return draws_equally(step) or (step.drops_only_columns and treats_equals_alike(step))


def _draws_anybody(steps: Sequence[MaskingMethod]) -> bool:
    """Tell whether every set of so many records was equally likely to be drawn, whatever the records are."""
    return all(draws_equally(step) and not _selects(step, "household", "within") for step in _drawing(steps))


def _draws_so_many(steps: Sequence[MaskingMethod]) -> bool:
    """Tell whether each record is as likely to be released as any other, and it is known how many are."""
    return all(draws_equally(step) and not _selects(step, "household") for step in _drawing(steps))


def _drawing(steps: Sequence[MaskingMethod]) -> list[MaskingMethod]:
    return [step for step in steps if not step.keeps_shape and not step.drops_only_columns]


def _selects(step: MaskingMethod, *fields: str) -> bool:
    return any(getattr(step, field, None) != () for field in fields)


def _bounds_by_densities(
    runs: Runs, trace: list[Microdata], names: tuple[str, ...], *, is_done: bool
) -> Iterator[Bound]:
    """Yield the bounds by the posterior of matchings, to somebody who knows which records were drawn first.

    With `is_done`, that of all steps together is there already.
    """
    drawn = 0
    while drawn < len(runs.steps) and draws_equally(runs.steps[drawn]):
        drawn += 1
    source, steps = trace[drawn], runs.steps[drawn:]
    shorter = without_later_steps(steps, source, names)
    for recipe in [steps] if shorter == steps else [steps, shorter]:
        if is_done and recipe == runs.steps:
            continue
        if not recipe or not any(map(states_density, recipe)) or not all(map(sees_only_the_file, recipe)):
            continue
        rng, released = shadow_generator(runs.seed, FRESH + NUMBER - 1), source
        for step in recipe:
            released = step.mask_beside(source, released, rng)
        part = Runs.of(source, released, recipe, runs.seed)
        model = None if _have_unproven_densities(part, names) else exact_model(part, released, names)
        if model is None:
            continue
        share = matching_bound(model, paired_rows(source, released), visible_households(released))
        if share is not None:
            yield Bound(share, released.n, is_exact=False)
