"""Noise that other steps follow: what each step adds, and the file right after it.

Where several steps add noise to a column one after the other, their noise adds up. What comes after the last of them
blurs or codes values, which the intruder sees in shadows of their own: they have the file before it and after it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from sfumato.contracts import MaskingMethod, Noise, columns_present
from sfumato.data import Kind, Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder.composed.linear_steps import ROUNDING_VARIANCE, LinearStep, is_linear
from sfumato.intruder.composed.seen_noise import NoiseParts, SeenNoise, noise_elements
from sfumato.intruder.composed.value_scales import Scale, as_values, log_sizes
from sfumato.intruder.shadow_masking import shadow_generator
from sfumato.intruder.told_columns import with_told_columns
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import STANDARD_NORMAL


@dataclass(frozen=True, eq=False)
class NoisyShadow:
    """A file masked by the intruder, with the noisy values before other steps.

    Parameters
    ----------
    data, rows
        The masked records, and for each the row of the original that it comes from.
    noisy
        The values of the columns right after the last noise on them, for these records (records x columns).
    noises
        The noise of each step that adds any, by stratum.
    linear
        The values of the columns before and after each linear step.
    """

    data: Microdata
    rows: Rows
    noisy: FloatMatrix
    noises: dict[int, list[Noise]] = field(default_factory=dict)
    linear: dict[int, tuple[FloatMatrix, FloatMatrix]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class NoiseChain:
    """Steps that add noise to some columns, the first of them to a file that does not hang on chance.

    Parameters
    ----------
    original, source
        The originals, and what they are before the first noise.
    names
        The columns, all of them numbers then.
    steps
        All steps of the recipe.
    noisy_steps
        The numbers of those that add noise, or map the columns linearly after noise, before any other step changes the
        column at random, or codes it.
    linear_steps
        Those of them that map the columns.
    later
        For each column the numbers of all steps after its noise.
    of_logarithms
        Whether it is the logarithms that noise is added to.
    """

    original: Microdata
    source: Microdata
    names: tuple[str, ...]
    steps: tuple[MaskingMethod, ...]
    noisy_steps: tuple[int, ...]
    linear_steps: frozenset[int]
    later: dict[str, list[int]]
    of_logarithms: bool = False

    @property
    def scale(self) -> Scale:
        """Where noise adds up."""
        return log_sizes if self.of_logarithms else as_values

    @cached_property
    def strata(self) -> tuple[str, ...]:
        """The columns whose equal values make the strata of some noise."""
        adding = [number for number in self.noisy_steps if number not in self.linear_steps]
        found = [name for number in adding for name in self.bound(number).strata]
        return tuple(dict.fromkeys(found))

    def bound(self, number: int) -> MaskingMethod:
        """Return a step that adds noise, with its columns named."""
        return self.steps[number].bound_to(self.source)

    @property
    def exchanges_values(self) -> bool:
        """Whether a later step exchanges values, so that pairs are followed by what each coordinate tells."""
        return any(self.steps[number].exchanges_values for numbers in self.later.values() for number in numbers)

    @cached_property
    def stratum_numbers(self) -> CodeColumn:
        """The stratum of each original."""
        return self.source.stratum_numbers(self.strata)

    def shadow(self, seed: int, number: int) -> NoisyShadow:
        """Return the originals masked by all steps, with draws of the intruder."""
        rng = shadow_generator(seed, number)
        data, noises, linear = self.original, {}, {}
        noisy = {name: self.source.values(name) for name in self.names}
        ids = dict.fromkeys(self.names, self.source.row_ids)
        for place, step in enumerate(self.steps):
            before = data
            if place in self.noisy_steps and place not in self.linear_steps:
                noises[place] = self.noises_in(place, data)
            data = step.mask_beside(self.original, data, rng)
            if place in self.linear_steps:
                linear[place] = before.matrix(self.names), data.matrix(self.names)
            for name in self.names:
                if place in self.noisy_steps and name in columns_present(step.columns, self.source):
                    noisy[name], ids[name] = data.values(name), data.row_ids
        rows = self.source.rows_of(data.row_ids)
        places = np.empty(self.source.n, dtype=np.int64)
        found = np.empty((len(rows), len(self.names)))
        for number, name in enumerate(self.names):
            places[self.source.rows_of(ids[name])] = np.arange(len(ids[name]))
            found[:, number] = noisy[name][places[rows]]
        return NoisyShadow(with_told_columns(data, self.steps, self.original), rows, found, noises, linear)

    def noises_in(self, number: int, data: Microdata) -> list[Noise]:
        """Return the noise that a step adds to each stratum of all strata, in a file that it is about to mask."""
        step = self.bound(number)
        rows = self.source.rows_of(data.row_ids)
        numbers, own = self.stratum_numbers[rows], data.stratum_numbers(step.strata)
        by_own: dict[int, Noise] = {}
        found = []
        for stratum in range(int(self.stratum_numbers.max()) + 1):
            there = np.flatnonzero(numbers == stratum)
            mine = int(own[there[0]]) if there.size else -1  # a stratum may be lost in a sample
            if mine not in by_own:
                noise = step.noise(data.take_rows(np.flatnonzero(own == mine)) if there.size else data)
                if noise is None:
                    raise ValueError("a step of a chain of noise states its noise")
                by_own[mine] = noise
            found.append(by_own[mine])
        return found

    @property
    def last_mapping(self) -> int | None:
        """The number of the last step that is part of the chain, if that is linear."""
        return self.noisy_steps[-1] if self.noisy_steps[-1] in self.linear_steps else None

    def density(
        self, shadows: Sequence[NoisyShadow], *, without_last: bool = False
    ) -> tuple[SeenNoise, FloatMatrix, bool]:
        """Return the density of the noise, what each original is expected to become, and whether that is exact.

        Where asked for, all that is told before the last step of the chain.
        """
        expected = np.array(self.scale(self.source.matrix(self.names)))
        strata = len(next(iter(shadows[0].noises.values())))
        parts = [NoiseParts.none(len(self.names)) for _ in range(strata)]
        centres: list[FloatColumn] = []
        weights: list[FloatColumn] = []
        variances: list[float] = []
        is_more = False
        for number in self.noisy_steps[:-1] if without_last else self.noisy_steps:
            if number in self.linear_steps:
                step = self.mapping(number, shadows)
                parts = [part.mapped(step.matrix, step.errors) for part in parts]
                expected = expected @ step.matrix.T + step.shift
                continue
            every = columns_present(self.steps[number].columns, self.source)
            known = [every.index(name) if name in every else -1 for name in self.names]
            touched = np.array(known) >= 0
            for stratum in range(strata):
                noise = _mean_noise([shadow.noises[number][stratum] for shadow in shadows])
                root = np.where(touched[:, None], noise.shrinkage * noise.root[known], 0.0)
                is_normal = noise.mixture is STANDARD_NORMAL
                is_more |= not all(shadow.noises[number][stratum].is_exact for shadow in shadows)
                factors = np.where(touched, noise.shrinkage, 1.0)
                parts[stratum] = parts[stratum].shrunk(factors).plus(root, is_normal=is_normal)
                rows = self.stratum_numbers == stratum
                means = np.where(touched, noise.means[known], 0.0)
                expected[rows] = means + factors * (expected[rows] - means)
                if self.of_logarithms:
                    expected[rows] -= np.diag(root @ root.T) / 2
                if stratum == 0 and not is_normal:
                    centres += [noise.mixture.centres] * root.shape[1]
                    weights += [noise.mixture.weights] * root.shape[1]
                    variances += [noise.mixture.variance] * root.shape[1]
        elements, is_exact = noise_elements(parts, centres, weights, variances)
        gaps = np.isnan(expected)
        if gaps.any():
            counts = np.maximum((~gaps).sum(axis=0), 1)
            expected = np.where(gaps, np.where(gaps, 0.0, expected).sum(axis=0) / counts, expected)
        is_exact = is_exact and not is_more and len(self.noisy_steps) == 1 and not self.of_logarithms
        return SeenNoise(elements), expected, is_exact

    def mapping(self, number: int, shadows: Sequence[NoisyShadow]) -> LinearStep:
        """Return the linear function that a step is; what it rounds is told by the spans of what is released."""
        before, after = (np.concatenate([shadow.linear[number][end] for shadow in shadows]) for end in (0, 1))
        step = LinearStep.fit(before, after)
        if step is None:
            raise ValueError("a linear step is one in each run")
        is_whole = [self.source.table[name].dtype.is_integer() for name in self.names]
        errors = np.diag(step.errors) - np.where(is_whole, ROUNDING_VARIANCE, 0.0)
        np.fill_diagonal(step.errors, np.maximum(errors, 0.0))
        return step


def _mean_noise(noises: list[Noise]) -> Noise:
    """Return the noise with the mean of what several files let expect: later noise is scaled by a file not known."""
    covariance = np.mean([noise.covariance for noise in noises], axis=0)
    means = np.mean([noise.means for noise in noises], axis=0)
    return replace(noises[0], covariance=covariance, means=means)


def noise_chain(
    original: Microdata,
    source: Microdata,
    names: tuple[str, ...],
    steps: tuple[MaskingMethod, ...],
    first: int,
    touching: dict[str, list[int]],
    seed: int,
) -> NoiseChain | None:
    """Return the chain that begins with a step on a file that does not hang on chance; none where that adds no noise.

    Parameters
    ----------
    original, source
        The originals, and the file before that step.
    names
        The columns that it and others mask together.
    steps
        All steps.
    first
        The number of the step.
    touching
        For each column the numbers of the steps that change it.
    seed
        Where the draws of the intruder begin.
    """
    if any(source.schema[name].kind is not Kind.CONTINUOUS for name in names):
        return None
    noisy, linear, changed = [], set(), dict.fromkeys(names, False)
    kind = _noise(steps[first], source)
    later: dict[str, list[int]] = {name: [] for name in names}
    numbers = sorted({number for name in names for number in touching[name] if number >= first})
    for number in numbers:
        touched = [name for name in names if number in touching[name]]
        noise = _noise(steps[number], source)
        is_noise = noise is not None and kind is not None and noise.of_logarithms is kind.of_logarithms
        is_noise = is_noise and not any(changed[name] for name in touched)
        if number == first and not is_noise:
            return None
        can_be_linear = not is_noise and not any(changed.values()) and not (kind and kind.of_logarithms)
        if can_be_linear and is_linear(steps, number, original, names, seed):
            linear.add(number)
        if is_noise or number in linear:
            noisy.append(number)
            continue
        for name in touched:
            changed[name] = True
            later[name].append(number)
    of_logarithms = kind is not None and kind.of_logarithms
    return NoiseChain(original, source, names, steps, tuple(noisy), frozenset(linear), later, of_logarithms)


def _noise(step: MaskingMethod, source: Microdata) -> Noise | None:
    """Return the noise that a step would add to a whole file, if it adds any."""
    if type(step).noise is MaskingMethod.noise:
        return None
    try:
        return step.bound_to(source).noise(source)
    except SfumatoError:  # what it masks may be made by an earlier step
        return None
